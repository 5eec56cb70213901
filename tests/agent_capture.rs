//! The `agent` dialect's `capture`: network traffic, HAR files, performance traces, and what goes wrong with them.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    life::{kill_browser, kill_renderers, list_with_a_crash},
    support::{
        Answer, Server, Site, Tab,
        agent::{DIALECT, data, fails},
        engine, har, open_site,
    },
};

/// Its `pending` says how many requests of its buttons it has not heard the end of.
const PAGE: &str = "<title>Shop</title><link rel=stylesheet href=/style.css><img src=/pixel.svg><h1>Shop</h1>
    <script>var pending = 0; const go = (url, init) => {
        pending++; fetch(url, init).then((answer) => answer.text()).finally(() => pending--) };
    const old = () => { pending++; const request = new XMLHttpRequest(); request.open('GET', '/api/old');
        request.onloadend = () => pending--; request.send() }</script>
    <button id=post onclick=\"go('/api/items?page=2', { method: 'POST', body: JSON.stringify({ a: 1 }),
        headers: { 'content-type': 'application/json' } })\">Post</button>
    <button id=get onclick=\"go('/api/items?page=1')\">Get</button>
    <button id=xhr onclick=old()>XHR</button>
    <button id=moved onclick=\"go('/moved')\">Moved</button>
    <button id=gone onclick=\"go('/gone')\">Gone</button>
    <button id=form onclick=\"go('/api/form', { method: 'POST', body: new URLSearchParams({ b: 'x y' }) })\">Form</button>";

fn site() -> Site {
    let site = Site::of(PAGE);
    site.answer(
        "/",
        Answer::Headed(
            &["Set-Cookie: a=1; Path=/; HttpOnly", "Set-Cookie: b=2; Path=/; SameSite=Lax"],
            PAGE.into(),
        ),
    );
    site.answer("/style.css", Answer::Body("text/css", b"h1 { color: red }".to_vec()));
    let pixel = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>";
    site.answer("/pixel.svg", Answer::Body("image/svg+xml", pixel.into()));
    site.answer("/favicon.ico", Answer::Body("image/png", vec![0x89, b'P', 0xff, 0]));
    site.answer("/api/items", Answer::Body("application/json", br#"{"items":["tea"]}"#.to_vec()));
    site.answer("/api/form", Answer::Body("text/plain", b"thanks".to_vec()));
    site.answer("/api/old", Answer::Body("application/octet-stream", vec![0, 159, 146, 150]));
    site.answer("/moved", Answer::Redirect("/api/items?page=3".into()));
    site
}

fn open() -> Tab {
    open_site(&DIALECT, site())
}

fn start(tab: &mut Tab, arguments: Value) {
    let mut arguments = arguments;
    arguments["action"] = "start".into();
    assert_eq!(data(&tab.call("capture", arguments))["state"], "running");
}

#[track_caller]
fn stop(server: &mut Server) -> Value {
    data(&server.call("capture", json!({ "action": "stop" }))).clone()
}

/// Clicks, and waits until the page has heard what came of it.
fn click(tab: &mut Tab, selector: &str) {
    tab.call("click", json!({ "selector": selector })).ok();
    tab.call("wait", json!({ "for": "function", "function": "return !globalThis.pending" })).ok();
}

/// The requests as `METHOD /path`, sorted.
fn paths(stopped: &Value) -> Vec<String> {
    let requests = stopped["requests"].as_array().unwrap().iter();
    let path = |url: &str| url.split('/').skip(3).collect::<Vec<_>>().join("/");
    let mut paths: Vec<String> = requests
        .map(|it| format!("{} /{}", it["method"].as_str().unwrap(), path(it["url"].as_str().unwrap())))
        .filter(|path| !path.contains("favicon"))
        .collect();
    paths.sort();
    paths.dedup();
    paths
}

fn request<'v>(stopped: &'v Value, part: &str) -> &'v Value {
    let mut requests = stopped["requests"].as_array().unwrap().iter();
    requests
        .find(|it| it["url"].as_str().unwrap().contains(part))
        .unwrap_or_else(|| panic!("{part}: {stopped}"))
}

/// Waits for a capture to end by itself.
fn ended(server: &mut Server) -> Value {
    let by = Instant::now() + Duration::from_secs(20);
    loop {
        let status = data(&server.call("capture", json!({ "action": "status" }))).clone();
        if status["state"] == "stopped" {
            return status;
        }
        assert!(Instant::now() < by, "{status}");
    }
}

fn read(tab: &Tab, name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(tab.working_directory().join(name)).unwrap()).unwrap()
}

