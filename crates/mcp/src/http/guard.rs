//! Host and Origin checks, which keep web pages away from a server on the same machine.
//!
//! A page with a rebound name sends its own name as `Host`. A cross-origin page sends its own `Origin`. A
//! page can forge neither.

use std::net::{IpAddr, SocketAddr};

use http::{
    HeaderMap, Uri,
    header::{HOST, ORIGIN},
    uri::Authority,
};

/// Names of this machine that need no DNS.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The host names of the server.
pub(crate) struct Guard {
    address: SocketAddr,
    names: Vec<String>,
}

/// Why a request is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum Forbidden {
    #[error("Host {0:?} is not a name of this server; --http-hosts allows more names")]
    Host(String),
    #[error("the Host header is missing or malformed")]
    NoHost,
    #[error("requests of web pages are refused: Origin {0:?}")]
    Origin(String),
}

impl Guard {
    /// For a server with this address and these names.
    pub(crate) fn new(address: SocketAddr, names: impl IntoIterator<Item = String>) -> Self {
        Self { address, names: names.into_iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Checks the `Host` and `Origin` of a request.
    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Forbidden> {
        let host = match headers.get(HOST) {
            Some(value) => value.to_str().ok().and_then(|text| text.parse::<Authority>().ok()),
            None => uri.authority().cloned(),
        };
        let host = host.ok_or(Forbidden::NoHost)?;
        if headers.get_all(HOST).iter().count() > 1 {
            return Err(Forbidden::NoHost);
        }
        if !self.is_ours(&host) {
            return Err(Forbidden::Host(host.to_string()));
        }
        for origin in headers.get_all(ORIGIN) {
            if !self.is_our_origin(origin.as_bytes()) {
                return Err(Forbidden::Origin(String::from_utf8_lossy(origin.as_bytes()).into_owned()));
            }
        }
        Ok(())
    }

    fn is_ours(&self, host: &Authority) -> bool {
        let name = host.host().to_ascii_lowercase();
        let name = name.strip_suffix('.').unwrap_or(&name);
        // A proxy in front has its own port, so the port of a configured name is not compared.
        if self.names.iter().any(|known| known == name) {
            return true;
        }
        let is_our_port = host.port_u16().unwrap_or(80) == self.address.port();
        let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        // A page can have an address as its host only if it is served from there.
        let is_ours = LOCAL.contains(&name) || (is_address && !self.address.ip().is_loopback());
        is_our_port && is_ours
    }

    /// Whether a page comes from this server, or from the proxy in front of it.
    fn is_our_origin(&self, origin: &[u8]) -> bool {
        let uri = std::str::from_utf8(origin).ok().and_then(|text| text.parse::<Uri>().ok());
        let Some(parts) = uri.map(Uri::into_parts) else { return false };
        let is_web = parts.scheme.is_some_and(|scheme| matches!(scheme.as_str(), "http" | "https"));
        is_web && parts.authority.is_some_and(|authority| self.is_ours(&authority))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(listens: &str, host: &str, origin: Option<&str>) -> Result<(), Forbidden> {
        let guard = Guard::new(listens.parse().unwrap(), ["mcp.example.com".to_owned()]);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        guard.check(&Uri::from_static("/mcp"), &headers)
    }

    #[test]
    fn only_names_of_the_server_are_hosts() {
        for ours in ["localhost:8931", "127.0.0.1:8931", "[::1]:8931", "LOCALHOST:8931", "mcp.example.com"] {
            assert_eq!(check("127.0.0.1:8931", ours, None), Ok(()), "{ours}");
        }
        for foreign in [
            "evil.example",
            "evil.example:8931",
            "localhost:80",
            "localhost",
            "127.0.0.1.evil.example:8931",
            "localhost.evil.example:8931",
            "192.168.1.9:8931",
            "a.mcp.example.com",
        ] {
            assert!(check("127.0.0.1:8931", foreign, None).is_err(), "{foreign}");
        }
    }

    #[test]
    fn off_loopback_every_address_is_a_host_and_no_other_name() {
        assert_eq!(check("0.0.0.0:8931", "192.168.1.9:8931", None), Ok(()));
        assert_eq!(check("[::]:8931", "[fe80::1]:8931", None), Ok(()));
        assert!(check("0.0.0.0:8931", "evil.example:8931", None).is_err());
    }

    #[test]
    fn pages_are_refused_but_our_own() {
        for ours in
            ["http://localhost:8931", "http://127.0.0.1:8931", "http://[::1]:8931", "https://mcp.example.com"]
        {
            assert_eq!(check("127.0.0.1:8931", "127.0.0.1:8931", Some(ours)), Ok(()), "{ours}");
        }
        for foreign in [
            "null",
            "http://evil.example",
            "http://localhost:3000",
            "http://localhost",
            "file://",
            "chrome-extension://abcdef",
            "http://localhost:8931@evil.example",
            "http://evil.example:8931",
        ] {
            assert!(check("127.0.0.1:8931", "127.0.0.1:8931", Some(foreign)).is_err(), "{foreign}");
        }
    }
}
