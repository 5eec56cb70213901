//! Dialects: what each lists, what is callable beside it, and the examples of the reference.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::{Duration, Instant},
};

use cicerone_tools::{Cap, Dialect, Toolbox};
use serde_json::{Value, json};

use crate::support::{Server, Site, open_site};

/// The dialects whose names begin with `browser_`.
const FAMILY: [&str; 3] = ["browser", "launch", "companion"];

/// What a server with these flags lists, by name; the order does not matter.
fn listed(flags: &[&str]) -> BTreeMap<String, Value> {
    let mut server = Server::start(flags);
    let reply = server.request("tools/list", json!({}));
    let tools = reply.message["result"]["tools"].as_array().unwrap();
    let by_name: BTreeMap<String, Value> =
        tools.iter().map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool.clone())).collect();
    assert_eq!(by_name.len(), tools.len(), "one entry a name");
    by_name
}

/// The golden listing of a dialect.
fn golden(dialect: &str) -> BTreeMap<String, Value> {
    golden_file(&format!("{dialect}.tools"))
}

fn golden_file(name: &str) -> BTreeMap<String, Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(format!("tests/golden/{name}.json"))).unwrap();
    let tools: Value = serde_json::from_str(&text).unwrap();
    let tools = tools["tools"].as_array().unwrap().iter();
    tools.map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool.clone())).collect()
}

fn names<'a>(list: impl IntoIterator<Item = &'a Value>) -> BTreeSet<&'a str> {
    list.into_iter().map(|name| name.as_str().unwrap()).collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

fn required(tool: &Value) -> BTreeSet<&str> {
    names(tool["inputSchema"]["required"].as_array().into_iter().flatten())
}

#[test]
fn each_dialect_lists_exactly_its_tools() {
    for dialect in Dialect::ALL.map(|dialect| dialect.name) {
        assert_eq!(listed(&["--dialect", dialect]), golden(dialect), "{dialect}");
    }
    assert_eq!(listed(&[]), golden("browser"), "the default");
}

/// What a document says of its tools: name, arguments with type, default, choices; those that are required.
type Published<'a> = (&'a str, &'a [(&'a str, Value)], &'a [&'a str]);

