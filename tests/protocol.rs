//! The protocol itself: handshakes, bad lines, bad arguments, and several things at once.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site, open, open_with};

/// What answers a line that is sent as it is.
#[track_caller]
fn answer(server: &mut Server, line: impl AsRef<[u8]>) -> Reply {
    server.send_raw(line.as_ref());
    let (message, bytes) = server.next_within(Duration::from_secs(10)).expect("an answer");
    Reply { message, bytes }
}

/// A call of the protocol that has no handshake.
fn self_contained(method: &str, more: Value) -> (String, Value) {
    let mut params = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "suites", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    (method.to_owned(), params)
}

#[test]
fn every_protocol_with_a_handshake_is_spoken() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Server::silent(&[]);
        let hello = server.initialize(version);
        assert_eq!(hello["result"]["protocolVersion"], version);
        assert_eq!(hello["result"]["serverInfo"]["name"], "cicerone");
        assert!(hello["result"]["capabilities"]["tools"].is_object(), "{hello}");
        let tools = server.request("tools/list", json!({}));
        assert_eq!(tools.message["result"]["tools"].as_array().unwrap().len(), 27);
    }
}

#[test]
fn the_protocol_without_a_handshake_is_spoken() {
    let site = Site::of("<title>Home</title><h1>Hello</h1>");
    let mut server = Server::silent(&[]);
    let (method, params) = self_contained("server/discover", json!({}));
    let discovered = server.request(&method, params).message;
    let versions = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{discovered}");
    assert!(discovered["result"]["capabilities"]["tools"].is_object(), "{discovered}");
    let (method, params) = self_contained("tools/list", json!({}));
    let tools = server.request(&method, params).message;
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 27);
    let call = json!({ "name": "browser_navigate", "arguments": { "url": site.url("/") } });
    let (method, params) = self_contained("tools/call", call);
    server.request(&method, params).says("Opened").says("heading \"Hello\"");
}

#[test]
fn a_call_may_be_the_first_word_of_the_protocol_without_a_handshake() {
    let mut server = Server::silent(&[]);
    let (method, params) =
        self_contained("tools/call", json!({ "name": "browser_tabs", "arguments": { "action": "list" } }));
    server.request(&method, params).says("No tabs are open");
}

#[test]
fn an_unknown_version_is_answered_with_one_that_is_known() {
    for version in ["1999-01-01", "2099-12-31", "nonsense"] {
        let mut server = Server::silent(&[]);
        let hello = server.initialize(version);
        let spoken = hello["result"]["protocolVersion"].as_str().unwrap();
        assert!(spoken.starts_with("202") && spoken != version, "{hello}");
        server.call("browser_tabs", json!({ "action": "list" })).ok();
    }
}

#[test]
fn a_second_handshake_changes_nothing() {
    let mut tab = open("<h1>Here</h1>");
    let again = tab.initialize("2025-06-18");
    assert!(again.get("result").is_some() || again.get("error").is_some(), "{again}");
    tab.snapshot().says("heading \"Here\"");
}

#[test]
fn nothing_but_a_ping_comes_before_the_handshake() {
    let mut server = Server::silent(&[]);
    assert!(server.request("ping", json!({})).message["result"].is_object());
    server.request("tools/list", json!({})).refused(-32000, "initialize");
    server.call("browser_tabs", json!({ "action": "list" })).refused(-32000, "initialize");
    server.request("no/such/method", json!({})).refused(-32000, "initialize");
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    assert_eq!(server.initialize("2025-06-18")["result"]["protocolVersion"], "2025-06-18");
    server.call("browser_tabs", json!({ "action": "list" })).ok();
    assert!(server.aside.is_empty(), "{:?}", server.aside);
}