#[test]
fn a_capture_is_started_looked_at_and_stopped() {
    let mut tab = open();
    let status = tab.call("capture", json!({ "action": "status" }));
    assert_eq!(data(&status)["state"], "none");
    status.says("No capture was started");
    fails(&tab.call("capture", json!({ "action": "stop" })), "NotStarted", "no capture was started in tab 1");
    let started = tab.call("capture", json!({ "action": "start" }));
    started.says("it stops automatically after 180 s");
    assert_eq!((&data(&started)["max_capture_time"], &data(&started)["tabId"]), (&json!(180_000), &json!(1)));
    let twice = tab.call("capture", json!({ "action": "start" }));
    fails(&twice, "AlreadyRunning", "already running in tab 1");
    tab.call("reload", json!({})).ok();
    click(&mut tab, "#get");
    click(&mut tab, "#gone");
    let status = data(&tab.call("capture", json!({ "action": "status", "tabId": 1 }))).clone();
    assert_eq!((&status["state"], &status["mode"]), (&json!("running"), &json!("network")));
    assert!(status["count"].as_u64().unwrap() >= 5, "{status}");
    let reply = tab.call("capture", json!({ "action": "stop" }));
    reply.says("Types: document 1").says("Failures:\n  GET 404 fetch").says("Requests:").says(" ms http://");
    let stopped = data(&reply);
    let expected = ["GET /", "GET /api/items?page=1", "GET /gone", "GET /pixel.svg", "GET /style.css"];
    assert_eq!(paths(stopped), expected);
    let items = request(stopped, "page=1");
    assert_eq!((&items["status"], &items["type"]), (&json!(200), &json!("fetch")));
    assert!(items["size"].as_u64().unwrap() > 10 && items["time"].as_f64().unwrap() > 0.0, "{items}");
    assert!(items.get("body").is_none(), "bodies were not asked for: {items}");
    assert_eq!(
        (&stopped["summary"]["by_type"]["document"], &stopped["summary"]["by_status"]["404"]),
        (&json!(1), &json!(1))
    );
    assert_eq!((&stopped["ended_by"], &stopped["truncated"]), (&json!("stop"), &json!(false)));
    assert_eq!(stopped["total"], stopped["count"]);
    assert!(stopped["summary"]["slowest"][0]["time"].as_f64().unwrap() >= items["time"].as_f64().unwrap());
    assert!(stopped["summary"]["largest"][0]["size"].as_u64().unwrap() >= items["size"].as_u64().unwrap());
    fails(&tab.call("capture", json!({ "action": "stop" })), "NotStarted", "no capture was started");
    // What was done meanwhile is not in the next one.
    click(&mut tab, "#get");
    start(&mut tab, json!({}));
    let defaults =
        json!({ "action": "stop", "include_bodies": false, "max_capture_time": 180_000, "mode": "network" });
    let stopped = tab.call("capture", defaults);
    assert_eq!((&data(&stopped)["total"], data(&stopped).get("path")), (&json!(0), None));
}

#[test]
fn filters_choose_by_url_type_and_method() {
    let mut tab = open();
    for (filter, expected) in [
        (
            json!({}),
            vec![
                "GET /",
                "GET /api/items?page=1",
                "GET /api/old",
                "GET /pixel.svg",
                "GET /style.css",
                "POST /api/items?page=2",
            ],
        ),
        (
            json!({ "url_pattern": "**/api/**" }),
            vec!["GET /api/items?page=1", "GET /api/old", "POST /api/items?page=2"],
        ),
        (json!({ "url_pattern": "/page=\\d/" }), vec!["GET /api/items?page=1", "POST /api/items?page=2"]),
        (json!({ "methods": ["post"] }), vec!["POST /api/items?page=2"]),
        (json!({ "methods": ["PUT", "DELETE"] }), vec![]),
        (json!({ "resource_types": ["document"] }), vec!["GET /"]),
        (json!({ "resource_types": ["stylesheet"] }), vec!["GET /style.css"]),
        (json!({ "resource_types": ["image"] }), vec!["GET /pixel.svg"]),
        (json!({ "resource_types": ["xhr"] }), vec!["GET /api/old"]),
        (json!({ "resource_types": ["fetch"] }), vec!["GET /api/items?page=1", "POST /api/items?page=2"]),
        (json!({ "resource_types": ["media", "font", "script", "websocket"] }), vec![]),
        (
            json!({ "url_pattern": "**/items*", "resource_types": ["fetch", "xhr"], "methods": ["GET"] }),
            vec!["GET /api/items?page=1"],
        ),
    ] {
        start(&mut tab, json!({ "filter": filter }));
        tab.call("reload", json!({})).ok();
        for button in ["#get", "#post", "#xhr"] {
            click(&mut tab, button);
        }
        assert_eq!(paths(&stop(&mut tab)), expected, "{filter}");
    }
}

/// Its `settled` says that all its parts came.
const PARTS: &str = "<title>Parts</title><style>@font-face { font-family: Own; src: url(/own.woff2) }</style><script src=/app.js></script>
    <video id=video preload=auto src=/sound.wav><track id=track default src=/words.vtt></video><script>
    const end = (it, ...types) => new Promise((done) => types.forEach((type) => it.addEventListener(type, done)));
    const font = document.fonts.load('16px Own').catch(() => 0);
    const socket = new WebSocket(`ws://${location.host}/socket`);
    Promise.all([end(video, 'loadeddata', 'error'), end(track, 'load', 'error'), end(socket, 'message', 'error'), font])
        .then(() => window.settled = true)</script>";

#[test]
fn every_type_of_resource_can_be_chosen() {
    let site = Site::of(PARTS);
    for (path, kind) in [
        ("/app.js", "text/javascript"),
        ("/own.woff2", "font/woff2"),
        ("/sound.wav", "audio/wav"),
        ("/words.vtt", "text/vtt"),
    ] {
        let headers = vec![format!("Content-Type: {kind}"), "Cache-Control: no-store".into()];
        site.answer(path, Answer::Raw(200, headers, b"WEBVTT".to_vec()));
    }
    site.answer("/socket", Answer::Socket("hello"));
    let mut tab = open_site(&DIALECT, site);
    for (kind, path) in [
        ("media", "/sound.wav"),
        ("font", "/own.woff2"),
        ("script", "/app.js"),
        ("websocket", "/socket"),
        ("other", "/words.vtt"),
    ] {
        start(&mut tab, json!({ "filter": { "resource_types": [kind] } }));
        tab.call("reload", json!({})).ok();
        tab.call("wait", json!({ "for": "function", "function": "return globalThis.settled" })).ok();
        let stopped = stop(&mut tab);
        assert_eq!(paths(&stopped), [format!("GET {path}")], "{kind}");
    }
}

