//! What ends and comes back: the worker, the server, the browser.

use serde_json::json;

use crate::{
    own::{CLIENT, Own, server, tabs},
    support::chrome::{Chrome, eventually},
};

const COUNTER: &str = "<title>0</title><button onclick='document.title++'>Count</button><iframe srcdoc='<button>Inner</button>'>";

#[test]
fn refs_stay_valid_after_chrome_ended_the_worker() {
    let mut own = Own::at(COUNTER);
    let snapshot = own.server.snapshot();
    let (button, inner) = (snapshot.reference("Count"), snapshot.reference("Inner"));
    own.server.call("browser_click", json!({ "ref": button })).ok();
    own.chrome.stop_workers();
    // The first call may be lost with the worker; nothing hangs.
    eventually("an answer", || (!own.server.call("browser_snapshot", json!({})).failed()).then_some(()));
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "2");
    own.server.call("browser_click", json!({ "ref": inner })).ok();
    assert_eq!(own.tabs(), [own.site.url("/")]);
}

#[test]
fn an_idle_worker_that_was_ended_comes_back_by_itself() {
    let mut own = Own::at(COUNTER);
    own.chrome.in_worker("globalThis.isOld = true");
    own.chrome.stop_workers();
    // Nobody calls: its alarm wakes it.
    eventually("another worker", || (own.chrome.in_worker("!globalThis.isOld") == true).then_some(()));
    assert_eq!(own.server.evaluate("document.title"), "0");
}

#[test]
fn a_server_that_is_started_again_finds_the_clients_tabs() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    own.server = server(own.data.path(), &[], CLIENT);
    let url = own.site.url("/");
    assert_eq!(own.tabs(), std::slice::from_ref(&url), "the tab is still there, as it was");
    assert_eq!(own.server.evaluate("document.title"), "1");
    assert_eq!(own.chrome.grouped(CLIENT), std::slice::from_ref(&url));
    // Refs are numbers of the server that ended. The reply says what to do, and nothing is clicked.
    let reply = own.server.call("browser_click", json!({ "ref": button }));
    reply.fails("take a new snapshot").fails("refs do not outlast the server");
    assert_eq!(own.server.evaluate("document.title"), "1");
    let button = own.server.snapshot().reference("Count");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "2");
}

/// Any program can call itself as this client does.
#[test]
fn the_permission_for_storage_lasts_as_long_as_the_server_it_was_given_to() {
    let flags = ["--dialect", "browser,agent"];
    let mut own = Own::with(&flags, COUNTER);
    let read = |own: &mut Own| own.server.call("cookies", json!({ "action": "get_all" }));
    let popup = own.chrome.popup();
    popup.click("Allow cookies and storage");
    popup.says("Forbid cookies and storage");
    own.chrome.stop_workers();
    // It is the same server, with another connection.
    eventually("the permission again", || (!read(&mut own).failed()).then_some(()));
    own.server = server(own.data.path(), &flags, CLIENT);
    let url = own.site.url("/");
    assert_eq!(own.tabs(), [url], "it gets the tabs");
    let reply = read(&mut own);
    assert!(reply.text().contains("has not allowed cookies and storage"), "{}", reply.text());
    own.chrome.popup().says("Allow cookies and storage");
}

#[test]
fn a_server_that_was_killed_leaves_no_debugger_behind() {
    let mut own = Own::at(COUNTER);
    own.server.child.kill().unwrap();
    own.server.child.wait().unwrap();
    let attached =
        "chrome.debugger.getTargets().then((all) => all.filter((it) => it.attached && it.tabId).length)";
    eventually("the debugger to leave", || (own.chrome.in_worker(attached) == 0).then_some(()));
    let mut next = server(own.data.path(), &[], "next");
    let url = own.site.url("/");
    next.navigate(&url);
    assert_eq!(own.entries().len(), 1, "the entry of the killed server is gone");
    assert_eq!(tabs(&mut next), [url], "another client does not get its tabs");
}

#[test]
fn a_browser_that_is_started_again_is_used_again() {
    let mut own = Own::at(COUNTER);
    let url = own.site.url("/");
    let chrome = std::mem::replace(&mut own.chrome, Chrome::start(&[], "about:blank"));
    chrome.end();
    own.chrome = Chrome::start(&[&own.extension()], "about:blank");
    eventually("the new browser", || {
        let reply = own.server.call("browser_navigate", json!({ "url": url }));
        (!reply.failed()).then_some(())
    });
    assert_eq!(own.server.evaluate("document.title"), "0");
    assert_eq!(own.chrome.grouped(CLIENT), [url]);
}
