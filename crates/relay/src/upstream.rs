use std::{fmt, str::FromStr};

use percent_encoding::percent_decode_str;
use thiserror::Error;
use url::Host;

/// The protocol of an upstream proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP without encryption.
    Http,
    /// HTTP over TLS.
    Https,
    /// SOCKS version 5. The proxy always resolves names, so `socks5` and `socks5h` are the same.
    Socks5,
}

/// An upstream proxy.
///
/// Written as `scheme://user:password@host:port`; only the host is required. The default scheme is `http`. Default
/// ports are those of browsers: 80 for `http`, 443 for `https`, 1080 for `socks5`. User and password may be
/// percent-encoded, and must be if they contain `%` or `/`.
#[derive(Clone, PartialEq, Eq)]
pub struct Upstream {
    scheme: Scheme,
    host: Host,
    port: u16,
    credentials: Option<Credentials>,
}

/// Credentials for an upstream proxy. No `Debug` on purpose.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    pub(crate) user: String,
    pub(crate) password: String,
}

/// Why an upstream proxy is invalid. No variant contains credentials.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadUpstream {
    /// The text is empty.
    #[error("the proxy is empty; write it as scheme://host:port")]
    Empty,
    /// An unsupported scheme.
    #[error("unknown proxy scheme {0:?}; known: http, https, socks5")]
    Scheme(String),
    /// No host between scheme and port.
    #[error("the proxy has no host; write it as scheme://host:port")]
    NoHost,
    /// Neither a name nor an address.
    #[error("the proxy host {0:?} is neither a host name nor an address")]
    Host(String),
    /// The port is not a number from 1 to 65535.
    #[error("the proxy port {0:?} is not a number from 1 to 65535")]
    Port(String),
    /// A path, query or fragment.
    #[error("unexpected text after the proxy's port; write / in the user name or password as %2F")]
    Rest,
    /// User name or password are not UTF-8 after decoding.
    #[error("the proxy's user name or password is not valid UTF-8 after percent-decoding")]
    Encoding,
    /// The scheme cannot carry this user name.
    #[error("the proxy's user name contains a colon, which HTTP does not support")]
    Colon,
    /// SOCKS5 lengths are one byte.
    #[error(
        "the proxy's user name or password is empty or longer than 255 bytes, which SOCKS5 does not support"
    )]
    Length,
}

impl Scheme {
    /// The text before `://`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Socks5 => "socks5",
        }
    }

    fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
            Self::Socks5 => 1080,
        }
    }
}

impl Upstream {
    /// The same proxy with other credentials.
    pub fn with_credentials(
        mut self,
        user: impl Into<String>,
        password: impl Into<String>,
    ) -> Result<Self, BadUpstream> {
        let credentials = Credentials { user: user.into(), password: password.into() };
        credentials.fit(self.scheme)?;
        self.credentials = Some(credentials);
        Ok(self)
    }

    /// The protocol.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The proxy's host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The proxy's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }
}

impl Credentials {
    fn parse(userinfo: &str, scheme: Scheme) -> Result<Self, BadUpstream> {
        let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
        let decode = |text| {
            percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| BadUpstream::Encoding)
        };
        let credentials = Self { user: decode(user)?, password: decode(password)? };
        credentials.fit(scheme)?;
        Ok(credentials)
    }

    /// Refuses credentials that the protocol cannot carry.
    fn fit(&self, scheme: Scheme) -> Result<(), BadUpstream> {
        let fits_a_byte = |text: &str| (1..=255).contains(&text.len());
        match scheme {
            Scheme::Socks5 if !fits_a_byte(&self.user) || !fits_a_byte(&self.password) => {
                Err(BadUpstream::Length)
            }
            Scheme::Http | Scheme::Https if self.user.contains(':') => Err(BadUpstream::Colon),
            _ => Ok(()),
        }
    }
}

impl FromStr for Upstream {
    type Err = BadUpstream;