#[test]
fn wrong_arguments_are_named() {
    let mut server = Server::start(&["--dialect", "agent"]);
    for (arguments, words) in [
        (json!({}), "Missing required argument: action"),
        (json!({ "action": "pause" }), "one of start, stop, status"),
        (json!({ "action": "start", "mode": "video" }), "one of network, trace"),
        (json!({ "action": "start", "include_bodies": "yes" }), "Invalid argument include_bodies"),
        (json!({ "action": "start", "max_capture_time": 0 }), "a number of milliseconds above 0"),
        (json!({ "action": "start", "max_capture_time": -5 }), "Invalid argument max_capture_time"),
        (json!({ "action": "start", "filter": [] }), "Invalid argument filter: it must be an object"),
        (
            json!({ "action": "start", "filter": { "host": "x" } }),
            "url_pattern, resource_types, methods; it has host",
        ),
        (json!({ "action": "start", "filter": { "url_pattern": "/(/" } }), "or /regex/: unclosed group"),
        (json!({ "action": "start", "filter": { "url_pattern": "" } }), "url_pattern is a glob"),
        (
            json!({ "action": "start", "filter": { "url_pattern": "*.png" } }),
            "*.png matches no URL, **.png may",
        ),
        (json!({ "action": "start", "filter": { "url_pattern": "api/user" } }), "**/api/user may"),
        (
            json!({ "action": "start", "filter": { "resource_types": ["video"] } }),
            "one of document, stylesheet",
        ),
        (json!({ "action": "start", "filter": { "resource_types": "image" } }), "resource_types is a list"),
        (json!({ "action": "start", "filter": { "methods": ["G ET"] } }), "an HTTP method"),
        (json!({ "action": "start", "save_path": "a.har" }), "save_path goes with action stop"),
        (json!({ "action": "status", "save_path": "a.har" }), "save_path goes with action stop"),
        (json!({ "action": "stop", "include_bodies": true }), "go with action start"),
        (json!({ "action": "start", "mode": "trace", "include_bodies": true }), "go with mode network"),
        (json!({ "action": "stop", "save_path": "" }), "Invalid argument save_path"),
        (json!({ "action": "start", "tabId": "one" }), "Invalid argument tabId"),
    ] {
        server.call("capture", arguments).refused(-32602, words);
    }
    assert_eq!(server.descendants(), [0; 0]);
    fails(&server.call("capture", json!({ "action": "stop", "tabId": 9 })), "NoTab", "unknown tab id 9");
    fails(&server.call("capture", json!({ "action": "stop" })), "NotStarted", "no capture was started");
    assert_eq!(server.descendants(), [0; 0], "stopping nothing starts no browser");
}

