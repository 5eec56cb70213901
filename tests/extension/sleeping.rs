//! The machine sleeps: nothing is said for a long time, and then everything goes on.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::{
    own::{CLIENT, Own},
    support::chrome::eventually,
};

const COUNTER: &str = "<title>0</title><button onclick='document.title++'>Count</button>";

fn send(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

#[test]
fn a_machine_that_slept_goes_on_with_the_same_refs() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    for pid in [own.chrome.pid(), own.server.child.id()] {
        send(pid, Signal::STOP);
    }
    // The client is the first to wake up.
    let call = own.server.begin_call("browser_click", json!({ "ref": button }));
    for pid in [own.server.child.id(), own.chrome.pid()] {
        send(pid, Signal::CONT);
    }
    own.server.finish(call).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
    assert_eq!(own.chrome.grouped(CLIENT), [own.site.url("/")]);
}

#[test]
fn a_browser_that_stays_asleep_costs_the_call_an_error_and_can_be_used_when_it_is_awake() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    send(own.chrome.pid(), Signal::STOP);
    // The call ends by its own deadline.
    let call = own.server.begin_call("browser_click", json!({ "ref": button }));
    let asleep = own.server.finish_within(call, Duration::from_secs(60));
    send(own.chrome.pid(), Signal::CONT);
    let asleep = asleep.expect("a call does not hang");
    assert!(asleep.failed(), "{}", asleep.text());
    eventually("the browser", || (!own.server.call("browser_snapshot", json!({})).failed()).then_some(()));
    let url = own.site.url("/");
    own.server.navigate(&url);
    let button = own.server.snapshot().reference("Count");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
}

#[test]
fn a_server_that_stood_still_goes_on_with_the_same_refs() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    send(own.server.child.id(), Signal::STOP);
    // The worker is ended meanwhile, and its successor knocks at a door that nobody opens.
    own.chrome.in_worker("globalThis.isOld = true");
    own.chrome.stop_workers();
    eventually("another worker", || (own.chrome.in_worker("!globalThis.isOld") == true).then_some(()));
    send(own.server.child.id(), Signal::CONT);
    eventually("the server", || (!own.server.call("browser_snapshot", json!({})).failed()).then_some(()));
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
    assert_eq!(own.chrome.grouped(CLIENT), [own.site.url("/")]);
}
