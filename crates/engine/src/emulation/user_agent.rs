//! Derives `navigator.platform` and client hints from a user agent string.

use cicerone_driver::{ClientHints, UserAgent};

/// The token before Chromium's version.
const CHROME: &str = "Chrome/";

/// A user agent token, its `navigator.platform` and its client hints platform.
const SYSTEMS: [(&str, &str, &str); 6] = [
    ("iPhone", "iPhone", "iOS"),
    ("iPad", "iPad", "iOS"),
    ("Android", "Linux armv81", "Android"),
    ("Windows", "Win32", "Windows"),
    ("Macintosh", "MacIntel", "macOS"),
    ("Linux", "Linux x86_64", "Linux"),
];

/// A user agent with its platform and client hints.
pub(crate) fn with_hints(text: &str, mobile: bool) -> UserAgent {
    let system = SYSTEMS.iter().find(|(word, ..)| text.contains(word));
    let hints = chrome_version(text).map(|version| {
        let (platform_version, model) = device(text);
        ClientHints {
            version: version.to_owned(),
            platform: system.map_or("", |(.., name)| name).to_owned(),
            platform_version,
            model,
            mobile,
        }
    });
    UserAgent {
        text: text.to_owned(),
        platform: system.map(|(_, platform, _)| (*platform).to_owned()),
        hints,
    }
}

/// The major version of Chromium in a text.
pub(crate) fn chrome_version(text: &str) -> Option<&str> {
    let (_, version) = text.split_once(CHROME)?;
    let major = version.split(['.', ' ']).next()?;
    (!major.is_empty() && major.bytes().all(|byte| byte.is_ascii_digit())).then_some(major)
}

/// Platform version and model from `(Linux; Android 13; Pixel 7)`.
fn device(text: &str) -> (String, String) {
    let inside =
        text.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inside, _)| inside);
    let parts: Vec<&str> = inside.split(';').map(str::trim).collect();
    let version = parts.iter().find_map(|part| part.strip_prefix("Android "));
    let model = version.and_then(|_| parts.last()).filter(|model| !model.starts_with("Android"));
    let whole = version.map(|version| format!("{version}.0.0"));
    (whole.unwrap_or_default(), model.map(|model| (*model).to_owned()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_has_hints_with_its_model() {
        let text = "Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36";
        let agent = with_hints(text, true);
        let hints = agent.hints.unwrap();
        assert_eq!(agent.platform.as_deref(), Some("Linux armv81"));
        assert_eq!((hints.version.as_str(), hints.platform.as_str()), ("141", "Android"));
        assert_eq!((hints.platform_version.as_str(), hints.model.as_str()), ("13.0.0", "Pixel 7"));
        assert!(hints.mobile);
    }

    #[test]
    fn a_browser_without_hints_has_none() {
        let agent = with_hints(
            "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) Version/16.6 Safari/604.1",
            true,
        );
        assert_eq!((agent.platform.as_deref(), agent.hints), (Some("iPhone"), None));
        assert_eq!(with_hints("Anything/1", false).platform, None);
        assert_eq!(chrome_version("Chrome/x"), None);
    }
}