#[test]
fn bodies_are_returned_when_asked_for() {
    let mut tab = open();
    start(&mut tab, json!({ "include_bodies": true }));
    tab.call("reload", json!({})).ok();
    for button in ["#get", "#post", "#form", "#xhr", "#moved"] {
        click(&mut tab, button);
    }
    let reply = tab.call("capture", json!({ "action": "stop" }));
    reply.says("sent: {\"a\":1}").says("body: {\"items\":[\"tea\"]}");
    let stopped = data(&reply);
    assert_eq!(request(stopped, "page=2")["post_data"], r#"{"a":1}"#);
    assert_eq!(request(stopped, "page=2")["body"], r#"{"items":["tea"]}"#);
    assert_eq!(request(stopped, "form")["post_data"], "b=x+y");
    assert_eq!(request(stopped, "style.css")["body"], "h1 { color: red }");
    assert_eq!(request(stopped, "/moved")["redirected_to"], "/api/items?page=3");
    assert_eq!(request(stopped, "page=3")["body"], r#"{"items":["tea"]}"#);
    assert_eq!(request(stopped, "/old")["body_note"], "binary, 4 bytes");
    let page = stopped["requests"].as_array().unwrap().iter().find(|it| it["type"] == "document").unwrap();
    assert!(page["body"].as_str().unwrap().contains("<h1>Shop</h1>"), "{page}");
}

#[test]
fn a_har_file_has_everything_and_keeps_the_rules() {
    let mut tab = open();
    start(&mut tab, json!({ "include_bodies": true }));
    tab.call("reload", json!({})).ok();
    for button in ["#get", "#post", "#form", "#xhr", "#moved", "#gone"] {
        click(&mut tab, button);
    }
    tab.evaluate("fetch('http://127.0.0.1:29173/').catch(() => 0)");
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "traffic/shop.har" }));
    reply.says("Saved to traffic/shop.har").says("failed");
    assert_eq!(data(&reply)["path"], "traffic/shop.har");
    let entries = har::entries(&read(&tab, "traffic/shop.har"));
    let entry = |part: &str| {
        let mut found = entries.iter().filter(|it| it["request"]["url"].as_str().unwrap().contains(part));
        found.next().unwrap_or_else(|| panic!("{part}"))
    };
    let header = |message: &Value, name: &str| {
        let headers = message["headers"].as_array().unwrap().iter();
        let mut values = headers.filter(|it| it["name"].as_str().unwrap().eq_ignore_ascii_case(name));
        values.next().map(|it| it["value"].as_str().unwrap().to_owned())
    };
    let page = entries.iter().find(|it| it["_resourceType"] == "document").unwrap();
    let set: Vec<&str> = page["response"]["cookies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(set, ["a", "b"]);
    assert_eq!(page["response"]["cookies"][0]["httpOnly"], true);
    assert_eq!(page["response"]["httpVersion"], "HTTP/1.1");
    assert!(page["response"]["content"]["text"].as_str().unwrap().contains("<h1>Shop"), "{page}");
    let posted = entry("page=2");
    assert_eq!(posted["request"]["method"], "POST");
    assert_eq!(
        posted["request"]["postData"],
        json!({ "mimeType": "application/json", "text": "{\"a\":1}", "params": [] })
    );
    assert_eq!(posted["request"]["queryString"], json!([{ "name": "page", "value": "2" }]));
    let sent: Vec<&str> = posted["request"]["cookies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(sent, ["a", "b"], "HttpOnly cookies, too");
    assert!(
        header(&posted["request"], "user-agent").is_some()
            && header(&posted["response"], "content-length").is_some()
    );
    assert_eq!(posted["response"]["content"]["size"], 17);
    assert_eq!(entry("form")["request"]["postData"]["params"], json!([{ "name": "b", "value": "x y" }]));
    let moved = entry("/moved");
    assert_eq!(
        (&moved["response"]["status"], &moved["response"]["redirectURL"]),
        (&json!(302), &json!("/api/items?page=3"))
    );
    assert_eq!(entry("page=3")["response"]["status"], 200);
    assert_eq!(entry("/gone")["response"]["status"], 404);
    let old = &entry("/old")["response"]["content"];
    assert_eq!((&old["encoding"], &old["text"]), (&json!("base64"), &json!("AJ+Slg==")));
    let failed = &entry("29173")["response"];
    assert_eq!(failed["status"], 0);
    assert!(!failed["_error"].as_str().unwrap().is_empty(), "{failed}");
    assert!(entries.iter().all(|it| it["time"].as_f64().unwrap() >= 0.0));
}

#[test]
fn messages_of_websockets_are_in_the_file() {
    let mut tab = open();
    tab.site.answer("/socket", Answer::Socket("welcome"));
    start(&mut tab, json!({ "filter": { "resource_types": ["websocket"] } }));
    tab.evaluate(
        "new Promise((done) => { const socket = new WebSocket('ws://' + location.host + '/socket');
         socket.onmessage = () => { socket.send('hello'); done() } })",
    );
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "socket.har" }));
    assert_eq!(request(data(&reply), "/socket")["messages"], 2);
    let entries = har::entries(&read(&tab, "socket.har"));
    let messages = entries[0]["_webSocketMessages"].as_array().unwrap();
    let told: Vec<(&Value, &Value, &Value)> =
        messages.iter().map(|it| (&it["type"], &it["data"], &it["opcode"])).collect();
    let (one, welcome, hello) = (json!(1), json!("welcome"), json!("hello"));
    assert_eq!(told, [(&json!("receive"), &welcome, &one), (&json!("send"), &hello, &one)]);
    assert_eq!(entries[0]["response"]["status"], 101);
    assert!(messages[0]["time"].as_f64().unwrap() > 1.5e9);
}

#[test]
fn frames_and_workers_of_the_tab_are_captured_and_other_tabs_are_not() {
    let site = site();
    site.answer("/frame", Answer::Html("<p>frame</p><script>fetch('/from-frame')</script>".into()));
    site.answer("/from-frame", Answer::Body("text/plain", b"framed".to_vec()));
    site.answer(
        "/worker.js",
        Answer::Body("text/javascript", b"fetch('/from-worker').then(() => postMessage(1))".to_vec()),
    );
    site.answer("/from-worker", Answer::Body("text/plain", b"worked".to_vec()));
    let mut tab = open_site(&DIALECT, site);
    start(&mut tab, json!({ "include_bodies": true }));
    let frame = tab.site.other_url("/frame");
    tab.evaluate(&format!(
        "new Promise((done) => {{ const frame = document.createElement('iframe'); frame.src = '{frame}';
         frame.onload = () => {{ globalThis.worker = new Worker('/worker.js'); worker.onmessage = done }}; document.body.append(frame) }})"
    ));
    let url = tab.site.url("/?other");
    tab.call("tab_new", json!({ "url": url })).ok();
    tab.call("tab_switch", json!({ "tabId": 1 })).ok();
    let stopped = stop(&mut tab);
    assert_eq!(paths(&stopped), ["GET /frame", "GET /from-frame", "GET /from-worker", "GET /worker.js"]);
    assert_eq!(request(&stopped, "/from-frame")["body"], "framed");
    assert_eq!(request(&stopped, "/from-worker")["body"], "worked");
    // A capture of another tab goes by its id.
    let started = tab.call("capture", json!({ "action": "start", "tabId": 2 }));
    assert_eq!(data(&started)["tabId"], 2);
    tab.call("reload", json!({ "tabId": 2 })).ok();
    fails(&tab.call("capture", json!({ "action": "stop" })), "NotStarted", "tabs with a capture: 2");
    let other = data(&tab.call("capture", json!({ "action": "stop", "tabId": 2 }))).clone();
    assert!(paths(&other).contains(&"GET /?other".to_owned()), "{other}");
}