#[test]
fn bad_lines_are_answered_and_the_server_goes_on() {
    for early in [true, false] {
        let mut server = Server::silent(&[]);
        if !early {
            server.initialize("2025-06-18");
        }
        let broken: &[&[u8]] =
            &[b"{", b"hello", b"{\"jsonrpc\":\"2.0\",", b"\xff\xfe", b"{\"a\": \"\xc3\x28\"}", b"\0"];
        for line in broken {
            let reply = answer(&mut server, line);
            assert_eq!(reply.refused(-32700, "").message["id"], Value::Null);
        }
        let without_id =
            ["1", "\"text\"", "null", "true", "[]", "[1]", "{}", r#"{"jsonrpc":"2.0","method":1}"#];
        for line in without_id {
            let reply = answer(&mut server, line);
            assert_eq!(reply.refused(-32600, "").message["id"], Value::Null, "{line}");
        }
        let with_id = [
            r#"{"jsonrpc":"2.0","id":7,"method":1}"#,
            r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
            r#"{"jsonrpc":2.0,"id":7,"method":"ping"}"#,
            r#"{"id":7,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":7}"#,
        ];
        for line in with_id {
            let reply = answer(&mut server, line);
            assert_eq!(reply.refused(-32600, "").message["id"], 7, "{line}");
        }
        let odd_id = answer(&mut server, r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#);
        assert_eq!(odd_id.refused(-32600, "id").message["id"], Value::Null);
        assert!(server.request("ping", json!({})).message["result"].is_object());
    }
}

#[test]
fn ids_come_back_as_they_were() {
    let mut server = Server::start(&[]);
    for id in [json!("text"), json!(""), json!(0), json!(-5), json!(9_007_199_254_740_991_i64)] {
        let ping = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        assert_eq!(answer(&mut server, ping.to_string()).message["id"], id);
    }
}

#[test]
fn empty_lines_and_line_ends_of_other_systems_mean_nothing() {
    let mut server = Server::start(&[]);
    for line in ["", "  ", "\t", "\r", "\n\n"] {
        server.send_raw(line.as_bytes());
    }
    let ping = answer(&mut server, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r");
    assert_eq!(ping.message["id"], 1, "{}", ping.message);
}

/// Resident memory of a process, in kilobytes.
fn memory(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_line_that_is_too_long_is_answered_and_costs_no_memory() {
    let mut server = Server::start(&[]);
    let before = memory(server.child.id());
    let began = Instant::now();
    for _ in 0..5 {
        let mut line = br#"{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":""#.to_vec();
        line.resize(20 << 20, b'a');
        line.extend_from_slice(b"\"}}");
        let reply = answer(&mut server, &line);
        assert!(reply.refused(-32600, "16 MiB").bytes < 500);
    }
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
    assert!(server.request("ping", json!({})).message["result"].is_object());
    let after = memory(server.child.id());
    assert!(after < before + (20 << 10), "{before} kB before, {after} kB after");
}

#[test]
fn a_long_line_within_the_limit_is_taken() {
    let mut server = Server::start(&[]);
    let text = "a".repeat(8 << 20);
    server.call("browser_tabs", json!({ "action": text })).refused(-32602, "action");
    assert!(server.request("ping", json!({ "text": text })).message["result"].is_object());
}

#[test]
fn what_does_not_exist_is_said() {
    let mut server = Server::start(&[]);
    server.request("no/such/method", json!({})).refused(-32601, "no/such/method");
    server.request("tools/nothing", json!({ "name": "x" })).refused(-32601, "tools/nothing");
    let names =
        ["browser_fly", "", "browser_Click", "browser_click ", "browser_mouse_click_xy", "browser_pdf_save"];
    for name in names {
        server.call(name, json!({})).refused(-32601, &format!("Unknown tool: {name}"));
    }
    // Notifications are owed no answer, whatever they are.
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/nonsense", "params": { "a": 1 } }));
    server.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 999 } }),
    );
    // Nor are answers to what was never asked.
    server.send(&json!({ "jsonrpc": "2.0", "id": 12345, "result": {} }));
    assert!(server.request("ping", json!({})).message["result"].is_object());
    assert!(server.aside.is_empty(), "{:?}", server.aside);
}

#[test]
fn a_call_that_does_not_fit_is_refused() {
    let mut server = Server::start(&[]);
    let bare = json!({ "jsonrpc": "2.0", "id": 50, "method": "tools/call" });
    answer(&mut server, bare.to_string()).refused(-32602, "");
    let params = [
        json!({}),
        json!({ "arguments": {} }),
        json!({ "name": 5, "arguments": {} }),
        json!({ "name": "browser_navigate", "arguments": "https://example.com" }),
        json!({ "name": "browser_navigate", "arguments": ["https://example.com"] }),
    ];
    for params in params {
        server.request("tools/call", params).refused(-32602, "");
    }
    // No arguments at all are none.
    server
        .request("tools/call", json!({ "name": "browser_navigate" }))
        .refused(-32602, "Missing required argument: url");
    let null = json!({ "name": "browser_navigate", "arguments": null });
    server.request("tools/call", null).refused(-32602, "Missing required argument: url");
    server.request("tools/call", json!({ "name": "browser_close" })).ok();
}

