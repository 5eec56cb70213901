//! The `agent` dialect: going places, tabs and windows, and what sites keep.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, NOBODY, Server, Site};

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
fn a_page_that_does_not_load_is_left_as_any_other() {
    let (mut server, site) = start();
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    let nowhere = format!("http://{NOBODY}/");
    for step in ["back", "reload"] {
        let failed = error(&mut server, "navigate", json!({ "url": nowhere }));
        assert!(failed.contains("could not be loaded"), "{failed}");
        assert_eq!(data(&mut server, "url", json!({}))["url"], nowhere);
        // What could not be loaded cannot be loaded again, but left.
        let reply = server.call(step, json!({}));
        assert_eq!(reply.failed(), step == "reload", "{}", reply.message);
        assert!(step == "back" || reply.text().contains("could not be loaded"), "{}", reply.message);
    }
    assert_eq!(data(&mut server, "back", json!({}))["url"], site.url("/"));
}

#[test]
fn a_navigation_is_done_when_it_has_come_as_far_as_asked() {
    let (mut server, site) = start();
    let slow = |time: u64, answer: Answer| Answer::Slow(Duration::from_millis(time), Box::new(answer));
    site.answer("/pic", slow(1500, Answer::Body("image/png", b"x".to_vec())));
    site.answer("/more", slow(700, Answer::Body("text/plain", b"x".to_vec())));
    site.answer("/slow", Answer::Html("<title>Slow</title><img src=/pic>".into()));
    let late = "<script>var got = false; onload = () => fetch('/more').then(() => got = true)</script>";
    site.answer("/late", Answer::Html(late.into()));
    let stage = json!({ "expression": "document.readyState" });
    for (wait_until, stages) in [
        (json!("domcontentloaded"), &["interactive", "loading"][..]),
        (json!("load"), &["complete"]),
        (json!(null), &["complete"]),
    ] {
        data(&mut server, "navigate", json!({ "url": site.url("/slow"), "wait_until": wait_until }));
        let there = data(&mut server, "evaluate", stage.clone())["result"].clone();
        assert!(stages.contains(&there.as_str().unwrap()), "{wait_until}: {there}");
    }
    let quiet =
        json!({ "url": site.url("/late"), "action": "goto", "wait_until": "networkidle", "timeout": 20_000 });
    data(&mut server, "navigate", quiet);
    assert_eq!(data(&mut server, "evaluate", json!({ "expression": "got" }))["result"], true);
}

#[test]
fn tabs_and_windows_have_the_size_that_was_asked_for() {
    let (mut server, site) = start();
    let url = site.url("/");
    let size = json!({ "expression": "[innerWidth, innerHeight]" });
    for (tool, more, expected) in [
        ("navigate", json!({}), json!([1280, 720])),
        ("navigate", json!({ "window_size": { "width": 900, "height": 500 } }), json!([900, 500])),
        ("navigate", json!({ "new_tab": true, "window_size": { "height": 400 } }), json!([1280, 400])),
        ("navigate", json!({ "new_window": true }), json!([1280, 720])),
        ("navigate", json!({ "new_window": true, "window_size": { "width": 640 } }), json!([640, 720])),
        ("window_new", json!({}), json!([1280, 720])),
        ("window_new", json!({ "width": 500, "height": 400 }), json!([500, 400])),
        ("window_new", json!({ "width": 600, "incognito": true }), json!([600, 720])),
    ] {
        let mut arguments = json!({ "url": url });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let tab = data(&mut server, tool, arguments)["tabId"].clone();
        assert_eq!(data(&mut server, "evaluate", size.clone())["result"], expected, "{tool} {more}");
        let listed = data(&mut server, "tab_list", json!({}));
        let active = listed["tabs"].as_array().unwrap().iter().find(|tab| tab["active"] == true).unwrap();
        assert_eq!(active["tabId"], tab, "what is opened is active");
    }
    let behind = json!({ "url": url, "new_window": true, "background": true });
    let before = data(&mut server, "url", json!({}))["url"].clone();
    let opened = data(&mut server, "navigate", behind)["tabId"].clone();
    let listed = data(&mut server, "tab_list", json!({}));
    let hidden = listed["tabs"].as_array().unwrap().iter().find(|tab| tab["tabId"] == opened).unwrap();
    assert_eq!((&hidden["active"], before), (&json!(false), json!(url)));
    server.call("window_new", json!({ "width": 0 })).refused(-32602, "width");
    server.call("tab_switch", json!({ "tabId": 1, "index": 0 })).refused(-32602, "give one of them");
}

