//! The `agent` dialect: going places, tabs and windows, and what sites keep.

use serde_json::{Value, json};

use crate::support::{Answer, Server, Site};

/// A server of the dialect, and a site with two pages.
fn start() -> (Server, Site) {
    let site = Site::with(&[("/", "<title>Home</title><h1>Home</h1>"), ("/b", "<title>B</title><p>bee</p>")]);
    (Server::start(&["--dialect", "agent"]), site)
}

/// What the reply's data says.
#[track_caller]
fn data(server: &mut Server, tool: &str, arguments: Value) -> Value {
    let reply = server.call(tool, arguments);
    reply.ok();
    assert_eq!(reply.facts()["success"], true, "{}", reply.message);
    reply.facts()["data"].clone()
}

/// The error that the reply must be.
#[track_caller]
fn error(server: &mut Server, tool: &str, arguments: Value) -> String {
    let reply = server.call(tool, arguments);
    assert!(reply.failed(), "{}", reply.message);
    assert_eq!(reply.facts()["success"], false);
    assert!(reply.facts()["code"].is_number() && reply.facts()["name"].is_string(), "{}", reply.message);
    reply.facts()["error"].as_str().unwrap().to_owned()
}

#[test]
fn pages_are_gone_to_and_through() {
    let (mut server, site) = start();
    let home = data(&mut server, "navigate", json!({ "url": site.url("/") }));
    assert_eq!((&home["title"], &home["status"], &home["tabId"]), (&json!("Home"), &json!(200), &json!(1)));
    data(&mut server, "navigate", json!({ "url": site.url("/b"), "wait_until": "networkidle" }));
    assert_eq!(data(&mut server, "back", json!({}))["url"], site.url("/"));
    assert!(error(&mut server, "back", json!({})).contains("no page to go back to"));
    assert_eq!(data(&mut server, "forward", json!({ "tabId": 1 }))["title"], "B");
    assert!(error(&mut server, "forward", json!({})).contains("no page to go forward to"));
    assert_eq!(data(&mut server, "navigate", json!({ "action": "back" }))["title"], "Home");
    let before = site.requests().len();
    assert_eq!(data(&mut server, "reload", json!({}))["title"], "Home");
    data(&mut server, "navigate", json!({ "action": "reload", "wait_until": "domcontentloaded" }));
    assert!(site.requests().len() >= before + 2, "{:?}", site.requests());
    server.call("navigate", json!({})).refused(-32602, "Missing required argument: url");
    server.call("navigate", json!({ "action": "back", "url": site.url("/") })).refused(-32602, "take no url");
    server
        .call("navigate", json!({ "url": site.url("/"), "wait_until": "soon" }))
        .refused(-32602, "wait_until");
    assert!(
        error(&mut server, "navigate", json!({ "url": "http://127.0.0.1:9" }))
            .contains("could not be loaded")
    );
}

#[test]
fn a_navigation_has_its_own_time_and_headers() {
    let (mut server, site) = start();
    site.answer("/silent", Answer::Silent);
    let late = error(&mut server, "navigate", json!({ "url": site.url("/silent"), "timeout": 400 }));
    assert!(late.contains("within 0.4 s"), "{late}");
    let (url, heads) = echo();
    data(&mut server, "navigate", json!({ "url": url, "headers": { "X-Guide": "cicerone" } }));
    data(&mut server, "navigate", json!({ "url": format!("{url}again") }));
    let sent = |path: &str| {
        let head = heads.iter().find(|head| head.starts_with(&format!("GET {path} "))).unwrap();
        head.to_lowercase().contains("x-guide: cicerone")
    };
    assert!(sent("/"));
    assert!(!sent("/again"));
    server
        .call("navigate", json!({ "url": url, "headers": { "X-Bad": "a\r\nb" } }))
        .refused(-32602, "headers");
}

