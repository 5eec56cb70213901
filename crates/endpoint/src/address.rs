//! Where a browser is: a URL with credentials that no text of ours shows.

use std::{fmt, net::IpAddr, str::FromStr};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

/// Why a text is not an endpoint. It may hold credentials, so it is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadEndpoint {
    /// Not a URL at all.
    #[error("not a URL; expected http://HOST:PORT or ws://HOST:PORT/PATH")]
    NotAUrl,
    /// Another scheme.
    #[error("unknown scheme; known: http, https, ws, wss")]
    Scheme,
    #[error("the URL has no host; expected http://HOST:PORT or ws://HOST:PORT/PATH")]
    NoHost,
}

/// Where a browser that runs can be reached.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    url: Url,
    authorization: Option<String>,
}

impl Endpoint {
    /// The same, behind a bearer token.
    #[must_use]
    pub fn with_token(self, token: Option<&str>) -> Self {
        match token {
            Some(token) => Self { authorization: Some(format!("Bearer {token}")), ..self },
            None => self,
        }
    }

    /// Whether its host is this machine. A tunnel or a container's port looks the same.
    pub fn is_local(&self) -> bool {
        match self.url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
            Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
            None => false,
        }
    }

    /// Without credentials, for people.
    pub fn name(&self) -> String {
        self.to_string()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) fn is_socket(&self) -> bool {
        matches!(self.url.scheme(), "ws" | "wss")
    }

    /// The headers that each request carries.
    pub(crate) fn headers(&self) -> Vec<(&'static str, String)> {
        self.authorization.iter().map(|value| ("authorization", value.clone())).collect()
    }

    /// The same host and query with another path, as `http:` or `https:`.
    pub(crate) fn http(&self, path: &str) -> Url {
        let scheme = if self.is_secure() { "https" } else { "http" };
        self.with(scheme, path)
    }

    /// The same as `ws:` or `wss:`.
    pub(crate) fn socket(&self, path: &str) -> Url {
        let scheme = if self.is_secure() { "wss" } else { "ws" };
        self.with(scheme, path)
    }

    pub(crate) fn is_secure(&self) -> bool {
        matches!(self.url.scheme(), "https" | "wss")
    }

    fn with(&self, scheme: &str, path: &str) -> Url {
        let mut url = self.url.clone();
        // All four schemes can be exchanged.
        let _ = url.set_scheme(scheme);
        url.set_path(&format!("{}{path}", self.url.path().trim_end_matches('/')));
        url
    }
}

impl FromStr for Endpoint {
    type Err = BadEndpoint;

    fn from_str(text: &str) -> Result<Self, BadEndpoint> {
        let mut url = Url::parse(text).map_err(|_| BadEndpoint::NotAUrl)?;
        if !matches!(url.scheme(), "http" | "https" | "ws" | "wss") {
            return Err(BadEndpoint::Scheme);
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(BadEndpoint::NoHost);
        }
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let (user, password) = (plain(url.username()), url.password().map(plain));
        let authorization = (!user.is_empty() || password.is_some()).then(|| {
            format!("Basic {}", STANDARD.encode(format!("{user}:{}", password.unwrap_or_default())))
        });
        // It has a host, so it can have a user, and no user.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.set_fragment(None);
        Ok(Self { url, authorization })
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.url.clone();
        shown.set_query(None);
        f.write_str(shown.as_str().trim_end_matches('/'))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({self})")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_sent_and_never_shown() {
        let endpoint: Endpoint = "https://me:s%3Acret@host:1/base?token=abc".parse().unwrap();
        assert_eq!(endpoint.to_string(), "https://host:1/base");
        assert_eq!(format!("{endpoint:?}"), "Endpoint(https://host:1/base)");
        assert_eq!(
            endpoint.headers(),
            [("authorization", format!("Basic {}", STANDARD.encode("me:s:cret")))]
        );
        assert_eq!(endpoint.http("/json/version").as_str(), "https://host:1/base/json/version?token=abc");
        assert_eq!(endpoint.socket("/session").as_str(), "wss://host:1/base/session?token=abc");
        let endpoint = endpoint.with_token(Some("t"));
        assert_eq!(endpoint.headers(), [("authorization", "Bearer t".into())]);
    }

    #[test]
    fn what_is_no_endpoint_is_refused_without_repeating_it() {
        let refused = |text: &str| text.parse::<Endpoint>().unwrap_err();
        assert_eq!(refused("9222"), BadEndpoint::NotAUrl);
        assert_eq!(refused("ftp://host"), BadEndpoint::Scheme);
        assert_eq!(refused("localhost:9222"), BadEndpoint::Scheme);
        assert!("http://".parse::<Endpoint>().is_err());
    }

    #[test]
    fn loopback_is_this_machine() {
        let local = |text: &str| text.parse::<Endpoint>().unwrap().is_local();
        assert!(local("http://localhost:9222") && local("ws://127.0.0.1:1/") && local("http://[::1]:1"));
        assert!(!local("http://10.0.0.1:9222") && !local("wss://browser.example.com"));
    }
}
