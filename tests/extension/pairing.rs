//! Who gets in: the extension, with the token, and nobody else.

use std::{
    net::{SocketAddr, TcpListener},
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    own::{CLIENT, Own, server, tabs},
    support::{
        cdp::WebSocket,
        chrome::{Chrome, EXTENSION, install_extension},
    },
};

fn address(own: &Own) -> SocketAddr {
    let port = own.entries()[0]["port"].as_u64().unwrap();
    SocketAddr::from(([127, 0, 0, 1], u16::try_from(port).unwrap()))
}

#[test]
fn strangers_are_refused_before_a_word_is_said() {
    let mut own = Own::at("<title>Form</title>");
    let address = address(&own);
    let ours = format!("Origin: chrome-extension://{EXTENSION}");
    let other = format!("Origin: chrome-extension://{}", "a".repeat(32));
    let refused = |path: &str, headers: &[&str]| WebSocket::dial(address, path, headers).err();
    assert_eq!(refused("/extension", &[]), Some(403), "no origin");
    assert_eq!(refused("/extension", &["Origin: https://example.com"]), Some(403), "a page");
    assert_eq!(refused("/extension", &[&other]), Some(403), "another extension");
    assert_eq!(refused("/extension", &[&ours, "Host: evil.example.com"]), Some(403), "a rebound name");
    assert_eq!(refused("/", &[&ours]), Some(403), "another path");
    assert_eq!(own.server.evaluate("document.title"), "Form", "the server goes on");
}

#[test]
fn a_page_that_connects_to_the_port_is_refused() {
    let mut own = Own::at("<title>Form</title>");
    let script = format!(
        "new Promise((done) => {{
            const socket = new WebSocket('ws://{}/extension');
            socket.onopen = () => done('open');
            socket.onerror = () => done('refused');
        }})",
        address(&own)
    );
    assert_eq!(own.server.evaluate(&script), "refused");
}

#[test]
fn a_program_without_the_token_learns_nothing_and_changes_nothing() {
    let mut own = Own::at("<title>Form</title>");
    let origin = format!("Origin: chrome-extension://{EXTENSION}");
    let mut socket = WebSocket::dial(address(&own), "/extension", &[&origin]).ok().unwrap();
    let hello = json!({ "hello": { "v": 1, "nonce": "00", "browser": "x", "userAgent": "x" } });
    socket.send(&hello.to_string());
    let challenge = socket.read().unwrap();
    let token = own.entries()[0]["token"].as_str().unwrap().to_owned();
    assert!(!challenge.contains(&token), "{challenge}");
    socket.send(&json!({ "mac": "00".repeat(32) }).to_string());
    assert_eq!(socket.read(), None, "the connection is closed");
    assert_eq!(own.server.evaluate("document.title"), "Form");
}

#[test]
fn a_program_that_says_too_much_is_left_and_the_server_goes_on() {
    let mut own = Own::at("<title>Form</title>");
    let origin = format!("Origin: chrome-extension://{EXTENSION}");
    let mut socket = WebSocket::dial(address(&own), "/extension", &[&origin]).ok().unwrap();
    let began = Instant::now();
    // Only the first bytes of a longer message, which does not come.
    socket.send_part(60 << 20, &[b' '; 1 << 16]);
    assert_eq!(socket.read(), None, "the connection is closed");
    assert!(began.elapsed() < Duration::from_secs(4), "it was closed {:?} later", began.elapsed());
    assert_eq!(own.server.evaluate("document.title"), "Form");
}

/// It says that it is the server, and cannot prove it.
#[test]
fn an_extension_leaves_a_program_that_took_the_port_without_the_token() {
    let data = tempfile::tempdir().unwrap();
    let extension = install_extension(data.path());
    let squatter = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = squatter.local_addr().unwrap().port();
    let entry = json!([{ "id": "1", "port": port, "token": "secret", "name": "squatter" }]);
    std::fs::write(extension.join("server.json"), entry.to_string()).unwrap();
    let chrome = Chrome::start(&[&extension], "about:blank");
    let (request, mut socket) = WebSocket::accept(squatter.accept().unwrap().0);
    assert!(request.starts_with("GET /extension"), "{request}");
    let hello = socket.read().unwrap();
    assert!(hello.contains("hello"), "{hello}");
    assert!(!format!("{request}{hello}").contains("secret"), "{request}{hello}");
    let began = Instant::now();
    socket.send(&json!({ "nonce": "00".repeat(32), "mac": "00".repeat(32) }).to_string());
    assert_eq!(socket.read(), None, "it proves nothing to who cannot, and closes the connection");
    assert!(began.elapsed() < Duration::from_secs(10), "it was closed {:?} later", began.elapsed());
    assert!(chrome.grouped("squatter").is_empty());
}

#[test]
fn another_browser_with_the_extension_waits_and_takes_nothing_over() {
    let mut own = Own::at("<title>Form</title><button>Greet</button>");
    let button = own.server.snapshot().reference("Greet");
    let second = Chrome::start(&[&own.extension()], "about:blank");
    // It has found the server, and is told that another browser uses it.
    second.popup().says("State: connecting");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.tabs(), [own.site.url("/")]);
    assert!(second.grouped(CLIENT).is_empty());
}

#[test]
fn two_servers_have_a_tab_group_each() {
    let mut own = Own::at("<title>Form</title>");
    let mut other = server(own.data.path(), &[], "other");
    let url = own.site.url("/mine");
    other.navigate(&url);
    assert_eq!(own.entries().len(), 2);
    assert_eq!(tabs(&mut other), std::slice::from_ref(&url));
    let first = own.site.url("/");
    assert_eq!(own.tabs(), std::slice::from_ref(&first));
    assert_eq!(own.chrome.grouped("other"), [url]);
    assert_eq!(own.chrome.grouped(CLIENT), [first]);
    drop(other);
    assert_eq!(own.entries().len(), 1, "a server removes its own entry");
}
