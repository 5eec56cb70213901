//! URLs that a client may open.

pub(crate) mod downloaded;

use std::{fmt, path::Path};

use url::{Host, Url};

use crate::{BadUrl, Error, Files, NavigationError, Result};

/// A validated URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Validates a client's URL. Allows `http`, `https`, `data`, `about:blank`, and `file:` for readable
    /// files.
    pub fn read(text: &str, files: &Files) -> Result<Self> {
        let text = text.trim();
        let bad = |reason: BadUrl, meant: Option<String>| {
            Error::Navigation(NavigationError::BadUrl { url: text.to_owned(), reason, meant })
        };
        if let Some(completed) = with_scheme(text) {
            return Ok(Self(completed));
        }
        let url = match Url::parse(text) {
            Ok(url) => url,
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                let file = Path::new(text).is_absolute().then(|| format!("file://{text}"));
                return Err(bad(BadUrl::NoScheme, file));
            }
            Err(_) => return Err(bad(BadUrl::Unparsable, None)),
        };
        match url.scheme() {
            "http" | "https" if url.host().is_none() => Err(bad(BadUrl::NoHost, None)),
            "http" | "https" | "data" => Ok(Self(text.to_owned())),
            "about" if url.path() == "blank" => Ok(Self(text.to_owned())),
            "file" => {
                let path = url.to_file_path().map_err(|()| bad(BadUrl::NoFilePath, None))?;
                let real = files.to_open(&path)?;
                match downloaded::as_data(&real, files)? {
                    Some(data) => Ok(Self(data)),
                    None => Ok(Self(url.into())),
                }
            }
            _ => Err(bad(BadUrl::SchemeRefused, None)),
        }
    }

    /// An absolute URL with one of these schemes, as browsers write it. It is not opened.
    pub fn absolute(text: &str, schemes: &[&str]) -> Result<Self> {
        let bad = |reason: BadUrl| {
            Error::Navigation(NavigationError::BadUrl { url: text.to_owned(), reason, meant: None })
        };
        match Url::parse(text) {
            Ok(url) if schemes.contains(&url.scheme()) => Ok(Self(url.into())),
            Ok(_) => Err(bad(BadUrl::SchemeRefused)),
            Err(url::ParseError::RelativeUrlWithoutBase) => Err(bad(BadUrl::NoScheme)),
            Err(_) => Err(bad(BadUrl::Unparsable)),
        }
    }

    /// The URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Schemes that may be followed by digits and so look like `host:port`.
const NO_HOSTS: [&str; 10] =
    ["about", "blob", "chrome", "data", "file", "ftp", "javascript", "mailto", "sms", "tel"];

/// Completes a URL without a scheme as browsers do: `https`, and `http` for hosts that rarely have a
/// certificate. Browsers search for the rest; here that is an error.
fn with_scheme(text: &str) -> Option<String> {
    let text = text.strip_prefix("//").unwrap_or(text);
    let end = text.find(['/', '?', '#', '\\']).unwrap_or(text.len());
    let authority = &text[..end];
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    // `example.com:80` parses as scheme and path, so check that the port is a number.
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
    use crate::FileError;

    fn read(text: &str) -> Result<String> {
        let files = Files::new(crate::Directories { working: std::env::temp_dir(), ..Default::default() });
        Address::read(text, &files).map(|address| address.0)
    }

    #[test]
    fn what_may_be_opened() {
        for url in ["http://localhost:1/", "https://example.com", "data:text/html,<p>", "about:blank"] {
            assert_eq!(read(url).unwrap(), url);
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
            assert_eq!(read(text).unwrap(), url);
        }
    }

    #[test]
    fn what_may_not() {
        use BadUrl::{NoScheme, SchemeRefused, Unparsable};
        for (text, expected) in [
            ("not a url", NoScheme),
            ("javascript:alert(1)", SchemeRefused),
            ("chrome://settings", SchemeRefused),
            ("view-source:file:///etc/passwd", SchemeRefused),
            ("javascript:1", SchemeRefused),
            ("tel:112", SchemeRefused),
            ("nowhere", NoScheme),
            ("some/path", NoScheme),
            ("example.com:99999", SchemeRefused),
            ("ada@example.com", NoScheme),
            ("C:\\a.html", SchemeRefused),
            ("c:/a.html", SchemeRefused),
            ("/login", NoScheme),
            ("about:config", SchemeRefused),
            ("http://", Unparsable),
        ] {
            let Err(Error::Navigation(NavigationError::BadUrl { reason, meant, .. })) = read(text) else {
                panic!("{text} is refused as a URL");
            };
            assert_eq!(reason, expected, "{text}");
            assert_eq!(meant.as_deref(), (text == "/login").then_some("file:///login"), "{text}");
        }
        assert!(matches!(read("file:///etc/hostname"), Err(Error::File(FileError::Outside(_)))));
    }
}