#[track_caller]
fn is_as_published(dialect: &str, published: &[Published<'_>]) {
    let tools = golden(dialect);
    let expected: BTreeSet<&str> = published.iter().map(|(name, ..)| *name).collect();
    assert_eq!(tools.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    for (name, arguments, must) in published {
        let input = &tools[*name]["inputSchema"];
        assert_eq!(keys(&input["properties"]), arguments.iter().map(|(name, _)| *name).collect(), "{name}");
        assert_eq!(required(&tools[*name]), must.iter().copied().collect(), "{name}");
        for (argument, expected) in *arguments {
            let mut schema = input["properties"][argument].clone();
            let described = schema.as_object_mut().unwrap().remove("description");
            assert!(described.is_some_and(|words| words.is_string()), "{name}.{argument} has no description");
            assert_eq!(schema, *expected, "{name}.{argument}");
        }
    }
}

#[test]
fn the_listing_of_launch_is_as_published() {
    let string = json!({ "type": "string" });
    let object = json!({ "type": "object" });
    let kinds = json!({ "type": "string", "enum": ["css", "text", "role", "testId"], "default": "css" });
    let kinds_with_label =
        json!({ "type": "string", "enum": ["css", "text", "role", "testId", "label"], "default": "css" });
    let flag = |default: bool| json!({ "type": "boolean", "default": default });
    let until =
        json!({ "type": "string", "enum": ["load", "domcontentloaded", "networkidle"], "default": "load" });
    let browsers =
        json!({ "type": "string", "enum": ["chromium", "firefox", "webkit"], "default": "chromium" });
    let number = |default: u32| json!({ "type": "number", "default": default });
    let viewport =
        json!({ "type": "object", "properties": { "width": number(1280), "height": number(720) } });
    is_as_published(
        "launch",
        &[
            (
                "browser_launch",
                &[("browserType", browsers), ("headless", flag(true)), ("viewport", viewport)],
                &[],
            ),
            ("browser_navigate", &[("url", string.clone()), ("waitUntil", until)], &["url"]),
            (
                "browser_find",
                &[("selector", string.clone()), ("selectorType", kinds.clone()), ("options", object.clone())],
                &["selector"],
            ),
            (
                "browser_click",
                &[("selector", string.clone()), ("selectorType", kinds), ("options", object)],
                &["selector"],
            ),
            (
                "browser_type",
                &[
                    ("selector", string.clone()),
                    ("text", string.clone()),
                    ("selectorType", kinds_with_label),
                    ("clear", flag(true)),
                ],
                &["selector", "text"],
            ),
            (
                "browser_screenshot",
                &[("selector", string.clone()), ("fullPage", flag(false)), ("path", string)],
                &[],
            ),
            ("browser_quit", &[], &[]),
        ],
    );
}

#[test]
fn the_listing_of_companion_is_as_published() {
    let string = json!({ "type": "string" });
    let number = json!({ "type": "number" });
    let off = json!({ "type": "boolean", "default": false });
    let time = json!({ "type": "number", "minimum": 0.1, "maximum": 30 });
    let tab = || ("tabId", number.clone());
    let text = |name: &'static str| (name, string.clone());
    // Descriptions of elements are accepted everywhere and required nowhere.
    is_as_published(
        "companion",
        &[
            ("browser_navigate", &[text("url"), tab()], &["url"]),
            ("browser_go_back", &[tab()], &[]),
            ("browser_go_forward", &[tab()], &[]),
            ("browser_click", &[text("element"), text("ref"), tab()], &["ref"]),
            (
                "browser_type",
                &[text("element"), text("ref"), text("text"), ("submit", off.clone()), tab()],
                &["ref", "text"],
            ),
            ("browser_hover", &[text("element"), text("ref"), tab()], &["ref"]),
            (
                "browser_drag_drop",
                &[text("sourceElement"), text("sourceRef"), text("targetElement"), text("targetRef"), tab()],
                &["sourceRef", "targetRef"],
            ),
            ("browser_snapshot", &[tab()], &[]),
            ("browser_screenshot", &[tab(), ("fullPage", off), text("element"), text("ref")], &[]),
            ("browser_get_console_logs", &[tab()], &[]),
            ("browser_wait", &[("time", time)], &["time"]),
            ("browser_press_key", &[text("key"), tab()], &["key"]),
        ],
    );
}

#[test]
fn the_listing_of_vision_is_as_published() {
    let string = json!({ "type": "string" });
    let flag = |default: bool| json!({ "type": "boolean", "default": default });
    let number = |default: u32| json!({ "type": "number", "default": default });
    let until =
        json!({ "type": "string", "enum": ["load", "domcontentloaded", "networkidle"], "default": "load" });
    let ways = json!({ "type": "string", "enum": ["up", "down", "left", "right"], "default": "down" });
    let text = |name: &'static str| (name, string.clone());
    let session = || text("sessionId");
    is_as_published(
        "vision",
        &[
            (
                "browser.navigate",
                &[text("url"), ("waitUntil", until), ("timeout", number(30_000)), session()],
                &["url"],
            ),
            (
                "browser.screenshot",
                &[
                    text("selector"),
                    ("fullPage", flag(false)),
                    ("includeAccessibilityTree", flag(true)),
                    session(),
                ],
                &[],
            ),
            (
                "browser.click",
                &[
                    text("selector"),
                    ("waitForNavigation", flag(false)),
                    ("timeout", number(5_000)),
                    session(),
                ],
                &["selector"],
            ),
            (
                "browser.fill",
                &[text("selector"), text("value"), ("clearFirst", flag(true)), session()],
                &["selector", "value"],
            ),
            (
                "browser.snapshot",
                &[text("selector"), ("interactiveOnly", flag(false)), ("compact", flag(true)), session()],
                &[],
            ),
            (
                "browser.scroll",
                &[("direction", ways), ("pixels", number(300)), text("selector"), session()],
                &[],
            ),
            (
                "browser.evaluate",
                &[text("script"), ("args", json!({ "type": "array", "default": [] })), session()],
                &["script"],
            ),
            ("browser.close", &[session(), ("graceful", flag(true))], &[]),
        ],
    );
}

/// What several dialects list together: every name once, all arguments, required what all that have it require.
#[track_caller]
fn is_the_union(flags: &[&str], dialects: &[&str]) {
    let union = listed(flags);
    let parts: Vec<BTreeMap<String, Value>> = dialects.iter().map(|dialect| golden(dialect)).collect();
    let all: BTreeSet<&String> = parts.iter().flat_map(BTreeMap::keys).collect();
    assert_eq!(union.keys().collect::<BTreeSet<_>>(), all);
    for (name, tool) in &union {
        let faces: Vec<&Value> = parts.iter().filter_map(|part| part.get(name)).collect();
        for schema in ["inputSchema", "outputSchema"] {
            let arguments = faces.iter().flat_map(|face| keys(&face[schema]["properties"])).collect();
            assert_eq!(keys(&tool[schema]["properties"]), arguments, "{name}");
        }
        let by_all = |argument: &&str| faces.iter().all(|face| required(face).contains(argument));
        assert_eq!(required(tool), required(faces[0]).into_iter().filter(by_all).collect(), "{name}");
    }
}

#[test]
fn several_dialects_list_their_union() {
    is_the_union(&["--dialect", "launch,companion"], &["launch", "companion"]);
    is_the_union(&["--dialect", "companion,browser,launch"], &FAMILY);
    let every: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
    is_the_union(&["--dialect", "all"], &every);
    let union = listed(&["--dialect", "all"]);
    assert_eq!(required(&union["browser_click"]), BTreeSet::new(), "some name it by ref, some by selector");
    assert_eq!(required(&union["browser_type"]), BTreeSet::from(["text"]));
    assert_eq!(required(&union["browser_navigate"]), BTreeSet::from(["url"]));
    assert_eq!(required(&union["browser_wait"]), BTreeSet::from(["time"]));
}

#[test]
fn every_name_is_callable_in_each_dialect_with_arguments_of_any() {
    let site = Site::with(&[(
        "/",
        "<title>One</title><h1>One</h1><button>Go</button><input aria-label=Name><script>var log = [];
            for (const type of ['click', 'dblclick', 'contextmenu'])
                addEventListener(type, (e) => { e.preventDefault(); log.push(type + (e.shiftKey ? '+' : '')) }, true);
            </script>",
    )]);
    let url = site.url("/");
    for dialect in ["browser", "launch", "companion", "all"] {
        let mut server = Server::start(&["--dialect", dialect, "--action-timeout", "1s"]);
        let navigated = json!({ "url": url, "waitUntil": "domcontentloaded" });
        let tab = server.call("browser_navigate", navigated).ok().facts()["tabId"].clone();
        let both = json!({ "url": url, "waitUntil": "load", "tabId": tab });
        server.call("browser_navigate", both).ok();
        for (tool, arguments) in [
            ("browser_click", json!({ "ref": "button", "tabId": tab, "doubleClick": true })),
            ("browser_click", json!({ "selector": "Go", "selectorType": "text", "button": "right" })),
            (
                "browser_click",
                json!({ "ref": "button", "options": { "clickCount": 1 }, "modifiers": ["Shift"] }),
            ),
            ("browser_type", json!({ "ref": "input", "text": "a", "slowly": true, "tabId": tab })),
            ("browser_type", json!({ "ref": "input", "text": "b", "clear": false, "element": "Name" })),
            (
                "browser_type",
                json!({ "selector": "Name", "selectorType": "label", "text": "c", "clear": false, "submit": true, "tabId": tab }),
            ),
            ("browser_screenshot", json!({ "selector": "h1", "tabId": tab })),
            ("browser_screenshot", json!({ "ref": "h1", "path": "head.png" })),
            ("browser_snapshot", json!({ "ref": "h1" })),
            ("browser_snapshot", json!({ "tabId": tab })),
            ("browser_snapshot", json!({ "ref": "h1", "tabId": tab })),
            ("browser_snapshot", json!({ "element": "Heading", "ref": "h1", "tabId": tab })),
            ("browser_hover", json!({ "ref": "h1", "element": "Heading", "tabId": tab })),
            ("browser_press_key", json!({ "key": "Tab", "tabId": tab })),
            ("browser_find", json!({ "selector": "h1", "element": "Heading" })),
            ("browser_get_console_logs", json!({})),
            ("browser_console_messages", json!({})),
            ("browser_take_screenshot", json!({})),
            ("browser_wait", json!({ "time": 0.1 })),
            ("browser_wait_for", json!({ "text": "One" })),
            (
                "browser_evaluate",
                json!({ "function": "document.querySelector('input').title = log.join(' ')" }),
            ),
            ("browser_drag", json!({ "startRef": "h1", "endRef": "button" })),
            ("browser_drag_drop", json!({ "sourceRef": "h1", "targetRef": "button" })),
            ("browser_tabs", json!({ "action": "list" })),
            ("browser_context_list", json!({})),
        ] {
            let reply = server.call(tool, arguments.clone());
            assert!(
                reply.message["result"]["isError"] != true && reply.message.get("error").is_none(),
                "{dialect}: {tool} {arguments}: {}",
                reply.message
            );
        }
        let happened =
            server.evaluate("(({ title, value }) => [title, value])(document.querySelector('input'))");
        assert_eq!(happened, json!(["click click dblclick contextmenu click+", "abc"]), "{dialect}");
        server.call("browser_quit", json!({})).ok();
    }
}

#[test]
fn what_says_nothing_of_another_dialect_changes_nothing() {
    let mut server = Server::start(&["--dialect", "all", "--action-timeout", "1s"]);
    let site =
        Site::of("<title>One</title><button>Go</button><input aria-label=Name><button disabled>Off</button>");
    server.navigate(&site.url("/"));
    // Some clients write out all that is listed: as null, or as its default.
    for (arguments, words) in [
        (json!({ "ref": "text:Go", "selector": null }), "Clicked button \"Go\""),
        (json!({ "ref": "text:Go", "tabId": null }), "No change"),
        (json!({ "target": "text:Go", "ref": null, "tabId": null }), "No change"),
        (json!({ "ref": "text:Go", "selectorType": "css" }), "No change"),
        (
            json!({ "ref": "text:Go", "selectorType": "css", "options": {}, "selector": null, "tabId": null }),
            "No change",
        ),
        (
            json!({ "selector": "Go", "selectorType": "text", "ref": null }),
            "Successfully clicked element: Go",
        ),
    ] {
        let reply = server.call("browser_click", arguments.clone());
        assert!(reply.ok().text().contains(words), "{arguments}: {}", reply.text());
    }
    let typed = json!({ "ref": "input", "selector": null, "selectorType": "css", "text": "a", "clear": true, "submit": false,
        "slowly": false, "tabId": null, "element": null });
    server.call("browser_type", typed).says("Typed: textbox \"Name\"");
    for (arguments, words) in [
        (
            json!({ "ref": "Go", "selectorType": "text" }),
            "Invalid argument selectorType: it must be \"css\", or left out",
        ),
        (json!({ "ref": "text:Go", "colour": null }), "Unknown argument: colour"),
        (json!({ "ref": null, "selector": null }), "Missing required argument: ref"),
    ] {
        server.call("browser_click", arguments).refused(-32602, words);
    }
    // All that a borrowed argument says counts.
    let began = Instant::now();
    let quick = json!({ "ref": "text:Off", "doubleClick": false, "options": { "timeout": 50 } });
    server.call("browser_click", quick).fails("is disabled");
    assert!(began.elapsed() < Duration::from_millis(900), "{:?}", began.elapsed());
}

#[test]
fn what_is_borrowed_is_checked_as_by_its_owner() {
    let mut server = Server::start(&["--dialect", "companion"]);
    let site = Site::of("<h1>One</h1>");
    server.navigate(&site.url("/"));
    server
        .call("browser_screenshot", json!({ "ref": "h1", "path": "head.jpg" }))
        .refused(-32602, "Invalid argument path");
    assert!(!server.working_directory().join("head.jpg").exists());
    server.call("browser_screenshot", json!({ "ref": "h1", "path": "head.png" })).ok();
    assert!(server.working_directory().join("head.png").exists());
}

#[test]
fn the_instructions_hold_for_the_tools_that_are_listed() {
    for (dialect, known, unknown) in [
        ("browser", "every action says what changed", "selectorType"),
        ("launch", "browser_find", "browser_snapshot"),
        ("launch", "selectorType", "what changed"),
        ("companion", "Take a new snapshot", "<page>"),
    ] {
        let instructions = Toolbox::new(&[Dialect::named(dialect).unwrap()], &[]).instructions().to_owned();
        assert!(instructions.contains(known) && !instructions.contains(unknown), "{dialect}: {instructions}");
        let tools = golden(dialect);
        let named = instructions.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for name in named.filter(|word| word.starts_with("browser_")) {
            assert!(tools.contains_key(name), "{dialect} has no {name}");
        }
    }
}

#[test]
fn what_is_not_there_is_refused_in_every_dialect() {
    for dialect in ["browser", "launch", "companion", "launch,companion", "all"] {
        let mut server = Server::start(&["--dialect", dialect]);
        for name in [
            "browser_fly",
            "browser_pdf_save",
            "browser_mouse_click_xy",
            "browser_mouse_move_xy",
            "browser_mouse_drag_xy",
        ] {
            server.call(name, json!({})).refused(-32601, &format!("Unknown tool: {name}"));
        }
        server.call("browser_navigate", json!({})).refused(-32602, "Missing required argument: url");
        server
            .call("browser_navigate", json!({ "url": null }))
            .refused(-32602, "Missing required argument: url");
        let unknown = json!({ "url": "http://127.0.0.1/", "speed": 9 });
        server.call("browser_navigate", unknown).refused(-32602, "Unknown argument: speed; known: url");
        assert_eq!(server.descendants(), [0; 0]);
    }
    let with_caps = listed(&["--dialect", "browser", "--caps", "vision,pdf"]);
    let mut expected: BTreeSet<String> = golden("browser").into_keys().collect();
    expected.extend(
        ["browser_mouse_click_xy", "browser_mouse_move_xy", "browser_mouse_drag_xy", "browser_pdf_save"]
            .map(str::to_owned),
    );
    assert_eq!(with_caps, golden_file("browser.caps"));
    assert_eq!(with_caps.into_keys().collect::<BTreeSet<_>>(), expected);
    assert_eq!(listed(&["--dialect", "launch", "--caps", "vision,pdf"]), golden("launch"));
}

#[test]
fn what_is_missing_is_named_as_the_dialect_calls_it() {
    for (dialect, argument) in
        [("browser", "ref"), ("launch", "selector"), ("companion", "ref"), ("all", "ref")]
    {
        let mut server = Server::start(&["--dialect", dialect]);
        let missing = format!("Missing required argument: {argument}");
        server.call("browser_click", json!({})).refused(-32602, &missing);
    }
}

#[test]
fn the_examples_of_the_reference_work_one_after_the_other() {
    let page = "<title>Example Domain</title><h1>Welcome</h1><main id=content><form onsubmit='return false'>
        <label>Email <input type=email id=username></label><label><input type=checkbox> News</label>
        <label>Country <select><option>Spain<option>France</select></label><label>File <input type=file></label>
        <button id=save type=button>Save</button><button id=submit type=button>Send</button></form>
        <div class=card draggable=true>Card</div><div id=done class=done ondragover='event.preventDefault()'>Done</div></main>";
    for dialect in Dialect::ALL.map(|dialect| dialect.name) {
        let site = Site::with(&[("/", page), ("/before", page)]);
        // With the tools beside it that the suites open pages with.
        let spoken =
            if FAMILY.contains(&dialect) { dialect.to_owned() } else { format!("{dialect},browser") };
        let flags =
            ["--dialect", &spoken, "--caps", "vision,pdf", "--action-timeout", "2s", "--system-access"];
        let mut tab = open_site(&flags, site);
        tab.file("notes.txt", "some notes");
        // So that there is something to go back to.
        let before = tab.site.url("/before");
        tab.navigate(&before);
        let examples = Toolbox::new(&[Dialect::named(dialect).unwrap()], &Cap::ALL);
        assert!(examples.examples().len() >= 7);
        for (tool, arguments) in examples.examples() {
            let arguments = arguments.replace("https://example.com", tab.site.url("").trim_end_matches('/'));
            let arguments: Value = serde_json::from_str(&arguments).unwrap();
            let reply = tab.call(tool, arguments.clone());
            let worked = reply.message.get("error").is_none() && !reply.failed();
            assert!(worked, "{dialect}: {tool} {arguments}: {}", reply.message);
        }
    }
}

#[test]
fn the_default_listing_is_short() {
    let mut server = Server::start(&[]);
    let reply = server.request("tools/list", json!({}));
    let result = reply.message["result"].to_string().len();
    assert!(result <= 12 << 10 && reply.bytes <= 12 << 10, "{result} bytes, {} on the wire", reply.bytes);
}
