//! Parses `Set-Cookie` as specified for browsers in RFC 6265bis.

use url::{Host, Url};

use crate::cookie_date;

/// A parsed `Set-Cookie` header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetCookie {
    pub name: String,
    pub value: String,
    /// The domain, including subdomains; `None` for exactly the host that sent it.
    pub domain: Option<String>,
    /// The path prefix.
    pub path: String,
    /// Expiry in seconds since the Unix epoch; a past time deletes the cookie. `None` for a session cookie.
    pub expires: Option<i64>,
    /// Sent over secure connections only.
    pub secure: bool,
    /// Hidden from scripts.
    pub http_only: bool,
    /// The `SameSite` attribute.
    pub same_site: Option<SameSite>,
    /// Partitioned by top-level site.
    pub partitioned: bool,
}

/// When cross-site requests carry a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSite {
    /// Never.
    Strict,
    /// On top-level navigations to its site.
    Lax,
    /// Always.
    None,
}

/// The latest supported expiry.
const FOR_EVER: i64 = 253_402_300_799;

impl SetCookie {
    /// Parses the header of a response from this URL at this time (seconds since the Unix epoch); `None` if a browser
    /// would ignore it.
    pub fn parse(header: &str, from: &Url, now: i64) -> Option<Self> {
        let mut parts = header.split(';');
        let pair = parts.next()?;
        // Without a name it is only a value.
        let (name, value) = pair.split_once('=').unwrap_or(("", pair));
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() && value.is_empty() || header.chars().any(|c| c.is_control() && c != '\t') {
            return None;
        }
        let mut cookie = Self {
            name: name.to_owned(),
            value: value.to_owned(),
            domain: None,
            path: default_path(from),
            expires: None,
            secure: false,
            http_only: false,
            same_site: None,
            partitioned: false,
        };
        let mut lasts = None;
        for part in parts {
            let (attribute, value) = part.split_once('=').unwrap_or((part, ""));
            cookie.set(attribute.trim(), value.trim(), &mut lasts);
        }
        // Max-Age has precedence, in any order.
        if let Some(seconds) = lasts {
            cookie.expires = Some(if seconds <= 0 { 0 } else { now.saturating_add(seconds).min(FOR_EVER) });
        }
        cookie.fits(from).then_some(cookie)
    }

    fn set(&mut self, attribute: &str, value: &str, lasts: &mut Option<i64>) {
        match attribute.to_ascii_lowercase().as_str() {
            "expires" => self.expires = cookie_date::seconds(value).or(self.expires),
            "max-age" => *lasts = seconds(value).or(*lasts),
            "domain" => {
                let domain = value.strip_prefix('.').unwrap_or(value).to_ascii_lowercase();
                self.domain = Some(domain).filter(|domain| !domain.is_empty());
            }
            "path" if value.starts_with('/') => self.path = value.to_owned(),
            "secure" => self.secure = true,
            "httponly" => self.http_only = true,
            "partitioned" => self.partitioned = true,
            "samesite" => {
                self.same_site = match value.to_ascii_lowercase().as_str() {
                    "strict" => Some(SameSite::Strict),
                    "lax" => Some(SameSite::Lax),
                    "none" => Some(SameSite::None),
                    _ => None,
                }
            }
            _ => {}
        }
    }

    /// Whether the sending host may set it.
    fn fits(&mut self, from: &Url) -> bool {
        let Some(host) = from.host() else { return false };
        let domain_fits = match (&self.domain, &host) {
            (None, _) => true,
            (Some(domain), Host::Domain(name)) => {
                let below = name.strip_suffix(domain.as_str()).is_some_and(|rest| rest.ends_with('.'));
                // No cookies for a whole top-level domain such as `com`.
                name == domain || (below && domain.contains('.'))
            }
            // Addresses have no subdomains.
            (Some(domain), address) => *domain == address.to_string(),
        };
        if matches!(host, Host::Ipv4(_) | Host::Ipv6(_)) {
            self.domain = None;
        }
        let secure = from.scheme() == "https" || is_loopback(&host);
        let prefix_fits = match () {
            () if begins(&self.name, "__Host-") => self.secure && self.domain.is_none() && self.path == "/",
            () if begins(&self.name, "__Secure-") => self.secure,
            () => true,
        };
        domain_fits && prefix_fits && (secure || !self.secure)
    }
}