#[test]
fn a_capture_ends_by_itself_and_is_still_returned() {
    let mut tab = open();
    let started = tab.call("capture", json!({ "action": "start", "max_capture_time": 1500 }));
    started.says("after 1.5 s");
    click(&mut tab, "#get");
    let status = ended(&mut tab);
    assert_eq!((&status["ended_by"], &status["count"]), (&json!("max_capture_time"), &json!(1)));
    click(&mut tab, "#post");
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "late.har" }));
    reply.says("stopped by itself after 1.5 s");
    assert_eq!(paths(data(&reply)), ["GET /api/items?page=1"]);
    assert_eq!(har::entries(&read(&tab, "late.har")).len(), 1);
    // One that has ended makes room for another, which says so.
    start(&mut tab, json!({ "max_capture_time": 50 }));
    ended(&mut tab);
    tab.call("capture", json!({ "action": "start" })).says("the earlier capture of this tab was discarded");
    stop(&mut tab);
    start(&mut tab, json!({ "inactivity_timeout": 200 }));
    assert_eq!(ended(&mut tab)["ended_by"], "inactivity_timeout");
}

#[test]
fn what_was_caught_survives_the_tab() {
    let mut tab = open();
    let url = tab.site.url("/");
    tab.call("tab_new", json!({ "url": url })).ok();
    start(&mut tab, json!({ "include_bodies": true }));
    click(&mut tab, "#get");
    tab.call("tab_close", json!({ "tabId": 2 })).ok();
    let status = data(&tab.call("capture", json!({ "action": "status", "tabId": 2 }))).clone();
    assert_eq!((&status["state"], &status["ended_by"]), (&json!("stopped"), &json!("tab_closed")));
    let stopped = data(&tab.call("capture", json!({ "action": "stop", "save_path": "closed.har" }))).clone();
    assert_eq!((&stopped["tabId"], &stopped["ended_by"]), (&json!(2), &json!("tab_closed")));
    assert_eq!(request(&stopped, "page=1")["body"], r#"{"items":["tea"]}"#);
    assert_eq!(har::entries(&read(&tab, "closed.har")).len(), 1);
    fails(&tab.call("capture", json!({ "action": "stop", "tabId": 2 })), "NoTab", "unknown tab id 2");
}

/// More than a capture keeps.
#[test]
fn a_capture_of_very_many_requests_is_bounded_and_says_so() {
    const KEPT: usize = 10_000;
    const ASKED: usize = KEPT + 50;
    let mut tab = open();
    // What the browser has is there at once.
    tab.site.answer("/n", Answer::Headed(&["Cache-Control: max-age=600"], "n".into()));
    start(&mut tab, json!({ "filter": { "url_pattern": "**/n" } }));
    // It takes longer than a script may.
    tab.evaluate(&format!(
        "() => {{
            let left = {ASKED};
            const some = async () => {{ while (left-- > 0) await (await fetch('/n')).text(); }};
            Promise.all(Array.from({{ length: 6 }}, some)).then(() => document.body.append('all are there'));
        }}"
    ));
    let wait = json!({ "for": "text", "text": "all are there", "timeout": 50_000 });
    assert!((0..4).any(|_| !tab.call("wait", wait.clone()).failed()), "they take more than three minutes");
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "many.har" }));
    let stopped = data(&reply);
    assert_eq!((&stopped["total"], &stopped["truncated"]), (&json!(ASKED), &json!(true)));
    reply.says(&format!("truncated, {ASKED} requests in total; the file has the first {KEPT}"));
    assert!(reply.bytes < 400_000, "{} bytes", reply.bytes);
    let har = read(&tab, "many.har");
    assert_eq!(har::entries(&har).len(), KEPT);
    assert_eq!(har["log"]["comment"], format!("50 more requests were not kept, only the first {KEPT}"));
}

