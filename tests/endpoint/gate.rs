//! A browser behind a gate that wants credentials, and behind TLS.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
};

use crate::{
    doctor, doctor_with,
    firefox::leave,
    support::{Server, Site, chrome::Chrome, firefox::Firefox, tls::SecureRelay},
};

const BEARER: &str = "authorization: bearer secret";

/// A browser that runs already.
enum Running {
    Chromium(Chrome),
    Firefox(Firefox),
}

impl Running {
    /// One of each protocol.
    fn each() -> [Self; 2] {
        [Self::Chromium(Chrome::start(&[], "about:blank")), Self::Firefox(Firefox::start("about:blank"))]
    }

    fn address(&self) -> SocketAddr {
        match self {
            Self::Chromium(chrome) => chrome.address(),
            Self::Firefox(firefox) => firefox.address(),
        }
    }
}

/// Lets a connection through to the browser when its first line or one of its headers has this; answers 401 else.
fn gate(running: &Running, wants: &'static str) -> SocketAddr {
    let target = running.address();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || pass(stream, target, wants));
        }
    });
    address
}

fn pass(mut near: TcpStream, target: SocketAddr, wants: &str) -> Option<()> {
    let mut reader = BufReader::new(near.try_clone().ok()?);
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line| line != "\r\n") {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        // Browsers take only their own name.
        let is_host = line.to_lowercase().starts_with("host:");
        lines.push(if is_host { format!("Host: {target}\r\n") } else { line });
    }
    let head = lines.concat();
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

/// A server uses the browser at this endpoint, and leaves it for the next.
#[track_caller]
fn is_used(endpoint: &str, variables: &[(&str, &str)]) {
    let site = Site::of("<title>There</title>");
    let mut server = Server::spawn(&["--endpoint", endpoint], variables);
    server.initialize("2025-06-18");
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("document.title"), "There", "{endpoint}");
    leave(server);
}

#[test]
fn a_bearer_token_is_sent_with_every_request() {
    for running in Running::each() {
        let address = gate(&running, BEARER);
        for scheme in ["http", "ws"] {
            let endpoint = format!("{scheme}://{address}");
            is_used(&endpoint, &[("CICERONE_ENDPOINT_TOKEN", "secret")]);
            for wrong in
                [&["--endpoint", &endpoint][..], &["--endpoint", &endpoint, "--endpoint-token", "other"]]
            {
                let (fine, said) = doctor(wrong);
                assert!(!fine && said.contains("401") && said.contains("CICERONE_ENDPOINT_TOKEN"), "{said}");
                assert!(!said.contains("other"), "{said}");
            }
        }
    }
}

#[test]
fn a_query_string_is_sent_with_every_request_and_never_shown() {
    for running in Running::each() {
        let address = gate(&running, "?token=secret");
        for scheme in ["http", "ws"] {
            let endpoint = format!("{scheme}://{address}/?token=secret");
            is_used(&endpoint, &[]);
            let (fine, said) = doctor(&["--endpoint", &endpoint]);
            assert!(fine && !said.contains("secret"), "{said}");
            let (fine, said) = doctor(&["--endpoint", &format!("{scheme}://{address}/?token=guessed")]);
            assert!(!fine && said.contains("401") && !said.contains("guessed"), "{said}");
        }
    }
}

#[test]
fn a_browser_behind_tls_is_used_by_whoever_trusts_the_certificate() {
    for running in Running::each() {
        let relay = SecureRelay::to(gate(&running, BEARER));
        let certificate = relay.certificate();
        let trusting = ("SSL_CERT_FILE", certificate.to_str().unwrap());
        let token = ("CICERONE_ENDPOINT_TOKEN", "secret");
        for scheme in ["https", "wss"] {
            let endpoint = format!("{scheme}://{}", relay.authority());
            is_used(&endpoint, &[trusting, token]);
            let (fine, said) = doctor_with(&["--endpoint", &endpoint], &[trusting]);
            assert!(!fine && said.contains("401"), "{endpoint}: {said}");
            let (fine, said) = doctor_with(&["--endpoint", &endpoint], &[token]);
            assert!(!fine && said.contains("invalid peer certificate"), "{endpoint}: {said}");
        }
    }
}
