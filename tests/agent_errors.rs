//! The `agent` dialect's refusals: each tool with each argument wrong in each way.

use serde_json::json;

use crate::support::{
    Reply, Tab,
    agent::{DIALECT, data, fails},
    arguments::{tools_of, with, wrong_ones_are_named},
    open_with,
};

const PAGE: &str = "<title>Example Domain</title><h1>Welcome</h1><form onsubmit='return false'>
    <label>Email <input type=email></label><label><input type=checkbox> News</label>
    <label>Country <select><option>Spain<option>France</select></label><label>File <input type=file></label>
    <button type=button>Save</button></form><div class=card draggable=true>Card</div><div class=done>Done</div>";

fn open() -> Tab {
    let tab = open_with(&DIALECT, PAGE);
    tab.file("notes.txt", "some notes");
    tab
}

#[test]
fn wrong_missing_and_unknown_arguments_are_named() {
    wrong_ones_are_named("agent");
}

#[test]
fn tabs_and_frames_that_are_not_there_are_named() {
    let mut tab = open();
    for (tool, example, takes, _) in tools_of("agent") {
        if takes.contains_key("tabId") {
            let reply = tab.call(tool, with(&example, "tabId", json!(99)));
            fails(&reply, "NoTab", "unknown tab id 99");
            assert_eq!(reply.facts()["code"], -32004, "{tool}");
        }
        if takes.contains_key("frameId") {
            let reply = tab.call(tool, with(&example, "frameId", json!(99)));
            fails(&reply, "NoFrame", "unknown frame 99; known: 0");
            assert_eq!(reply.facts()["code"], -32004, "{tool}");
        }
        if takes.contains_key("windowId") {
            let reply = tab.call(tool, with(&example, "windowId", json!(99)));
            // There is nothing in a window that is not there.
            match tool {
                "tab_list" => assert_eq!(data(&reply)["count"], 0),
                _ => fails(&reply, "NoWindow", "unknown window id 99"),
            }
        }
    }
    assert_eq!(data(&tab.call("tab_list", json!({})))["count"], 1, "nothing was opened or closed");
}

/// Calls every tool that takes an element with this one.
fn on_each(tab: &mut Tab, reference: &str, check: impl Fn(&Reply)) {
    let mut called = 0;
    for (tool, mut example, takes, _) in tools_of("agent") {
        match tool {
            "wait" => {
                example = json!({ "for": "selector", "state": "attached" }).as_object().cloned().unwrap();
            }
            // Of the full page or of an element.
            "screenshot" => example.clear(),
            _ => {}
        }
        for name in ["selector", "source", "target"].into_iter().filter(|name| takes.contains_key(*name)) {
            check(&tab.call(tool, with(&example, name, json!(reference))));
            called += 1;
        }
    }
    assert!(called >= 17, "{called}");
}

#[test]
fn refs_that_lead_nowhere_are_told_apart() {
    let mut tab = open();
    on_each(&mut tab, "@e9999", |reply| {
        fails(reply, "UnknownRef", "no snapshot ever gave out the ref @e9999")
    });
    let found = tab.call("query", json!({ "by": "role", "value": "heading" }));
    let head = data(&found)["ref"].as_str().unwrap().to_owned();
    let home = tab.site.url("/");
    data(&tab.call("tab_new", json!({ "url": home })));
    on_each(&mut tab, &head, |reply| fails(reply, "ForeignRef", "belongs to tab 1"));
    data(&tab.call("tab_switch", json!({ "tabId": 1 })));
    tab.evaluate("document.querySelector('h1').remove()");
    on_each(&mut tab, &head, |reply| fails(reply, "StaleRef", "no longer exists on the page"));
    data(&tab.call("reload", json!({})));
    on_each(&mut tab, &head, |reply| fails(reply, "StaleRef", "no longer exists: its page was replaced"));
}

#[test]
fn targets_that_say_nothing_or_too_much_are_told() {
    let mut tab = open();
    for tool in ["click", "fill", "hover", "focus", "check", "select", "scroll"] {
        let arguments = |selector: &str| match tool {
            "fill" => json!({ "selector": selector, "value": "x" }),
            "select" => json!({ "selector": selector, "value": "x" }),
            _ => json!({ "selector": selector }),
        };
        fails(&tab.call(tool, arguments("#none")), "NotFound", "no element matches #none");
        let several = tab.call(tool, arguments("label"));
        fails(&several, "Ambiguous", "label matches 4 elements");
        assert!(several.text().contains("(@e") && !several.text().contains("(e"), "{}", several.text());
        fails(&tab.call(tool, arguments("p[")), "BadTarget", "p[ is not a valid target");
        fails(&tab.call(tool, arguments("xpath=//[")), "BadTarget", "is not a valid target");
    }
}
