use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use futures::{StreamExt, stream::FuturesUnordered};
use tokio::{net::TcpStream, time::timeout};
use url::Host;

use crate::{HostPolicy, Refusal, Resolve, bypass::is_loopback};

/// Delay before the next address is tried concurrently, as RFC 8305 advises.
const HEAD_START: Duration = Duration::from_millis(250);

/// Why there is no connection.
pub(super) enum Missed {
    Name(io::Error),
    Connection(io::Error),
    Refused(Refusal),
}

/// Connects to the first address of the host that answers. Addresses that the policy refuses are skipped; if it refuses
/// all of them, that is the error.
pub(super) async fn connect(
    host: &Host,
    port: u16,
    resolver: &dyn Resolve,
    policy: Option<&HostPolicy>,
) -> Result<TcpStream, Missed> {
    let mut addresses = addresses(host, port, resolver).await.map_err(Missed::Name)?;
    if let Some(policy) = policy {
        let mut refused = None;
        addresses.retain(|address| {
            let checked = policy.check_address(host, address.ip());
            checked.map_err(|refusal| refused.get_or_insert(refusal).clone()).is_ok()
        });
        if let Some(refusal) = refused.filter(|_| addresses.is_empty()) {
            return Err(Missed::Refused(refusal));
        }
    }
    let stream = first(addresses).await.map_err(Missed::Connection)?;
    // Forward small writes of the browser immediately.
    stream.set_nodelay(true).map_err(Missed::Connection)?;
    Ok(stream)
}

async fn addresses(host: &Host, port: u16, resolver: &dyn Resolve) -> io::Result<Vec<SocketAddr>> {
    let at = |address: IpAddr| SocketAddr::new(address, port);
    match host {
        Host::Ipv4(address) => Ok(vec![at((*address).into())]),
        Host::Ipv6(address) => Ok(vec![at((*address).into())]),
        // Browsers do not use DNS for these either.
        Host::Domain(_) if is_loopback(host) => {
            Ok(vec![at(Ipv4Addr::LOCALHOST.into()), at(Ipv6Addr::LOCALHOST.into())])
        }
        Host::Domain(name) => Ok(by_turns(resolver.resolve(name).await?.into_iter().map(at).collect())),
    }
}

/// Alternates address families, starting with the system's first choice: one family may be unreachable.
fn by_turns(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let chosen = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (mut one, mut other): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv6() == chosen);
    one.reverse();
    other.reverse();
    let mut turns = Vec::new();
    while !one.is_empty() || !other.is_empty() {
        turns.extend(one.pop());
        turns.extend(other.pop());
    }
    turns
}

async fn first(addresses: Vec<SocketAddr>) -> io::Result<TcpStream> {
    let mut waiting = addresses.into_iter();
    let mut tries = FuturesUnordered::new();
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    loop {
        let alone_for = match waiting.next() {
            Some(address) => {
                tries.push(TcpStream::connect(address));
                HEAD_START
            }
            None => Duration::MAX,
        };
        match timeout(alone_for, tries.next()).await {
            Ok(Some(Ok(stream))) => return Ok(stream),
            Ok(Some(Err(error))) => failed = error,
            Ok(None) => return Err(failed),
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_take_turns() {
        let parse = |text: &str| text.parse::<SocketAddr>().unwrap();
        let [a, b, c] = ["[::1]:1", "[::2]:1", "[::3]:1"].map(parse);
        let d = parse("127.0.0.1:1");
        assert_eq!(by_turns(vec![a, b, c, d]), [a, d, b, c]);
        assert_eq!(by_turns(vec![d, a]), [d, a]);
    }
}
