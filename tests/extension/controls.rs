//! What the person decides: pause, stop, sharing, cookies and storage, the tab group.

use serde_json::{Value, json};

use crate::{
    own::{CLIENT, Own},
    support::{Answer, chrome::eventually, har},
};

const COUNTER: &str = "<title>0</title><button onclick='document.title++'>Count</button>";

#[test]
fn a_person_pauses_the_agent_and_gives_the_browser_back() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    let popup = own.chrome.popup();
    popup.says(CLIENT);
    popup.says("State: connected");
    popup.says("Tabs: 0");
    popup.click("Pause");
    popup.says("State: paused");
    let reply = own.server.call("browser_click", json!({ "ref": button }));
    reply.fails("the person took over");
    assert_eq!(reply.facts()["error"]["name"], "Withheld");
    popup.click("Resume");
    popup.says("State: connected");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
    popup.says("Last action: clicked");
}

#[test]
fn a_person_stops_the_agent_and_the_debugger_leaves() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    let popup = own.chrome.popup();
    popup.click("Stop");
    popup.says("State: stopped");
    let attached = "chrome.debugger.getTargets().then((all) => all.filter((it) => it.attached && it.tabId && it.url.startsWith('http')).length)";
    eventually("the debugger to leave", || (own.chrome.in_worker(attached) == 0).then_some(()));
    own.server.call("browser_click", json!({ "ref": button })).fails("the person took over");
    own.server
        .call("browser_navigate", json!({ "url": own.site.url("/mine") }))
        .fails("the person took over");
    popup.click("Resume");
    popup.says("State: connected");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
}

/// The bar of the headed browser cannot be clicked here; what Chrome tells the extension then can be told.
#[test]
fn cancel_in_the_debugging_bar_means_stop() {
    let mut own = Own::at(COUNTER);
    let button = own.server.snapshot().reference("Count");
    let url = json!(own.site.url("/"));
    own.chrome.in_worker(&format!(
        "chrome.tabs.query({{ url: {url} }}).then(async ([tab]) => {{
            await chrome.debugger.detach({{ tabId: tab.id }});
            chrome.debugger.onDetach.dispatch({{ tabId: tab.id }}, 'canceled_by_user');
        }})"
    ));
    let popup = own.chrome.popup();
    popup.says("State: stopped");
    own.server.call("browser_click", json!({ "ref": button })).fails("the person took over");
    popup.click("Resume");
    popup.says("State: connected");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
}

#[test]
fn a_new_tab_that_the_person_opens_is_not_the_agents() {
    let mut own = Own::at(COUNTER);
    let url = json!(own.site.url("/"));
    own.chrome.in_worker(&format!(
        "chrome.tabs.query({{ url: {url} }}).then(([tab]) => chrome.tabs.create({{ openerTabId: tab.id, url: 'chrome://newtab/' }})).then(() => 0)"
    ));
    let popup = own.chrome.popup();
    popup.says("State: connected");
    assert_eq!(own.chrome.grouped(CLIENT), [own.site.url("/")]);
    assert_eq!(own.tabs(), [own.site.url("/")]);
}

#[test]
fn a_tab_is_seen_only_while_the_person_shares_it() {
    let mut own = Own::at(COUNTER);
    let mine = own.site.url("/mine");
    assert!(!own.tabs().contains(&mine));
    let popup = own.chrome.popup();
    popup.act("share", &mine);
    eventually("the shared tab", || own.tabs().contains(&mine).then_some(()));
    assert!(own.chrome.grouped(CLIENT).contains(&mine));
    popup.act("share", &mine);
    eventually("it is not shared", || (!own.tabs().contains(&mine)).then_some(()));
    assert!(!own.chrome.grouped(CLIENT).contains(&mine));
}

