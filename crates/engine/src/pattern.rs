//! Patterns for URLs and texts: globs as Playwright has them, and regular expressions between slashes.

use std::{fmt, str::FromStr};

use regex::{Regex, RegexBuilder};

/// What a URL must look like.
#[derive(Debug, Clone)]
pub struct UrlPattern {
    given: String,
    regex: Regex,
}

/// A pattern that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no regular expression")]
pub struct BadPattern(String);

impl UrlPattern {
    /// Whether a URL fits.
    pub fn matches(&self, url: &str) -> bool {
        self.regex.is_match(url)
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.given)
    }
}

impl FromStr for UrlPattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let regex = match between_slashes(text) {
            Some(regex) => regex?,
            None => Regex::new(&glob(text)).map_err(|_| BadPattern(text.to_owned()))?,
        };
        Ok(Self { given: text.to_owned(), regex })
    }
}

/// The regular expression of `/source/flags`; nothing for a text that is not written so.
pub fn between_slashes(text: &str) -> Option<Result<Regex, BadPattern>> {
    let (source, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    let known = flags.chars().all(|flag| "gimsuy".contains(flag));
    if source.is_empty() || source.starts_with('/') || !known {
        return None;
    }
    let built = RegexBuilder::new(source)
        .case_insensitive(flags.contains('i'))
        .multi_line(flags.contains('m'))
        .dot_matches_new_line(flags.contains('s'))
        .build();
    Some(built.map_err(|_| BadPattern(text.to_owned())))
}

/// A glob as the source of a regular expression for the whole URL: `*` is anything up to a slash, `**` anything at all,
/// `{a,b}` one of these.
fn glob(text: &str) -> String {
    let mut source = String::from("^");
    let mut chars = text.chars().peekable();
    let mut depth = 0;
    while let Some(c) = chars.next() {
        match c {
            '*' if chars.peek() == Some(&'*') => {
                while chars.peek() == Some(&'*') {
                    chars.next();
                }
                // `**/x` is also `x` right after what is before it.
                if chars.peek() == Some(&'/') && (source == "^" || source.ends_with('/')) {
                    chars.next();
                    source.push_str("(?:.*/)?");
                } else {
                    source.push_str(".*");
                }
            }
            '*' => source.push_str("[^/]*"),
            '{' => {
                depth += 1;
                source.push_str("(?:");
            }
            '}' if depth > 0 => {
                depth -= 1;
                source.push(')');
            }
            ',' if depth > 0 => source.push('|'),
            '\\' => source.push_str(&regex::escape(&chars.next().unwrap_or('\\').to_string())),
            other => source.push_str(&regex::escape(&other.to_string())),
        }
    }
    // What was opened and never closed is closed: a typing mistake must not become an error of ours.
    source.extend(std::iter::repeat_n(')', depth));
    source.push('$');
    source
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_and_regular_expressions() {
        let fits = |pattern: &str, url: &str| pattern.parse::<UrlPattern>().unwrap().matches(url);
        assert!(fits("**/dashboard/**", "https://x.test/a/dashboard/b?c"));
        assert!(fits("**/dashboard/**", "https://x.test/dashboard/"));
        assert!(!fits("**/dashboard/**", "https://x.test/dash"));
        assert!(fits("https://*.test/*", "https://x.test/a"));
        assert!(!fits("https://*.test/*", "https://x.test/a/b"));
        assert!(fits("**/*.{png,jpg}", "https://x.test/a.jpg"));
        assert!(fits("https://x.test/?q=1", "https://x.test/?q=1"));
        assert!(fits("/DASH.*d$/i", "https://x.test/dashboard"));
        assert!(fits("**", "about:blank"));
        assert!("/(/".parse::<UrlPattern>().is_err());
    }
}