/// A server that answers everything with a page, and tells the heads of requests.
fn echo() -> (String, std::sync::mpsc::Receiver<String>) {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (tell, heads) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 4096];
            let length = stream.read(&mut head).unwrap_or(0);
            let page = "<title>Echo</title><link rel=icon href=data:,>";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{page}",
                page.len()
            );
            let _ = stream.write_all(answer.as_bytes());
            if tell.send(String::from_utf8_lossy(&head[..length]).into_owned()).is_err() {
                return;
            }
        }
    });
    (url, heads)
}

#[test]
fn tabs_and_windows_have_ids_that_stay() {
    let (mut server, site) = start();
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    let behind =
        data(&mut server, "navigate", json!({ "url": site.url("/b"), "new_tab": true, "background": true }));
    assert_eq!((&behind["tabId"], &behind["windowId"]), (&json!(2), &json!(1)));
    let size = json!({ "width": 640, "height": 480 });
    let arguments = json!({ "url": site.url("/"), "new_window": true, "window_size": size });
    let window = data(&mut server, "navigate", arguments);
    assert_eq!((&window["tabId"], &window["windowId"]), (&json!(3), &json!(2)));
    let into = data(&mut server, "navigate", json!({ "url": site.url("/b"), "windowId": 2 }));
    assert_eq!((&into["tabId"], &into["windowId"]), (&json!(4), &json!(2)));
    let listed = data(&mut server, "tab_list", json!({}));
    assert_eq!(listed["count"], 4);
    let active: Vec<&Value> =
        listed["tabs"].as_array().unwrap().iter().filter(|tab| tab["active"] == true).collect();
    assert_eq!(active.len(), 1, "{listed}");
    assert_eq!(active[0]["tabId"], 4);
    assert_eq!(data(&mut server, "tab_list", json!({ "windowId": 2 }))["count"], 2);
    assert_eq!(data(&mut server, "tab_switch", json!({ "tabId": 1 }))["title"], "Home");
    assert_eq!(data(&mut server, "tab_switch", json!({ "index": 1 }))["tabId"], 2);
    assert_eq!(data(&mut server, "tab_new", json!({ "active": false }))["active"], false);
    assert_eq!(data(&mut server, "tab_new", json!({ "url": site.url("/b"), "windowId": 2 }))["windowId"], 2);
    assert!(error(&mut server, "tab_switch", json!({ "tabId": 77 })).contains("no tab with the id 77"));
    assert!(error(&mut server, "tab_switch", json!({ "index": 77 })).contains("no tab 77"));
    server.call("tab_switch", json!({})).refused(-32602, "one of tabId, index");
    assert!(error(&mut server, "tab_new", json!({ "windowId": 99 })).contains("no window with the id 99"));
    let nowhere = json!({ "url": site.url("/"), "windowId": 99 });
    assert!(error(&mut server, "navigate", nowhere).contains("no window with the id 99"));
    let closed = data(&mut server, "tab_close", json!({ "url": "**/b" }));
    assert_eq!(closed["closed"], json!([2, 4, 6]));
    assert_eq!(data(&mut server, "tab_close", json!({ "tabId": [3, 5] }))["count"], 1);
    assert_eq!(data(&mut server, "tab_close", json!({ "url": "/nowhere/" })).get("closed"), None);
    assert_eq!(data(&mut server, "tab_close", json!({}))["closed"], json!([1]));
    assert_eq!(data(&mut server, "navigate", json!({ "url": site.url("/") }))["tabId"], 7);
}

#[test]
fn an_incognito_window_shares_nothing() {
    let (mut server, site) = start();
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    data(&mut server, "cookies", json!({ "action": "set", "name": "who", "value": "me" }));
    data(&mut server, "storage", json!({ "action": "set", "key": "k", "value": "v" }));
    let window =
        data(&mut server, "window_new", json!({ "url": site.url("/"), "incognito": true, "width": 500 }));
    assert_eq!((&window["tabId"], &window["windowId"]), (&json!(2), &json!(2)));
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get_all" }))["count"], 0);
    assert_eq!(data(&mut server, "storage", json!({ "action": "length" }))["length"], 0);
    let listed = data(&mut server, "tab_list", json!({}));
    assert_eq!(listed["tabs"][1]["incognito"], true, "{listed}");
    data(&mut server, "tab_switch", json!({ "tabId": 1 }));
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get", "name": "who" }))["value"], "me");
    // A tab in the window of the other is of the other.
    data(&mut server, "tab_new", json!({ "url": site.url("/"), "windowId": 2 }));
    assert_eq!(data(&mut server, "tab_list", json!({ "windowId": 2 }))["tabs"][1]["incognito"], true);
}