/// Only *Resume* gives the browser back.
#[test]
fn sharing_a_tab_and_taking_it_back_keeps_pause_and_stop() {
    let mut own = Own::at(COUNTER);
    let mine = own.site.url("/mine");
    let button = own.server.snapshot().reference("Count");
    let popup = own.chrome.popup();
    for (held, state) in [("Pause", "State: paused"), ("Stop", "State: stopped")] {
        popup.click(held);
        popup.says(state);
        for shared in [true, false, true] {
            popup.act("share", &mine);
            eventually("the tab's group", || {
                (own.chrome.grouped(CLIENT).contains(&mine) == shared).then_some(())
            });
            own.server.call("browser_click", json!({ "ref": button })).fails("the person took over");
            popup.says(state);
        }
        popup.click("Resume");
        popup.says("State: connected");
        // What was shared meanwhile is the agent's now, and can be used.
        let at = eventually("the shared tab", || own.tabs().iter().position(|url| *url == mine));
        own.server.call("browser_tabs", json!({ "action": "select", "index": at })).ok();
        own.server.snapshot().says("Private");
        popup.act("share", &mine);
        eventually("it is not shared", || (!own.tabs().contains(&mine)).then_some(()));
    }
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
}

#[test]
fn a_tab_that_is_moved_out_of_the_group_is_the_persons_again() {
    let mut own = Own::at(COUNTER);
    let url = own.site.url("/");
    let button = own.server.snapshot().reference("Count");
    let ungroup =
        format!("chrome.tabs.query({{ url: {} }}).then(([tab]) => chrome.tabs.ungroup(tab.id))", json!(url));
    own.chrome.in_worker(&ungroup);
    eventually("the tab to be gone", || {
        let reply = own.server.call("browser_click", json!({ "ref": button }));
        reply.failed().then_some(())
    });
    assert!(!own.tabs().contains(&url));
    assert!(!own.chrome.grouped(CLIENT).contains(&url), "it stays where the person put it");
}

