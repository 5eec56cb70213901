//! Secrets: values that are typed into pages by name and never shown to the client.
//!
//! A *spelling* of a secret is its text, or that text escaped as in URLs, JSON or HTML, with different white
//! space, or truncated. Mixed spellings are found, too: which characters a URL escapes depends on its author.

use std::{
    borrow::Cow,
    collections::VecDeque,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use cicerone_relay::HostPattern;
use serde_json::{Map, Value};

/// Shorter values are never redacted: they occur everywhere.
const MIN_LENGTH: usize = 3;

/// Shorter values are redacted only as whole words.
const MIN_LENGTH_IN_WORDS: usize = 4;

/// The name of values that a person gave for one use.
const GIVEN: &str = "of the person";

/// The most of them that are remembered.
const MOST_GIVEN: usize = 200;

/// Secrets by name.
#[derive(Default)]
pub struct Secrets {
    /// In the given order.
    entries: Arc<[Secret]>,
    /// Indexes of those to redact, longest first: one may be a prefix of another.
    redactable: Arc<[usize]>,
    /// Values that a person gave for one use, the oldest first. They have no name that could be typed again.
    given: RwLock<VecDeque<Arc<Given>>>,
    /// Who redacts the log of all sessions.
    log: Option<Arc<Secrets>>,
}

/// A value that a person gave, and the host that it was asked for.
struct Given {
    secret: Secret,
    host: String,
}

/// Who may receive a secret.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Recipients {
    /// Only these hosts, which may be patterns; any host if empty.
    pub(crate) hosts: Vec<String>,
    /// Only fields that mask their value.
    pub(crate) masked: bool,
}

pub struct Secret {
    pub name: String,
    /// Hosts that may receive it. Empty: any host, in password fields only.
    pub hosts: Vec<HostPattern>,
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
    /// Secrets in the given order.
    pub fn new(secrets: impl IntoIterator<Item = impl Into<Secret>>) -> Self {
        let entries: Vec<Secret> = secrets.into_iter().map(Into::into).collect();
        let length = |index: &usize| entries[*index].value.chars().count();
        let mut redactable: Vec<usize> =
            (0..entries.len()).filter(|index| length(index) >= MIN_LENGTH).collect();
        redactable.sort_by_key(|index| std::cmp::Reverse(length(index)));
        Self { entries: entries.into(), redactable: redactable.into(), ..Self::default() }
    }

    /// The same secrets for one client. What its person gives is unknown to other clients; the log hides it all the
    /// same.
    pub fn for_session(self: &Arc<Self>) -> Self {
        let (entries, redactable) = (Arc::clone(&self.entries), Arc::clone(&self.redactable));
        Self { entries, redactable, given: RwLock::default(), log: Some(Arc::clone(self)) }
    }

    /// Remembers a value that a person gave for one use on a host: it is redacted from now on.
    pub fn hide(&self, value: String, host: String) {
        if let Some(log) = &self.log {
            log.hide(value.clone(), host.clone());
        }
        let mut given = self.given.write().unwrap_or_else(PoisonError::into_inner);
        // Given again, it is the newest.
        given.retain(|known| known.secret.value != value || known.host != host);
        if given.len() == MOST_GIVEN {
            given.pop_front();
        }
        let secret = Secret { name: GIVEN.to_owned(), hosts: Vec::new(), value };
        given.push_back(Arc::new(Given { secret, host }));
    }

    fn given(&self) -> Vec<Arc<Given>> {
        self.given.read().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The value of a secret.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.entries.iter().find(|secret| secret.name == name).map(|secret| secret.value.as_str())
    }

    /// Whether this is a valid name: letters, digits and underscores, not starting with a digit.
    pub fn is_name(text: &str) -> bool {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.chars().all(fits) && text.starts_with(|c: char| !c.is_ascii_digit())
    }

