//! The `agent` dialect's `route`: requests of a tab are mocked, blocked and changed.

use serde_json::{Value, json};

use crate::support::{
    Answer, Proxy, Server, Site, Tab,
    agent::{DIALECT, data, fails},
    engine, open_site,
};

const PAGE: &str = "<!doctype html><link rel=icon href='data:,'><title>Page</title><p>theirs</p>";

fn site() -> Site {
    let site = Site::of(PAGE);
    for path in ["/api/user", "/api/echo", "/elsewhere", "/analytics/a", "/thing"] {
        site.answer(path, Answer::Echo);
    }
    let worker = "onmessage = ({ data }) => fetch(data).then((it) => it.text()).then(postMessage, () => postMessage('failed'))";
    site.answer("/worker.js", Answer::Body("text/javascript", worker.into()));
    site
}

fn open() -> Tab {
    open_site(&DIALECT, site())
}

#[track_caller]
fn add(tab: &mut Tab, arguments: Value) -> Value {
    let mut all = json!({ "action": "add" });
    all.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
    data(&tab.call("route", all)).clone()
}

/// What a script of the page gets: `status:body`, or `failed`.
#[track_caller]
fn fetched(tab: &mut Server, url: &str) -> String {
    let script =
        format!("fetch('{url}').then(async (it) => it.status + ':' + await it.text(), () => 'failed')");
    text(tab, &script)
}

#[track_caller]
fn text(server: &mut Server, script: &str) -> String {
    let reply = server.call("evaluate", json!({ "expression": script, "sanitize": false }));
    data(&reply)["result"].as_str().unwrap_or_default().to_owned()
}

fn asked(tab: &Tab, path: &str) -> usize {
    tab.site.requests().iter().filter(|request| request.split(' ').nth(1) == Some(path)).count()
}

#[test]
fn the_examples_of_the_document_work() {
    let mut tab = open();
    let blocked = add(&mut tab, json!({ "url_pattern": "**/analytics/**", "handler": "abort" }));
    assert_eq!(
        blocked,
        json!({ "route_id": "route_1", "url_pattern": "**/analytics/**", "handler": "abort", "count": 1 })
    );
    let mocked = json!({
        "url_pattern": "**/api/user", "handler": "fulfill",
        "response": { "status": 200, "json": { "id": 1, "name": "Test User" } },
    });
    let changed = json!({
        "url_pattern": "**/api/**", "handler": "continue", "modify": { "headers": { "X-Test-Header": "test-value" } },
    });
    // The newest wins: the one for all of the API comes first.
    add(&mut tab, changed);
    assert_eq!(add(&mut tab, mocked)["count"], 3);

    assert_eq!(fetched(&mut tab, "/analytics/a"), "failed");
    assert_eq!(asked(&tab, "/analytics/a"), 0);
    let script = "fetch('/api/user').then(async (it) => [it.status, it.headers.get('content-type'), (await it.json()).name].join())";
    assert_eq!(text(&mut tab, script), "200,application/json,Test User");
    assert_eq!(asked(&tab, "/api/user"), 0);
    let echo: Value =
        serde_json::from_str(fetched(&mut tab, "/api/echo").strip_prefix("200:").unwrap()).unwrap();
    assert_eq!(echo["headers"]["x-test-header"], "test-value");
    assert!(echo["headers"]["user-agent"].is_string() && echo["headers"]["host"].is_string(), "{echo}");
}