#[test]
fn cookies_and_storage_are_off_until_the_person_allows_them() {
    let mut own = Own::with(&["--dialect", "browser,agent"], COUNTER);
    let calls = [
        ("cookies", json!({ "action": "get_all" })),
        ("storage", json!({ "action": "set", "key": "k", "value": "v" })),
        ("storage", json!({ "action": "entries" })),
        ("storage", json!({ "action": "entries", "type": "session" })),
        ("storage", json!({ "action": "remove", "key": "k" })),
        ("storage", json!({ "action": "clear" })),
        ("auth_state", json!({ "action": "save", "name": "usual" })),
    ];
    own.server.evaluate("document.cookie = 'who=me'; localStorage.setItem('mine', 'kept')");
    for (tool, arguments) in &calls {
        let reply = own.server.call(tool, arguments.clone());
        assert!(reply.failed(), "{tool} {arguments}: {}", reply.text());
        assert!(reply.text().contains("has not allowed cookies and storage"), "{tool}: {}", reply.text());
    }
    assert_eq!(own.server.evaluate("JSON.stringify({ ...localStorage })"), r#"{"mine":"kept"}"#);
    let popup = own.chrome.popup();
    popup.click("Allow cookies and storage");
    popup.says("Forbid cookies and storage");
    for (tool, arguments) in &calls {
        let reply = own.server.call(tool, arguments.clone());
        assert!(!reply.failed(), "{tool} {arguments}: {}", reply.text());
    }
    // What was saved cannot be brought back without permission, either.
    popup.click("Forbid cookies and storage");
    popup.says("Allow cookies and storage");
    let reply = own.server.call("auth_state", json!({ "action": "load", "name": "usual" }));
    assert!(reply.text().contains("has not allowed cookies and storage"), "{}", reply.text());
}

/// Chrome tells its debuggers all headers, also those that no script can read.
#[test]
fn headers_are_captured_without_cookies_until_the_person_allows_them() {
    let mut own = Own::with(&["--dialect", "browser,agent"], COUNTER);
    let cookie = "Set-Cookie: session=s3cret; HttpOnly; Path=/".to_owned();
    let kind = "Content-Type: text/html".to_owned();
    own.site.answer(
        "/login",
        Answer::Raw(200, vec![kind.clone(), cookie.clone()], b"<title>In</title>".to_vec()),
    );
    let moved = vec!["Location: /echo".to_owned(), kind, cookie];
    own.site.answer("/moved", Answer::Raw(302, moved, Vec::new()));
    own.site.answer("/echo", Answer::Echo);
    let url = own.site.url("/login");
    own.server.navigate(&url);
    let popup = own.chrome.popup();
    let capture = |own: &mut Own, name: &str| {
        own.server.call("capture", json!({ "action": "start" })).ok();
        own.server.navigate(&url);
        own.server.evaluate("Promise.all([fetch('/echo'), fetch('/moved')]).then(() => 0)");
        let arguments = json!({ "action": "stop", "save_path": name });
        let stopped = own.server.call("capture", arguments).ok().text();
        let file = own.server.working_directory().join(name);
        (stopped, std::fs::read_to_string(file).unwrap())
    };
    let (reply, file) = capture(&mut own, "without.har");
    assert!(!reply.contains("s3cret"), "{reply}");
    let entries = har::entries(&serde_json::from_str::<Value>(&file).unwrap());
    assert!(!file.contains("s3cret") && !file.to_lowercase().contains("set-cookie"), "{file}");
    assert!(entries.iter().any(|entry| entry["request"]["url"].as_str().unwrap().ends_with("/moved")));
    let sent = own.site.cookies_for("/echo").join(" ");
    assert!(sent.contains("session=s3cret"), "the site gets its cookies: {sent}");
    popup.click("Allow cookies and storage");
    popup.says("Forbid cookies and storage");
    let (_, file) = capture(&mut own, "with.har");
    assert!(file.contains("s3cret"), "{file}");
}

/// What pauses for a route has them too.
#[test]
fn requests_that_a_route_changes_keep_their_cookies() {
    let mut own = Own::with(&["--dialect", "browser,agent"], COUNTER);
    let cookie = "Set-Cookie: session=s3cret; HttpOnly; Path=/".to_owned();
    own.site.answer("/login", Answer::Raw(200, vec![cookie], b"<title>In</title>".to_vec()));
    own.site.answer("/echo", Answer::Echo);
    let url = own.site.url("/login");
    own.server.navigate(&url);
    let route = json!({
        "action": "add", "url_pattern": "**/echo", "handler": "continue", "modify": { "headers": { "X-Added": "yes" } },
    });
    own.server.call("route", route).ok();
    let echoed = own.server.evaluate("fetch('/echo').then((answer) => answer.json())");
    assert_eq!(echoed["headers"]["x-added"], "yes", "{echoed}");
    assert_eq!(echoed["headers"]["cookie"], "session=s3cret", "{echoed}");
}

#[test]
fn a_group_has_a_colour() {
    let own = Own::at(COUNTER);
    let colour = format!("chrome.tabGroups.query({{ title: '{CLIENT}' }}).then(([group]) => group.color)");
    assert_eq!(own.chrome.in_worker(&colour), "red", "by the client's name, and not grey as Chrome's own");
}

#[test]
fn the_badge_tells_what_goes_on() {
    let mut own = Own::at(COUNTER);
    let badge =
        |own: &Own| own.chrome.in_worker("chrome.action.getBadgeText({})").as_str().unwrap().to_owned();
    eventually("connected", || (badge(&own) == "on").then_some(()));
    eventually("working", || {
        own.server.evaluate("document.title");
        (badge(&own) == "···").then_some(())
    });
    eventually("connected again", || (badge(&own) == "on").then_some(()));
    own.chrome.popup().click("Pause");
    eventually("waiting", || (badge(&own) == "wait").then_some(()));
    own.server.close_input();
    eventually("none", || badge(&own).is_empty().then_some(()));
}