#[test]
fn what_was_caught_survives_a_crash() {
    let mut tab = open();
    start(&mut tab, json!({ "include_bodies": true }));
    click(&mut tab, "#get");
    kill_renderers(&tab);
    list_with_a_crash(&mut tab);
    let stopped = stop(&mut tab);
    assert_eq!(stopped["ended_by"], "crash");
    assert_eq!(request(&stopped, "page=1")["body"], r#"{"items":["tea"]}"#);
}

#[test]
fn what_was_caught_survives_the_browser() {
    let mut tab = open();
    start(&mut tab, json!({ "include_bodies": true }));
    click(&mut tab, "#get");
    kill_browser(&tab);
    let status = ended(&mut tab);
    assert_eq!(status["ended_by"], "browser_ended");
    let stopped = data(&tab.call("capture", json!({ "action": "stop", "save_path": "killed.har" }))).clone();
    assert_eq!(request(&stopped, "page=1")["body"], r#"{"items":["tea"]}"#);
    assert_eq!(har::entries(&read(&tab, "killed.har")).len(), 1);
}

#[test]
fn a_file_that_cannot_be_written_loses_nothing() {
    let mut tab = open();
    start(&mut tab, json!({}));
    click(&mut tab, "#get");
    std::fs::create_dir(tab.working_directory().join("full")).unwrap();
    tab.file("taken", "a file");
    for (path, name, words) in [
        ("/etc/traffic.har", "Forbidden", "outside of the directories"),
        ("../traffic.har", "Forbidden", "outside of the directories"),
        ("full", "FileError", "is a directory"),
        ("taken/traffic.har", "FileError", "taken"),
    ] {
        fails(&tab.call("capture", json!({ "action": "stop", "save_path": path })), name, words);
    }
    let names = |directory: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(directory).unwrap().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    assert!(
        !names(&tab.working_directory())
            .iter()
            .any(|name| name.contains("traffic") || name.contains(".part"))
    );
    let stopped = data(&tab.call("capture", json!({ "action": "stop", "save_path": "traffic.har" }))).clone();
    assert_eq!(paths(&stopped), ["GET /api/items?page=1"]);
    assert_eq!(har::entries(&read(&tab, "traffic.har")).len(), 1);
}

#[test]
fn a_body_of_a_hundred_megabytes_is_left_out_and_that_is_said() {
    let mut tab = open();
    tab.site.answer("/large", Answer::Body("application/octet-stream", vec![b'x'; 100 << 20]));
    start(&mut tab, json!({ "include_bodies": true }));
    tab.evaluate("fetch('/large').then((answer) => answer.arrayBuffer()).then((body) => body.byteLength)");
    click(&mut tab, "#get");
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "large.har" }));
    reply.says("body: not captured, too large").says("1 bodies were not captured: a body may have 10 MB");
    let large = request(data(&reply), "/large");
    assert_eq!(large["body_note"], "not captured: too large");
    assert!(large["size"].as_u64().unwrap() > 100_000_000, "{large}");
    assert_eq!(request(data(&reply), "page=1")["body"], r#"{"items":["tea"]}"#);
    let entries = har::entries(&read(&tab, "large.har"));
    assert_eq!(entries[0]["response"]["content"]["comment"], "not captured: too large");
}

#[test]
fn a_request_body_that_is_too_large_is_left_out_and_that_is_said() {
    let mut tab = open();
    start(&mut tab, json!({}));
    tab.evaluate(
        "fetch('/api/form', { method: 'POST', body: 'x'.repeat(11 << 20) }).then((it) => it.text(), () => 0)",
    );
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "sent.har" }));
    reply.says("sent: not captured, too large").says("1 bodies were not captured");
    let sent = request(data(&reply), "/api/form");
    assert_eq!((&sent["post_data_note"], sent.get("post_data")), (&json!("not captured: too large"), None));
    let entries = har::entries(&read(&tab, "sent.har"));
    assert_eq!(entries[0]["request"]["postData"]["comment"], "not captured: too large");
}

#[test]
fn what_a_reply_cuts_is_saved_unasked() {
    let mut tab = open();
    tab.site.answer("/long", Answer::Body("text/plain", vec![b'x'; 50_000]));
    for (script, include_bodies, count) in [
        (
            "Promise.all([...Array(120).keys()].map((n) => fetch('/api/items?n=' + n).then((it) => it.text()))).then(() => 1)",
            false,
            120,
        ),
        ("fetch('/long').then((it) => it.text()).then(() => 1)", true, 1),
    ] {
        start(&mut tab, json!({ "include_bodies": include_bodies }));
        tab.evaluate(script);
        let reply = tab.call("capture", json!({ "action": "stop" }));
        let path = data(&reply)["path"].as_str().unwrap().to_owned();
        assert!(path.starts_with(".viewpoint-mcp-screenshots/capture-") && path.ends_with(".har"), "{path}");
        reply.says(&format!("Saved to {path}"));
        let entries = har::entries(&read(&tab, &path));
        assert_eq!(entries.len(), count);
        if include_bodies {
            assert_eq!(request(data(&reply), "/long")["body_truncated"], true);
            assert_eq!(entries[0]["response"]["content"]["text"].as_str().unwrap().len(), 50_000);
        } else {
            reply.says("… truncated, 120 requests in total; the file has all of them");
        }
    }
}

#[test]
fn a_long_list_is_cut_and_its_length_said() {
    let mut tab = open();
    start(&mut tab, json!({}));
    tab.evaluate("Promise.all([...Array(150).keys()].map((n) => fetch('/api/items?n=' + n).then((answer) => answer.text()))).then(() => 1)");
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "many.har" }));
    reply.says("150 requests").says("… truncated, 150 requests in total; the file has all of them");
    let stopped = data(&reply);
    assert_eq!(
        (&stopped["count"], &stopped["total"], &stopped["truncated"]),
        (&json!(100), &json!(150), &json!(true))
    );
    assert_eq!(har::entries(&read(&tab, "many.har")).len(), 150);
    assert!(reply.text().len() < 30_000, "{}", reply.text().len());
}

