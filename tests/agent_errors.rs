//! The `agent` dialect's refusals: each tool with each argument wrong in each way.

use cicerone_tools::{Dialect, Toolbox};
use serde_json::{Map, Value, json};

use crate::support::{
    Reply, Tab,
    agent::{DIALECT, data, fails},
    open_with,
};

const PAGE: &str = "<title>Example Domain</title><h1>Welcome</h1><form onsubmit='return false'>
    <label>Email <input type=email></label><label><input type=checkbox> News</label>
    <label>Country <select><option>Spain<option>France</select></label><label>File <input type=file></label>
    <button type=button>Save</button></form><div class=card draggable=true>Card</div><div class=done>Done</div>";

/// A tool: its name, arguments that it can be called with, the schemas of all that it takes, what it cannot do without.
type Listed = (&'static str, Map<String, Value>, Map<String, Value>, Vec<String>);

fn tools() -> Vec<Listed> {
    let toolbox = Toolbox::new(&[Dialect::named("agent").unwrap()], &[]);
    let listed = toolbox.list().iter().cloned().zip(toolbox.examples().to_vec());
    listed
        .map(|(listing, (name, example))| {
            assert_eq!(listing.name, name);
            let takes = listing.input["properties"].as_object().unwrap().clone();
            let must = listing.input.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            let must = must.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
            (name, serde_json::from_str(example).unwrap(), takes, must)
        })
        .collect()
}

fn open() -> Tab {
    let tab = open_with(&DIALECT, PAGE);
    tab.file("notes.txt", "some notes");
    tab
}

fn with(arguments: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments.insert(name.to_owned(), value);
    arguments.into()
}

#[test]
fn wrong_missing_and_unknown_arguments_are_named() {
    // No browser is needed for that.
    let mut server = crate::support::Server::start(&["--dialect", "agent"]);
    for (tool, example, takes, must) in tools() {
        let odd = with(&example, "colour", json!("red"));
        server.call(tool, odd).refused(-32602, "Unknown argument: colour; ");
        for (name, schema) in takes {
            let wrong = match schema["type"].as_str() {
                Some("string") => json!(5),
                Some(_) => json!("wrong"),
                None => json!(true),
            };
            let named = format!("Invalid argument {name}: it must be ");
            server.call(tool, with(&example, &name, wrong)).refused(-32602, &named);
            if schema.get("enum").is_some() {
                server.call(tool, with(&example, &name, json!("nonsense"))).refused(-32602, "one of ");
            }
            if schema["type"] == "object" && schema.get("properties").is_some() {
                let odd = with(&example, &name, json!({ "odd": 1 }));
                server.call(tool, odd).refused(-32602, &named);
            }
        }
        for name in must {
            let mut arguments = example.clone();
            arguments.remove(&name);
            let missing = format!("Missing required argument: {name}");
            server.call(tool, arguments.into()).refused(-32602, &missing);
        }
    }
    assert_eq!(server.descendants(), [0; 0]);
}

#[test]
fn tabs_and_frames_that_are_not_there_are_named() {
    let mut tab = open();
    for (tool, example, takes, _) in tools() {
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
    for (tool, mut example, takes, _) in tools() {
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