#[test]
fn a_navigation_has_its_own_time_and_headers() {
    let (mut server, site) = start();
    site.answer("/silent", Answer::Silent);
    let late = error(&mut server, "navigate", json!({ "url": site.url("/silent"), "timeout": 400 }));
    assert!(late.contains("timed out after 0.4 s"), "{late}");
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
    assert!(error(&mut server, "tab_switch", json!({ "tabId": 77 })).contains("unknown tab id 77"));
    assert!(error(&mut server, "tab_switch", json!({ "index": 77 })).contains("unknown tab 77"));
    // In a window that is named no tab is opened for a tab that is named, nor where that is not wanted.
    for more in [json!({ "tabId": 4 }), json!({ "new_tab": false }), json!({ "tabId": 4, "new_tab": false })]
    {
        let mut arguments = json!({ "url": site.url("/b"), "windowId": 2 });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let before = data(&mut server, "tab_list", json!({}))["count"].clone();
        let there = data(&mut server, "navigate", arguments);
        assert_eq!(there["windowId"], 2, "{more}");
        assert!(more.get("tabId").is_none_or(|tab| *tab == there["tabId"]), "{more}: {there}");
        assert_eq!(data(&mut server, "tab_list", json!({}))["count"], before, "{more}");
    }
    let again = json!({ "action": "reload", "tabId": 4, "windowId": 2 });
    assert_eq!(data(&mut server, "navigate", again)["tabId"], 4);
    server
        .call("navigate", json!({ "action": "reload", "windowId": 2 }))
        .refused(-32602, "no other tab or window");
    server.call("tab_switch", json!({})).refused(-32602, "one of tabId, index");
    assert!(error(&mut server, "tab_new", json!({ "windowId": 99 })).contains("unknown window id 99"));
    let nowhere = json!({ "url": site.url("/"), "windowId": 99 });
    assert!(error(&mut server, "navigate", nowhere).contains("unknown window id 99"));
    let before = data(&mut server, "tab_list", json!({}))["count"].clone();
    let nothing = server.call("tab_close", json!({ "tabId": [] }));
    nothing.says("No tab matches; none was closed");
    assert_eq!(nothing.facts()["data"], json!({ "count": before }), "{}", nothing.message);
    let closed = data(&mut server, "tab_close", json!({ "url": "**/b", "tabId": [4] }));
    assert_eq!(closed["closed"].as_array().map(Vec::len), Some(3), "{closed}");
    assert!(
        [2, 4, 6].iter().all(|tab| closed["closed"].as_array().unwrap().contains(&json!(tab))),
        "{closed}"
    );
    assert_eq!(data(&mut server, "tab_close", json!({ "tabId": [3, 5, 3] }))["closed"], json!([3, 5]));
    assert_eq!(data(&mut server, "tab_list", json!({}))["count"], 1);
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
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get_all" }))["count"], 0);
    assert_eq!(data(&mut server, "tab_list", json!({ "windowId": 2 }))["tabs"][1]["incognito"], true);
    // The window goes with its last tab, and what it kept with it; then the other one is there again.
    data(&mut server, "cookies", json!({ "action": "set", "name": "hidden", "value": "1" }));
    data(&mut server, "tab_close", json!({ "tabId": [2, 3] }));
    let left = data(&mut server, "tab_list", json!({}));
    assert_eq!((&left["count"], &left["tabs"][0]["active"]), (&json!(1), &json!(true)), "{left}");
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get", "name": "who" }))["value"], "me");
    data(&mut server, "window_new", json!({ "url": site.url("/"), "incognito": true }));
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get_all" }))["count"], 0);
    // And the other way round.
    data(&mut server, "tab_close", json!({ "tabId": 1 }));
    assert_eq!(data(&mut server, "url", json!({}))["url"], site.url("/"));
    assert_eq!(data(&mut server, "tab_list", json!({}))["tabs"][0]["active"], true);
}