fn begins(name: &str, prefix: &str) -> bool {
    name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// An integer, possibly negative.
fn seconds(value: &str) -> Option<i64> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let end = if value.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(value.parse().unwrap_or(end))
}

/// The directory of the URL's path.
fn default_path(url: &Url) -> String {
    match url.path().rsplit_once('/') {
        Some((folder, _)) if !folder.is_empty() => folder.to_owned(),
        _ => "/".to_owned(),
    }
}

/// Browsers treat loopback as secure.
fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(header: &str, from: &str) -> Option<SetCookie> {
        SetCookie::parse(header, &Url::parse(from).unwrap(), 1_000)
    }

    #[test]
    fn all_attributes_are_read() {
        let header = "id=a=b; Domain=.Example.test; Path=/x; Max-Age=60; Expires=Wed, 21 Oct 2065 07:28:00 GMT; \
                      secure ; HttpOnly; SameSite=lax; Partitioned; Whatever=1";
        let cookie = parse(header, "https://www.example.test/a/b").unwrap();
        let expected = SetCookie {
            name: "id".into(),
            value: "a=b".into(),
            domain: Some("example.test".into()),
            path: "/x".into(),
            expires: Some(1_060),
            secure: true,
            http_only: true,
            same_site: Some(SameSite::Lax),
            partitioned: true,
        };
        assert_eq!(cookie, expected);
    }

    #[test]
    fn what_is_left_out_has_its_usual_value() {
        let cookie = parse("a=b", "http://h.test/x/y/z").unwrap();
        assert_eq!((cookie.domain, cookie.path.as_str(), cookie.expires), (None, "/x/y", None));
        assert_eq!(parse("a=b", "http://h.test").unwrap().path, "/");
        assert_eq!(parse("a=b", "http://h.test/x").unwrap().path, "/");
        assert_eq!(parse("a=b; path=x", "http://h.test/y/").unwrap().path, "/y");
        assert_eq!(parse("a=b; max-age=0", "http://h.test/").unwrap().expires, Some(0));
        assert_eq!(parse("a=b; max-age=-5", "http://h.test/").unwrap().expires, Some(0));
        assert_eq!(parse("a=b; max-age=x", "http://h.test/").unwrap().expires, None);
        assert_eq!(
            parse("a=b; max-age=99999999999999999999", "http://h.test/").unwrap().expires,
            Some(FOR_EVER)
        );
        assert_eq!(
            parse("a=b; expires=Thu, 01 Jan 1970 00:00:10 GMT", "http://h.test/").unwrap().expires,
            Some(10)
        );
        assert_eq!(parse("alone", "http://h.test/").unwrap().value, "alone");
        assert_eq!(parse("a=b; domain=127.0.0.1", "http://127.0.0.1/").unwrap().domain, None);
        assert_eq!(parse("a=b; domain=", "http://h.test/").unwrap().domain, None);
    }

    #[test]
    fn what_a_browser_would_ignore_is_ignored() {
        for (header, from) in [
            ("", "http://h.test/"),
            ("=", "http://h.test/"),
            ("a=b\u{1}", "http://h.test/"),
            ("a=b; domain=other.test", "http://h.test/"),
            ("a=b; domain=www.h.test", "http://h.test/"),
            ("a=b; domain=test", "http://h.test/"),
            ("a=b; domain=0.0.1", "http://127.0.0.1/"),
            ("a=b; secure", "http://h.test/"),
            ("__Secure-a=b", "https://h.test/"),
            ("__Host-a=b; secure; path=/x", "https://h.test/"),
            ("__host-a=b; secure; path=/; domain=h.test", "https://h.test/"),
        ] {
            assert_eq!(parse(header, from), None, "{header}");
        }
        assert!(parse("a=b; secure", "http://localhost/").is_some());
        assert!(parse("__Host-a=b; secure; path=/", "https://h.test/").is_some());
        assert!(parse("a=b; domain=localhost", "http://localhost/").is_some());
    }
}