#[test]
fn bad_arguments_are_named_and_start_no_browser() {
    let mut server = Server::start(&[]);
    let cases = [
        ("browser_navigate", json!({}), "Missing required argument: url"),
        ("browser_navigate", json!({ "url": null }), "Missing required argument: url"),
        ("browser_navigate", json!({ "url": 5 }), "url"),
        ("browser_navigate", json!({ "url": "https://example.com", "wait": true }), "wait"),
        ("browser_click", json!({}), "Missing required argument: ref"),
        ("browser_click", json!({ "ref": ["e1"] }), "ref"),
        ("browser_click", json!({ "ref": "e1", "button": "upper" }), "button"),
        ("browser_click", json!({ "ref": "e1", "doubleClick": "yes" }), "doubleClick"),
        ("browser_click", json!({ "ref": "e1", "modifiers": "Shift" }), "modifiers"),
        ("browser_click", json!({ "ref": "e1", "modifiers": ["Hyper"] }), "modifiers"),
        ("browser_click", json!({ "selector": "a", "ref": "e1" }), "selector"),
        ("browser_type", json!({ "ref": "e1" }), "Missing required argument: text"),
        ("browser_type", json!({ "ref": "e1", "text": 5 }), "text"),
        ("browser_fill_form", json!({}), "Missing required argument: fields"),
        ("browser_fill_form", json!({ "fields": "e1" }), "fields"),
        ("browser_fill_form", json!({ "fields": [{ "ref": "e1" }] }), "fields"),
        ("browser_drag", json!({ "startRef": "e1" }), "Missing required argument: endRef"),
        ("browser_select_option", json!({ "ref": "e1" }), "Missing required argument: values"),
        ("browser_press_key", json!({}), "Missing required argument: key"),
        ("browser_press_key", json!({ "key": "NoSuchKey" }), "key"),
        ("browser_file_upload", json!({ "paths": "a.txt" }), "paths"),
        ("browser_evaluate", json!({}), "Missing required argument: function"),
        ("browser_wait_for", json!({}), "text"),
        ("browser_wait_for", json!({ "time": -1 }), "time"),
        ("browser_wait_for", json!({ "time": "long" }), "time"),
        ("browser_handle_dialog", json!({}), "Missing required argument: accept"),
        ("browser_handle_dialog", json!({ "accept": "yes" }), "accept"),
        ("browser_resize", json!({ "width": 100 }), "Missing required argument: height"),
        ("browser_resize", json!({ "width": 0, "height": 5 }), "width"),
        ("browser_resize", json!({ "width": 1.5, "height": 5 }), "width"),
        ("browser_tabs", json!({}), "Missing required argument: action"),
        ("browser_tabs", json!({ "action": "open" }), "action"),
        ("browser_tabs", json!({ "action": "select" }), "Missing required argument: index"),
        ("browser_tabs", json!({ "action": "select", "index": "first" }), "index"),
        ("browser_console_messages", json!({ "level": "loud" }), "level"),
        ("browser_take_screenshot", json!({ "type": "gif" }), "type"),
        ("browser_take_screenshot", json!({ "ref": "e1", "fullPage": true }), "fullPage"),
        ("browser_snapshot", json!({ "depth": -1 }), "depth"),
        ("browser_close", json!({ "force": true }), "force"),
    ];
    for (tool, arguments, words) in cases {
        server.call(tool, arguments).refused(-32602, words);
    }
    assert_eq!(server.descendants(), [0; 0]);
}

