//! Traffic that would go past a proxy, and show where the person is.

use std::{net::UdpSocket, time::Duration};

use serde_json::json;

use crate::support::{Proxy, Server, Site, own_address};

/// Asks for the addresses that WebRTC would offer, by way of a STUN server.
const GATHER: &str = "(url) => new Promise(done => {
    // A page whose own is missing takes that of an empty frame.
    const Peer = globalThis.RTCPeerConnection ?? document.body.appendChild(document.createElement('iframe')).contentWindow.RTCPeerConnection;
    if (!Peer) return done();
    const peer = new Peer({ iceServers: [{ urls: url }] });
    const end = () => { peer.close(); done() };
    peer.createDataChannel('x');
    peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && end();
    setTimeout(end, 3000);
    peer.createOffer().then(offer => peer.setLocalDescription(offer));
})";

/// Whether a datagram comes while a page gathers.
fn leaks(server: &mut Server, stun: &UdpSocket) -> bool {
    let mut datagram = [0; 1024];
    stun.set_nonblocking(true).unwrap();
    while stun.recv(&mut datagram).is_ok() {}
    let port = stun.local_addr().unwrap().port();
    // Some engines have no candidates on loopback.
    let hosts = own_address().map(|address| address.to_string()).into_iter().chain(["127.0.0.1".to_owned()]);
    for host in hosts {
        server.evaluate(&format!("() => ({GATHER})('stun:{host}:{port}')"));
    }
    stun.set_nonblocking(false).unwrap();
    stun.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    stun.recv(&mut datagram).is_ok()
}

#[test]
fn webrtc_does_not_go_past_the_proxy() {
    let (site, proxy) = (Site::of("<title>Here</title>"), Proxy::http(None));
    let stun = UdpSocket::bind("0.0.0.0:0").unwrap();
    let address = format!("http://{}", proxy.address());

    let mut server = Server::start(&[]);
    server.navigate(&site.url("/"));
    if !leaks(&mut server, &stun) {
        return eprintln!("SKIPPED: without a network the attack does not work, whatever is done against it");
    }
    let created =
        server.call("browser_context_create", json!({ "name": "other", "proxy": { "server": address } }));
    created.ok();
    server.navigate(&site.url("/"));
    assert!(!leaks(&mut server, &stun), "past the proxy of a context");

    let mut server = Server::start(&["--proxy", &address]);
    server.navigate(&site.url("/"));
    assert!(!leaks(&mut server, &stun), "past --proxy");
}
