//! The session is ours alone: what other programs and pages can do with the browser's ports, whether it has system access or
//! not, and what comes of somebody who was there before us.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail so")]

mod support;

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use cicerone_driver::{Engine, Launch, LaunchError, Launcher};
use cicerone_driver_tests::{Site, VIEWPORT, value};
use cicerone_firefox::{Firefox, LaunchOptions};
use cicerone_wire::{Command, Connection, Empty, WireError, transport::websocket};
use serde_json::{Value, json};
use support::{all_powers, find, with};

/// A browser whose ports can be read from its profile, with system access and without.
fn both_kinds(profile: &Path) -> [LaunchOptions; 2] {
    let on = |options| LaunchOptions { user_data_dir: Some(profile.to_owned()), ..options };
    [on(LaunchOptions::default()), on(all_powers())]
}

fn at(port: u64) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port.try_into().unwrap()).into()
}

/// Where the browser with this profile listens for BiDi.
fn bidi(profile: &Path) -> SocketAddr {
    let told = fs::read(profile.join("WebDriverBiDiServer.json")).unwrap();
    at(serde_json::from_slice::<Value>(&told).unwrap()["ws_port"].as_u64().unwrap())
}

/// Where it listens for Marionette.
fn marionette(profile: &Path) -> SocketAddr {
    at(fs::read_to_string(profile.join("MarionetteActivePort")).unwrap().trim().parse().unwrap())
}

fn connect(to: SocketAddr) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect(to)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    Ok(stream)
}

/// The status of what is answered to somebody who wants a WebSocket at this path, with these headers.
fn handshake(to: SocketAddr, path: &str, headers: &[(&str, &str)]) -> u16 {
    let mut lines = format!(
        "GET {path} HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    );
    for (name, value) in headers {
        lines.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut stream = connect(to).unwrap();
    stream.write_all(format!("{lines}\r\n").as_bytes()).unwrap();
    let mut status = String::new();
    BufReader::new(stream).read_line(&mut status).unwrap();
    status.split(' ').nth(1).unwrap().parse().unwrap()
}

/// A command of somebody else.
macro_rules! command {
    ($name:ident, $method:literal) => {
        struct $name(Value);
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }
        impl Command for $name {
            const METHOD: &'static str = $method;
            type Reply = Empty;
        }
    };
}
command!(New, "session.new");
command!(GetTree, "browsingContext.getTree");
command!(CloseBrowser, "browser.close");
command!(End, "session.end");

#[track_caller]
fn assert_refused(answer: Result<Empty, WireError>, why: &str) {
    match answer {
        Err(WireError::Refused { kind, .. }) => assert_eq!(kind, why),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was done"),
    }
}

#[tokio::test]
async fn other_programs_get_no_session_and_no_command_through() {
    let profile = tempfile::tempdir().unwrap();
    for options in both_kinds(profile.path()) {
        let trial = with(options).await;
        let (marionette, bidi) = (marionette(profile.path()), bidi(profile.path()));

        // A second connection is refused, or closed without as much as a greeting.
        if let Ok(mut stream) = connect(marionette) {
            let mut said = Vec::new();
            stream.read_to_end(&mut said).ok();
            assert_eq!(String::from_utf8_lossy(&said), "");
        }

        let host = bidi.to_string();
        assert_eq!(handshake(bidi, "/session", &[("Host", &host)]), 101);
        assert_eq!(handshake(bidi, "/session", &[("Host", &host), ("Origin", "http://a.example")]), 400);
        assert_eq!(handshake(bidi, "/session", &[("Host", &host), ("Origin", "null")]), 400);
        assert_eq!(handshake(bidi, "/session", &[("Host", &format!("a.example:{}", bidi.port()))]), 400);
        let other = "/session/00000000-0000-4000-8000-000000000000";
        assert_eq!(handshake(bidi, other, &[("Host", &host)]), 404);

        let direct = Connection::open(websocket(bidi, "/session").await.unwrap(), |_| {});
        let root = direct.root();
        let privileged = json!({ "moz:scope": "chrome" });
        assert_refused(root.send(&New(json!({ "capabilities": {} }))).await, "session not created");
        assert_refused(root.send(&GetTree(privileged)).await, "invalid session id");
        assert_refused(root.send(&CloseBrowser(json!({}))).await, "invalid session id");
        assert_refused(root.send(&End(json!({}))).await, "invalid session id");

        // And we have what we had.
        let site = Site::blank();
        let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
        assert_eq!(value(&*page, "document.title").await, "blank");
        trial.browser.close().await;
    }
}

#[tokio::test]
async fn pages_reach_neither_port() {
    let profile = tempfile::tempdir().unwrap();
    for options in both_kinds(profile.path()) {
        let (trial, site) = (with(options).await, Site::blank());
        let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
        for port in [marionette(profile.path()), bidi(profile.path())] {
            let socket = format!(
                "new Promise(done => {{ const socket = new WebSocket('ws://{port}/session');
                    socket.onopen = () => done('open'); socket.onclose = () => done('closed') }})"
            );
            assert_eq!(value(&*page, &socket).await, "closed", "{port}");
            // Of a connection that came to the last one, nothing else is heard.
            for path in ["/", "/session/x", "/session"] {
                let fetch =
                    format!("fetch('http://{port}{path}').then(came => came.text(), () => 'nothing')");
                assert_eq!(value(&*page, &fetch).await, "nothing", "{port}{path}");
            }
        }
        assert_eq!(value(&*page, "document.title").await, "blank");
        trial.browser.close().await;
    }
}