    /// Who may receive this text, if it is a secret.
    pub(crate) fn recipients_of(&self, text: &str) -> Option<Recipients> {
        if let Some(named) = self.entries.iter().find(|secret| secret.value == text) {
            let hosts = named.hosts.iter().map(ToString::to_string).collect();
            return Some(Recipients { hosts, masked: named.hosts.is_empty() });
        }
        let given = self.given();
        let of_text = given.iter().filter(|given| given.secret.value == text);
        let hosts: Vec<String> = of_text.map(|given| given.host.clone()).collect();
        (!hosts.is_empty()).then_some(Recipients { hosts, masked: true })
    }

    /// All names, in the given order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|secret| secret.name.as_str())
    }

    /// The names of values too short to redact.
    pub fn too_short(&self) -> impl Iterator<Item = &str> {
        let short = |secret: &&Secret| secret.value.chars().count() < MIN_LENGTH;
        self.entries.iter().filter(short).map(|secret| secret.name.as_str())
    }

    /// Replaces every value with `<secret NAME>`.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let given = self.given();
        let length = |secret: &Secret| secret.value.chars().count();
        let mut given: Vec<&Secret> = given.iter().map(|given| &given.secret).collect();
        given.retain(|secret| length(secret) >= MIN_LENGTH);
        given.sort_by_key(|secret| std::cmp::Reverse(length(secret)));
        let named = self.redactable.iter().map(|index| &self.entries[*index]);
        let secrets: Vec<&Secret> = named.chain(given).collect();
        if secrets.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut redacted = String::new();
        let mut copied = 0;
        let mut at = 0;
        while at < text.len() {
            match found_at(&secrets, text, at) {
                Some((secret, length)) => {
                    redacted.push_str(&text[copied..at]);
                    redacted.push_str("<secret ");
                    redacted.push_str(&secret.name);
                    redacted.push('>');
                    at += length;
                    copied = at;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        redacted.push_str(&text[copied..]);
        Cow::Owned(redacted)
    }

    /// Redacts all strings and keys in a value. A number that is a secret becomes a string.
    pub fn redact_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.redact(text) {
                    *text = redacted;
                }
            }
            Value::Number(number) => {
                let number = number.to_string();
                if self.recipients_of(&number).is_some() && number.chars().count() >= MIN_LENGTH {
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
}

/// The secret at this position, and the length of its spelling in bytes.
fn found_at<'s>(secrets: &[&'s Secret], text: &str, at: usize) -> Option<(&'s Secret, usize)> {
    secrets.iter().find_map(|secret| {
        let length = spelling_length(&secret.value, &text[at..])?;
        let in_words = secret.value.chars().count() >= MIN_LENGTH_IN_WORDS;
        (in_words || is_whole_word(text, at, length)).then_some((*secret, length))
    })
}

/// Whether no letter or digit is next to it.
fn is_whole_word(text: &str, at: usize, length: usize) -> bool {
    let neighbours = [text[..at].chars().next_back(), text[at + length..].chars().next()];
    !neighbours.into_iter().flatten().any(char::is_alphanumeric)
}

/// How to read escapes. A backslash or ampersand may also belong to the value, so each reading is tried on
/// the whole.
#[derive(Clone, Copy)]
enum Reading {
    Plain,
    /// JSON nested in this many JSON strings.
    Json(u32),
    Html,
}

/// The length of the value's spelling at the start of the text.
fn spelling_length(value: &str, text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if !value.starts_with(first) && !matches!(first, '\\' | '%' | '&' | '+' | ' ') {
        return None;
    }
    let readings = [Reading::Plain, Reading::Json(0), Reading::Json(1), Reading::Json(2), Reading::Html];
    readings.into_iter().find_map(|reading| read(value, text, reading))
}

fn read(value: &str, text: &str, reading: Reading) -> Option<usize> {
    let (mut rest, mut in_space) = (text, false);
    for (count, character) in value.chars().enumerate() {
        match after(character, rest, reading) {
            Some(next) => rest = next,
            // Snapshots collapse white space.
            None if in_space && character.is_whitespace() => {}
            // Truncated here.
            None if count >= MIN_LENGTH_IN_WORDS && rest.starts_with('…') => break,
            None => return None,
        }
        in_space = character.is_whitespace();
    }
    Some(text.len() - rest.len())
}

