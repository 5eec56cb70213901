//! Which hosts and addresses may be reached.
//!
//! A [`HostPolicy`] is checked twice: for the host of a request, before anything is done, and for each resolved
//! address, right before it is dialled. A name may resolve to another address from one second to the next.

mod pattern;
mod ranges;

use std::net::IpAddr;

use thiserror::Error;
use url::Host;

use self::{pattern::Subject, ranges::range_of};
pub use self::{
    pattern::{BadHostPattern, HostPattern},
    ranges::AddressRange,
};
use crate::Resolve;

/// Names of cloud metadata services. Their addresses are refused as well; the names matter if an upstream proxy
/// resolves them.
const METADATA_HOSTS: [&str; 4] =
    ["metadata.google.internal", "metadata.goog", "metadata.azure.internal", "instance-data.ec2.internal"];

/// The reachable hosts and addresses. Without rules: all except link-local and cloud metadata addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostPolicy {
    /// Only these hosts; all if empty.
    pub allowed: Vec<HostPattern>,
    /// Never these hosts, even if allowed. An address in this list is refused under every name.
    pub blocked: Vec<HostPattern>,
    /// Whether loopback, private and other non-public addresses are refused.
    pub block_private: bool,
}

/// Why a host may not be reached. Hosts are normalized as by URL parsers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Not on the list of allowed hosts.
    #[error("{host} is not an allowed host")]
    NotAllowed { host: String },
    /// On the list of blocked hosts.
    #[error("{host} is a blocked host")]
    Blocked { host: String },
    /// Its address is on the list of blocked hosts.
    #[error("{host} resolves to {address}, which is a blocked host")]
    BlockedAddress {
        host: String,
        /// The resolved address.
        address: IpAddr,
    },
    /// It is, or resolves to, a refused address.
    #[error("{}", address_refused(.host, .address, *.range))]
    Address { host: String, address: IpAddr, range: AddressRange },
    /// The name of a cloud metadata service.
    #[error("{host} is a cloud metadata host")]
    MetadataHost { host: String },
}

impl Refusal {
    /// The refused host.
    pub fn host(&self) -> &str {
        match self {
            Self::NotAllowed { host }
            | Self::Blocked { host }
            | Self::BlockedAddress { host, .. }
            | Self::Address { host, .. }
            | Self::MetadataHost { host } => host,
        }
    }
}

fn address_refused(host: &str, address: &IpAddr, range: AddressRange) -> String {
    if host.trim_matches(['[', ']']).parse() == Ok(*address) {
        format!("{host} is {range}")
    } else {
        format!("{host} resolves to {address}, {range}")
    }
}

impl HostPolicy {
    /// Whether any rule is set.
    pub fn restricts(&self) -> bool {
        !self.allowed.is_empty() || !self.blocked.is_empty() || self.block_private
    }

    /// Checks a host before its name is resolved.
    pub fn check_host(&self, host: &Host) -> Result<(), Refusal> {
        let subject = Subject::of(host);
        if matches(&self.blocked, &subject) {
            return Err(Refusal::Blocked { host: host_text(host) });
        }
        if !self.allowed.is_empty() && !matches(&self.allowed, &subject) {
            return Err(Refusal::NotAllowed { host: host_text(host) });
        }
        match &subject {
            Subject::Address(address) => self.check_address(host, *address),
            Subject::Name(name) if METADATA_HOSTS.contains(&name.as_str()) && !self.names(&subject) => {
                Err(Refusal::MetadataHost { host: host_text(host) })
            }
            Subject::Name(_) => Ok(()),
        }
    }

    /// Checks an address of a host before it is dialled.
    pub fn check_address(&self, host: &Host, address: IpAddr) -> Result<(), Refusal> {
        let dialled = Subject::Address(address.to_canonical());
        if matches(&self.blocked, &dialled) {
            return Err(Refusal::BlockedAddress { host: host_text(host), address });
        }
        match range_of(address) {
            Some(range) if self.refuses(range) && !self.opens(host, &dialled, range) => {
                Err(Refusal::Address { host: host_text(host), address, range })
            }
            _ => Ok(()),
        }
    }

