//! URLs that may be opened.

mod downloaded;

use std::{fmt, path::Path};

use url::{Host, Url};

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
        if let Some(completed) = with_scheme(text) {
            return Ok(Self(completed));
        }
        let url = match Url::parse(text) {
            Ok(url) => url,
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                let file = Path::new(text).is_absolute().then(|| format!("file://{text}"));
                return Err(bad("it has no scheme", file));
            }
            Err(_) => return Err(bad("it cannot be parsed", None)),
        };
        match url.scheme() {
            "http" | "https" if url.host().is_none() => Err(bad("it has no host", None)),
            "http" | "https" | "data" => Ok(Self(text.to_owned())),
            "about" if url.path() == "blank" => Ok(Self(text.to_owned())),
            "file" => {
                let path = url.to_file_path().map_err(|()| bad("it names no file", None))?;
                let real = files.to_open(&path)?;
                match downloaded::as_data(&real, files)? {
                    Some(data) => Ok(Self(data)),
                    None => Ok(Self(url.into())),
                }
            }
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

/// Schemes that can be followed by digits, so that they look like a host with a port.
const NO_HOSTS: [&str; 10] =
    ["about", "blob", "chrome", "data", "file", "ftp", "javascript", "mailto", "sms", "tel"];

/// What begins with a host instead of a scheme, completed as a browser does: `https`, and `http` for hosts that rarely
/// have a certificate. A browser would search for what is neither; here it is an error.
fn with_scheme(text: &str) -> Option<String> {
    let text = text.strip_prefix("//").unwrap_or(text);
    let end = text.find(['/', '?', '#', '\\']).unwrap_or(text.len());
    let authority = &text[..end];
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    // `example.com:80` parses as a scheme and a path, so the port must be one.
    let port_fits = port.is_none_or(|port| port.parse::<u16>().is_ok());
    let named = host.contains('.') || host.starts_with('[') || host == "localhost" || port.is_some();
    if !port_fits || !named || host.starts_with('.') || NO_HOSTS.contains(&host.to_ascii_lowercase().as_str())
    {
        return None;
    }
    let url = Url::parse(&format!("http://{text}")).ok().filter(|url| url.username().is_empty())?;
    let scheme = match url.host()? {
        Host::Ipv4(_) | Host::Ipv6(_) => "http",
        Host::Domain(name) if !name.contains('.') || name.ends_with(".localhost") => "http",
        Host::Domain(_) => "https",
    };
    Some(format!("{scheme}://{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<String, (String, String)> {
        let files = Files::new(crate::Directories { working: std::env::temp_dir(), ..Default::default() });
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
    fn what_has_no_scheme_is_completed_as_a_browser_does() {
        for (text, url) in [
            ("example.com", "https://example.com"),
            (" example.com/a?b#c ", "https://example.com/a?b#c"),
            ("example.com:8080/x", "https://example.com:8080/x"),
            ("example.com?q=a:b", "https://example.com?q=a:b"),
            ("//example.com/x", "https://example.com/x"),
            ("localhost", "http://localhost"),
            ("localhost:8080/x", "http://localhost:8080/x"),
            ("app.localhost:3000", "http://app.localhost:3000"),
            ("web:3000/health", "http://web:3000/health"),
            ("127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("192.168.0.7", "http://192.168.0.7"),
            ("[::1]:8080/x", "http://[::1]:8080/x"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(url));
        }
    }

    #[test]
    fn what_may_not() {
        for (url, hint) in [
            ("not a url", "give an absolute http: or https: URL"),
            ("javascript:alert(1)", "give an absolute http: or https: URL"),
            ("chrome://settings", "give an absolute http: or https: URL"),
            ("view-source:file:///etc/passwd", "give an absolute http: or https: URL"),
            ("javascript:1", "give an absolute http: or https: URL"),
            ("tel:112", "give an absolute http: or https: URL"),
            ("nowhere", "give an absolute http: or https: URL"),
            ("some/path", "give an absolute http: or https: URL"),
            ("example.com:99999", "give an absolute http: or https: URL"),
            ("ada@example.com", "give an absolute http: or https: URL"),
            ("C:\\a.html", "give an absolute http: or https: URL"),
            ("c:/a.html", "give an absolute http: or https: URL"),
            ("/login", "did you mean file:///login ?"),
            ("about:config", "give an absolute http: or https: URL"),
            ("http://", "give an absolute http: or https: URL"),
        ] {
            assert_eq!(read(url).unwrap_err().1, hint, "{url}");
        }
        assert!(read("file:///etc/hostname").unwrap_err().0.contains("outside"));
    }
}