#[test]
fn cookies_with_all_that_they_have() {
    let (mut server, site) = start();
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    let expires = 1_900_000_000;
    data(
        &mut server,
        "cookies",
        json!({
            "action": "set", "name": "full", "value": "1", "domain": "127.0.0.1", "path": "/b", "http_only": true,
            "same_site": "Strict", "expires": expires,
        }),
    );
    data(&mut server, "cookies", json!({ "action": "set", "name": "plain", "value": "2" }));
    data(
        &mut server,
        "cookies",
        json!({ "action": "set", "url": "http://other.test/", "name": "far", "value": "3" }),
    );
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get_all" }))["count"], 3);
    let here = data(&mut server, "cookies", json!({ "action": "get_all", "url": site.url("/") }));
    assert_eq!(here["count"], 1, "{here}");
    let full =
        data(&mut server, "cookies", json!({ "action": "get", "name": "full", "url": site.url("/b") }));
    assert_eq!(
        (&full["path"], &full["http_only"], &full["same_site"]),
        (&json!("/b"), &json!(true), &json!("Strict"))
    );
    assert!(error(&mut server, "cookies", json!({ "action": "get", "name": "far" })).contains("no cookie"));
    assert_eq!(data(&mut server, "cookies", json!({ "action": "delete", "name": "plain" }))["count"], 1);
    assert_eq!(
        data(&mut server, "cookies", json!({ "action": "clear", "domain_filter": "other.test" }))["count"],
        1
    );
    assert_eq!(data(&mut server, "cookies", json!({ "action": "clear" }))["count"], 1);
    server.call("cookies", json!({ "action": "set", "name": "x" })).refused(-32602, "value");
    server.call("cookies", json!({ "action": "get" })).refused(-32602, "name");
    server.call("cookies", json!({ "action": "eat" })).refused(-32602, "action");
    let lax = json!({ "action": "set", "name": "n", "value": "v", "same_site": "None", "url": "http://other.test/" });
    // Some browsers keep it, and those that do not say so.
    let reply = server.call("cookies", lax);
    if reply.failed() {
        assert!(reply.text().contains("did not keep the cookie"), "{}", reply.text());
    } else {
        let kept = json!({ "action": "get", "name": "n", "url": "http://other.test/" });
        assert_eq!(data(&mut server, "cookies", kept)["value"], "v");
    }
}

#[test]
fn storage_of_both_kinds() {
    let (mut server, site) = start();
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    for kind in ["local", "session"] {
        data(&mut server, "storage", json!({ "action": "set", "type": kind, "key": "k", "value": kind }));
        data(&mut server, "storage", json!({ "action": "set", "type": kind, "key": "l", "value": "2" }));
        assert_eq!(
            data(&mut server, "storage", json!({ "action": "get", "type": kind, "key": "k" }))["value"],
            kind
        );
        assert_eq!(data(&mut server, "storage", json!({ "action": "keys", "type": kind }))["count"], 2);
        let entries = data(&mut server, "storage", json!({ "action": "entries", "type": kind }));
        assert_eq!(entries["entries"], json!({ "k": kind, "l": "2" }));
        data(&mut server, "storage", json!({ "action": "remove", "type": kind, "key": "l" }));
        assert_eq!(data(&mut server, "storage", json!({ "action": "length", "type": kind }))["length"], 1);
        data(&mut server, "storage", json!({ "action": "clear", "type": kind }));
        let gone = data(&mut server, "storage", json!({ "action": "get", "type": kind, "key": "k" }));
        assert_eq!(gone["value"], Value::Null);
    }
    server.call("storage", json!({ "action": "get" })).refused(-32602, "key");
    data(&mut server, "navigate", json!({ "url": "about:blank" }));
    error(&mut server, "storage", json!({ "action": "keys" }));
}