    /// Checks a host that someone else will resolve: none of its current addresses may be refused. A name without
    /// addresses passes.
    pub async fn check_resolved(&self, host: &Host, resolver: &dyn Resolve) -> Result<(), Refusal> {
        self.check_host(host)?;
        let Host::Domain(name) = host else { return Ok(()) };
        if is_loopback_name(name.trim_end_matches('.')) {
            return Ok(());
        }
        // A name without addresses is unreachable anyway.
        let addresses = resolver.resolve(name).await.unwrap_or_default();
        addresses.into_iter().try_for_each(|address| self.check_address(host, address))
    }

    fn refuses(&self, range: AddressRange) -> bool {
        match range {
            AddressRange::LinkLocal | AddressRange::Metadata => true,
            AddressRange::Loopback | AddressRange::Private => self.block_private,
        }
    }

    /// Whether the list of allowed hosts contains this address itself. An allowed name is not enough: its owner chooses
    /// the address. Only names with a defined address count.
    fn opens(&self, host: &Host, dialled: &Subject, range: AddressRange) -> bool {
        let named = Subject::of(host);
        let fixed = match (&named, range) {
            (Subject::Name(name), AddressRange::Loopback) => is_loopback_name(name),
            (Subject::Name(name), AddressRange::LinkLocal | AddressRange::Metadata) => {
                METADATA_HOSTS.contains(&name.as_str())
            }
            _ => false,
        };
        self.names(dialled) || fixed && matches(&self.allowed, &named)
    }

    /// Whether the list of allowed hosts contains it literally, not by a pattern.
    fn names(&self, subject: &Subject) -> bool {
        self.allowed.iter().any(|pattern| pattern.is(subject))
    }
}

fn matches(patterns: &[HostPattern], subject: &Subject) -> bool {
    patterns.iter().any(|pattern| pattern.covers(subject))
}

