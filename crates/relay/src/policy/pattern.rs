use std::{fmt, net::IpAddr, str::FromStr};

use thiserror::Error;
use url::Host;

/// A host, or all subdomains of a domain: `example.com`, `*.example.com`, `192.0.2.1`, `[2001:db8::1]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern(Hosts);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hosts {
    Only(Subject),
    /// The domain, with a leading dot.
    Below(String),
}

/// A normalized host: lower case, punycode, without a trailing dot; addresses in any spelling as addresses, IPv4-mapped
/// IPv6 as IPv4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    Name(String),
    Address(IpAddr),
}

impl Subject {
    pub(super) fn of(host: &Host) -> Self {
        match host {
            Host::Domain(name) => Self::Name(name.trim_end_matches('.').to_ascii_lowercase()),
            Host::Ipv4(address) => Self::Address((*address).into()),
            Host::Ipv6(address) => Self::Address(IpAddr::V6(*address).to_canonical()),
        }
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Hosts::Only(Subject::Name(name)) => f.write_str(name),
            Hosts::Only(Subject::Address(IpAddr::V4(address))) => address.fmt(f),
            Hosts::Only(Subject::Address(IpAddr::V6(address))) => write!(f, "[{address}]"),
            Hosts::Below(domain) => write!(f, "*{domain}"),
        }
    }
}

impl HostPattern {
    pub(super) fn covers(&self, subject: &Subject) -> bool {
        match (&self.0, subject) {
            (Hosts::Only(only), subject) => only == subject,
            (Hosts::Below(domain), Subject::Name(name)) => name.ends_with(domain.as_str()),
            (Hosts::Below(_), Subject::Address(_)) => false,
        }
    }

    /// Whether it is exactly this host.
    pub(super) fn is(&self, subject: &Subject) -> bool {
        matches!(&self.0, Hosts::Only(only) if only == subject)
    }
}

/// Why an entry of a host list is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadHostPattern {
    /// Nothing between two commas.
    #[error("empty entry in the list")]
    Empty,
    /// White space.
    #[error("a host contains no spaces, also not after a comma")]
    Space,
    #[error("a host has no scheme: example.com, not https://example.com")]
    Scheme,
    #[error("write the host without a port: the rule applies to all ports")]
    Port,
    /// The wildcard is not `*.` before a domain.
    #[error("a wildcard is `*.` before a domain, as in *.example.com")]
    Wildcard,
    /// Neither a host name nor an address.
    #[error("not a host name or an address")]
    Host,
}

impl FromStr for HostPattern {
    type Err = BadHostPattern;

    fn from_str(entry: &str) -> Result<Self, BadHostPattern> {
        if entry.is_empty() {
            return Err(BadHostPattern::Empty);
        }
        if entry.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(BadHostPattern::Space);
        }
        if entry.contains("://") {
            return Err(BadHostPattern::Scheme);
        }
        if entry.contains(['/', '\\', '?', '#', '@', '%']) {
            return Err(BadHostPattern::Host);
        }
        // An IPv6 address may lack brackets.
        let bare = entry.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<std::net::Ipv6Addr>() {
            return Ok(Self(Hosts::Only(Subject::of(&Host::Ipv6(address)))));
        }
        if entry.contains(':') {
            return Err(BadHostPattern::Port);
        }
        match entry.strip_prefix("*.") {
            Some(domain) => below(domain),
            None if entry.contains('*') => Err(BadHostPattern::Wildcard),
            None => Ok(Self(Hosts::Only(subject(entry)?))),
        }
    }
}

fn below(domain: &str) -> Result<HostPattern, BadHostPattern> {
    if domain.is_empty() || domain.contains('*') {
        return Err(BadHostPattern::Wildcard);
    }
    match subject(domain)? {
        Subject::Name(name) => Ok(HostPattern(Hosts::Below(format!(".{name}")))),
        // Addresses have no subdomains.
        Subject::Address(_) => Err(BadHostPattern::Wildcard),
    }
}

fn subject(host: &str) -> Result<Subject, BadHostPattern> {
    let subject = Subject::of(&Host::parse(host).map_err(|_| BadHostPattern::Host)?);
    match &subject {
        Subject::Name(name) if name.split('.').any(str::is_empty) => Err(BadHostPattern::Host),
        _ => Ok(subject),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_host_is_refused_with_its_reason() {
        use BadHostPattern::{Empty, Host, Port, Scheme, Space, Wildcard};
        for (entry, reason) in [
            ("", Empty),
            (" a.test", Space),
            ("a.test ", Space),
            ("a b.test", Space),
            ("a\t.test", Space),
            ("http://a.test", Scheme),
            ("https://a.test/x", Scheme),
            ("a.test:80", Port),
            ("[::1]:80", Port),
            ("127.0.0.1:80", Port),
            ("http:a.test", Port),
            ("*", Wildcard),
            ("*.", Wildcard),
            ("**.a.test", Wildcard),
            ("*a.test", Wildcard),
            ("a*.test", Wildcard),
            ("a.*.test", Wildcard),
            ("a.test.*", Wildcard),
            ("*.*.test", Wildcard),
            ("*.127.0.0.1", Wildcard),
            ("a.test/x", Host),
            ("10.0.0.0/8", Host),
            ("jo@a.test", Host),
            (".a.test", Host),
            ("a..test", Host),
            ("*..a.test", Host),
            (".", Host),
            ("a<b.test", Host),
        ] {
            assert_eq!(entry.parse::<HostPattern>(), Err(reason), "{entry:?}");
        }
    }

    #[test]
    fn spellings_of_one_host_are_one_pattern() {
        let parsed = |entry: &str| entry.parse::<HostPattern>().unwrap();
        assert_eq!(parsed("A.Test."), parsed("a.test"));
        assert_eq!(parsed("bücher.test"), parsed("xn--bcher-kva.test"));
        assert_eq!(parsed("0x7f.1"), parsed("127.0.0.1"));
        assert_eq!(parsed("::ffff:127.0.0.1"), parsed("2130706433"));
        assert_eq!(parsed("[::1]"), parsed("0:0::1"));
        assert_eq!(parsed("*.A.test"), parsed("*.a.test"));
    }
}
