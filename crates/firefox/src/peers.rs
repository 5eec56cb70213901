//! Connections to the browser. Every user of the machine can connect to a loopback port, and a connection to
//! Marionette that exists when the session starts shares it with all its rights.

use std::{io, net::SocketAddr};

/// Whether a process other than `ours` has a usable connection to a port of 127.0.0.1.
#[cfg(target_os = "linux")]
pub(crate) fn others_at(port: u16, ours: SocketAddr) -> io::Result<bool> {
    let peers = peers_of(port, &std::fs::read_to_string("/proc/self/net/tcp")?);
    // If we are not in it, it is not the right table.
    if !peers.contains(&ours.port()) {
        return Err(io::Error::other("the system does not tell who is connected to the browser"));
    }
    Ok(peers.iter().any(|peer| *peer != ours.port()))
}

/// Other systems have no such table.
#[cfg(not(target_os = "linux"))]
pub(crate) fn others_at(_: u16, _: SocketAddr) -> io::Result<bool> {
    Ok(false)
}

/// The remote ports of the connections to a port, from the system's table: `sl local_address rem_address st
/// …`.
#[cfg(target_os = "linux")]
fn peers_of(port: u16, table: &str) -> Vec<u16> {
    /// Established, or half-closed: data sent before is still read and answered.
    const USABLE: [&str; 2] = ["01", "08"];
    let number = |address: &str| u16::from_str_radix(address.rsplit_once(':')?.1, 16).ok();
    let peer = |line: &str| {
        let mut fields = line.split_whitespace().skip(1);
        let (local, remote, state) = (fields.next()?, fields.next()?, fields.next()?);
        (number(local) == Some(port) && USABLE.contains(&state)).then(|| number(remote)).flatten()
    };
    table.lines().skip(1).filter_map(peer).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn somebody_else_is_seen_until_they_are_gone() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let to = listener.local_addr().unwrap();
        let ours = TcpStream::connect(to).unwrap();
        let (_accepted, _) = listener.accept().unwrap();
        assert!(!others_at(to.port(), ours.local_addr().unwrap()).unwrap());
        let theirs = TcpStream::connect(to).unwrap();
        // Also before it is accepted.
        assert!(others_at(to.port(), ours.local_addr().unwrap()).unwrap());
        let (accepted, _) = listener.accept().unwrap();
        theirs.shutdown(std::net::Shutdown::Write).unwrap();
        assert!(others_at(to.port(), ours.local_addr().unwrap()).unwrap(), "it can still be answered");
        drop((theirs, accepted));
        assert!(!others_at(to.port(), ours.local_addr().unwrap()).unwrap());
        assert!(others_at(to.port(), to).is_err(), "we are not in the list");
    }
}
