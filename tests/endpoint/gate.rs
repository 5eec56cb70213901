//! A browser behind a gate that wants credentials.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
};

use serde_json::json;

use crate::{
    doctor,
    support::{Server, Site, chrome::Chrome},
};

/// Lets a connection through to the browser when its first line or one of its headers has this; answers 401 else.
fn gate(chrome: &Chrome, wants: &'static str) -> SocketAddr {
    let target = chrome.endpoint().trim_start_matches("http://").to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let target = target.clone();
            std::thread::spawn(move || pass(stream, &target, wants));
        }
    });
    address
}

fn pass(mut near: TcpStream, target: &str, wants: &str) -> Option<()> {
    let mut reader = BufReader::new(near.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    if !head.to_lowercase().contains(&wants.to_lowercase()) {
        return near
            .write_all(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .ok();
    }
    let mut far = TcpStream::connect(target).ok()?;
    far.write_all(head.replace("?token=secret", "").as_bytes()).ok()?;
    let (mut back, mut to) = (far.try_clone().ok()?, near.try_clone().ok()?);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut back, &mut to);
        let _ = to.shutdown(Shutdown::Both);
    });
    std::io::copy(&mut reader, &mut far).ok()?;
    far.shutdown(Shutdown::Both).ok()
}

#[test]
fn a_bearer_token_is_sent_with_every_request() {
    let (chrome, site) = (Chrome::start(&[], "about:blank"), Site::of("<title>There</title>"));
    let endpoint = format!("http://{}", gate(&chrome, "authorization: bearer secret"));
    let mut server = Server::spawn(&["--endpoint", &endpoint], &[("CICERONE_ENDPOINT_TOKEN", "secret")]);
    server.initialize("2025-06-18");
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("document.title"), "There");
    for wrong in [&["--endpoint", &endpoint][..], &["--endpoint", &endpoint, "--endpoint-token", "other"]] {
        let (fine, said) = doctor(wrong);
        assert!(!fine && said.contains("401") && said.contains("CICERONE_ENDPOINT_TOKEN"), "{said}");
        assert!(!said.contains("other"), "{said}");
    }
}

#[test]
fn a_query_string_is_sent_with_every_request_and_never_shown() {
    let (chrome, site) = (Chrome::start(&[], "about:blank"), Site::of("<title>There</title>"));
    let address = gate(&chrome, "?token=secret");
    let endpoint = format!("http://{address}/?token=secret");
    let mut server = Server::start(&["--endpoint", &endpoint]);
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("document.title"), "There");
    let (fine, said) = doctor(&["--endpoint", &endpoint]);
    assert!(fine && !said.contains("secret"), "{said}");
    let (fine, said) = doctor(&["--endpoint", &format!("http://{address}/?token=wrong")]);
    assert!(
        !fine && said.contains("401") && !said.contains("wrong?") && !said.contains("token=wrong"),
        "{said}"
    );
}