#[test]
fn a_window_is_plain_unless_it_is_to_be_incognito() {
    let (mut server, site) = start();
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    data(&mut server, "cookies", json!({ "action": "set", "name": "who", "value": "me" }));
    data(&mut server, "window_new", json!({ "url": site.url("/"), "incognito": true }));
    let plain = data(&mut server, "window_new", json!({ "url": site.url("/") }));
    assert_eq!(plain["active"], true, "{plain}");
    let listed = data(&mut server, "tab_list", json!({ "windowId": plain["windowId"] }));
    assert_eq!((&listed["count"], listed["tabs"][0].get("incognito")), (&json!(1), None), "{listed}");
    // It is where calls go to now, with the cookies of every plain window.
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get", "name": "who" }))["value"], "me");
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
    assert!(error(&mut server, "cookies", json!({ "action": "get", "name": "far" })).contains("not found"));
    assert_eq!(data(&mut server, "cookies", json!({ "action": "delete", "name": "plain" }))["count"], 1);
    assert_eq!(
        data(&mut server, "cookies", json!({ "action": "clear", "domain_filter": "other.test" }))["count"],
        1
    );
    assert_eq!(data(&mut server, "cookies", json!({ "action": "clear" }))["count"], 1);
    for (name, more) in [
        ("lax", json!({ "same_site": "Lax", "domain": "shop.test" })),
        (
            "none",
            json!({ "same_site": "None", "secure": true, "url": "https://shop.test/", "path": "/cart" }),
        ),
        ("below", json!({ "domain": ".shop.test", "http_only": false })),
    ] {
        let mut cookie = json!({ "action": "set", "name": name, "value": "v" });
        cookie.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let set = data(&mut server, "cookies", cookie);
        for (key, value) in more.as_object().unwrap() {
            assert!(key == "url" || set[key] == *value, "{name}: {key} of {set}");
        }
        assert_eq!((&set["value"], &set["path"]), (&json!("v"), more.get("path").unwrap_or(&json!("/"))));
    }
    let got = data(&mut server, "cookies", json!({ "action": "get", "name": "lax", "domain": "shop.test" }));
    assert_eq!((&got["name"], &got["expires"]), (&json!("lax"), &json!(-1.0)));
    let elsewhere = json!({ "action": "get", "name": "lax", "url": "http://www.shop.test/" });
    assert!(error(&mut server, "cookies", elsewhere).contains("not found"));
    let below = json!({ "action": "get", "name": "below", "url": "http://www.shop.test/" });
    assert_eq!(data(&mut server, "cookies", below)["domain"], ".shop.test");
    let delete = json!({ "action": "delete", "name": "none", "url": "https://shop.test/cart" });
    assert_eq!(data(&mut server, "cookies", delete)["count"], 1);
    assert_eq!(data(&mut server, "cookies", json!({ "action": "delete", "name": "none" }))["count"], 0);
    assert_eq!(
        data(&mut server, "cookies", json!({ "action": "clear", "domain_filter": "shop.test" }))["count"],
        2
    );
    let long = json!({ "action": "set", "name": "long", "value": "v", "expires": 4_000_000_000_u32 });
    let kept = data(&mut server, "cookies", long)["expires"].as_f64().unwrap();
    assert_eq!(data(&mut server, "cookies", json!({ "action": "get", "name": "long" }))["expires"], kept);
    assert!(
        error(&mut server, "cookies", json!({ "action": "set", "name": "a;b", "value": "v" }))
            .contains("did not keep")
    );
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
    data(&mut server, "storage", json!({ "action": "set", "key": "k", "value": "first" }));
    data(&mut server, "tab_new", json!({}));
    let first = json!({ "action": "get", "key": "k", "tabId": 1 });
    assert_eq!(data(&mut server, "storage", first)["value"], "first");
    let blank = server.call("storage", json!({ "action": "keys" }));
    assert_eq!(blank.facts()["name"], "StorageError", "{}", blank.message);
    assert!(blank.text().contains("has no local storage") && blank.text().contains("Hint: open a page"));
}