#[test]
fn every_wrong_and_unknown_argument_is_named_at_once() {
    let mut server = Server::start(&["--dialect", "all"]);
    let says = |reply: &Reply, text: &str| {
        reply.refused(-32602, "");
        assert_eq!(reply.message["error"]["message"], text);
    };
    let chain = json!({ "chain": [], "action": "fly", "tabId": "first", "fil_value": "x" });
    let reply = server.call("locator", chain);
    let text = reply.message["error"]["message"].as_str().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[0].starts_with("Invalid argument chain: it must be "), "{text}");
    assert!(lines[1].starts_with("Invalid argument action: it must be one of "), "{text}");
    assert!(lines[2].starts_with("Invalid argument tabId: it must be "), "{text}");
    let unknown = "Unknown argument: fil_value; did you mean fill_value? known: chain, action, fill_value, tabId, frameId";
    assert_eq!(lines[3], unknown);

    let misspelt = server.call("browser_click", json!({ "selektor": "#a" }));
    says(
        &misspelt,
        "Missing required argument: ref\nUnknown argument: selektor; known: ref, element, button, doubleClick, modifiers",
    );
    // The dialect that knows most of the arguments tells what is wrong with them.
    let launch = server.call("browser_click", json!({ "selector": "#a", "selectortype": "css" }));
    says(
        &launch,
        "Unknown argument: selectortype; did you mean selectorType? known: selector, selectorType, options",
    );
    let several = json!({ "ref": 5, "txt": "x", "subMit": true, "zzz": 1 });
    says(
        &server.call("browser_type", several),
        "Invalid argument ref: it must be a string that names an element\nMissing required argument: text\n\
         Unknown arguments: subMit (did you mean submit?), txt (did you mean text?), zzz; known: ref, text, element, submit, slowly",
    );
    says(
        &server.call("browser_close", json!({ "force": 1 })),
        "Unknown argument: force; known: no arguments",
    );
    assert_eq!(server.descendants(), [0; 0]);
}

#[test]
fn the_nearest_tool_is_named() {
    let mut server = Server::start(&[]);
    for (name, text) in [
        ("browser_klick", "Unknown tool: browser_klick; did you mean browser_click?"),
        ("click", "Unknown tool: click; did you mean browser_click?"),
        ("browser_fill_forms", "Unknown tool: browser_fill_forms; did you mean browser_fill_form?"),
        ("browser_zzz", "Unknown tool: browser_zzz"),
    ] {
        let reply = server.call(name, json!({}));
        reply.refused(-32601, "");
        assert_eq!(reply.message["error"]["message"], text);
    }
    Server::start(&["--dialect", "agent"]).call("clik", json!({})).refused(-32601, "; did you mean click?");
}

#[test]
fn the_names_that_playwright_mcp_gives_arguments_are_taken() {
    let page = "<button onclick=\"document.title = 'clicked'\">Go</button><label>Name <input></label>
        <select><option>One<option>Two</select><input type=file>
        <div id=a draggable=true>A</div><div id=b ondragover='event.preventDefault()' ondrop=\"document.title = 'dropped'\">B</div>";
    let mut tab = open(page);
    tab.call("browser_click", json!({ "target": "role:button[name=Go]" })).says("Clicked button \"Go\"");
    tab.call("browser_hover", json!({ "element": "Go", "target": "button" })).ok();
    tab.call("browser_scroll_into_view", json!({ "element": "Go", "target": "button" })).ok();
    tab.call("browser_type", json!({ "target": "label:Name", "text": "Ada" })).says("now holds \"Ada\"");
    tab.call("browser_select_option", json!({ "target": "select", "values": ["Two"] })).says("Two");
    let function = "(element) => element.value";
    let evaluated = tab.call("browser_evaluate", json!({ "target": "label:Name", "function": function }));
    evaluated.says("Ada");
    tab.call("browser_fill_form", json!({ "fields": [{ "target": "label:Name", "value": "Bo" }] }))
        .says("\"Bo\"");
    tab.call("browser_snapshot", json!({ "element": "Choice", "target": "select" }))
        .says("Two")
        .says_not("button");
    tab.call("browser_take_screenshot", json!({ "target": "button" })).says("button \"Go\"");
    tab.call("browser_drag", json!({ "startTarget": "#a", "endTarget": "#b" })).ok();
    assert_eq!(tab.evaluate("document.title"), "dropped");
    tab.call("browser_network_requests", json!({ "static": true })).ok();
    let file = tab.file("a.txt", "a");
    tab.call("browser_file_upload", json!({ "target": "input[type=file]", "paths": [file] })).ok();
    // Both at once are one too many; neither is listed.
    tab.call("browser_click", json!({ "target": "e1", "ref": "e1" }))
        .refused(-32602, "Unknown argument: target");
    let listed = tab.request("tools/list", json!({})).message.to_string();
    assert!(!listed.contains("\"target\"") && !listed.contains("startTarget"));
}

