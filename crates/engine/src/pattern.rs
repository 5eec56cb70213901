//! Client patterns: globs as in Playwright, and `/regex/flags`.

mod wildcards;

use regex::{Regex, RegexBuilder};
use serde::Serialize;
use url::Url;

/// A pattern for URLs or texts.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    regex: Regex,
    /// The normalised URL, if the pattern is one.
    exact_url: Option<String>,
}

/// Not a valid pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPattern {
    /// What the regular expression's compiler reports.
    pub reason: String,
}

impl Pattern {
    /// `https://example.com/**`, `**/*.{png,jpg}`, `/\/items\/\d+$/i`. A leading slash matches a path on any
    /// host.
    pub fn for_urls(text: &str) -> Result<Self, BadPattern> {
        if let Some((pattern, flags)) = parse_regex_literal(text) {
            return Ok(Self { text: text.to_owned(), regex: compile(pattern, flags)?, exact_url: None });
        }
        let host = if text.starts_with('/') { r"[a-z][a-z0-9+.-]*://[^/]*" } else { "" };
        let regex = compile(&format!("^{host}{}$", glob_to_regex(text)), "")?;
        let exact_url = Url::parse(text).ok().map(String::from);
        Ok(Self { text: text.to_owned(), regex, exact_url })
    }

    /// A regular expression, bare or as `/regex/flags`.
    pub fn for_texts(text: &str) -> Result<Self, BadPattern> {
        let (pattern, flags) = parse_regex_literal(text).unwrap_or((text, ""));
        Ok(Self { text: text.to_owned(), regex: compile(pattern, flags)?, exact_url: None })
    }

    /// Whether a text matches.
    pub fn matches(&self, text: &str) -> bool {
        self.exact_url.as_deref() == Some(text) || self.regex.is_match(text)
    }

    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it can match a URL at all: a glob must start with a scheme, a slash or a wildcard that matches
    /// a scheme and the slashes after it.
    pub fn may_match_urls(&self) -> bool {
        if self.text.starts_with('*') && !self.text.starts_with("**") {
            return self.text.split('/').next().is_some_and(|first| first.contains(':'));
        }
        let fixed = self.text.split(['*', '{', '\\']).next().unwrap_or_default();
        let goes_on = fixed.len() < self.text.len();
        let begins = goes_on && ["http://", "https://"].iter().any(|scheme| scheme.starts_with(fixed));
        begins || fixed.starts_with('/') || fixed.contains(':')
    }

    /// URLs with `*` wildcards that match at least what this pattern matches.
    pub(crate) fn url_wildcards(&self) -> Vec<String> {
        if parse_regex_literal(&self.text).is_some() {
            return vec!["*".into()];
        }
        let host = if self.text.starts_with('/') { "*://*" } else { "" };
        let alternatives = wildcards::alternatives(&self.text);
        let wild = alternatives.iter().map(|glob| format!("{host}{}", wildcards::of(glob)));
        let exact_url = self.exact_url.clone().filter(|exact_url| !exact_url.contains('*'));
        wild.chain(exact_url).collect()
    }
}

/// A text to search in a page, literal or as a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Wording {
    /// A literal text.
    Plain(String),
    /// A JavaScript regular expression.
    Pattern {
        /// The expression.
        pattern: String,
        flags: String,
    },
}

impl Wording {
    /// A text or `/regex/flags`.
    pub fn read(text: &str) -> Self {
        match parse_regex_literal(text) {
            Some((pattern, flags)) => Self::Pattern { pattern: pattern.to_owned(), flags: flags.to_owned() },
            None => Self::Plain(text.to_owned()),
        }
    }
}

