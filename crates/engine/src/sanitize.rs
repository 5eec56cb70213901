//! Hiding what looks like a secret in what a page's script returns: values under names that say so, bearer tokens, JSON
//! web tokens, cookies. Unlike [`Secrets`](crate::Secrets), whose values are known, this goes by looks.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

/// What stands in place of a secret.
pub const REDACTED: &str = "[REDACTED]";

/// Parts of names that say that their value is secret, without dashes and the like.
const SECRET: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "authorization",
    "credential",
    "cookie",
    "sessionid",
    "sessid",
    "sessionkey",
    "bearer",
    "jwt",
    "csrf",
    "xsrf",
];

/// Names that say it only as a whole.
const SECRET_WHOLE: &[&str] = &["auth", "otp", "pin", "sid", "session", "pass"];

/// Ends of names that say something about a secret, not it.
const ABOUT: &[&str] = &[
    "count",
    "length",
    "type",
    "expires",
    "expiresin",
    "expiry",
    "enabled",
    "name",
    "url",
    "policy",
    "limit",
];

/// A regular expression of ours; one that cannot be read finds nothing, and a test fails.
fn ours(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

static TOKEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| ours(r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*)+"));
static SCHEME: LazyLock<Option<Regex>> =
    LazyLock::new(|| ours(r"(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/-]{6,}=*)"));
/// `name=value`, `name: value`, `"name": "value"`.
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    ours(
        r#"(?i)(["']?)([a-z0-9_.-]*[a-z0-9_-])(["']?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'&;,}\])]+)"#,
    )
});
static COOKIES: LazyLock<Option<Regex>> =
    LazyLock::new(|| ours(r"^\s*[^=;\s]+=[^;]*(?:;\s*[^=;\s]+=[^;]*)*;?\s*$"));
static COOKIE: LazyLock<Option<Regex>> = LazyLock::new(|| ours(r"([^=;\s]+)=([^;]*)"));

/// Hides what looks like a secret in the value of a script; what it asked for tells cookies from other texts.
pub fn sanitize(value: &mut Value, source: &str) {
    let cookies = source.to_ascii_lowercase().contains("cookie");
    Sanitizing { cookies }.value(value);
}

struct Sanitizing {
    /// Whether texts may be cookies.
    cookies: bool,
}

impl Sanitizing {
    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => {
                // `Object.entries` tells names and values in pairs.
                if let [Value::String(name), value] = items.as_mut_slice()
                    && names_a_secret(name)
                {
                    hide(value);
                    return;
                }
                items.iter_mut().for_each(|item| self.value(item));
            }
            Value::Object(fields) => {
                let named = ["name", "key", "id"]
                    .iter()
                    .any(|key| fields.get(*key).and_then(Value::as_str).is_some_and(names_a_secret));
                for (name, value) in fields.iter_mut() {
                    if names_a_secret(name) || (named && name == "value") {
                        hide(value);
                    } else {
                        self.value(value);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&self, text: &str) -> String {
        if self.cookies && COOKIES.as_ref().is_some_and(|cookies| cookies.is_match(text)) {
            return replaced(&COOKIE, text, |pair| format!("{}={REDACTED}", &pair[1]));
        }
        let text = replaced(&TOKEN, text, |_| REDACTED.to_owned());
        let text = replaced(&SCHEME, &text, |scheme| format!("{}{}{REDACTED}", &scheme[1], &scheme[2]));
        replaced(&PAIR, &text, |pair| {
            let (whole, value) = (&pair[0], &pair[4]);
            // A scheme is no secret, and what follows it is hidden already.
            let harmless = value.starts_with("[REDACTED")
                || matches!(value.to_ascii_lowercase().as_str(), "bearer" | "basic");
            if harmless || !names_a_secret(&pair[2]) {
                return whole.to_owned();
            }
            let quote = value.chars().next().filter(|first| *first == '"' || *first == '\'');
            let quote = quote.map(String::from).unwrap_or_default();
            format!("{}{}{}{quote}{REDACTED}{quote}", &pair[1], &pair[2], &pair[3])
        })
    }
}

fn replaced(pattern: &Option<Regex>, text: &str, with: impl Fn(&Captures<'_>) -> String) -> String {
    match pattern {
        Some(pattern) => pattern.replace_all(text, with).into_owned(),
        None => text.to_owned(),
    }
}

/// Hides all that a value tells.
fn hide(value: &mut Value) {
    match value {
        Value::String(text) if text.is_empty() => {}
        Value::String(_) | Value::Number(_) => *value = REDACTED.into(),
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::Object(fields) => fields.values_mut().for_each(hide),
        Value::Null | Value::Bool(_) => {}
    }
}

fn names_a_secret(name: &str) -> bool {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if plain.len() > 60 || ABOUT.iter().any(|end| plain.ends_with(end)) {
        return false;
    }
    SECRET_WHOLE.contains(&plain.as_str()) || SECRET.iter().any(|part| plain.contains(part))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sanitized(mut value: Value, source: &str) -> Value {
        sanitize(&mut value, source);
        value
    }

    const JWT: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

    #[test]
    fn values_under_names_that_say_so_are_hidden_at_any_depth() {
        let value = json!({
            "user": "me", "password": "hunter2", "api_key": "k", "nested": [{ "accessToken": "t", "Set-Cookie": ["a=b"] }],
            "pin": 1234, "tokenCount": 3, "cookieEnabled": true, "token_type": "bearer", "passport": "x", "secret": { "a": "b" },
        });
        let hidden = json!({
            "user": "me", "password": REDACTED, "api_key": REDACTED,
            "nested": [{ "accessToken": REDACTED, "Set-Cookie": [REDACTED] }],
            "pin": REDACTED, "tokenCount": 3, "cookieEnabled": true, "token_type": "bearer", "passport": "x",
            "secret": { "a": REDACTED },
        });
        assert_eq!(sanitized(value, ""), hidden);
        let pairs = json!([["theme", "dark"], ["authToken", "abc"], { "name": "sid", "value": "v" }]);
        let hidden =
            json!([["theme", "dark"], ["authToken", REDACTED], { "name": "sid", "value": REDACTED }]);
        assert_eq!(sanitized(pairs, ""), hidden);
    }

    #[test]
    fn tokens_are_hidden_in_texts() {
        for (text, hidden) in [
            (format!("it is {JWT}!"), format!("it is {REDACTED}!")),
            ("Authorization: Bearer abc.def-ghi".into(), format!("Authorization: Bearer {REDACTED}")),
            ("Basic dXNlcjpwYXNz".into(), format!("Basic {REDACTED}")),
            (
                "http://h/?q=1&access_token=abc&x=2".into(),
                format!("http://h/?q=1&access_token={REDACTED}&x=2"),
            ),
            (r#"{"password": "a b", "n": 1}"#.into(), format!(r#"{{"password": "{REDACTED}", "n": 1}}"#)),
            ("password=hunter2; user=me".into(), format!("password={REDACTED}; user=me")),
            ("a token is a word: this".into(), "a token is a word: this".into()),
            ("12:30, x=1".into(), "12:30, x=1".into()),
        ] {
            assert_eq!(sanitized(text.clone().into(), ""), json!(hidden), "{text}");
        }
    }

    #[test]
    fn cookies_are_told_by_what_was_asked_for() {
        assert_eq!(
            sanitized("a=1; b=2".into(), "document.cookie"),
            json!(format!("a={REDACTED}; b={REDACTED}"))
        );
        assert_eq!(sanitized("a=1; b=2".into(), "location.hash"), json!("a=1; b=2"));
        assert_eq!(sanitized("".into(), "document.cookie"), json!(""));
    }
}