    fn from_str(text: &str) -> Result<Self, BadUpstream> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadUpstream::Empty);
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (scheme.parse()?, rest),
            None => (Scheme::Http, text),
        };
        // A password may contain @ unescaped: the last one ends it.
        let (userinfo, place) = match rest.rsplit_once('@') {
            Some((userinfo, place)) => (Some(userinfo), place),
            None => (None, rest),
        };
        let place = place.strip_suffix('/').unwrap_or(place);
        if place.contains(['/', '?', '#']) || userinfo.is_some_and(|userinfo| userinfo.contains('/')) {
            return Err(BadUpstream::Rest);
        }
        let (host, port) = split_port(place);
        let port = match port {
            Some(port) => parse_port(port)?,
            None => scheme.default_port(),
        };
        if host.is_empty() {
            return Err(BadUpstream::NoHost);
        }
        let host = Host::parse(host).map_err(|_| BadUpstream::Host(host.to_owned()))?;
        let credentials = userinfo.map(|userinfo| Credentials::parse(userinfo, scheme)).transpose()?;
        Ok(Self { scheme, host, port, credentials })
    }
}

impl FromStr for Scheme {
    type Err = BadUpstream;

    fn from_str(text: &str) -> Result<Self, BadUpstream> {
        match text.to_ascii_lowercase().as_str() {
            "http" => Ok(Self::Http),
            "https" => Ok(Self::Https),
            "socks5" | "socks5h" => Ok(Self::Socks5),
            _ => Err(BadUpstream::Scheme(text.to_owned())),
        }
    }
}

/// Splits host and port at the last colon outside brackets.
pub(crate) fn split_port(place: &str) -> (&str, Option<&str>) {
    match place.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (place, None),
    }
}

fn parse_port(text: &str) -> Result<u16, BadUpstream> {
    match text.parse() {
        Ok(0) | Err(_) => Err(BadUpstream::Port(text.to_owned())),
        Ok(port) => Ok(port),
    }
}

/// Without credentials, for messages and logs.
impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}:{}", self.scheme.as_str(), self.host, self.port)
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Upstream({self}{})", if self.credentials.is_some() { ", with credentials" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Upstream {
        text.parse().unwrap()
    }

    fn refused(text: &str) -> BadUpstream {
        text.parse::<Upstream>().unwrap_err()
    }

    #[test]
    fn schemes_have_the_ports_that_browsers_take() {
        assert_eq!(parsed("proxy.test").to_string(), "http://proxy.test:80");
        assert_eq!(parsed("proxy.test:3128").to_string(), "http://proxy.test:3128");
        assert_eq!(parsed("HTTPS://Proxy.Test/").to_string(), "https://proxy.test:443");
        assert_eq!(parsed("socks5h://[::1]").to_string(), "socks5://[::1]:1080");
    }

    #[test]
    fn credentials_are_decoded_and_never_shown() {
        let upstream = parsed("socks5://jo%40home:p%3Aa@ss@proxy.test:1081");
        let credentials = upstream.credentials().unwrap();
        assert_eq!((credentials.user.as_str(), credentials.password.as_str()), ("jo@home", "p:a@ss"));
        assert_eq!(upstream.to_string(), "socks5://proxy.test:1081");
        assert!(!format!("{upstream:?}").contains("ss@"));
    }

    #[test]
    fn a_user_without_a_password_has_an_empty_one() {
        assert_eq!(parsed("http://jo@proxy.test").credentials().unwrap().password, "");
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(refused(" "), BadUpstream::Empty);
        assert_eq!(refused("socks4://proxy.test"), BadUpstream::Scheme("socks4".into()));
        assert_eq!(refused("http://:80"), BadUpstream::NoHost);
        assert_eq!(refused("http://pro xy:80"), BadUpstream::Host("pro xy".into()));
        assert_eq!(refused("http://proxy.test:0"), BadUpstream::Port("0".into()));
        assert_eq!(refused("http://proxy.test:http"), BadUpstream::Port("http".into()));
        assert_eq!(refused("http://proxy.test:80/pac"), BadUpstream::Rest);
        assert_eq!(refused("http://jo:%ff@proxy.test"), BadUpstream::Encoding);
        assert_eq!(refused("http://jo%3A:x@proxy.test"), BadUpstream::Colon);
        assert_eq!(refused("socks5://jo@proxy.test"), BadUpstream::Length);
        let long = parsed("socks5://proxy.test").with_credentials("jo", "x".repeat(256));
        assert_eq!(long.unwrap_err(), BadUpstream::Length);
    }
}