#[test]
fn a_request_that_is_too_long_is_answered_by_its_id() {
    let mut server = Server::start(&[]);
    let text = "a".repeat(17 << 20);
    let call = |rest: &str| format!(r#"{{"jsonrpc":"2.0",{rest}}}"#);
    let params = format!(
        r#""method":"tools/call","params":{{"name":"x","id":13,"arguments":{{"id":14,"text":"{text}"}}}}"#
    );
    for (line, id) in [
        (call(&format!(r#""id":71,{params}"#)), json!(71)),
        (call(&format!(r#""id":"seven",{params}"#)), json!("seven")),
        (call(&format!(r#"{params},"id":72"#)), json!(72)),
        (call(&params), Value::Null),
    ] {
        server.send_raw(line.as_bytes());
        let (message, _) = server.next_within(std::time::Duration::from_secs(30)).unwrap();
        assert_eq!((&message["id"], &message["error"]["code"]), (&id, &json!(-32600)), "{message}");
    }
    assert!(server.request("ping", json!({})).message["result"].is_object());
}

#[test]
fn what_is_left_out_may_be_null() {
    let mut tab = open("<button onclick=\"document.title = 'done'\">Go</button>");
    let nulls =
        json!({ "ref": "button", "element": null, "button": null, "doubleClick": null, "modifiers": null });
    tab.call("browser_click", nulls).says("Clicked button \"Go\"");
    tab.call("browser_snapshot", json!({ "ref": null, "depth": null })).says("button \"Go\"");
    tab.call("browser_resize", json!({ "width": 800.0, "height": 600.0 })).says("800x600");
}

#[test]
fn the_list_is_short_complete_and_needs_no_browser() {
    let names = [
        "browser_click",
        "browser_close",
        "browser_console_messages",
        "browser_context_close",
        "browser_context_create",
        "browser_context_list",
        "browser_context_save_storage",
        "browser_context_switch",
        "browser_drag",
        "browser_evaluate",
        "browser_file_upload",
        "browser_fill_form",
        "browser_handle_dialog",
        "browser_hover",
        "browser_install",
        "browser_navigate",
        "browser_navigate_back",
        "browser_network_requests",
        "browser_press_key",
        "browser_resize",
        "browser_scroll_into_view",
        "browser_select_option",
        "browser_snapshot",
        "browser_tabs",
        "browser_take_screenshot",
        "browser_type",
        "browser_wait_for",
    ];
    let mut server = Server::start(&["--executable-path", "/nonexistent/browser"]);
    let reply = server.request("tools/list", json!({}));
    let tools = reply.message["result"]["tools"].as_array().unwrap();
    let mut listed: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    listed.sort_unstable();
    assert_eq!(listed, names);
    for tool in tools {
        assert!(tool["description"].as_str().is_some_and(|words| words.len() > 5), "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        for required in tool["inputSchema"]["required"].as_array().into_iter().flatten() {
            assert!(tool["inputSchema"]["properties"][required.as_str().unwrap()].is_object(), "{tool}");
        }
    }
    let looks = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        tool["annotations"]["readOnlyHint"] == true
    };
    assert!(looks("browser_snapshot") && looks("browser_console_messages"));
    assert!(!looks("browser_click") && !looks("browser_navigate") && !looks("browser_evaluate"));
    assert!(reply.bytes <= 12 << 10, "{} bytes", reply.bytes);
    assert_eq!(server.descendants(), [0; 0]);
}

#[test]
fn facts_have_the_form_that_was_listed() {
    let page = "<title>All</title>
        <button onclick=\"console.error('oh'); window.open('/')\">Go</button>
        <a id=link href='/two'>Two</a>
        <label>Name <input id=name></label>
        <select id=select><option>A<option>B</select>
        <input id=file type=file>
        <div id=from draggable=true>From</div><div id=to>To</div>";
    let site = Site::with(&[("/", page), ("/two", "<title>Two</title><h1>Two</h1>")]);
    let mut server = Server::start(&["--action-timeout", "1s"]);
    server.file("a.txt", "content");
    let url = site.url("/");
    let calls = [
        ("browser_snapshot", json!({})),
        ("browser_navigate", json!({ "url": url })),
        ("browser_click", json!({ "ref": "button" })),
        ("browser_hover", json!({ "ref": "button" })),
        ("browser_type", json!({ "ref": "#name", "text": "Ada" })),
        ("browser_fill_form", json!({ "fields": [{ "ref": "#name", "value": "Bob" }] })),
        ("browser_select_option", json!({ "ref": "#select", "values": ["B"] })),
        ("browser_press_key", json!({ "key": "Tab" })),
        ("browser_file_upload", json!({ "paths": ["a.txt"] })),
        ("browser_drag", json!({ "startRef": "#from", "endRef": "#to" })),
        ("browser_scroll_into_view", json!({ "ref": "#to" })),
        ("browser_evaluate", json!({ "function": "() => ({ a: [1, null] })" })),
        ("browser_take_screenshot", json!({})),
        ("browser_console_messages", json!({})),
        ("browser_network_requests", json!({})),
        ("browser_wait_for", json!({ "text": "From" })),
        ("browser_resize", json!({ "width": 700, "height": 500 })),
        ("browser_click", json!({ "ref": "#link" })),
        ("browser_navigate_back", json!({})),
        ("browser_handle_dialog", json!({ "accept": true })),
        ("browser_install", json!({})),
        ("browser_context_create", json!({ "name": "other" })),
        ("browser_context_list", json!({})),
        ("browser_context_save_storage", json!({ "path": "state.json" })),
        ("browser_context_switch", json!({ "name": "default" })),
        ("browser_context_close", json!({ "name": "other" })),
        ("browser_tabs", json!({ "action": "list" })),
        ("browser_close", json!({})),
        ("browser_click", json!({ "ref": "#nothing" })),
        ("browser_tabs", json!({ "action": "select", "index": 77 })),
    ];
    let mut called = std::collections::BTreeSet::new();
    for (tool, arguments) in calls {
        let failing = arguments["ref"] == "#nothing" || arguments["index"] == 77;
        let reply = server.call(tool, arguments);
        assert_eq!(reply.failed(), failing, "{tool}: {}", reply.message);
        // That they are as listed is looked at for every reply.
        assert!(reply.facts().is_object(), "{tool}: {}", reply.message);
        if failing {
            let error = &reply.facts()["error"];
            assert!(
                error["code"].is_i64() && error["name"].is_string() && error["message"].is_string(),
                "{error}"
            );
        }
        called.insert(tool);
    }
    assert_eq!(called.len(), 27);
}

/// The progress that was told for a token.
fn progress(server: &Server, token: &Value) -> Vec<f64> {
    let told = server.aside.iter().filter(|message| message["method"] == "notifications/progress");
    let told = told.filter(|message| message["params"]["progressToken"] == *token);
    told.map(|message| message["params"]["progress"].as_f64().unwrap()).collect()
}

#[test]
fn what_takes_long_says_how_far_it_is() {
    let mut tab = open("<h1>Here</h1>");
    let slow = Answer::Slow(Duration::from_millis(2500), Box::new(Answer::Html("<h1>Late</h1>".into())));
    tab.site.answer("/slow", slow);
    let url = tab.site.url("/slow");
    let calls = [
        (json!("go"), json!({ "name": "browser_navigate", "arguments": { "url": url } })),
        (json!(17), json!({ "name": "browser_wait_for", "arguments": { "time": 2.5 } })),
    ];
    for (token, mut params) in calls {
        params["_meta"] = json!({ "progressToken": token });
        tab.request("tools/call", params).ok();
        let steps = progress(&tab, &token);
        assert!(steps.len() >= 2, "{token}: {steps:?}");
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{token}: {steps:?}");
    }
    let before = tab.aside.len();
    tab.call("browser_wait_for", json!({ "time": 1.2 })).ok();
    assert_eq!(tab.aside.len(), before, "progress that nobody asked for");
}

fn cancel(server: &mut Server, id: i64) {
    let params = json!({ "requestId": id, "reason": "no longer wanted" });
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
}

#[test]
fn a_cancelled_call_frees_its_page_and_is_not_answered() {
    let mut tab = open("<button>Go</button>");
    let silent = tab.site.answer("/silent", Answer::Silent).url("/silent");
    let calls = [
        ("browser_wait_for", json!({ "time": 60 })),
        ("browser_wait_for", json!({ "text": "never", "timeout": 60 })),
        ("browser_click", json!({ "ref": "#never" })),
        ("browser_evaluate", json!({ "function": "() => new Promise(() => {})" })),
        ("browser_evaluate", json!({ "function": "() => { for (;;); }" })),
        ("browser_navigate", json!({ "url": silent })),
    ];
    for (tool, arguments) in calls {
        let id = tab.begin_call(tool, arguments.clone());
        std::thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        cancel(&mut tab, id);
        let snapshot = tab.call("browser_snapshot", json!({}));
        assert!(snapshot.text().contains("button \"Go\""), "{tool} {arguments}: {}", snapshot.text());
        assert!(began.elapsed() < Duration::from_secs(2), "{tool} {arguments}: {:?}", began.elapsed());
        assert!(tab.finish_within(id, Duration::from_millis(200)).is_none(), "{tool} was answered");
    }
}

#[test]
fn a_call_that_waits_for_its_turn_can_be_cancelled() {
    let mut tab = open("<button onclick=\"document.title = 'clicked'\">Go</button>");
    let first = tab.begin_call("browser_wait_for", json!({ "time": 1 }));
    let second = tab.begin_call("browser_click", json!({ "ref": "button" }));
    cancel(&mut tab, second);
    tab.finish(first).ok();
    assert_eq!(tab.evaluate("() => document.title"), "");
    assert!(tab.finish_within(second, Duration::from_millis(100)).is_none());
}

#[test]
fn the_log_is_as_loud_as_the_client_wants() {
    let logged = |level: &str| {
        let mut server = Server::start(&[]);
        assert!(server.request("logging/setLevel", json!({ "level": level })).message["result"].is_object());
        server.call("browser_navigate", json!({ "url": "about:blank" })).ok();
        server.request("ping", json!({}));
        let lines = server.aside.iter().filter(|message| message["method"] == "notifications/message");
        lines.map(|message| message["params"]["level"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(logged("emergency"), [""; 0]);
    let info = logged("info");
    assert!(info.contains(&"info".to_owned()) && !info.contains(&"debug".to_owned()), "{info:?}");
    let mut server = Server::start(&[]);
    server.request("logging/setLevel", json!({ "level": "shouting" })).refused(-32602, "");
    server.request("logging/setLevel", json!({})).refused(-32602, "");
}

#[test]
fn ten_calls_at_once_have_their_own_answers_in_order() {
    let mut tab =
        open("<script>order = []</script><button onclick=\"order.push(this.textContent)\">b</button>");
    // The later they come, the less they need: only turns keep them in order.
    let calls: Vec<i64> = (0..10)
        .map(|n| {
            if n == 5 {
                return tab.begin_call("browser_click", json!({ "ref": "button" }));
            }
            let wait = 100 - n * 10;
            let script = format!(
                "async () => {{ await new Promise(d => setTimeout(d, {wait})); order.push({n}); return {n} }}"
            );
            tab.begin_call("browser_evaluate", json!({ "function": script }))
        })
        .collect();
    for (n, id) in calls.into_iter().enumerate().rev() {
        let reply = tab.finish(id);
        if n == 5 {
            reply.says("Clicked");
        } else {
            assert_eq!(reply.ok().facts()["result"], n);
        }
    }
    assert_eq!(tab.evaluate("() => order"), json!([0, 1, 2, 3, 4, "b", 6, 7, 8, 9]));
}

#[test]
fn a_long_call_holds_up_nobody_else() {
    let mut tab = open_with(&["--action-timeout", "1s"], "<h1>Here</h1>");
    for script in ["() => new Promise(() => {})", "() => { for (;;); }"] {
        let long = tab.begin_call("browser_evaluate", json!({ "function": script }));
        let began = Instant::now();
        assert!(tab.request("ping", json!({})).message["result"].is_object());
        tab.request("tools/list", json!({}));
        tab.call("browser_console_messages", json!({})).ok();
        tab.call("browser_network_requests", json!({})).ok();
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        assert!(!tab.aside.iter().any(|message| message["id"] == long), "it was over before");
        tab.finish(long).fails("timed out after");
    }
}

#[test]
fn standard_output_carries_messages_alone() {
    let mut tab =
        open_with(&["--log", "trace"], "<script>console.log('noise\\n{}'); console.error('more')</script>");
    tab.call("browser_evaluate", json!({ "function": "() => { throw new Error('x') }" })).fails("x");
    tab.close_input();
    tab.wait(Duration::from_secs(6)).expect("an end");
    while let Some((message, _)) = tab.next_within(Duration::from_millis(200)) {
        tab.aside.push(message);
    }
    for message in &tab.aside {
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
    }
}