#[test]
fn secrets_are_neither_told_nor_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secrets.env");
    std::fs::write(&path, "PASSWORD@127.0.0.1='p4ss word/1'\n").unwrap();
    let flags = [DIALECT[0], DIALECT[1], "--secrets", path.to_str().unwrap()];
    let site = Site::of(
        "<form action=/sent method=post><input name=password aria-label=Password><button>Send</button></form>",
    );
    site.answer("/sent", Answer::Html("<title>Sent</title>".into()));
    let mut tab = open_site(&flags, site);
    start(&mut tab, json!({ "include_bodies": true }));
    tab.call("fill", json!({ "selector": "label:Password", "value": "$PASSWORD" })).ok();
    click(&mut tab, "button");
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "secret.har" }));
    assert_eq!(request(data(&reply), "/sent")["post_data"], "password=<secret PASSWORD>");
    let written = std::fs::read_to_string(tab.working_directory().join("secret.har")).unwrap();
    for spelling in ["p4ss word", "p4ss+word", "p4ss%20word"] {
        assert!(!reply.message.to_string().contains(spelling) && !written.contains(spelling), "{spelling}");
    }
    har::entries(&serde_json::from_str(&written).unwrap());
    assert!(written.contains("<secret PASSWORD>"), "{written}");
}