/// `/pattern/flags`.
fn parse_regex_literal(text: &str) -> Option<(&str, &str)> {
    let (pattern, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    let known = flags.chars().all(|flag| "dgimsuvy".contains(flag));
    (known && !pattern.is_empty()).then_some((pattern, flags))
}

fn compile(pattern: &str, flags: &str) -> Result<Regex, BadPattern> {
    let has = |flag| flags.contains(flag);
    // JavaScript requires `\/` in literals.
    RegexBuilder::new(&pattern.replace(r"\/", "/"))
        .case_insensitive(has('i'))
        .multi_line(has('m'))
        .dot_matches_new_line(has('s'))
        .size_limit(1 << 20)
        .build()
        .map_err(|error| BadPattern { reason: reason(&error) })
}

/// The last line of the message: the lines above draw the pattern, which the client knows.
fn reason(error: &regex::Error) -> String {
    let message = error.to_string();
    let last = message.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

/// A glob as a regular expression: `*` within a path segment, `**` across segments, `{a,b}` alternatives.
fn glob_to_regex(glob: &str) -> String {
    let mut regex = String::new();
    let mut characters = glob.chars().peekable();
    let (mut before, mut groups) = (None, 0);
    while let Some(character) = characters.next() {
        match character {
            '\\' => regex.push_str(&regex::escape(&characters.next().unwrap_or('\\').to_string())),
            '*' => {
                let mut stars = 1;
                while characters.next_if_eq(&'*').is_some() {
                    stars += 1;
                }
                match stars {
                    1 => regex.push_str("[^/]*"),
                    _ if characters.next_if_eq(&'/').is_some() => {
                        regex.push_str(if before == Some('/') { "(?:.+/)?" } else { ".*/" });
                    }
                    _ => regex.push_str(".*"),
                }
            }
            '{' => {
                groups += 1;
                regex.push_str("(?:");
            }
            '}' if groups > 0 => {
                groups -= 1;
                regex.push(')');
            }
            ',' if groups > 0 => regex.push('|'),
            other => regex.push_str(&regex::escape(&other.to_string())),
        }
        before = Some(character);
    }
    // Close groups that the glob left open.
    regex.extend(std::iter::repeat_n(')', groups));
    regex
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, url: &str) -> bool {
        Pattern::for_urls(pattern).unwrap().matches(url)
    }

    #[test]
    fn globs_are_read_as_playwright_reads_them() {
        for (pattern, url) in [
            ("**/dashboard/**", "http://h/a/dashboard/x"),
            ("**/dashboard/**", "http://h/dashboard/"),
            ("**/*.{png,jpg}", "http://h/a/b.jpg"),
            ("http://h/*/c", "http://h/b/c"),
            ("http://h/a?b=1", "http://h/a?b=1"),
            ("http://h", "http://h/"),
            ("HTTP://H/a", "http://h/a"),
            ("**", "about:blank"),
            ("/path", "https://h:1/path"),
            ("/a/*", "https://h/a/b"),
            (r"/\/items\/\d+$/", "http://h/items/12"),
            ("/ITEMS/i", "http://h/items/12"),
        ] {
            assert!(fits(pattern, url), "{pattern} {url}");
        }
        for (pattern, url) in [
            ("**/dashboard/**", "http://h/dashboards/x"),
            ("http://h/*", "http://h/a/b"),
            ("http://h/a.c", "http://h/abc"),
            ("/path", "https://h/path/more"),
            ("/ITEMS/", "http://h/items/12"),
            ("{a,b", "c"),
        ] {
            assert!(!fits(pattern, url), "{pattern} {url}");
        }
        assert_eq!(Pattern::for_urls("/(/").unwrap_err().reason, "unclosed group");
        let ahead = Pattern::for_texts("a(?=b)").unwrap_err().reason;
        assert_eq!(ahead, "look-around, including look-ahead and look-behind, is not supported");
    }

    #[test]
    fn some_globs_fit_no_url() {
        for glob in [
            "**/api",
            "**",
            "*://h/",
            "{http,https}://h/",
            "http*://h/",
            "/api",
            "/api/",
            "https://h/",
            "about:blank",
        ] {
            assert!(Pattern::for_urls(glob).unwrap().may_match_urls(), "{glob}");
        }
        for glob in ["api/user", "example.com/*", "http", "api*", "*", "*.png", "*/api", "*analytics*"] {
            assert!(!Pattern::for_urls(glob).unwrap().may_match_urls(), "{glob}");
        }
    }

    #[test]
    fn a_text_is_a_pattern_only_between_slashes() {
        assert_eq!(Wording::read("a/b"), Wording::Plain("a/b".into()));
        assert_eq!(Wording::read("/home/user"), Wording::Plain("/home/user".into()));
        let pattern = Wording::Pattern { pattern: "a+".into(), flags: "i".into() };
        assert_eq!(Wording::read("/a+/i"), pattern);
        assert!(Pattern::for_texts("err|warn").unwrap().matches("an error"));
    }
}