/// The rest of the text after a character in any spelling.
fn after(character: char, text: &str, reading: Reading) -> Option<&str> {
    let escaped = match reading {
        Reading::Plain => None,
        Reading::Json(depth) => after_escape(character, text, depth),
        Reading::Html => after_entity(character, text),
    };
    escaped
        .or_else(|| text.strip_prefix(character))
        .or_else(|| if character.is_whitespace() { text.strip_prefix([' ', '+']) } else { None })
        .or_else(|| after_percents(character, text))
}

/// HTML: `&amp;`, `&#233;`, `&#xe9;`.
fn after_entity(character: char, text: &str) -> Option<&str> {
    let end = text.bytes().take(10).position(|byte| byte == b';')?;
    let spelling_length = match text[..end].strip_prefix('&')? {
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
    (spelling_length == Some(character)).then(|| &text[end + 1..])
}

/// URLs: `%C3%A9`.
fn after_percents(character: char, text: &str) -> Option<&str> {
    let mut rest = text;
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        let digits = rest.strip_prefix('%')?.get(..2)?;
        if u8::from_str_radix(digits, 16) != Ok(byte) {
            return None;
        }
        rest = rest.get(3..)?;
    }
    Some(rest)
}

/// JSON: `\n`, `\"`, `\u00e9`. Nested JSON escapes every backslash and quote again.
fn after_escape(character: char, text: &str, depth: u32) -> Option<&str> {
    // Backslashes that make one in the innermost text.
    let slashes = 1 << depth;
    let short = match character {
        '\\' => after_slashes(text, 2 * slashes),
        '"' => after_slashes(text, 2 * slashes - 1).and_then(|rest| rest.strip_prefix('"')),
        _ => {
            let letter = match character {
                '/' | '\'' => character,
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
        for unit in character.encode_utf16(&mut [0; 2]) {
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
    fn what_a_person_gave_is_for_the_host_that_it_was_asked_for() {
        let secrets = secrets(&[("PASSWORD", "hunter2")]);
        for (value, host) in [("12", "a.test"), ("correct-horse", "a.test"), ("12", "b.test")] {
            secrets.hide(value.into(), host.into());
        }
        let recipients =
            |text| secrets.recipients_of(text).map(|found| (found.hosts.join(" "), found.masked));
        assert_eq!(recipients("12"), Some(("a.test b.test".into(), true)));
        assert_eq!(recipients("correct-horse"), Some(("a.test".into(), true)));
        assert_eq!(recipients("hunter2"), Some((String::new(), true)));
        assert_eq!(recipients("hunter3"), None);
        assert_eq!(secrets.redact("12 correct-horse"), "12 <secret of the person>");
    }

    #[test]
    fn the_oldest_of_many_given_values_is_forgotten() {
        let secrets = Secrets::default();
        let value = |number: usize| format!("{number}-{}", "x".repeat(MOST_GIVEN - number));
        (0..=MOST_GIVEN).for_each(|number| secrets.hide(value(number), "a.test".into()));
        assert!(secrets.recipients_of(&value(0)).is_none());
        assert!((1..=MOST_GIVEN).all(|number| secrets.recipients_of(&value(number)).is_some()));
    }

    #[test]
    fn what_one_client_was_given_is_hidden_from_the_log_and_unknown_to_others() {
        let all = Arc::new(secrets(&[("PASSWORD", "hunter2")]));
        let (one, other) = (all.for_session(), all.for_session());
        one.hide("correct-horse".into(), "a.test".into());
        assert_eq!(one.redact("hunter2 correct-horse"), "<secret PASSWORD> <secret of the person>");
        assert_eq!(all.redact("correct-horse"), "<secret of the person>");
        assert_eq!(other.redact("hunter2 correct-horse"), "<secret PASSWORD> correct-horse");
        assert_eq!(other.recipients_of("correct-horse"), None);
    }

    #[test]
    fn debugging_shows_names_alone() {
        let secrets = secrets(&[("PASSWORD", "hunter2")]);
        assert_eq!(format!("{secrets:?}"), r#"{"PASSWORD"}"#);
    }
}