#[test]
fn routes_are_listed_removed_and_cleared_and_the_newest_wins() {
    let mut tab = open();
    let one = json!({ "url_pattern": "/thing", "handler": "fulfill", "response": { "body": "one" } });
    let two = json!({ "url_pattern": "/THING/i", "handler": "fulfill", "response": { "status": 404, "body": "two" } });
    add(&mut tab, one);
    assert_eq!(fetched(&mut tab, "/thing"), "200:one");
    add(&mut tab, two);
    assert_eq!(fetched(&mut tab, "/thing"), "404:two");
    let unchanged = json!({ "url_pattern": "**/thing", "handler": "continue" });
    let id = add(&mut tab, unchanged)["route_id"].clone();
    assert!(fetched(&mut tab, "/thing").starts_with("200:{"));

    let list = tab.call("route", json!({ "action": "list" }));
    let routes = &data(&list)["routes"];
    let of =
        |name: &str| routes.as_array().unwrap().iter().map(|route| route[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("route_id"), ["route_3", "route_2", "route_1"]);
    assert_eq!(of("url_pattern"), ["**/thing", "/THING/i", "/thing"]);
    assert_eq!(of("handler"), ["continue", "fulfill", "fulfill"]);
    assert_eq!(of("matched"), [1, 1, 1]);
    assert_eq!(data(&list)["count"], 3);
    list.says("route_2 /THING/i: fulfill with 404; matched 1").says("route_3 **/thing: continue unchanged");

    let gone = tab.call("route", json!({ "action": "remove", "route_id": id }));
    gone.says("Removed route_3 (**/thing)");
    assert_eq!(data(&gone)["count"], 2);
    assert_eq!(fetched(&mut tab, "/thing"), "404:two");
    fails(
        &tab.call("route", json!({ "action": "remove", "route_id": "route_3" })),
        "NotFound",
        "unknown route \"route_3\"; known: route_1, route_2",
    );
    let cleared = tab.call("route", json!({ "action": "clear" }));
    assert_eq!(data(&cleared), &json!({ "count": 0, "removed": 2 }));
    assert!(fetched(&mut tab, "/thing").starts_with("200:{"));
    tab.call("route", json!({ "action": "list" })).says("This tab has no routes");
    data(&tab.call("route", json!({ "action": "clear" })));
    fails(&tab.call("route", json!({ "action": "remove", "route_id": "x" })), "NotFound", "known: none");
}

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    let mut server = Server::start(&DIALECT);
    let add = |more: Value| {
        let mut all = json!({ "action": "add", "url_pattern": "**/x", "handler": "fulfill" });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    for (arguments, words) in [
        (json!({}), "Missing required argument: action"),
        (json!({ "action": "add", "handler": "abort" }), "Missing required argument: url_pattern"),
        (json!({ "action": "add", "url_pattern": "**/x" }), "Missing required argument: handler"),
        (json!({ "action": "remove" }), "Missing required argument: route_id"),
        (json!({ "action": "remove", "route_id": "route_1", "url_pattern": "**/x" }), "are for add"),
        (json!({ "action": "list", "handler": "abort" }), "are for add"),
        (json!({ "action": "clear", "route_id": "route_1" }), "route_id is for remove"),
        (add(json!({ "route_id": "route_1" })), "route_id is for remove"),
        (add(json!({ "handler": "abort", "response": {} })), "abort takes neither"),
        (add(json!({ "handler": "abort", "modify": {} })), "abort takes neither"),
        (add(json!({ "modify": { "method": "PUT" } })), "modify is for continue"),
        (add(json!({ "handler": "continue", "response": {} })), "response is for fulfill"),
        (add(json!({ "response": { "body": "a", "json": {} } })), "either response.body or response.json"),
        (add(json!({ "response": { "status": 99 } })), "status from 200 to 599"),
        (add(json!({ "response": { "status": 200.5 } })), "status from 200 to 599"),
        (add(json!({ "response": { "status": 700 } })), "status from 200 to 599"),
        (add(json!({ "response": { "headers": { "a b": "c" } } })), "header names"),
        (add(json!({ "response": { "headers": { "a": "b\r\nc: d" } } })), "header names"),
        (add(json!({ "response": { "json": "text" } })), "an object or a list"),
        (add(json!({ "handler": "continue", "modify": { "method": "A B" } })), "an HTTP method"),
        (add(json!({ "url_pattern": "" })), "Invalid argument url_pattern"),
        (add(json!({ "url_pattern": "/(/" })), "unclosed group"),
        (add(json!({ "url_pattern": "/a(?=b)/" })), "look-around"),
        (add(json!({ "url_pattern": "api/user" })), "**/api/user may"),
        (add(json!({ "url_pattern": "*.png" })), "*.png matches no URL, **.png may"),
        (add(json!({ "url_pattern": "*analytics*" })), "*analytics* matches no URL, **analytics** may"),
        (add(json!({ "url_pattern": "*/api/user" })), "**/api/user may"),
        (add(json!({ "url_pattern": "*" })), "** may"),
    ] {
        server.call("route", arguments).refused(-32602, words);
    }
    for (url, words) in [("/relative", "it has no scheme"), ("ftp://x/", "its scheme is not allowed")] {
        let elsewhere = add(json!({ "handler": "continue", "modify": { "url": url } }));
        fails(&server.call("route", elsewhere), "BadUrl", words);
    }
    assert_eq!(server.descendants(), [0; 0]);
}

#[test]
fn routes_hold_in_frames_workers_and_popups_and_across_navigations() {
    let mut tab = open();
    let frame = tab.site.other_url("/");
    tab.site.answer("/framed", Answer::Html(format!("{PAGE}<iframe src='{frame}'></iframe>")));
    let ours = json!({ "url_pattern": "**/api/*", "handler": "fulfill", "response": { "body": "ours" } });
    add(&mut tab, ours);
    let popup = json!({ "url_pattern": "**/popup", "handler": "fulfill", "response": { "body": "<title>Ours</title>" } });
    add(&mut tab, popup);
    let url = tab.site.url("/framed");
    data(&tab.call("navigate", json!({ "url": url })));
    assert_eq!(fetched(&mut tab, "/api/user"), "200:ours");

    let fetch = "fetch('/api/user').then((it) => it.text())";
    let in_frame = tab.call("evaluate", json!({ "expression": fetch, "frameId": 1 }));
    assert_eq!(data(&in_frame)["result"], "ours");
    let worker = "new Promise((done) => { const worker = new Worker('/worker.js');\
        worker.onmessage = ({ data }) => done(data); worker.postMessage('/api/user') })";
    assert_eq!(text(&mut tab, worker), "ours");

    tab.evaluate("void open('/popup')");
    data(&tab.call(
        "wait",
        json!({ "for": "function", "tabId": 2, "function": "return document.title === 'Ours'" }),
    ));
    let in_popup = tab.call("evaluate", json!({ "expression": fetch, "tabId": 2 }));
    assert_eq!(data(&in_popup)["result"], "ours");
    assert_eq!(data(&tab.call("route", json!({ "action": "list", "tabId": 2 })))["count"], 2);
    assert_eq!(asked(&tab, "/popup") + asked(&tab, "/api/user"), 0);
    // It has them for itself.
    data(&tab.call("route", json!({ "action": "clear", "tabId": 2 })));
    assert_eq!(data(&tab.call("route", json!({ "action": "list", "tabId": 1 })))["count"], 2);
    let theirs = tab.call("evaluate", json!({ "expression": fetch, "tabId": 2 }));
    assert!(data(&theirs)["result"].as_str().unwrap().contains("/api/user"), "{}", theirs.text());
    assert_eq!(fetched(&mut tab, "/api/user"), "200:ours");

    // Another tab is as it was.
    let home = tab.site.url("/");
    data(&tab.call("tab_new", json!({ "url": home })));
    assert!(fetched(&mut tab, "/api/user").starts_with("200:{"));
    assert_eq!(data(&tab.call("route", json!({ "action": "list" })))["count"], 0);
}

#[test]
fn routes_hold_in_a_page_with_a_service_worker() {
    let site = site();
    let service = "addEventListener('activate', (event) => event.waitUntil(clients.claim()));\
        addEventListener('fetch', (event) => { if (event.request.url.includes('/api/'))\
            event.respondWith(event.request.url.includes('/cached') ? new Response('cached') : fetch(event.request)) })";
    site.answer("/service.js", Answer::Body("text/javascript", service.into()));
    let mut tab = open_site(&DIALECT, site);
    tab.evaluate(
        "new Promise((done) => { navigator.serviceWorker.oncontrollerchange = () => done(1);\
         navigator.serviceWorker.register('/service.js') })",
    );
    assert_eq!(fetched(&mut tab, "/api/cached"), "200:cached");
    let ours = json!({ "url_pattern": "**/api/*", "handler": "fulfill", "response": { "body": "ours" } });
    add(&mut tab, ours);
    let worker = "new Promise((done) => { const worker = new Worker('/worker.js');\
        worker.onmessage = ({ data }) => done(data); worker.postMessage('/api/cached') })";
    for path in ["/api/cached", "/api/user"] {
        assert_eq!(fetched(&mut tab, path), "200:ours", "{path}");
    }
    assert_eq!(text(&mut tab, worker), "ours");
    data(&tab.call("reload", json!({})));
    assert_eq!(fetched(&mut tab, "/api/cached"), "200:ours");
    assert_eq!(asked(&tab, "/api/user"), 0);
    // Without routes it answers again, in a document that it has loaded.
    data(&tab.call("route", json!({ "action": "clear" })));
    data(&tab.call("reload", json!({})));
    assert_eq!(fetched(&mut tab, "/api/cached"), "200:cached");
}

/// As docs/engines.md says: nothing says which tab it belongs to. Firefox gives it the locale all the same.
#[test]
fn a_shared_worker_belongs_to_no_tab() {
    let language = match engine().as_deref() {
        Some("firefox") => "ja-JP",
        Some("webkit") => return eprintln!("skipped: not known of WebKit"),
        _ => "en-US",
    };
    let site = site();
    let worker = "onconnect = ({ ports: [port] }) => fetch('/api/user').then((it) => it.text())\
        .then((body) => port.postMessage(body === 'ours' ? body : navigator.language))";
    site.answer("/shared.js", Answer::Body("text/javascript", worker.into()));
    let mut tab = open_site(&DIALECT, site);
    add(&mut tab, json!({ "url_pattern": "**/api/*", "handler": "fulfill", "response": { "body": "ours" } }));
    data(&tab.call("emulate", json!({ "locale": "ja-JP" })));
    data(&tab.call("capture", json!({ "action": "start" })));
    let connect =
        "new Promise((done) => { new SharedWorker('/shared.js').port.onmessage = ({ data }) => done(data) })";
    assert_eq!(text(&mut tab, connect), language);
    assert_eq!(asked(&tab, "/api/user"), 1);
    let stopped = tab.call("capture", json!({ "action": "stop" }));
    data(&stopped);
    stopped.says_not("/api/user");
}

#[test]
fn requests_are_changed_on_their_way() {
    let mut tab = open();
    let elsewhere = tab.site.url("/elsewhere");
    let modify =
        json!({ "url": elsewhere, "method": "put", "post_data": "ours", "headers": { "x-ours": "1" } });
    add(&mut tab, json!({ "url_pattern": "**/old", "handler": "continue", "modify": modify }));
    let fetch = "fetch('/old', { method: 'POST', body: 'a longer text', headers: { 'content-type': 'text/x', 'x-theirs': '2' } })\
        .then(async (it) => JSON.stringify([it.url.endsWith('/old'), await it.json()]))";
    let got: Value = serde_json::from_str(&text(&mut tab, fetch)).unwrap();
    let (url, echo) = (&got[0], &got[1]);
    assert_eq!(
        (url, &echo["method"], &echo["target"], &echo["body"]),
        (&json!(true), &json!("PUT"), &json!("/elsewhere"), &json!("ours"))
    );
    let headers = &echo["headers"];
    assert_eq!(
        (&headers["x-ours"], &headers["x-theirs"], &headers["content-type"]),
        (&json!("1"), &json!("2"), &json!("text/x"))
    );
    // What the page sent goes along where nothing else is said.
    add(&mut tab, json!({ "url_pattern": "**/old", "handler": "continue", "modify": { "url": elsewhere } }));
    let got: Value = serde_json::from_str(&text(&mut tab, fetch)).unwrap();
    assert_eq!((&got[1]["method"], &got[1]["body"]), (&json!("POST"), &json!("a longer text")));
    // A page is another one, and does not notice.
    let moved = tab.site.url("/old");
    let page = tab.site.url("/");
    add(&mut tab, json!({ "url_pattern": "**/old", "handler": "continue", "modify": { "url": page } }));
    let there = tab.call("navigate", json!({ "url": moved }));
    assert_eq!((&data(&there)["title"], &data(&there)["url"]), (&json!("Page"), &json!(moved)));
    assert_eq!(asked(&tab, "/old"), 0);
}

#[test]
fn other_origins_read_what_is_fulfilled() {
    let mut tab = open();
    add(
        &mut tab,
        json!({ "url_pattern": "**/api/**", "handler": "fulfill", "response": { "json": { "ours": true } } }),
    );
    let other = tab.site.other_url("/api/user");
    assert_eq!(fetched(&mut tab, &other), "200:{\"ours\":true}");
    // With a preflight, and with cookies.
    let script = format!(
        "fetch('{other}', {{ method: 'PUT', headers: {{ 'x-own': '1' }}, credentials: 'include' }}).then((it) => it.text(), () => 'failed')"
    );
    assert_eq!(text(&mut tab, &script), "{\"ours\":true}");
    assert_eq!(asked(&tab, "/api/user"), 0);
    // Who may read it is theirs to say.
    let nobody = json!({
        "url_pattern": "**/api/**", "handler": "fulfill",
        "response": { "body": "a", "headers": { "Access-Control-Allow-Origin": "https://somebody.test" } },
    });
    add(&mut tab, nobody);
    assert_eq!(fetched(&mut tab, &other), "failed");
}

#[test]
fn documents_scripts_and_styles_are_mocked() {
    let mut tab = open();
    for (pattern, body) in [
        (
            "**/mock.html",
            "<!doctype html><title>Möck</title><link rel=stylesheet href=/a.css><script type=module src=/a.js></script>",
        ),
        ("**/a.js", "document.title += ' äh'"),
        ("**/a.css", "body { margin: 17px }"),
    ] {
        add(&mut tab, json!({ "url_pattern": pattern, "handler": "fulfill", "response": { "body": body } }));
    }
    let url = tab.site.url("/mock.html");
    data(&tab.call("navigate", json!({ "url": url })));
    assert_eq!(text(&mut tab, "document.title + getComputedStyle(document.body).marginTop"), "Möck äh17px");
    add(&mut tab, json!({ "url_pattern": "**/mock.html", "handler": "abort" }));
    let failed = tab.call("navigate", json!({ "url": url }));
    fails(&failed, "NavigationFailed", "could not be loaded");
    let missing = json!({ "url_pattern": "**/mock.html", "handler": "fulfill", "response": { "status": 404, "body": "<h1>Gone</h1>" } });
    add(&mut tab, missing);
    let there = tab.call("navigate", json!({ "url": url }));
    assert_eq!(data(&there)["status"], 404);
}

#[test]
fn a_route_that_is_added_while_a_page_loads_holds_for_what_it_asks_for_then() {
    let mut tab = open();
    let wait = std::time::Duration::from_millis(1500);
    tab.site.answer("/slow.js", Answer::Slow(wait, Box::new(Answer::Body("text/javascript", b"1".to_vec()))));
    let page = format!(
        "{PAGE}<script src=/slow.js></script><script>fetch('/api/user').then((it) => it.text()).then((it) => document.title = it)</script>"
    );
    tab.site.answer("/loading", Answer::Html(page));
    let url = tab.site.url("/loading");
    let loading = tab.begin_call("navigate", json!({ "url": url }));
    while asked(&tab, "/slow.js") == 0 {
        std::thread::yield_now();
    }
    let ours = json!({ "url_pattern": "**/api/user", "handler": "fulfill", "response": { "body": "ours" } });
    add(&mut tab, ours);
    data(&tab.finish(loading));
    data(&tab.call("wait", json!({ "for": "function", "function": "return document.title === 'ours'" })));
    assert_eq!(asked(&tab, "/api/user"), 0);
}

#[test]
fn routes_work_behind_a_proxy_with_credentials() {
    let proxy = Proxy::http(Some(("me", "secret")));
    let mut server = Server::start(&[
        "--dialect",
        "agent,browser",
        "--proxy",
        &format!("http://me:secret@{}", proxy.address()),
    ]);
    let site = site();
    let url = site.url_on("only.proxy.test", "/");
    data(&server.call("navigate", json!({ "url": url })));
    let ours = json!({ "action": "add", "url_pattern": "**/api/user", "handler": "fulfill", "response": { "body": "ours" } });
    data(&server.call("route", ours));
    let headed = json!({ "action": "add", "url_pattern": "**/thing", "handler": "continue", "modify": { "headers": { "x-ours": "1" } } });
    data(&server.call("route", headed));
    assert_eq!(fetched(&mut server, "/api/user"), "200:ours");
    assert!(fetched(&mut server, "/thing").contains("\"x-ours\":\"1\""));
    let elsewhere = site.url_on("other.proxy.test", "/elsewhere");
    let moved = json!({ "action": "add", "url_pattern": "**/api/echo", "handler": "continue", "modify": { "url": elsewhere } });
    data(&server.call("route", moved));
    assert!(fetched(&mut server, "/api/echo").contains("\"target\":\"/elsewhere\""));
    assert!(proxy.seen().iter().any(|seen| seen.starts_with("other.proxy.test")), "{:?}", proxy.seen());
}

#[test]
fn routes_go_with_their_tab() {
    let mut tab = open();
    let home = tab.site.url("/");
    let id = data(&tab.call("tab_new", json!({ "url": home })))["tabId"].clone();
    add(&mut tab, json!({ "url_pattern": "**", "handler": "abort", "tabId": id }));
    assert_eq!(fetched(&mut tab, "/thing"), "failed");
    data(&tab.call("tab_close", json!({ "tabId": id })));
    fails(&tab.call("route", json!({ "action": "list", "tabId": id })), "NoTab", "unknown tab id");
    assert!(fetched(&mut tab, "/thing").starts_with("200:{"));
    // Numbers are not given twice.
    assert_eq!(add(&mut tab, json!({ "url_pattern": "**/x", "handler": "abort" }))["route_id"], "route_2");
}

#[cfg(target_os = "linux")]
#[test]
fn a_tab_that_crashed_has_its_routes_again_and_a_browser_that_was_killed_has_none() {
    use crate::life::{kill_browser, kill_renderers, list_with_a_crash};
    let mut tab = open();
    add(
        &mut tab,
        json!({ "url_pattern": "**/api/user", "handler": "fulfill", "response": { "body": "ours" } }),
    );
    kill_renderers(&tab);
    list_with_a_crash(&mut tab);
    fails(&tab.call("route", json!({ "action": "list" })), "Crashed", "crashed");
    assert_eq!(data(&tab.call("route", json!({ "action": "list" })))["count"], 1);
    assert_eq!(fetched(&mut tab, "/api/user"), "200:ours");

    kill_browser(&tab);
    let lost = json!({ "action": "add", "url_pattern": "**/x", "handler": "abort" });
    fails(&tab.call("route", lost), "BrowserEnded", "the browser ended");
    let home = tab.site.url("/");
    data(&tab.call("navigate", json!({ "url": home })));
    assert_eq!(data(&tab.call("route", json!({ "action": "list" })))["count"], 0);
    assert!(fetched(&mut tab, "/api/user").starts_with("200:{"));
}
