//! Secrets: values that are typed into pages by name and never told to anybody.
//!
//! A *spelling* of a secret is the text itself, or the same with characters written as URLs, JSON and HTML write them, with
//! other white space, or cut where a reply cuts what is long. All spellings are found, also mixed ones: which characters a
//! URL escapes depends on who wrote it.

use std::{borrow::Cow, fmt};

use serde_json::{Map, Value};

/// What is shorter is not looked for: it would be found in every other line.
const SHORTEST: usize = 3;

/// What is shorter is found only where it stands alone, or it would be found in every other word.
const SHORTEST_IN_WORDS: usize = 4;

/// Values by name.
#[derive(Default)]
pub struct Secrets {
    /// As they were given.
    entries: Vec<Secret>,
    /// Which of them are looked for, the longest first: one may be the beginning of another.
    sought: Vec<usize>,
}

/// A value, its name, and who may get it.
pub struct Secret {
    /// What clients call it.
    pub name: String,
    /// The hosts that it may be typed into, `*.example.com` for subdomains; none: any, in fields that hide what they hold.
    pub hosts: Vec<String>,
    /// The value.
    pub value: String,
}

impl From<(String, String)> for Secret {
    fn from((name, value): (String, String)) -> Self {
        Self { name, hosts: Vec::new(), value }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl Secrets {
    /// Secrets of these names and values.
    pub fn new(secrets: impl IntoIterator<Item = impl Into<Secret>>) -> Self {
        let entries: Vec<Secret> = secrets.into_iter().map(Into::into).collect();
        let length = |index: &usize| entries[*index].value.chars().count();
        let mut sought: Vec<usize> = (0..entries.len()).filter(|index| length(index) >= SHORTEST).collect();
        sought.sort_by_key(|index| std::cmp::Reverse(length(index)));
        Self { entries, sought }
    }

    /// The value of a name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.entries.iter().find(|secret| secret.name == name).map(|secret| secret.value.as_str())
    }

    /// Whether a secret may have this name: letters, digits and underscores, no digit first.
    pub fn is_name(text: &str) -> bool {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.chars().all(fits) && text.starts_with(|c: char| !c.is_ascii_digit())
    }

    /// The hosts that this text may be typed into, if it is a secret.
    pub(crate) fn hosts_of(&self, text: &str) -> Option<&[String]> {
        self.entries.iter().find(|secret| secret.value == text).map(|secret| secret.hosts.as_slice())
    }

    /// All names, in the order in which they were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|secret| secret.name.as_str())
    }

    /// The names of those that are too short to be hidden.
    pub fn too_short(&self) -> impl Iterator<Item = &str> {
        let short = |secret: &&Secret| secret.value.chars().count() < SHORTEST;
        self.entries.iter().filter(short).map(|secret| secret.name.as_str())
    }

