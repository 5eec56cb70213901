use std::{fmt, str::FromStr};

use percent_encoding::percent_decode_str;
use thiserror::Error;
use url::Host;

/// How an upstream proxy is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP without encryption between us and the proxy.
    Http,
    /// HTTP inside TLS.
    Https,
    /// SOCKS version 5. Names are always resolved by the proxy, so `socks5` and `socks5h` are one.
    Socks5,
}

/// A proxy that the relay hands requests to.
///
/// Written as `scheme://user:password@host:port`, where only the host must be there. Without a scheme it is `http`. Without a port it is the
/// one that browsers take: 80 for `http`, 443 for `https`, 1080 for `socks5`. User and password may be percent-encoded, and must be where
/// they contain `%` or `/`.
#[derive(Clone, PartialEq, Eq)]
pub struct Upstream {
    scheme: Scheme,
    host: Host,
    port: u16,
    credentials: Option<Credentials>,
}

/// What an upstream proxy wants to hear. It has no `Debug` on purpose.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    pub(crate) user: String,
    pub(crate) password: String,
}

/// Why a text names no upstream proxy. No variant repeats credentials.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadUpstream {
    /// The text is empty.
    #[error("the proxy is empty; write it as scheme://host:port")]
    Empty,
    /// The scheme is not one that we speak.
    #[error("the proxy scheme {0:?} is not known; known are http, https and socks5")]
    Scheme(String),
    /// There is nothing between the scheme and the port.
    #[error("the proxy has no host; write it as scheme://host:port")]
    NoHost,
    /// The host is neither a name nor an address.
    #[error("the proxy host {0:?} is neither a host name nor an address")]
    Host(String),
    /// The port is not a number from 1 to 65535.
    #[error("the proxy port {0:?} is not a number from 1 to 65535")]
    Port(String),
    /// There is a path, a query or a fragment.
    #[error("a proxy has nothing after its port; a / in the user name or password is written %2F")]
    Rest,
    /// The user name or the password is not UTF-8 after decoding.
    #[error("the proxy's user name or password is not UTF-8 text once its percent escapes are decoded")]
    Encoding,
    /// The scheme cannot carry this user name.
    #[error("the proxy's user name contains a colon, which HTTP proxies cannot be told")]
    Colon,
    /// SOCKS5 has one byte for a length.
    #[error("the proxy's user name or password is empty or longer than 255 bytes, which SOCKS5 cannot carry")]
    Length,
}

impl Scheme {
    /// As it is written before `://`.
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
    /// The same proxy with these credentials, in place of those that it may have had.
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

    /// How it is spoken to.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Where it is.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port that it listens on.
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

    /// Refuses at the border what the protocol could not say later.
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

/// The host and, behind its last colon, the port. The colons of an address in brackets are its own.
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

/// Without credentials: this is for people and logs.
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