/// A program that starts the browser and connects to its port before we hear of it; then it does this with its connection,
/// which is number 3.
fn intruder(folder: &Path, then: &str) -> PathBuf {
    let path = folder.join("intruder");
    let firefox = find().unwrap();
    let script = format!(
        "#!/bin/bash
        exec 4< <(exec {} \"$@\")
        while read -r -u 4 line; do
            case $line in *'Listening on port '*)
                exec 3<>\"/dev/tcp/127.0.0.1/${{line##* }}\"
                read -r -u 3 -d '}}'
                {then}
            esac
            echo \"$line\"
        done",
        firefox.display()
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What comes of starting a browser that somebody else has reached before.
async fn start_after(then: &str, system_access: bool) -> LaunchError {
    let folder = tempfile::tempdir().unwrap();
    let program = intruder(folder.path(), then);
    let profile = folder.path().join("profile");
    let options =
        LaunchOptions { user_data_dir: Some(profile.clone()), system_access, ..LaunchOptions::default() };
    let launcher = Firefox::new(move || Ok(program.clone()), options);
    let wanted = Launch {
        engine: Engine::Firefox,
        headed: false,
        viewport: VIEWPORT,
        proxy: None,
        proxy_only: false,
        client: None,
        system_access: false,
        profile: None,
    };
    let Err(error) = launcher.launch(&wanted, Arc::new(|_| {})).await else { panic!("it was started") };
    // The browser goes with it.
    let port = bidi(&profile);
    let gone = async {
        while connect(port).is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), gone).await.expect("the browser runs on");
    error
}

#[tokio::test]
async fn a_browser_that_somebody_else_has_begun_a_session_with_is_ended() {
    let begin =
        "new='[0,1,\"WebDriver:NewSession\",{}]'; printf '%d:%s' ${#new} \"$new\" >&3; read -r -u 3 -d '}'";
    for system_access in [false, true] {
        let error = start_after(begin, system_access).await;
        // It turns us away without a greeting.
        assert!(matches!(error, LaunchError::Failed { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_browser_that_somebody_else_is_connected_to_is_ended() {
    // It would have our session as well as we.
    for system_access in [false, true] {
        let error = start_after(":", system_access).await;
        assert!(matches!(error, LaunchError::NotAlone { .. }), "{error}");
    }
}
