//! How long the `agent` dialect's tools take before they give up, unless told: as published.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Answer, Server, Site};

/// Calls each in a tab of its own, all at once; how long each took.
fn all_at_once(calls: &[(&str, Value)], words: &str) -> Vec<Duration> {
    let covered = "<style>#veil { position: fixed; inset: 0 }</style><button id=t draggable=true>T</button>\
        <input id=i style='display:none'><input type=checkbox id=c style='display:none'><input type=checkbox id=d checked style='display:none'>\
        <select id=s style='display:none'><option>A</select><div id=veil></div>";
    let site = Site::of(covered);
    site.answer("/silent", Answer::Silent);
    let mut server = Server::start(&["--dialect", "agent"]);
    let tabs: Vec<Value> = calls
        .iter()
        .map(|_| {
            let opened = server.call("tab_new", json!({ "url": site.url("/"), "active": false }));
            opened.ok().facts()["data"]["tabId"].clone()
        })
        .collect();
    let begun = Instant::now();
    let under_way: Vec<i64> = calls
        .iter()
        .zip(tabs)
        .map(|((tool, arguments), tab)| {
            let mut arguments = arguments.clone();
            arguments["tabId"] = tab;
            if arguments.get("url").is_some() {
                arguments["url"] = site.url("/silent").into();
            }
            server.begin_call(tool, arguments)
        })
        .collect();
    let finished = |(id, (tool, _)): (i64, &(&str, Value))| {
        let reply = server.finish(id);
        assert!(reply.failed(), "{tool}: {}", reply.message);
        assert!(reply.text().contains(words), "{tool}: {}", reply.text());
        begun.elapsed()
    };
    under_way.into_iter().zip(calls).map(finished).collect()
}

#[test]
fn actions_wait_for_five_seconds() {
    let times = all_at_once(
        &[
            ("click", json!({ "selector": "#t" })),
            ("dblclick", json!({ "selector": "#t" })),
            ("hover", json!({ "selector": "#t" })),
            ("fill", json!({ "selector": "#i", "value": "x" })),
            ("clear", json!({ "selector": "#i" })),
            ("check", json!({ "selector": "#c" })),
            ("uncheck", json!({ "selector": "#d" })),
            ("select", json!({ "selector": "#s", "index": 0 })),
            ("focus", json!({ "selector": "#none" })),
            ("drag", json!({ "source": "#t", "target_coordinates": { "x": 1, "y": 1 } })),
        ],
        "Error: ",
    );
    for time in &times {
        assert!((4_500..15_000).contains(&time.as_millis()), "{times:?}");
    }
}

#[test]
fn what_takes_long_has_thirty_seconds() {
    let times = all_at_once(
        &[
            ("navigate", json!({ "url": "silent" })),
            ("request", json!({ "url": "silent" })),
            ("wait", json!({ "for": "selector", "selector": "#none" })),
            ("evaluate", json!({ "expression": "new Promise(() => {})" })),
        ],
        " 30 s",
    );
    for time in &times {
        assert!((29_000..45_000).contains(&time.as_millis()), "{times:?}");
    }
}

#[test]
fn an_upload_waits_for_its_field_for_thirty_seconds() {
    let file = json!({ "base64": "aGk=", "name": "a.txt" });
    let times = all_at_once(
        &[("upload", json!({ "selector": "#none", "files": [file] }))],
        "no element matches #none",
    );
    assert!((29_000..45_000).contains(&times[0].as_millis()), "{times:?}");
}
