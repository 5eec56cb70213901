use std::{net::IpAddr, str::FromStr};

use thiserror::Error;
use url::Host;

use crate::{
    destination::{Destination, normal},
    policy::is_loopback_name,
    upstream::split_port,
};

/// Hosts that are connected to directly in spite of an upstream proxy.
///
/// A comma-separated list: `example.com` (that host only), `*.example.com` or `.example.com` (its subdomains), `*`
/// (all), addresses and ranges (`10.0.0.0/8`), `localhost` (this machine by any of its names), `<local>` (names without
/// a dot). All except ranges and `<local>` may end with `:port`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bypass {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    hosts: Hosts,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hosts {
    All,
    Simple,
    Loopback,
    Only(Host),
    /// With its leading dot.
    Below(String),
    Range(IpAddr, u8),
}

/// Why an entry of a bypass list is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadBypass {
    /// Not a name, a pattern or an address.
    #[error("{0:?} in the bypass list is not a host name, *.domain, address or address range")]
    Host(String),
    /// The port is not a number from 1 to 65535.
    #[error("the port of {0:?} in the bypass list is not a number from 1 to 65535")]
    Port(String),
    /// The prefix length is not a number, or too large for the address family.
    #[error("the range {0:?} in the bypass list has no valid prefix length; example: 10.0.0.0/8")]
    Range(String),
}

impl Bypass {
    pub(crate) fn covers(&self, destination: &Destination) -> bool {
        self.rules.iter().any(|rule| {
            rule.port.is_none_or(|port| port == destination.port) && rule.hosts.cover(&destination.host)
        })
    }
}

impl Hosts {
    fn cover(&self, host: &Host) -> bool {
        match self {
            Self::All => true,
            Self::Simple => matches!(host, Host::Domain(name) if !bare(name).contains('.')),
            Self::Loopback => is_loopback(host),
            Self::Only(Host::Domain(only)) => matches!(host, Host::Domain(name) if bare(name) == bare(only)),
            Self::Only(only) => host == only,
            Self::Below(suffix) => matches!(host, Host::Domain(name) if bare(name).ends_with(suffix)),
            Self::Range(network, length) => {
                address(host).is_some_and(|address| within(address, *network, *length))
            }
        }
    }
}

/// A trailing dot only marks a name as absolute.
fn bare(name: &str) -> &str {
    name.strip_suffix('.').unwrap_or(name)
}

/// The host's address, if it is one. IPv4-mapped IPv6 becomes IPv4.
fn address(host: &Host) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(IpAddr::V4(*address)),
        Host::Ipv6(address) => Some(IpAddr::V6(*address).to_canonical()),
    }
}

/// Whether browsers treat the host as this machine.
pub(crate) fn is_loopback(host: &Host) -> bool {
    match host {
        Host::Domain(name) => is_loopback_name(bare(name)),
        _ => address(host).is_some_and(|address| address.is_loopback()),
    }
}

fn within(address: IpAddr, network: IpAddr, length: u8) -> bool {
    match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => {
            let shift = 32 - u32::from(length);
            address.to_bits().checked_shr(shift) == network.to_bits().checked_shr(shift)
        }
        (IpAddr::V6(address), IpAddr::V6(network)) => {
            let shift = 128 - u32::from(length);
            address.to_bits().checked_shr(shift) == network.to_bits().checked_shr(shift)
        }
        _ => false,
    }
}

impl FromStr for Bypass {
    type Err = BadBypass;

    fn from_str(list: &str) -> Result<Self, BadBypass> {
        let entries = list.split([',', ';']).map(str::trim).filter(|entry| !entry.is_empty());
        Ok(Self { rules: entries.map(str::parse).collect::<Result<_, _>>()? })
    }
}

impl FromStr for Rule {
    type Err = BadBypass;

    fn from_str(entry: &str) -> Result<Self, BadBypass> {
        if entry == "<local>" {
            return Ok(Self { hosts: Hosts::Simple, port: None });
        }
        if let Some((network, length)) = entry.split_once('/') {
            return Ok(Self { hosts: range(entry, network, length)?, port: None });
        }
        // An IPv6 address without brackets has no port.
        if let Ok(address) = entry.parse::<std::net::Ipv6Addr>() {
            return Ok(Self { hosts: Hosts::Only(Host::Ipv6(address)), port: None });
        }
        let (host, port) = split_port(entry);
        let port = match port.map(str::parse) {
            None => None,
            Some(Ok(port)) if port > 0 => Some(port),
            Some(_) => return Err(BadBypass::Port(entry.to_owned())),
        };
        Ok(Self { hosts: hosts(entry, host)?, port })
    }
}

