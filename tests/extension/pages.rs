//! Pages that Chrome lets no extension use, and tabs that it treats otherwise.

use serde_json::json;

use crate::{
    own::{CLIENT, Own},
    support::{SecureSite, chrome::eventually},
};

const COUNTER: &str = "<title>0</title><button onclick='document.title++'>Count</button>";

fn tab(own: &Own) -> String {
    format!("chrome.tabs.query({{ url: {} }}).then(([tab]) => tab.id)", json!(own.site.url("/")))
}

#[test]
fn a_tab_at_a_page_of_chromes_own_can_be_led_out() {
    let mut own = Own::at(COUNTER);
    let id = own.chrome.in_worker(&tab(&own));
    own.chrome.in_worker(&format!("chrome.tabs.update({id}, {{ url: 'chrome://version/' }}).then(() => 0)"));
    let there = format!("chrome.tabs.get({id}).then((tab) => tab.url)");
    eventually("chrome://version", || (own.chrome.in_worker(&there) == "chrome://version/").then_some(()));
    let reply = own.server.call("browser_snapshot", json!({}));
    assert!(reply.failed(), "{}", reply.text());
    let url = own.site.url("/mine");
    own.server.navigate(&url);
    own.server.snapshot().says("Private");
    assert_eq!(own.chrome.in_worker(&there), url.as_str(), "in the same tab");
}

#[test]
fn pages_of_chromes_own_cannot_be_opened() {
    let mut own = Own::at(COUNTER);
    let reply = own.server.call("browser_navigate", json!({ "url": "chrome://settings" }));
    assert!(reply.failed(), "{}", reply.text());
    assert_eq!(own.server.evaluate("document.title"), "0", "the tab is where it was");
}

#[test]
fn frames_of_other_extensions_are_removed_and_the_agent_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let manifest = json!({
        "manifest_version": 3, "name": "frames", "version": "1",
        "content_scripts": [{ "matches": ["http://*/*"], "js": ["frame.js"] }],
        "web_accessible_resources": [{ "resources": ["frame.html"], "matches": ["<all_urls>"] }],
    });
    let script = "const host = document.createElement('div');
        const frame = document.createElement('iframe');
        frame.src = chrome.runtime.getURL('frame.html');
        host.attachShadow({ mode: 'closed' }).append(frame);
        document.addEventListener('click', () => document.documentElement.append(host));";
    for (name, text) in
        [("manifest.json", manifest.to_string()), ("frame.js", script.into()), ("frame.html", "x".into())]
    {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let mut own = Own::unopened(&[], &[directory.path()], COUNTER);
    let url = own.site.url("/");
    own.server.navigate(&url);
    let button = own.server.snapshot().reference("Count");
    // The click brings the frame; what happens to this call is Chrome's affair.
    own.server.call("browser_click", json!({ "ref": button }));
    eventually("the debugger again", || {
        let reply = own.server.call("browser_evaluate", json!({ "function": "document.title" }));
        (!reply.failed() && reply.facts()["result"] == "1").then_some(())
    });
    own.server.snapshot().says("Count");
}

#[test]
fn a_discarded_tab_of_the_group_does_not_hang() {
    let mut own = Own::at(COUNTER);
    let url = own.site.url("/");
    let id = own.chrome.in_worker(&tab(&own));
    own.chrome.in_worker(&format!("chrome.tabs.discard({id}).then(() => 0)"));
    eventually("a usable tab", || {
        let reply = own.server.call("browser_navigate", json!({ "url": url }));
        (!reply.failed()).then_some(())
    });
    own.server.snapshot().says("Count");
}

#[test]
fn screenshots_of_a_hidden_tab_come_every_time() {
    let mut own = Own::at(COUNTER);
    for _ in 0..4 {
        own.server.call("browser_take_screenshot", json!({})).ok();
    }
}