#[test]
fn a_login_is_kept_encrypted_and_survives_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let variables = [("XDG_DATA_HOME", home.path().to_str().unwrap())];
    let site = Site::of("<title>Home</title>");
    let start = || {
        let mut server = Server::spawn(&["--dialect", "agent"], &variables);
        server.initialize("2025-06-18");
        data(&mut server, "navigate", json!({ "url": site.url("/") }));
        server
    };
    let mut server = start();
    data(&mut server, "cookies", json!({ "action": "set", "name": "session", "value": "hunter2" }));
    data(
        &mut server,
        "cookies",
        json!({ "action": "set", "name": "far", "value": "1", "url": "http://other.test" }),
    );
    data(&mut server, "storage", json!({ "action": "set", "key": "token", "value": "hunter3" }));
    let saved = data(&mut server, "auth_state", json!({ "action": "save", "name": "me" }));
    assert_eq!((&saved["cookies"], &saved["origins"]), (&json!(1), &json!(1)));
    drop(server);
    let file = home.path().join("cicerone/states/me.state");
    assert!(!std::fs::read(&file).unwrap().windows(6).any(|window| window == b"hunter"));
    let mut server = start();
    assert_eq!(data(&mut server, "auth_state", json!({ "action": "list" }))["states"], json!(["me"]));
    data(&mut server, "auth_state", json!({ "action": "load", "name": "me" }));
    assert_eq!(
        data(&mut server, "cookies", json!({ "action": "get", "name": "session" }))["value"],
        "hunter2"
    );
    assert_eq!(data(&mut server, "storage", json!({ "action": "get", "key": "token" }))["value"], "hunter3");
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get_all" }))["count"], 1);
    assert!(
        error(&mut server, "auth_state", json!({ "action": "load", "name": "you" }))
            .contains("no saved state")
    );
    data(&mut server, "auth_state", json!({ "action": "delete", "name": "me" }));
    assert!(!file.exists());
    assert!(
        error(&mut server, "auth_state", json!({ "action": "load", "name": "../key" })).contains("no name")
    );
    server.call("auth_state", json!({ "action": "save" })).refused(-32602, "name");
}

#[test]
fn old_names_answer_unlisted() {
    let (mut server, site) = start();
    let arguments = json!({ "url": site.url("/"), "newWindow": true, "width": 700, "height": 500 });
    assert_eq!(data(&mut server, "chrome_navigate", arguments)["windowId"], 2);
    assert_eq!(data(&mut server, "get_windows_and_tabs", json!({}))["count"], 1);
    assert_eq!(data(&mut server, "chrome_navigate", json!({ "refresh": true }))["title"], "Home");
    data(&mut server, "chrome_switch_tab", json!({ "tabId": 1 }));
    assert_eq!(data(&mut server, "chrome_close_tabs", json!({ "tabIds": [1] }))["closed"], json!([1]));
    // What no longer exists is refused, not ignored.
    server
        .call("chrome_handle_download", json!({ "filenameContains": "report" }))
        .refused(-32602, "Unknown argument: filenameContains");
    server
        .call("chrome_get_web_content", json!({ "url": site.url("/b") }))
        .refused(-32602, "Unknown argument: url");
    let listed = server.request("tools/list", json!({})).message.to_string();
    assert!(!listed.contains("chrome_") && !listed.contains("get_windows"), "{listed}");
    server.call("chrome_unknown", json!({})).refused(-32601, "Unknown tool: chrome_unknown");
    server.call("browser_click", json!({ "ref": "e1" })).refused(-32601, "Unknown tool: browser_click");
    let mut other = Server::start(&[]);
    other.call("chrome_navigate", json!({ "url": "about:blank" })).refused(-32601, "Unknown tool");
    other.call("navigate", json!({ "url": "about:blank" })).refused(-32601, "Unknown tool");
}
