use std::fmt;

use hyper::{Method, Request, Uri};
use url::Host;

/// The destination of a request. The host is normalized as by URL parsers: lower case, punycode, addresses in any
/// spelling as addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Destination {
    pub(crate) host: Host,
    pub(crate) port: u16,
}

impl Destination {
    /// Parses the request target of a proxy request: `http://host/…`, or `host:port` for `CONNECT`.
    pub(crate) fn of<B>(request: &Request<B>) -> Option<Self> {
        let uri = request.uri();
        if request.method() == Method::CONNECT {
            return uri.port_u16().and_then(|port| Self::at(uri, port));
        }
        (uri.scheme_str() == Some("http")).then(|| Self::at(uri, uri.port_u16().unwrap_or(80))).flatten()
    }

    fn at(uri: &Uri, port: u16) -> Option<Self> {
        let host = uri.host().filter(|_| port != 0)?;
        Some(Self { host: normal(host)?, port })
    }

    /// The name or address without a port, as failures are recorded.
    pub(crate) fn host_text(&self) -> String {
        self.host.to_string()
    }
}

/// Normalizes a host as URL parsers do.
pub(crate) fn normal(host: &str) -> Option<Host> {
    Host::parse(host).ok()
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;

    use super::*;

    fn destination(method: &str, uri: &str) -> Option<String> {
        let request = Request::builder().method(method).uri(uri).body(()).unwrap();
        Destination::of(&request).map(|destination| destination.to_string())
    }

    #[test]
    fn requests_name_a_host_and_a_port() {
        assert_eq!(destination("GET", "http://Site.Test/a").unwrap(), "site.test:80");
        assert_eq!(destination("GET", "http://site.test:81/").unwrap(), "site.test:81");
        assert_eq!(destination("CONNECT", "[::1]:443").unwrap(), "[::1]:443");
        assert_eq!(destination("CONNECT", "0x7f000001:443").unwrap(), "127.0.0.1:443");
    }

    #[test]
    fn what_names_none_goes_nowhere() {
        assert_eq!(destination("GET", "/origin-form"), None);
        assert_eq!(destination("GET", "https://site.test/"), None);
        assert_eq!(destination("CONNECT", "site.test:0"), None);
    }

    /// Pieces of request targets.
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "http://", "https://", "//", "/", ":", "@", "a.test", "A.Test.", "127.0.0.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "[", "]",
        ":80", ":0", ":65535", ":99999", "%41", "%2e", "%00", "xn--", "*", "?", "#", "\\", " ", "..", "-", "_", "user:pass@", "1e9", "é",
    ];

    #[test]
    fn a_target_goes_to_a_host_as_url_parsers_write_it_or_nowhere() {
        let mut foreign = ForeignText::new();
        let mut found = 0;
        for _ in 0..20_000 {
            let begin = foreign.one_of(&["", "http://", "http://a.test", "a.test:443"]);
            let target = format!("{begin}{}", foreign.pieces(PIECES, 5));
            for method in [Method::GET, Method::CONNECT] {
                let Ok(request) = Request::builder().method(method).uri(&target).body(()) else { continue };
                let Some(destination) = Destination::of(&request) else { continue };
                found += 1;
                assert_ne!(destination.port, 0, "{target:?}");
                // The same as a browser goes to, so that the policy looks at that one.
                let url = url::Url::parse(&format!("http://{destination}/")).unwrap();
                assert_eq!(url.host().map(|host| host.to_owned()), Some(destination.host), "{target:?}");
            }
        }
        assert!(found > 500, "{found}");
    }
}
