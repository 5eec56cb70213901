//! A connection to the browser that breaks or falls silent while both ends go on. A pipe cannot break like that, so the
//! cases about it are left out where there is one.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rustix::{
    net::{Shutdown, shutdown},
    process::{Pid, PidfdFlags, PidfdGetfdFlags, Signal, pidfd_getfd, pidfd_open},
};
use serde_json::{Value, json};

use crate::{
    life::{browsers, family, signal},
    support::{Server, Site, open, open_site, open_with},
};

/// The port of the browser's socket, from the file that it writes into its profile; nothing where it has none.
fn port_of_the_socket(directory: &Path) -> Option<u16> {
    let entries = std::fs::read_dir(directory).ok()?.flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).find_map(|path| {
        let told = std::fs::read(path.join("WebDriverBiDiServer.json")).ok();
        let told: Option<Value> = told.and_then(|told| serde_json::from_slice(&told).ok());
        let port = told.and_then(|told| told["ws_port"].as_u64());
        port.and_then(|port| u16::try_from(port).ok()).or_else(|| port_of_the_socket(&path))
    })
}

/// The inode of the socket of this process that is connected to a port of this machine, as /proc tells it.
fn inode_of(process: u32, port: u16) -> Option<String> {
    let table = std::fs::read_to_string(format!("/proc/{process}/net/tcp")).unwrap();
    let to = format!("0100007F:{port:04X}");
    let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let open = "01";
    rows.find(|row| row.get(2..4) == Some(&[to.as_str(), open])).map(|row| row[9].to_owned())
}

/// Breaks the socket as a network would: neither end asked for it. Whether there was one.
fn break_connection(server: &Server) -> bool {
    let Some(port) = port_of_the_socket(&server.temporary_directory()) else {
        eprintln!("left out: the connection to this browser is not a socket");
        return false;
    };
    let process = server.child.id();
    let inode = format!("socket:[{}]", inode_of(process, port).unwrap());
    let descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().flatten();
    let number = descriptors
        .filter(|entry| std::fs::read_link(entry.path()).is_ok_and(|to| to.to_string_lossy() == inode))
        .find_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()))
        .unwrap();
    let pid = pidfd_open(Pid::from_raw(process.try_into().unwrap()).unwrap(), PidfdFlags::empty()).unwrap();
    let socket = pidfd_getfd(pid, number, PidfdGetfdFlags::empty()).unwrap();
    shutdown(&socket, Shutdown::Both).unwrap();
    true
}

#[test]
fn a_broken_connection_is_made_again_and_everything_is_as_it_was() {
    let site = Site::of("<title>Home</title><button onclick=\"this.textContent += '!'\">Go</button>");
    let mut tab = open_site(&[], site);
    tab.evaluate("window.kept = 'yes'; document.cookie = 'who=me'");
    let two = tab.site.url("/?two");
    tab.call("browser_tabs", json!({ "action": "new", "url": two })).ok();
    for round in 1..=2 {
        let browser = browsers(&family(&tab))[0];
        if !break_connection(&tab) {
            return;
        }
        tab.call("browser_tabs", json!({ "action": "select", "index": 0 })).ok();
        assert_eq!(tab.evaluate("window.kept + document.cookie"), "yeswho=me");
        let marks = "!".repeat(round);
        tab.call("browser_click", json!({ "ref": "button" })).says(&format!("\"Go{marks}\""));
        let listed = tab.call("browser_tabs", json!({ "action": "list" }));
        assert_eq!(listed.facts()["tabs"].as_array().unwrap().len(), 2, "{}", listed.text());
        assert_eq!(browsers(&family(&tab))[0], browser, "it is another browser");
    }
}

#[test]
fn what_a_broken_connection_missed_is_seen_and_what_was_asked_is_an_error() {
    let mut tab = open("<title>Home</title>");
    let end = tab.site.url("/?moved");
    tab.evaluate(&format!("setTimeout(() => location.href = '{end}', 500)"));
    let asked = tab.begin_call("browser_evaluate", json!({ "function": "() => new Promise(() => {})" }));
    // The request has reached the page when the pings after it are answered, as far as the server is concerned.
    tab.request("ping", json!({}));
    std::thread::sleep(Duration::from_millis(200));
    if !break_connection(&tab) {
        return;
    }
    let reply = tab.finish_within(asked, Duration::from_secs(10)).expect("an answer");
    assert!(reply.failed(), "{}", reply.message);
    tab.call("browser_wait_for", json!({ "time": 1 })).ok();
    assert_eq!(tab.evaluate("location.href"), end);
    tab.snapshot().says("moved");
}

#[test]
fn dialogs_outlive_a_broken_connection_and_those_that_it_missed_are_found() {
    let mut tab = open("<title>Home</title><button onclick=\"alert('seen')\">Ask</button>");
    let later = "setTimeout(() => document.title = confirm('missed?') ? 'yes' : 'no', 700)";
    tab.evaluate(later);
    // A server that stands still connects again only when it goes on, and the dialog is there by then.
    let server = tab.child.id();
    signal(server, Signal::STOP);
    let broken = break_connection(&tab);
    if broken {
        std::thread::sleep(Duration::from_millis(2_000));
    }
    signal(server, Signal::CONT);
    if !broken {
        return;
    }
    tab.snapshot().says("blocked by an open dialog").says("\"missed?\"");
    tab.call("browser_handle_dialog", json!({ "accept": true })).ok();
    assert_eq!(tab.evaluate("document.title"), "yes");

    tab.call("browser_click", json!({ "ref": "button" })).says("alert").says("seen");
    assert!(break_connection(&tab));
    tab.snapshot().says("alert dialog: \"seen\"");
    tab.call("browser_handle_dialog", json!({ "accept": true })).ok();
    tab.snapshot().says("Ask");
}

#[test]
fn a_browser_that_hangs_fails_calls_by_their_deadlines_and_goes_on_where_it_was() {
    let mut tab = open_with(&["--action-timeout", "1s"], "<button>Go</button>");
    tab.evaluate("window.kept = 1");
    let browser = browsers(&family(&tab))[0];
    signal(browser, Signal::STOP);
    let began = Instant::now();
    let failed = tab.call("browser_click", json!({ "ref": "button" })).failed();
    let took = began.elapsed();
    signal(browser, Signal::CONT);
    assert!(failed && took < Duration::from_secs(10), "{took:?}");
    // Whether its page outlives that depends on what the browser can do about one that hangs.
    let home = tab.site.url("/");
    tab.navigate(&home).says("Go");
}