#[test]
fn a_login_has_what_was_asked_for() {
    let (mut server, site) = start();
    let set = |server: &mut Server, kind: &str, value: &str| {
        data(server, "storage", json!({ "action": "set", "type": kind, "key": "k", "value": value }));
    };
    let held = |server: &mut Server, kind: &str| {
        data(server, "storage", json!({ "action": "get", "type": kind, "key": "k" }))["value"].clone()
    };
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    for kind in ["local", "session"] {
        set(&mut server, kind, "kept");
    }
    let origins = json!([site.url("/").trim_end_matches('/')]);
    data(&mut server, "auth_state", json!({ "action": "save", "name": "usual", "tabId": 1 }));
    data(
        &mut server,
        "auth_state",
        json!({ "action": "save", "name": "all", "origins": origins, "include_session_storage": true }),
    );
    let cookies = json!({ "action": "save", "name": "cookies", "include_local_storage": false });
    assert_eq!(data(&mut server, "auth_state", cookies)["origins"], 0);
    let listed = data(&mut server, "auth_state", json!({ "action": "list" }));
    assert_eq!((&listed["states"], &listed["count"]), (&json!(["all", "cookies", "usual"]), &json!(3)));
    for (name, local, session) in
        [("cookies", "lost", "lost"), ("usual", "kept", "lost"), ("all", "kept", "kept")]
    {
        for kind in ["local", "session"] {
            set(&mut server, kind, "lost");
        }
        data(&mut server, "auth_state", json!({ "action": "load", "name": name }));
        data(&mut server, "reload", json!({}));
        let now = (held(&mut server, "local"), held(&mut server, "session"));
        assert_eq!(now, (json!(local), json!(session)), "{name}");
    }
    let nowhere = json!({ "action": "save", "name": "x", "origins": ["shop"] });
    server.call("auth_state", nowhere).refused(-32602, "origins");
    assert!(
        error(&mut server, "auth_state", json!({ "action": "save", "name": "a/b" }))
            .contains("not a valid name")
    );
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
            .contains("unknown saved state")
    );
    data(&mut server, "auth_state", json!({ "action": "delete", "name": "me" }));
    assert!(!file.exists());
    assert!(
        error(&mut server, "auth_state", json!({ "action": "load", "name": "../key" }))
            .contains("not a valid name")
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

#[test]
fn a_tab_whose_url_cannot_be_loaded_is_not_opened() {
    let (mut server, site) = start();
    data(&mut server, "navigate", json!({ "url": site.url("/") }));
    let nowhere = format!("http://{NOBODY}/");
    for (tool, more) in [
        ("tab_new", json!({})),
        ("window_new", json!({})),
        ("window_new", json!({ "incognito": true })),
        ("navigate", json!({ "new_tab": true })),
        ("navigate", json!({ "new_window": true })),
    ] {
        let mut arguments = json!({ "url": nowhere });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let failed = error(&mut server, tool, arguments);
        assert!(failed.contains("could not be loaded"), "{tool} {more}: {failed}");
        let listed = data(&mut server, "tab_list", json!({}));
        assert_eq!(
            (&listed["count"], &listed["tabs"][0]["active"]),
            (&json!(1), &json!(true)),
            "{tool} {more}: {listed}"
        );
        assert_eq!(data(&mut server, "url", json!({}))["url"], site.url("/"), "{tool} {more}");
    }
    // What takes too long can be looked at.
    site.answer("/silent", Answer::Silent);
    let slow = json!({ "url": site.url("/silent"), "new_tab": true, "timeout": 400 });
    let reply = server.call("navigate", slow);
    assert!(reply.failed() && reply.text().starts_with("Opened tab "), "{}", reply.text());
    let listed = data(&mut server, "tab_list", json!({}));
    assert_eq!((&listed["count"], &listed["tabs"][1]["active"]), (&json!(2), &json!(true)), "{listed}");
}
