//! The `agent` dialect's listing: as it is published, short, and what clients are told beside it. And what looking costs.

use std::{collections::BTreeMap, path::Path};

use serde_json::{Value, json};

use crate::support::{Server, Site};

fn listed() -> (BTreeMap<String, Value>, usize) {
    listed_with(&[])
}

fn listed_with(flags: &[&str]) -> (BTreeMap<String, Value>, usize) {
    let flags: Vec<&str> = ["--dialect", "agent"].iter().chain(flags).copied().collect();
    let mut server = Server::start(&flags);
    let reply = server.request("tools/list", json!({}));
    let result = &reply.message["result"];
    let tools = result["tools"].as_array().unwrap().iter();
    let tools = tools.map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool.clone())).collect();
    (tools, result.to_string().len())
}

/// The published schemas of arguments, without their descriptions, and with what the contract adds to them.
fn published() -> BTreeMap<String, Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/published/agent.json");
    let mut tools: BTreeMap<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for tool in ["back", "forward", "reload"] {
        let schema = json!({ "type": "object", "properties": { "tabId": { "type": "number" } } });
        tools.insert(tool.to_owned(), schema);
    }
    let mut also = |tool: &str, argument: &str, word: &str| {
        let choices = &mut tools.get_mut(tool).unwrap()["properties"][argument]["enum"];
        choices.as_array_mut().unwrap().push(word.into());
    };
    also("query", "by", "picker");
    also("wait", "for", "download");
    let capture = &mut tools.get_mut("capture").unwrap()["properties"];
    capture["mode"] = json!({ "type": "string", "enum": ["network", "trace"], "default": "network" });
    capture["save_path"] = json!({ "type": "string" });
    let snapshot = &mut tools.get_mut("snapshot").unwrap()["properties"];
    snapshot["after"] = json!({ "type": "string" });
    snapshot["find"] = json!({ "type": "string" });
    assert_eq!(tools.len(), 48);
    tools
}

/// A schema without descriptions.
fn bare(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.retain(|name, value| name != "description" || value.is_object());
            fields.values_mut().for_each(bare);
        }
        Value::Array(items) => items.iter_mut().for_each(bare),
        _ => {}
    }
}

#[test]
fn every_argument_type_choice_and_default_is_as_published() {
    let (tools, _) = listed();
    let published = published();
    assert!(tools.len() >= 35, "{:?}", tools.keys());
    for (name, tool) in tools {
        let mut schema = tool["inputSchema"].clone();
        bare(&mut schema);
        assert_eq!(Some(&schema), published.get(&name), "{name}");
        assert!(!tool["description"].as_str().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn the_listing_is_short_and_names_what_data_is() {
    const MOST: usize = 30_000;
    let (_, bytes) = listed_with(&["--caps", "annotate"]);
    assert!(bytes <= MOST, "{bytes} bytes, not {MOST}");
    let (tools, _) = listed();
    for (name, tool) in tools {
        let output = &tool["outputSchema"];
        assert_eq!(output["type"], "object", "{name}");
        let parts: Vec<&String> = output["properties"].as_object().unwrap().keys().collect();
        assert_eq!(parts, ["data", "error", "success"], "{name}");
        let facts = output["properties"]["data"]["properties"].as_object();
        assert!(facts.is_some_and(|facts| !facts.is_empty()), "{name}: {output}");
    }
}

#[test]
fn clients_are_told_of_tools_that_are_there() {
    let told = |flags: &[&str]| {
        let mut server = Server::silent(flags);
        server.initialize("2025-06-18")["result"]["instructions"].as_str().unwrap().to_owned()
    };
    let agent = told(&["--dialect", "agent"]);
    assert!(agent.contains("Open a page with navigate") && !agent.contains("browser_"), "{agent}");
    let browser = told(&[]);
    assert!(browser.contains("browser_navigate") && !browser.contains("@e5"), "{browser}");
    let companion = told(&["--dialect", "companion"]);
    let all = told(&["--dialect", "browser,companion,agent"]);
    assert_eq!(all, format!("{browser}\n\n{agent}\n\n{companion}"));
}

#[test]
fn what_is_there_already_costs_one_question_at_most() {
    let site = Site::of("<title>Here</title><h1>Head</h1><button id=b>Go</button><p>Done</p>");
    let (mut server, log) = Server::logging(&["--dialect", "agent", "--log", "cicerone_wire=trace"]);
    server.call("navigate", json!({ "url": site.url("/") })).ok();
    let found = server.call("query", json!({ "by": "role", "value": "button" }));
    let button = found.facts()["data"]["ref"].clone();
    let asked = || log.text().lines().filter(|line| line.contains("asked the browser")).count();
    assert!(asked() > 1, "the log tells of commands");
    for (tool, arguments, most) in [
        ("query", json!({ "by": "role", "value": "button" }), 1),
        ("query", json!({ "by": "role", "value": "button", "nth": -1, "return": "all" }), 1),
        ("query", json!({ "by": "text", "value": "Done", "return": "text" }), 1),
        ("query", json!({ "by": "text", "value": "Done", "return": "bounds" }), 1),
        ("query", json!({ "by": "role", "value": "link", "return": "count" }), 1),
        ("wait", json!({ "for": "selector", "selector": "#b" }), 1),
        ("wait", json!({ "for": "selector", "selector": button }), 1),
        ("wait", json!({ "for": "selector_hidden", "selector": "#none" }), 1),
        ("wait", json!({ "for": "text", "text": "Done" }), 1),
        ("wait", json!({ "for": "text_hidden", "text": "Loading" }), 1),
        ("wait", json!({ "for": "function", "function": "return true" }), 1),
        ("wait", json!({ "for": "url", "url": "**" }), 0),
        ("wait", json!({ "for": "load_state", "load_state": "load" }), 0),
        ("wait", json!({ "for": "load_state", "load_state": "networkidle" }), 1),
    ] {
        // What the browser is asked for other reasons meanwhile is not asked all the time.
        let mut costs = (0..300).map(|_| {
            let before = asked();
            server.call(tool, arguments.clone()).ok();
            asked() - before
        });
        assert!(costs.any(|cost| cost == most), "{tool} {arguments}");
    }
}
