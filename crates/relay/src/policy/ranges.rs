use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// Ranges of non-public addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressRange {
    /// Link-local; cloud providers serve credentials there.
    LinkLocal,
    /// Other addresses where cloud providers serve credentials.
    Metadata,
    /// This machine.
    Loopback,
    /// Private networks and all other non-public addresses.
    Private,
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LinkLocal => "a link-local address",
            Self::Metadata => "a cloud metadata address",
            Self::Loopback => "a loopback address",
            Self::Private => "a private address",
        })
    }
}

/// Metadata services outside the link-local ranges: Alibaba, Azure, Oracle; Amazon and Google over IPv6.
const METADATA_V4: [Ipv4Addr; 3] =
    [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(192, 0, 0, 192)];
const METADATA_V6: [Ipv6Addr; 2] =
    [Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)];

/// The range of an address; `None` if it is public.
pub(super) fn range_of(address: IpAddr) -> Option<AddressRange> {
    match address.to_canonical() {
        IpAddr::V4(address) => of_v4(address),
        IpAddr::V6(address) => of_v6(address),
    }
}

fn of_v4(address: Ipv4Addr) -> Option<AddressRange> {
    let [a, b, c, _] = address.octets();
    // Reserved: carrier-grade NAT, protocol assignments, documentation, benchmarks, the former class E.
    let reserved = matches!(
        (a, b, c),
        (0 | 240..=255, ..)
            | (100, 64..=127, _)
            | (192, 0, 0 | 2)
            | (198, 18..=19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    if address.is_link_local() {
        Some(AddressRange::LinkLocal)
    } else if METADATA_V4.contains(&address) {
        Some(AddressRange::Metadata)
    } else if address.is_loopback() || address.is_unspecified() {
        // The unspecified address leads to this machine.
        Some(AddressRange::Loopback)
    } else if address.is_private() || address.is_multicast() || reserved {
        Some(AddressRange::Private)
    } else {
        None
    }
}

fn of_v6(address: Ipv6Addr) -> Option<AddressRange> {
    if address.is_unicast_link_local() {
        Some(AddressRange::LinkLocal)
    } else if METADATA_V6.contains(&address) {
        Some(AddressRange::Metadata)
    } else if address.is_loopback() || address.is_unspecified() {
        Some(AddressRange::Loopback)
    } else if let Some(embedded) = embedded(address) {
        of_v4(embedded)
    } else if address.is_unique_local() || address.is_multicast() || is_site_local(address) {
        Some(AddressRange::Private)
    } else {
        None
    }
}

/// `fec0::/10`, deprecated but still used.
fn is_site_local(address: Ipv6Addr) -> bool {
    address.segments()[0] & 0xffc0 == 0xfec0
}

/// The IPv4 address embedded in an IPv6 address: NAT64, 6to4, IPv4-compatible.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let last = |[.., high, low]: [u16; 8]| v4(high, low);
    match address.segments() {
        segments @ ([0x64, 0xff9b, 0, 0, 0, 0, ..] | [0x64, 0xff9b, 1, ..] | [0, 0, 0, 0, 0, 0, ..]) => {
            Some(last(segments))
        }
        [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}