#[test]
fn a_hidden_tab_is_drawn_while_it_is_used() {
    let mut own = Own::at(COUNTER);
    let took = own.server.evaluate(
        "new Promise((done) => {
            const began = performance.now();
            let frames = 0;
            const step = () => {
                document.body.style.background = frames % 2 ? 'red' : 'blue';
                if (++frames < 12) requestAnimationFrame(step);
                else done(performance.now() - began);
            };
            step();
        })",
    );
    assert!(took.as_f64().unwrap() < 5_000.0, "{took} ms for 12 frames, of which Chrome draws one a second");
}

#[test]
fn a_tab_that_is_closed_during_a_call_ends_the_call() {
    let mut own = Own::at(COUNTER);
    let id = own.chrome.in_worker(&tab(&own));
    let call = own.server.begin_call("browser_evaluate", json!({ "function": "new Promise(() => {})" }));
    own.chrome.in_worker(&format!("chrome.tabs.remove({id}).then(() => 0)"));
    let reply = own.server.finish(call);
    assert!(reply.failed(), "{}", reply.text());
    let url = own.site.url("/");
    own.server.navigate(&url);
}

/// The store's host leads to a site of ours here: Chrome goes by the name.
#[test]
fn a_tab_at_the_web_store_is_said_and_can_be_led_out() {
    let store = SecureSite::start();
    let port = store.url("").rsplit(':').next().unwrap().to_owned();
    let rules = format!("--host-resolver-rules=MAP chromewebstore.google.com:443 127.0.0.1:{port}");
    let flags = ["--headless=new", rules.as_str(), "--ignore-certificate-errors"];
    let mut own = Own::started(&[], &[], &flags, None, COUNTER);
    let url = own.site.url("/");
    own.server.navigate(&url);
    let id = own.chrome.in_worker(&tab(&own));
    let store = "https://chromewebstore.google.com/";
    own.chrome.in_worker(&format!("chrome.tabs.update({id}, {{ url: '{store}' }}).then(() => 0)"));
    let there = format!("chrome.tabs.get({id}).then((tab) => tab.status + ' ' + tab.url)");
    let arrived = format!("complete {store}");
    eventually("the store", || (own.chrome.in_worker(&there) == arrived.as_str()).then_some(()));
    eventually("what is the matter", || {
        let reply = own.server.call("browser_snapshot", json!({}));
        (reply.failed() && reply.text().contains("Chrome lets no extension use this page")).then_some(())
    });
    own.server.navigate(&url);
    own.server.snapshot().says("Count");
    assert_eq!(own.chrome.grouped(CLIENT), [url], "in the same tab");
}

#[test]
fn an_incognito_window_is_out_of_reach() {
    let mut own = Own::at(COUNTER);
    let mut cdp = own.chrome.cdp();
    let context = cdp.send(None, "Target.createBrowserContext", json!({}));
    let secret = own.site.url("/mine");
    let window = json!({ "url": secret, "browserContextId": context["browserContextId"], "newWindow": true });
    cdp.send(None, "Target.createTarget", window);
    let there =
        || own.chrome.cdp().targets("page").iter().filter(|page| page["url"] == secret.as_str()).count();
    eventually("the window", || (there() == 2).then_some(()));
    let seen = "chrome.tabs.query({}).then((all) => all.filter((tab) => tab.incognito).length)";
    assert_eq!(own.chrome.in_worker(seen), 0, "the extension sees none of it");
    own.server.call("browser_tabs", json!({ "action": "new" })).ok();
    own.server.navigate(&own.site.url("/"));
    assert!(!own.tabs().contains(&secret));
    assert_eq!(own.chrome.grouped(CLIENT).len(), 2, "a new tab is beside the first one");
}

#[test]
fn a_browser_that_is_too_old_is_said() {
    let agent =
        "--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36";
    let mut own = Own::started(&[], &[], &["--headless=new", agent], None, COUNTER);
    let reply = own.server.call("browser_navigate", json!({ "url": own.site.url("/") }));
    reply.fails("Chromium 120").fails("the oldest supported version is 140").fails("update the browser");
}