/// `localhost` and its subdomains are this machine by definition; they are not resolved.
pub(crate) fn is_loopback_name(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

/// For messages: without a trailing dot, IPv4-mapped addresses as IPv4.
fn host_text(host: &Host) -> String {
    match Subject::of(host) {
        Subject::Name(name) => name,
        Subject::Address(IpAddr::V4(address)) => address.to_string(),
        Subject::Address(IpAddr::V6(address)) => format!("[{address}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(allowed: &str, blocked: &str) -> HostPolicy {
        let list = |text: &str| {
            let entries = text.split(',').filter(|entry| !entry.is_empty());
            entries.map(|entry| entry.parse().unwrap()).collect()
        };
        HostPolicy { allowed: list(allowed), blocked: list(blocked), block_private: false }
    }

    fn said(policy: &HostPolicy, host: &str) -> String {
        let host = Host::parse(host).unwrap();
        policy.check_host(&host).err().map(|refusal| refusal.to_string()).unwrap_or_default()
    }

    fn dialled(policy: &HostPolicy, host: &str, address: &str) -> String {
        let refused = policy.check_address(&Host::parse(host).unwrap(), address.parse().unwrap());
        refused.err().map(|refusal| refusal.to_string()).unwrap_or_default()
    }

    #[test]
    fn without_rules_all_is_allowed_but_link_local_and_metadata() {
        let none = HostPolicy::default();
        for host in ["example.com", "localhost", "127.0.0.1", "10.0.0.1", "[::1]", "[fd00::1]"] {
            assert_eq!(said(&none, host), "", "{host}");
        }
        assert_eq!(said(&none, "169.254.169.254"), "169.254.169.254 is a link-local address");
        assert_eq!(said(&none, "[fe80::1]"), "[fe80::1] is a link-local address");
        assert_eq!(said(&none, "[fd00:ec2::254]"), "[fd00:ec2::254] is a cloud metadata address");
        assert_eq!(said(&none, "100.100.100.200"), "100.100.100.200 is a cloud metadata address");
        assert_eq!(
            said(&none, "Metadata.Google.Internal."),
            "metadata.google.internal is a cloud metadata host"
        );
        assert_eq!(
            dialled(&none, "rebound.test", "169.254.169.254"),
            "rebound.test resolves to 169.254.169.254, a link-local address"
        );
    }

    #[test]
    fn every_spelling_of_an_address_is_that_address() {
        let none = HostPolicy::default();
        for host in [
            "2852039166",
            "0xa9fea9fe",
            "0xA9.0xFE.0xA9.0xFE",
            "0251.0376.0251.0376",
            "169.254.43518",
            "169.254.169.254.",
            "[::ffff:169.254.169.254]",
            "[::ffff:a9fe:a9fe]",
            "１６９.２５４.１６９.２５４",
            "169%2e254%2e169%2e254",
        ] {
            assert_eq!(said(&none, host), "169.254.169.254 is a link-local address", "{host}");
        }
        // Other IPv4-in-IPv6 forms lead there too.
        for host in ["[64:ff9b::169.254.169.254]", "[2002:a9fe:a9fe::]", "[::169.254.169.254]"] {
            assert!(said(&none, host).ends_with("is a link-local address"), "{host}");
        }
    }

    #[test]
    fn blocked_beats_allowed_in_every_spelling() {
        let rules = policy("*.example.com,münchen.test,good.test", "evil.example.com");
        for host in ["good.test", "GOOD.TEST.", "a.b.example.com", "xn--mnchen-3ya.test", "München.TEST"] {
            assert_eq!(said(&rules, host), "", "{host}");
        }
        for host in ["evil.example.com", "EVIL.example.com.", "ｅｖｉｌ.example.com", "evil%2Eexample.com"]
        {
            assert_eq!(said(&rules, host), "evil.example.com is a blocked host", "{host}");
        }
        // A pattern matches subdomains only.
        for host in ["example.com", "notexample.com", "example.com.evil.test", "good.test.evil"] {
            assert!(said(&rules, host).ends_with(" is not an allowed host"), "{host}");
        }
    }

    #[test]
    fn a_blocked_address_is_refused_under_every_name() {
        let rules = policy("", "127.0.0.1");
        assert_eq!(said(&rules, "0x7f.1"), "127.0.0.1 is a blocked host");
        assert_eq!(
            dialled(&rules, "localhost", "127.0.0.1"),
            "localhost resolves to 127.0.0.1, which is a blocked host"
        );
        assert_eq!(dialled(&rules, "localhost", "::1"), "");
    }

    #[test]
    fn private_addresses_are_refused_on_demand_and_opened_by_their_own_names() {
        let mut rules = policy("", "");
        rules.block_private = true;
        for host in [
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.31.0.1",
            "192.168.0.1",
            "100.64.0.1",
            "[::1]",
            "[::]",
            "[fd12::1]",
            "[::ffff:10.0.0.1]",
            "[64:ff9b::10.0.0.1]",
            "224.0.0.1",
            "255.255.255.255",
            "[ff02::1]",
        ] {
            assert_ne!(said(&rules, host), "", "{host}");
        }
        assert_eq!(said(&rules, "8.8.8.8"), "");
        assert_eq!(said(&rules, "[2606:4700::1111]"), "");
        assert_eq!(dialled(&rules, "a.test", "10.0.0.5"), "a.test resolves to 10.0.0.5, a private address");
        let mut rules = policy("a.test,10.0.0.5,localhost,metadata.google.internal", "");
        rules.block_private = true;
        assert_eq!(dialled(&rules, "a.test", "10.0.0.5"), "");
        assert_eq!(dialled(&rules, "localhost", "127.0.0.1"), "");
        assert_eq!(dialled(&rules, "metadata.google.internal", "169.254.169.254"), "");
        // An allowed name does not allow the address that its owner chose.
        assert_eq!(
            dialled(&rules, "a.test", "169.254.169.254"),
            "a.test resolves to 169.254.169.254, a link-local address"
        );
        assert_eq!(
            dialled(&rules, "a.test", "127.0.0.1"),
            "a.test resolves to 127.0.0.1, a loopback address"
        );
    }
}