    /// The text with `<secret NAME>` in place of every value.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.sought.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut redacted = String::new();
        let mut kept = 0;
        let mut at = 0;
        while at < text.len() {
            match self.found_at(text, at) {
                Some((secret, length)) => {
                    redacted.push_str(&text[kept..at]);
                    redacted.push_str("<secret ");
                    redacted.push_str(&secret.name);
                    redacted.push('>');
                    at += length;
                    kept = at;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        redacted.push_str(&text[kept..]);
        Cow::Owned(redacted)
    }

    /// The same for all texts in a value, names of fields too. A number that is a secret becomes a text.
    pub fn redact_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.redact(text) {
                    *text = redacted;
                }
            }
            Value::Number(number) => {
                let number = number.to_string();
                if self.sought.iter().any(|index| self.entries[*index].value == number) {
                    *value = Value::String(self.redact(&number).into_owned());
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_json(item)),
            Value::Object(fields) => self.redact_fields(fields),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn redact_fields(&self, fields: &mut Map<String, Value>) {
        fields.values_mut().for_each(|value| self.redact_json(value));
        if fields.keys().any(|name| matches!(self.redact(name), Cow::Owned(_))) {
            let renamed = std::mem::take(fields).into_iter();
            *fields = renamed.map(|(name, value)| (self.redact(&name).into_owned(), value)).collect();
        }
    }

    /// The secret that is here in the text, and how many bytes its spelling has.
    fn found_at(&self, text: &str, at: usize) -> Option<(&Secret, usize)> {
        let mut sought = self.sought.iter().map(|index| &self.entries[*index]);
        sought.find_map(|secret| {
            let length = spelled(&secret.value, &text[at..])?;
            let in_words = secret.value.chars().count() >= SHORTEST_IN_WORDS;
            (in_words || stands_alone(text, at, length)).then_some((secret, length))
        })
    }
}

/// Whether neither a letter nor a digit is beside it.
fn stands_alone(text: &str, at: usize, length: usize) -> bool {
    let beside = [text[..at].chars().next_back(), text[at + length..].chars().next()];
    !beside.into_iter().flatten().any(char::is_alphanumeric)
}

/// How escapes are to be read. A backslash or an ampersand may also be the value's own, so the whole is read in one way, or
/// else in another.
#[derive(Clone, Copy)]
enum Reading {
    Plain,
    /// JSON, within so many texts that are JSON themselves.
    Json(u32),
    Html,
}

/// How many bytes of the text spell this value, if it begins with it.
fn spelled(value: &str, text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if !value.starts_with(first) && !matches!(first, '\\' | '%' | '&' | '+' | ' ') {
        return None;
    }
    let readings = [Reading::Plain, Reading::Json(0), Reading::Json(1), Reading::Json(2), Reading::Html];
    readings.into_iter().find_map(|reading| read(value, text, reading))
}

fn read(value: &str, text: &str, reading: Reading) -> Option<usize> {
    let (mut rest, mut in_space) = (text, false);
    for (count, wanted) in value.chars().enumerate() {
        match after(wanted, rest, reading) {
            Some(next) => rest = next,
            // Snapshots show a run of white space as one blank.
            None if in_space && wanted.is_whitespace() => {}
            // What is long was cut here.
            None if count >= SHORTEST_IN_WORDS && rest.starts_with('…') => break,
            None => return None,
        }
        in_space = wanted.is_whitespace();
    }
    Some(text.len() - rest.len())
}

/// What follows a character, however it is spelled.
fn after(wanted: char, text: &str, reading: Reading) -> Option<&str> {
    let escaped = match reading {
        Reading::Plain => None,
        Reading::Json(depth) => after_escape(wanted, text, depth),
        Reading::Html => after_entity(wanted, text),
    };
    escaped
        .or_else(|| text.strip_prefix(wanted))
        .or_else(|| if wanted.is_whitespace() { text.strip_prefix([' ', '+']) } else { None })
        .or_else(|| after_percents(wanted, text))
}

/// As HTML writes it: `&amp;`, `&#233;`, `&#xe9;`.
fn after_entity(wanted: char, text: &str) -> Option<&str> {
    let end = text.bytes().take(10).position(|byte| byte == b';')?;
    let spelled = match text[..end].strip_prefix('&')? {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        number => {
            let number = number.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            code.ok().and_then(char::from_u32)
        }
    };
    (spelled == Some(wanted)).then(|| &text[end + 1..])
}

/// As URLs write it: `%C3%A9`.
fn after_percents(wanted: char, text: &str) -> Option<&str> {
    let mut rest = text;
    for byte in wanted.encode_utf8(&mut [0; 4]).bytes() {
        let digits = rest.strip_prefix('%')?.get(..2)?;
        if u8::from_str_radix(digits, 16) != Ok(byte) {
            return None;
        }
        rest = rest.get(3..)?;
    }
    Some(rest)
}

/// As JSON writes it: `\n`, `\"`, `\u00e9`. In a text that is JSON itself every backslash and quote is escaped again.
fn after_escape(wanted: char, text: &str, depth: u32) -> Option<&str> {
    // One backslash of the innermost text.
    let slashes = 1 << depth;
    let short = match wanted {
        '\\' => after_slashes(text, 2 * slashes),
        '"' => after_slashes(text, 2 * slashes - 1).and_then(|rest| rest.strip_prefix('"')),
        _ => {
            let letter = match wanted {
                '/' | '\'' => wanted,
                '\n' => 'n',
                '\r' => 'r',
                '\t' => 't',
                '\u{8}' => 'b',
                '\u{c}' => 'f',
                _ => '\0',
            };
            after_slashes(text, slashes).and_then(|rest| rest.strip_prefix(letter))
        }
    };
    short.or_else(|| {
        let mut rest = text;
        for unit in wanted.encode_utf16(&mut [0; 2]) {
            rest = after_slashes(rest, slashes)?.strip_prefix('u')?;
            if u16::from_str_radix(rest.get(..4)?, 16) != Ok(*unit) {
                return None;
            }
            rest = rest.get(4..)?;
        }
        Some(rest)
    })
}

fn after_slashes(text: &str, count: usize) -> Option<&str> {
    let slashes = text.bytes().take(count).take_while(|byte| *byte == b'\\').count();
    (slashes == count).then(|| &text[count..])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn secrets(pairs: &[(&str, &str)]) -> Secrets {
        Secrets::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn a_value_is_replaced_by_its_name_wherever_it_stands() {
        let secrets = secrets(&[("PASSWORD", "hunter2")]);
        assert_eq!(secrets.redact("hunter2 and hunter2."), "<secret PASSWORD> and <secret PASSWORD>.");
        assert_eq!(secrets.redact("xhunter2é"), "x<secret PASSWORD>é");
        assert!(matches!(secrets.redact("hunter3 éé"), Cow::Borrowed("hunter3 éé")));
        assert_eq!(secrets.value("PASSWORD"), Some("hunter2"));
        assert_eq!(secrets.value("password"), None);
    }

    #[test]
    fn urls_and_json_spell_it_in_many_ways() {
        let secrets = secrets(&[("KEY", "a b/é\"\\\n")]);
        for spelling in [
            "a b/é\"\\\n",
            "a%20b%2Fé%22%5C%0A",
            "a+b/%c3%a9%22%5c%0a",
            r#"a b/é\"\\\n"#,
            r"a b\/\u00e9\u0022\u005c\u000A",
        ] {
            assert_eq!(secrets.redact(&format!("<{spelling}>")), "<<secret KEY>>", "{spelling}");
        }
        let mut text = "a b/é\"\\\n".to_owned();
        for _ in 0..3 {
            text = json!(text).to_string();
            assert!(secrets.redact(&text).contains("<secret KEY>"), "{text}");
        }
        assert_eq!(secrets.redact("a%2"), "a%2");
        assert_eq!(
            self::secrets(&[("KEY", r"a\\\b")]).redact(r"a\\\b a\\\\\\b"),
            "<secret KEY> <secret KEY>"
        );
        assert_eq!(secrets.redact("a %é"), "a %é");
    }

    #[test]
    fn html_and_snapshots_spell_it_in_their_ways() {
        let secrets = secrets(&[("KEY", "a&b <\"é'>"), ("LINES", "one  two\nthree")]);
        for spelling in ["a&amp;b &lt;&quot;é&#39;&gt;", "a&#38;b <&#x22;&#xE9;&apos;>"] {
            assert_eq!(secrets.redact(&format!("<p>{spelling}</p>")), "<p><secret KEY></p>", "{spelling}");
        }
        assert_eq!(
            self::secrets(&[("KEY", "x&amp;y")]).redact("x&amp;y x&amp;amp;y"),
            "<secret KEY> <secret KEY>"
        );
        assert_eq!(secrets.redact("\"one two three\""), "\"<secret LINES>\"");
        assert_eq!(secrets.redact("one twothree"), "one twothree");
    }

    #[test]
    fn what_was_cut_is_hidden_too() {
        let secrets = secrets(&[("KEY", "abcdefghijkl")]);
        assert_eq!(secrets.redact("\"abcdefg…\""), "\"<secret KEY>…\"");
        assert_eq!(secrets.redact("abc… abcdx…"), "abc… abcdx…");
    }

    #[test]
    fn characters_beyond_sixteen_bits_are_found_as_pairs() {
        let secrets = secrets(&[("FACE", "ab🙂c")]);
        assert_eq!(secrets.redact(r"ab\ud83d\ude42c"), "<secret FACE>");
        assert_eq!(secrets.redact("ab%F0%9F%99%82c"), "<secret FACE>");
    }

    #[test]
    fn the_longest_of_several_wins() {
        let secrets = secrets(&[("SHORT", "pass"), ("LONG", "password")]);
        assert_eq!(secrets.redact("password pass"), "<secret LONG> <secret SHORT>");
    }

    #[test]
    fn what_is_too_short_stays_and_is_named() {
        let secrets = secrets(&[("MONTH", "12"), ("CODE", "1234"), ("NONE", "")]);
        assert_eq!(secrets.redact("12 1234"), "12 <secret CODE>");
        assert_eq!(secrets.too_short().collect::<Vec<_>>(), ["MONTH", "NONE"]);
    }

    #[test]
    fn what_is_short_is_hidden_where_it_stands_alone() {
        let secrets = secrets(&[("PIN", "123")]);
        assert_eq!(
            secrets.redact("123 \"123\" e123 1234 é123"),
            "<secret PIN> \"<secret PIN>\" e123 1234 é123"
        );
        let mut value = json!([123, 1234, "123"]);
        secrets.redact_json(&mut value);
        assert_eq!(value, json!(["<secret PIN>", 1234, "<secret PIN>"]));
    }

    #[test]
    fn json_is_searched_whole() {
        let secrets = secrets(&[("CODE", "1234")]);
        let mut value = json!({ "a": ["x1234"], "b": { "1234": 1234, "c": 12345 }, "d": null });
        secrets.redact_json(&mut value);
        let hidden = json!({
            "a": ["x<secret CODE>"], "b": { "<secret CODE>": "<secret CODE>", "c": 12345 }, "d": null,
        });
        assert_eq!(value, hidden);
    }

    #[test]
    fn debugging_shows_names_alone() {
        let secrets = secrets(&[("PASSWORD", "hunter2")]);
        assert_eq!(format!("{secrets:?}"), r#"{"PASSWORD"}"#);
    }
}
