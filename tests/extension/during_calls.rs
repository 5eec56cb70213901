//! What the person does while a call runs: it fails at once, and says why.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    own::Own,
    support::{Reply, chrome::eventually},
};

const COUNTER: &str = "<title>0</title><button onclick='document.title++'>Count</button>";

/// Long before the call would end by itself.
const SOON: Duration = Duration::from_secs(8);

/// Calls that wait in the page for something that does not come, for half a minute.
fn waiting() -> [(&'static str, Value); 2] {
    [
        ("browser_wait_for", json!({ "text": "never shown" })),
        ("browser_evaluate", json!({ "function": "() => new Promise(() => {})" })),
    ]
}

/// How many functions the extension has called in pages since it was first asked, and from then on.
const CALLED: &str = "(() => {
    if (globalThis.called === undefined) {
        globalThis.called = 0;
        const send = chrome.debugger.sendCommand;
        chrome.debugger.sendCommand = (target, method, params) => {
            if (method === 'Runtime.callFunctionOn') globalThis.called++;
            return send.call(chrome.debugger, target, method, params);
        };
    }
    return globalThis.called;
})()";

/// What a call is answered with when the person does something while it runs.
#[track_caller]
fn meanwhile(own: &mut Own, (tool, arguments): (&str, Value), act: impl FnOnce(&Own)) -> Reply {
    let badge = |own: &Own| own.chrome.in_worker("chrome.action.getBadgeText({})");
    eventually("nothing under way", || (badge(own) == "on").then_some(()));
    // The badge shows a command for a second only.
    let called = |own: &Own| own.chrome.in_worker(CALLED).as_u64();
    let before = called(own);
    assert!(before.is_some(), "nothing is counted");
    let call = own.server.begin_call(tool, arguments);
    eventually("the call under way", || (called(own) > before).then_some(()));
    act(own);
    own.server.finish_within(call, SOON).unwrap_or_else(|| panic!("{tool} is not answered soon"))
}

#[test]
fn pause_and_stop_end_the_calls_that_run() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    let popup = own.chrome.popup();
    for (label, state) in [("Pause", "State: paused"), ("Stop", "State: stopped")] {
        for call in waiting() {
            let reply = meanwhile(&mut own, call, |_| popup.click(label));
            reply.fails("the person took over");
            popup.says(state);
            popup.click("Resume");
            popup.says("State: connected");
        }
    }
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1", "the page goes on");
}

#[test]
fn a_tab_that_is_moved_out_of_the_group_ends_the_call_that_runs() {
    for call in waiting() {
        let mut own = Own::at(COUNTER);
        let url = own.site.url("/");
        let ungroup = format!(
            "chrome.tabs.query({{ url: {} }}).then(([tab]) => chrome.tabs.ungroup(tab.id))",
            json!(url)
        );
        let reply = meanwhile(&mut own, call, |own| {
            own.chrome.in_worker(&ungroup);
        });
        reply.fails("the tab was closed");
        assert!(!own.tabs().contains(&url), "it is the person's");
    }
}