#[test]
fn old_names_capture() {
    let mut tab = open();
    let started = tab.call("chrome_network_capture", json!({ "action": "start", "needResponseBody": true, "maxCaptureTime": 60_000, "inactivityTimeout": 0 }));
    assert_eq!(data(&started)["max_capture_time"], 60_000);
    tab.call("reload", json!({})).ok();
    click(&mut tab, "#get");
    let stopped = data(&tab.call("chrome_network_capture", json!({ "action": "stop" }))).clone();
    assert_eq!(
        paths(&stopped),
        ["GET /", "GET /api/items?page=1"],
        "static resources are left out unless asked for"
    );
    assert_eq!(request(&stopped, "page=1")["body"], r#"{"items":["tea"]}"#);
    let url = tab.site.url("/?again");
    data(&tab.call("chrome_network_capture_start", json!({ "url": url, "includeStatic": true })));
    let stopped = data(&tab.call("chrome_network_capture_stop", json!({}))).clone();
    assert_eq!(paths(&stopped), ["GET /?again", "GET /pixel.svg", "GET /style.css"]);
    data(&tab.call("chrome_network_debugger_start", json!({})));
    click(&mut tab, "#get");
    let stopped = data(&tab.call("chrome_network_debugger_stop", json!({}))).clone();
    assert_eq!(request(&stopped, "page=1")["body"], r#"{"items":["tea"]}"#);
}

#[test]
fn a_capture_with_a_url_leaves_a_stuck_page_like_a_navigation() {
    let stuck = "<h1>Stuck</h1><script>setInterval(() => { for (;;); }, 0)</script>";
    let site = Site::with(&[("/", PAGE), ("/stuck", stuck)]);
    let flags = [&DIALECT[..], &["--action-timeout", "1s", "--navigation-timeout", "2s"]].concat();
    let mut tab = open_site(&flags, site);
    let (stuck, shop) = (tab.site.url("/stuck"), tab.site.url("/"));
    tab.call("navigate", json!({ "url": stuck }));
    assert!(tab.call("evaluate", json!({ "expression": "1", "timeout": 300 })).failed());
    let began = Instant::now();
    data(&tab.call("capture", json!({ "action": "start", "url": shop })));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    click(&mut tab, "#get");
    let stopped = stop(&mut tab);
    assert!(request(&stopped, "page=1").is_object(), "{stopped}");
    assert!(paths(&stopped).contains(&"GET /".to_owned()), "{stopped}");
}

/// A page with something large that comes late, moves the rest, and keeps the thread busy when clicked.
const HEAVY: &str = "<title>Heavy</title><button id=busy onclick=\"const end = performance.now() + 150; while (performance.now() < end);\">Busy</button>
    <div id=late></div><p>below</p><script>addEventListener('load', () => setTimeout(() => {
    late.innerHTML = '<h1 style=\"font-size:80px;height:300px\">A large heading</h1>'; document.title = 'Moved' }, 50))</script>";

#[test]
fn a_trace_says_what_the_page_was_like() {
    let site = Site::of(HEAVY);
    let mut tab = open_site(&DIALECT, site);
    let started = tab.call("capture", json!({ "action": "start", "mode": "trace" }));
    started.says("Recording a performance trace of tab 1");
    assert_eq!(data(&started)["mode"], "trace");
    let url = tab.site.url("/");
    tab.call("navigate", json!({ "url": url })).ok();
    tab.call("wait", json!({ "for": "text", "text": "A large heading" })).ok();
    click(&mut tab, "#busy");
    let second = tab.call("tab_new", json!({}));
    let second = data(&second)["tabId"].clone();
    let refused = tab.call("capture", json!({ "action": "start", "mode": "trace", "tabId": second }));
    fails(&refused, "TraceFailed", "could not be started");
    let reply = tab.call("capture", json!({ "action": "stop", "tabId": 1, "save_path": "page.json" }));
    reply.says("LCP: ").says("CLS: 0.").says("INP: ").says("Long tasks: ").says("Saved to page.json");
    let told = &data(&reply)["summary"];
    assert!(told["lcp"].as_f64().unwrap() > 0.0 && told["fcp"].as_f64().unwrap() > 0.0, "{told}");
    assert!(told["cls"].as_f64().unwrap() > 0.0 && told["inp"].as_f64().unwrap() >= 100.0, "{told}");
    assert!(
        told["long_task_count"].as_u64().unwrap() >= 1 && told["blocking_time"].as_f64().unwrap() >= 90.0,
        "{told}"
    );
    assert_eq!((&told["url"], &data(&reply)["mode"]), (&json!(tab.site.url("/")), &json!("trace")));
    assert!(told["largest_requests"][0]["url"].as_str().unwrap().starts_with("http://"), "{told}");
    let trace = read(&tab, "page.json");
    let events = trace["traceEvents"].as_array().unwrap();
    assert_eq!(events.len(), told["events"].as_u64().unwrap() as usize);
    assert!(events.iter().all(|event| event["ph"].is_string() && event["pid"].is_number()));
    let frames = events.iter().find(|event| event["name"] == "TracingStartedInBrowser").unwrap();
    assert!(frames["args"]["data"]["frames"][0]["frame"].is_string(), "DevTools needs it: {frames}");
    has_the_shape_that_devtools_loads(&trace);
}

/// An object with a list of events; by metadata events, the names of its processes and threads, the page's main thread among
/// them.
#[track_caller]
fn has_the_shape_that_devtools_loads(trace: &Value) {
    assert!(trace.is_object() && trace.get("metadata").is_none_or(Value::is_object));
    let events = trace["traceEvents"].as_array().unwrap();
    for event in events {
        assert!(event["tid"].is_number() && event["name"].is_string() && event["cat"].is_string(), "{event}");
        assert!(event["ts"].is_number() || event["ph"] == "M", "{event}");
        assert!(event["ph"] != "X" || event["dur"].is_number() || event["tdur"].is_null(), "{event}");
    }
    let named = |kind: &str| -> Vec<(&Value, &Value, &str)> {
        let metadata = events.iter().filter(|event| event["ph"] == "M" && event["name"] == kind);
        metadata.map(|it| (&it["pid"], &it["tid"], it["args"]["name"].as_str().unwrap())).collect()
    };
    let (processes, threads) = (named("process_name"), named("thread_name"));
    assert!(processes.iter().any(|(.., name)| *name == "Browser"), "{processes:?}");
    assert!(threads.iter().any(|(.., name)| *name == "CrBrowserMain"), "{threads:?}");
    let painted = events.iter().find(|event| event["name"] == "firstContentfulPaint").expect("a paint");
    let main = threads.iter().find(|(pid, _, name)| **pid == painted["pid"] && *name == "CrRendererMain");
    assert!(main.is_some(), "the page's main thread has no name: {threads:?}");
}

#[test]
fn a_trace_ends_by_itself_or_with_its_tab_and_by_its_old_names() {
    let mut tab = open();
    data(
        &tab.call(
            "performance_start_trace",
            json!({ "reload": true, "autoStop": true, "durationMs": 1_000 }),
        ),
    );
    ended(&mut tab);
    let reply = tab.call("performance_stop_trace", json!({ "filenamePrefix": "run" }));
    reply.says("stopped by itself").says("LCP: ");
    assert!(read(&tab, "run.json")["traceEvents"].is_array());
    let again = tab.call("performance_analyze_insight", json!({ "insightName": "LCPBreakdown" }));
    again.says("The last trace, of tab 1").says("LCP: ");
    assert_eq!(data(&again)["summary"], data(&reply)["summary"]);
    fails(&tab.call("performance_stop_trace", json!({})), "NotStarted", "no capture was started");
    let url = tab.site.url("/");
    tab.call("tab_new", json!({ "url": url })).ok();
    start(&mut tab, json!({ "mode": "trace" }));
    tab.call("reload", json!({})).ok();
    tab.call("tab_close", json!({ "tabId": 2 })).ok();
    let reply = tab.call("capture", json!({ "action": "stop", "save_path": "closed.json.gz" }));
    reply.says("ended when the tab was closed").says("LCP: ");
    let written = std::fs::read(tab.working_directory().join("closed.json.gz")).unwrap();
    assert_eq!(written[..2], [0x1f, 0x8b], "gzip");
    // The browser has it, not the page.
    start(&mut tab, json!({ "mode": "trace" }));
    tab.call("reload", json!({})).ok();
    kill_renderers(&tab);
    list_with_a_crash(&mut tab);
    tab.call("capture", json!({ "action": "stop" })).says("ended when the page crashed").says("LCP: ");
}

/// Browsers deliver a trace at its end only.
#[test]
fn a_trace_is_lost_with_its_browser_and_that_is_said() {
    let mut tab = open();
    start(&mut tab, json!({ "mode": "trace" }));
    kill_browser(&tab);
    tab.call("tab_list", json!({}));
    let status = tab.call("capture", json!({ "action": "status", "mode": "trace" }));
    status.says("ended with the browser").says("the trace was lost: ").says_not("stop returns it");
    assert_eq!(
        (&data(&status)["state"], &data(&status)["ended_by"]),
        (&json!("lost"), &json!("browser_ended"))
    );
    let stopped = tab.call("capture", json!({ "action": "stop" }));
    fails(&stopped, "TraceFailed", "the trace was lost: ");
    assert!(stopped.text().contains("stop it while its tab and the browser run"), "{}", stopped.text());
    fails(&tab.call("capture", json!({ "action": "stop" })), "NotStarted", "no capture was started");
}

#[test]
fn a_browser_without_traces_says_so() {
    let mut tab = open();
    let started = tab.call("capture", json!({ "action": "start", "mode": "trace" }));
    if matches!(engine().as_deref(), Some("firefox" | "webkit")) {
        fails(&started, "Unsupported", "this browser cannot record performance traces");
        // The tab is free for another one.
        start(&mut tab, json!({}));
    } else {
        data(&started);
        fails(&tab.call("capture", json!({ "action": "start" })), "AlreadyRunning", "already running");
    }
}
