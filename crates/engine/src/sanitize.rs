//! Redacts what looks like a secret in script results: values under telling names, bearer tokens, JWTs,
//! cookies. Unlike [`Secrets`](crate::Secrets), which knows the values, this is heuristic.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

/// Replaces a secret.
pub const REDACTED: &str = "[REDACTED]";

/// Parts of names that mark a secret, without punctuation.
const SECRET_PARTS: &[&str] = &[
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

/// Names that mark a secret only as a whole.
const SECRET_NAMES: &[&str] = &["auth", "otp", "pin", "sid", "session", "pass"];

/// Suffixes of names that describe a secret without being one.
const DESCRIPTIVE_SUFFIXES: &[&str] = &[
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

/// Compiles a built-in pattern; an invalid one matches nothing, and a test fails.
fn built_in(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

static TOKEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| built_in(r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*)+"));
static SCHEME: LazyLock<Option<Regex>> =
    LazyLock::new(|| built_in(r"(?i)\b(bearer|basic)(\s+)([A-Za-z0-9._~+/-]{6,}=*)"));
/// `name=value`, `name: value`, `"name": "value"`.
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    built_in(
        r#"(?i)(["']?)([a-z0-9_.-]*[a-z0-9_-])(["']?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'&;,}\])]+)"#,
    )
});
static COOKIES: LazyLock<Option<Regex>> =
    LazyLock::new(|| built_in(r"^\s*[^=;\s]+=[^;]*(?:;\s*[^=;\s]+=[^;]*)*;?\s*$"));
static COOKIE: LazyLock<Option<Regex>> = LazyLock::new(|| built_in(r"([^=;\s]+)=([^;]*)"));

/// Redacts what looks like a secret in a script's value. The script's source tells whether a text may be
/// cookies.
pub fn sanitize(value: &mut Value, source: &str) {
    let cookies = source.to_ascii_lowercase().contains("cookie");
    Sanitizer { cookies }.value(value);
}

struct Sanitizer {
    /// Whether texts may be cookies.
    cookies: bool,
}

impl Sanitizer {
    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => {
                // `Object.entries` yields pairs.
                if let [Value::String(name), value] = items.as_mut_slice()
                    && is_secret_name(name)
                {
                    redact(value);
                    return;
                }
                items.iter_mut().for_each(|item| self.value(item));
            }
            Value::Object(fields) => {
                let named = ["name", "key", "id"]
                    .iter()
                    .any(|key| fields.get(*key).and_then(Value::as_str).is_some_and(is_secret_name));
                for (name, value) in fields.iter_mut() {
                    if is_secret_name(name) || (named && name == "value") {
                        redact(value);
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
            return replace_all(&COOKIE, text, |pair| format!("{}={REDACTED}", &pair[1]));
        }
        let text = replace_all(&TOKEN, text, |_| REDACTED.to_owned());
        let text = replace_all(&SCHEME, &text, |scheme| format!("{}{}{REDACTED}", &scheme[1], &scheme[2]));
        replace_all(&PAIR, &text, |pair| {
            let (whole, value) = (&pair[0], &pair[4]);
            // The scheme is not secret, and the credentials after it are redacted already.
            let harmless = value.starts_with("[REDACTED")
                || matches!(value.to_ascii_lowercase().as_str(), "bearer" | "basic");
            if harmless || !is_secret_name(&pair[2]) {
                return whole.to_owned();
            }
            let quote = value.chars().next().filter(|first| *first == '"' || *first == '\'');
            let quote = quote.map(String::from).unwrap_or_default();
            format!("{}{}{}{quote}{REDACTED}{quote}", &pair[1], &pair[2], &pair[3])
        })
    }
}

fn replace_all(pattern: &Option<Regex>, text: &str, with: impl Fn(&Captures<'_>) -> String) -> String {
    match pattern {
        Some(pattern) => pattern.replace_all(text, with).into_owned(),
        None => text.to_owned(),
    }
}

/// Redacts a value with all its content.
fn redact(value: &mut Value) {
    match value {
        Value::String(text) if text.is_empty() => {}
        Value::String(_) | Value::Number(_) => *value = REDACTED.into(),
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(fields) => fields.values_mut().for_each(redact),
        Value::Null | Value::Bool(_) => {}
    }
}

fn is_secret_name(name: &str) -> bool {
    let normalized: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if normalized.len() > 60 || DESCRIPTIVE_SUFFIXES.iter().any(|end| normalized.ends_with(end)) {
        return false;
    }
    SECRET_NAMES.contains(&normalized.as_str()) || SECRET_PARTS.iter().any(|part| normalized.contains(part))
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
