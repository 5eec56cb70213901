//! URLs that may be opened.

use std::{fmt, path::Path};

use url::Url;

use crate::{Error, Files, Result};

/// A URL that may be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Reads what a client gave. Only the web's own schemes lead anywhere; `file:` leads to files that may be read.
    pub fn read(text: &str, files: &Files) -> Result<Self> {
        let text = text.trim();
        let bad = |reason: &'static str, meant: Option<String>| Error::BadUrl {
            url: text.to_owned(),
            reason,
            meant,
            forbidden: false,
        };
        let url = match Url::parse(text) {
            Ok(url) => url,
            Err(url::ParseError::RelativeUrlWithoutBase) => return Err(bad("it has no scheme", meant(text))),
            Err(_) => return Err(bad("it cannot be parsed", None)),
        };
        match url.scheme() {
            "http" | "https" if url.host().is_none() => Err(bad("it has no host", None)),
            "http" | "https" | "data" => Ok(Self(text.to_owned())),
            "about" if url.path() == "blank" => Ok(Self(text.to_owned())),
            "file" => {
                let path = url.to_file_path().map_err(|()| bad("it names no file", None))?;
                files.to_read(&path)?;
                Ok(Self(url.into()))
            }
            // `example.com:80` and `localhost:3000` parse as a scheme and a path.
            _ if looks_like_host(text) => Err(bad("it has no scheme", meant(text))),
            _ => Err(Error::BadUrl {
                url: text.to_owned(),
                reason: "its scheme is not allowed",
                meant: None,
                forbidden: true,
            }),
        }
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What was perhaps meant: the same with a scheme.
fn meant(text: &str) -> Option<String> {
    if Path::new(text).is_absolute() {
        return Some(format!("file://{text}"));
    }
    let host = text.split(['/', ':', '?']).next().unwrap_or_default();
    let local = host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok();
    let scheme = if local { "http" } else { "https" };
    let guess = format!("{scheme}://{text}");
    (looks_like_host(text) && Url::parse(&guess).is_ok()).then_some(guess)
}

fn looks_like_host(text: &str) -> bool {
    let host = text.split(['/', ':', '?']).next().unwrap_or_default();
    let port = text[host.len()..]
        .strip_prefix(':')
        .is_none_or(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    port && (host == "localhost" || (host.contains('.') && !host.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<String, (String, String)> {
        let files = Files::new(std::env::temp_dir(), Path::new("out"), []);
        Address::read(text, &files)
            .map(|address| address.0)
            .map_err(|error| (error.to_string(), error.hint()))
    }

    #[test]
    fn what_may_be_opened() {
        for url in ["http://localhost:1/", "https://example.com", "data:text/html,<p>", "about:blank"] {
            assert_eq!(read(url).as_deref(), Ok(url));
        }
    }

    #[test]
    fn what_may_not() {
        for (url, hint) in [
            ("example.com/a", "did you mean https://example.com/a ?"),
            ("localhost:3000", "did you mean http://localhost:3000 ?"),
            ("127.0.0.1:80/x", "did you mean http://127.0.0.1:80/x ?"),
            ("not a url", "give an absolute http: or https: URL"),
            ("javascript:alert(1)", "give an absolute http: or https: URL"),
            ("chrome://settings", "give an absolute http: or https: URL"),
            ("view-source:file:///etc/passwd", "give an absolute http: or https: URL"),
            ("http://", "give an absolute http: or https: URL"),
        ] {
            assert_eq!(read(url).unwrap_err().1, hint, "{url}");
        }
        assert!(read("file:///etc/hostname").unwrap_err().0.contains("outside"));
    }
}