fn hosts(entry: &str, host: &str) -> Result<Hosts, BadBypass> {
    let wrong = || BadBypass::Host(entry.to_owned());
    if host == "*" {
        return Ok(Hosts::All);
    }
    if let Some(domain) = host.strip_prefix("*.").or_else(|| host.strip_prefix('.')) {
        return match normal(domain) {
            Some(Host::Domain(name)) => Ok(Hosts::Below(format!(".{}", bare(&name)))),
            _ => Err(wrong()),
        };
    }
    match normal(host).ok_or_else(wrong)? {
        Host::Domain(name) if name == "localhost" => Ok(Hosts::Loopback),
        Host::Domain(name) if name.contains('*') => Err(wrong()),
        host => Ok(Hosts::Only(host)),
    }
}

fn range(entry: &str, network: &str, length: &str) -> Result<Hosts, BadBypass> {
    let network = network.trim_start_matches('[').trim_end_matches(']');
    let network: IpAddr = network.parse().map_err(|_| BadBypass::Host(entry.to_owned()))?;
    let most = if network.is_ipv4() { 32 } else { 128 };
    match length.parse() {
        Ok(length) if length <= most => Ok(Hosts::Range(network, length)),
        _ => Err(BadBypass::Range(entry.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(list: &str, host: &str, port: u16) -> bool {
        let host = Host::parse(host).unwrap();
        list.parse::<Bypass>().unwrap().covers(&Destination { host, port })
    }

    #[test]
    fn a_name_covers_itself_and_a_pattern_what_is_below_it() {
        assert!(covers("a.test, Example.com", "example.COM.", 443));
        assert!(!covers("example.com", "www.example.com", 443));
        assert!(covers("*.example.com", "www.example.com", 80));
        assert!(covers(".example.com", "a.b.example.com.", 80));
        assert!(!covers("*.example.com", "example.com", 80));
        assert!(!covers("*.example.com", "notexample.com", 80));
        assert!(covers("*", "anything.test", 1));
        assert!(!covers("", "anything.test", 1));
    }

    #[test]
    fn a_port_narrows_an_entry() {
        assert!(covers("example.com:8080", "example.com", 8080));
        assert!(!covers("example.com:8080", "example.com", 80));
        assert!(covers("[::1]:8080", "[::1]", 8080));
    }

    #[test]
    fn addresses_are_covered_in_every_spelling() {
        assert!(covers("127.0.0.1", "0x7f.1", 80));
        assert!(covers("::1", "[0:0::1]", 80));
        assert!(covers("10.0.0.0/8", "10.255.1.2", 80));
        assert!(covers("10.0.0.0/8", "[::ffff:10.1.2.3]", 80));
        assert!(!covers("10.0.0.0/8", "11.0.0.1", 80));
        assert!(covers("0.0.0.0/0", "8.8.8.8", 80));
        assert!(!covers("0.0.0.0/0", "[::1]", 80));
        assert!(covers("fd00::/8", "[fd12::1]", 80));
        assert!(!covers("10.0.0.0/8", "ten.test", 80));
    }

    #[test]
    fn local_names_are_those_without_a_dot_and_localhost_is_this_machine() {
        assert!(covers("<local>", "intranet", 80));
        assert!(!covers("<local>", "intra.net", 80));
        for host in ["localhost", "app.localhost", "127.8.9.1", "[::1]"] {
            assert!(covers("localhost", host, 80), "{host}");
        }
        assert!(!covers("localhost", "localhost.test", 80));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let refused = |list: &str| list.parse::<Bypass>().unwrap_err();
        assert_eq!(refused("a.test,b c"), BadBypass::Host("b c".into()));
        assert_eq!(refused("a*.test"), BadBypass::Host("a*.test".into()));
        assert_eq!(refused("a.test:x"), BadBypass::Port("a.test:x".into()));
        assert_eq!(refused("10.0.0.0/33"), BadBypass::Range("10.0.0.0/33".into()));
        assert_eq!(refused("ten/8"), BadBypass::Host("ten/8".into()));
    }
}
