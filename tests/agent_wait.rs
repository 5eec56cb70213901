//! The `agent` dialect's waits: each thing that can be waited for, what is said when it does not come.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    agent_look::{SPEAKS, data, fails, open},
    support::{Answer, Reply, Site, Tab, not_defined, open_site},
};

/// A page on which something happens after a while.
fn later(html: &str, script: &str) -> Tab {
    open(&format!("{html}<script>go = () => setTimeout(() => {{ {script} }}, 150)</script>"))
}

/// Waits for something that begins to happen just before.
fn waits(html: &str, script: &str, wait: Value) -> (Tab, Reply) {
    let mut tab = later(html, script);
    let mut short = wait.clone();
    short["timeout"] = 1.into();
    assert!(tab.call("wait", short).failed(), "it is there already");
    tab.evaluate("go()");
    let reply = tab.call("wait", wait);
    reply.ok();
    (tab, reply)
}

#[test]
fn elements_come_and_go() {
    let p = "document.querySelector('p')";
    let shown = waits(
        "<p hidden>x</p>",
        &format!("{p}.hidden = false"),
        json!({ "for": "selector", "selector": "p" }),
    )
    .1;
    assert!(data(&shown)["ref"].as_str().unwrap().starts_with("@e"), "{}", shown.text());
    waits(
        "<p class=loading-spinner>x</p>",
        &format!("{p}.hidden = true"),
        json!({ "for": "selector", "selector": ".loading-spinner", "state": "hidden" }),
    );
    waits("<p>x</p>", &format!("{p}.hidden = true"), json!({ "for": "selector_hidden", "selector": "p" }));
    waits(
        "<p hidden>x</p>",
        &format!("{p}.remove()"),
        json!({ "for": "selector", "selector": "p", "state": "detached" }),
    );
    waits(
        "x",
        "document.body.append(document.createElement('p'))",
        json!({ "for": "selector", "selector": "p", "state": "attached" }),
    );
    waits(
        "<p>x</p>",
        "document.body.append(document.createElement('button'))",
        json!({ "for": "selector", "selector": "role:button", "state": "attached" }),
    );
}

#[test]
fn a_ref_can_be_waited_for() {
    let mut tab = later("<button>Go</button>", "document.querySelector('button').remove()");
    let button = tab.call("snapshot", json!({})).reference("Go");
    assert_eq!(data(&tab.call("wait", json!({ "for": "selector", "selector": button })))["ref"], button);
    tab.evaluate("go()");
    tab.call("wait", json!({ "for": "selector_hidden", "selector": button })).ok();
    tab.call("wait", json!({ "for": "selector", "selector": button, "state": "detached", "timeout": 0 }))
        .ok();
    let at = Instant::now();
    fails(&tab.call("wait", json!({ "for": "selector", "selector": button })), "no longer exists");
    assert!(at.elapsed() < Duration::from_secs(5));
    fails(&tab.call("wait", json!({ "for": "selector", "selector": "@e999" })), "ever gave out the ref");
}

#[test]
fn texts_come_and_go_also_as_patterns() {
    let say = |words: &str| format!("document.querySelector('p').textContent = '{words}'");
    waits("<p>Wait</p>", &say("Success!"), json!({ "for": "text", "text": "Success!" }));
    waits("<p>Wait</p>", &say("Order 1234 sent"), json!({ "for": "text", "text": "/order \\d{4}/i" }));
    waits("<p>Wait</p>", &say("7 items"), json!({ "for": "text", "text": "/\\d(?= items)/" }));
    waits("<p>Loading</p>", &say("Done"), json!({ "for": "text_hidden", "text": "Loading" }));
    waits("<p>3 left</p>", &say("Done"), json!({ "for": "text_hidden", "text": "/\\d left/" }));
}

#[test]
fn urls_come_as_globs_and_patterns() {
    for url in ["**/dashboard/**", "/\\/dash\\w+\\/\\d/", "/dashboard/1"] {
        waits("x", "history.pushState(null, '', '/dashboard/1')", json!({ "for": "url", "url": url }));
    }
    let site = Site::with(&[("/", "<a href=/next>Next</a>"), ("/next", "<title>Next</title>")]);
    let mut tab = open_site(SPEAKS, site);
    tab.evaluate("setTimeout(() => location.href = '/next', 150)");
    let next = tab.site.url("/next");
    let there = tab.call("wait", json!({ "for": "url", "url": next }));
    assert_eq!(data(&there)["url"], tab.site.url("/next"));
    assert_eq!(tab.evaluate("document.readyState"), "complete");
    fails(
        &tab.call("wait", json!({ "for": "url", "url": "**/never", "timeout": 100 })),
        &format!("it is {}", tab.site.url("/next")),
    );
    tab.call("wait", json!({ "for": "url", "url": "/(/" })).refused(-32602, "url");
    tab.call("wait", json!({ "for": "url", "url": "/a(?=b)/" })).refused(-32602, "look-around");
}

#[test]
fn a_page_is_waited_for_until_it_has_loaded() {
    let site = Site::of("<p>x</p>");
    site.answer(
        "/slow",
        Answer::Slow(Duration::from_millis(700), Box::new(Answer::Body("text/plain", b"x".to_vec()))),
    );
    site.answer("/silent", Answer::Silent);
    let mut tab = open_site(SPEAKS, site);
    for state in ["load", "domcontentloaded", "networkidle"] {
        tab.call("wait", json!({ "for": "load_state", "load_state": state })).ok();
    }
    tab.evaluate("void (done = false, fetch('/slow').then(() => done = true))");
    tab.call("wait", json!({ "for": "load_state", "load_state": "networkidle" })).ok();
    assert_eq!(tab.evaluate("done"), true);
    tab.evaluate("void fetch('/silent')");
    let late = tab.call("wait", json!({ "for": "load_state", "load_state": "networkidle", "timeout": 700 }));
    fails(&late, "timed out after 0.7 s: the network did not become idle; 1 request is in flight: ");
    tab.call("wait", json!({ "for": "load_state", "load_state": "load", "timeout": 100 })).ok();
}

#[test]
fn a_function_is_asked_until_it_says_yes() {
    let here =
        "document.body.append(Object.assign(document.createElement('p'), { className: 'data-loaded' }))";
    for function in [
        "return document.querySelector('.data-loaded') !== null",
        "const found = document.querySelector('.data-loaded'); return found",
        "() => document.querySelector('.data-loaded')",
        "document.querySelector('.data-loaded')",
        "await null; return document.querySelector('.data-loaded').matches('p')",
        "async () => { await null; return document.querySelector('.data-loaded') ? 1 : NaN }",
    ] {
        waits("x", here, json!({ "for": "function", "function": function, "polling": 20 }));
    }
    let mut tab = later("x", "location.search = 'again'");
    tab.evaluate("go()");
    tab.call("wait", json!({ "for": "function", "function": "return location.search === '?again'" })).ok();
    let asks = |tab: &mut Tab, function: &str| {
        tab.call("wait", json!({ "for": "function", "function": function, "timeout": 300 }))
    };
    fails(&asks(&mut tab, "return 0"), "it returns a falsy value");
    let missing = format!("it throws \"ReferenceError: {}\"", not_defined("nothing"));
    fails(&asks(&mut tab, "return nothing.here"), &missing);
    fails(&asks(&mut tab, "return new Promise(() => {})"), "it did not finish");
    fails(&asks(&mut tab, "while (true) {}"), "it did not finish");
    // No use in asking again.
    let at = Instant::now();
    fails(
        &tab.call("wait", json!({ "for": "function", "function": "return )", "timeout": 20_000 })),
        "SyntaxError",
    );
    assert!(at.elapsed() < Duration::from_secs(5));
    assert_eq!(tab.evaluate("1 + 1"), 2, "the page goes on");
    // Every 100 ms unless told.
    for polling in [json!(null), json!(100)] {
        tab.evaluate("asked = 0");
        let function = "asked++; return false";
        let wait = json!({ "for": "function", "function": function, "polling": polling, "timeout": 1000 });
        fails(&tab.call("wait", wait), "falsy");
        let asked = tab.evaluate("asked").as_i64().unwrap();
        assert!((2..=11).contains(&asked), "{asked}");
    }
}

#[test]
fn time_passes() {
    let mut tab = open("x");
    let at = Instant::now();
    tab.call("wait", json!({ "for": "timeout", "duration": 300 })).ok();
    assert!(at.elapsed() >= Duration::from_millis(300) && at.elapsed() < Duration::from_secs(5));
    tab.call("wait", json!({ "for": "timeout", "duration": 1_000_000 })).refused(-32602, "at most");
}

#[test]
fn a_download_is_waited_for_whether_it_came_before_or_comes_after() {
    let site = Site::of("<a id=quick href=/quick>Q</a><a id=slow href=/slow>S</a><b id=none>N</b>");
    site.answer("/quick", Answer::Download("quick.txt", b"quick".to_vec()));
    site.answer(
        "/slow",
        Answer::Slow(Duration::from_millis(500), Box::new(Answer::Download("slow.txt", b"slow".to_vec()))),
    );
    let mut tab = open_site(SPEAKS, site);
    tab.call("browser_click", json!({ "ref": "#quick" })).ok();
    let waited = tab.call("wait", json!({ "for": "download" }));
    let kept = |tab: &Tab, reply: &Reply| {
        std::fs::read_to_string(tab.working_directory().join(data(reply)["path"].as_str().unwrap())).unwrap()
    };
    assert_eq!((kept(&tab, &waited).as_str(), &data(&waited)["name"]), ("quick", &json!("quick.txt")));
    let late = tab.call("wait", json!({ "for": "download", "timeout": 100 }));
    fails(&late, "timed out after 0.1 s: no download began");
    // One that ended before the latest action is not what is waited for.
    tab.call("browser_click", json!({ "ref": "#quick" })).ok();
    tab.call("browser_click", json!({ "ref": "#none" })).ok();
    fails(&tab.call("wait", json!({ "for": "download", "timeout": 100 })), "no download began");
    tab.call("browser_click", json!({ "ref": "#quick" })).ok();
    tab.evaluate("setTimeout(() => document.querySelector('#slow').click(), 200)");
    let waited = tab.call("wait", json!({ "for": "download" }));
    assert_eq!(kept(&tab, &waited), "slow");
    // It holds up nobody: what makes it begin is another call.
    let waiting = tab.begin_call("wait", json!({ "for": "download", "timeout": 9000 }));
    tab.call("browser_click", json!({ "ref": "#slow" })).ok();
    let waited = tab.finish(waiting);
    assert_eq!(kept(&tab, &waited), "slow");
}

#[test]
fn what_does_not_come_is_told_with_what_was_there() {
    let mut tab = open("<button hidden>Save</button><p>Loading…</p>");
    let late = |tab: &mut Tab, mut wait: Value| {
        wait["timeout"] = 100.into();
        tab.call("wait", wait)
    };
    fails(
        &late(&mut tab, json!({ "for": "selector", "selector": "button" })),
        "timed out after 0.1 s: button did not become visible; there is a hidden button",
    );
    fails(
        &late(&mut tab, json!({ "for": "selector", "selector": ".none" })),
        "timed out after 0.1 s: .none did not become visible; nothing matches it",
    );
    fails(
        &late(&mut tab, json!({ "for": "selector_hidden", "selector": "p" })),
        "there is a visible paragraph",
    );
    fails(
        &late(&mut tab, json!({ "for": "text", "text": "Done" })),
        "timed out after 0.1 s: \"Done\" did not appear; the page shows \"Loading…\"",
    );
    fails(&late(&mut tab, json!({ "for": "text_hidden", "text": "Loading" })), "did not go away");
    let wrong = late(&mut tab, json!({ "for": "selector", "selector": "p[" }));
    fails(&wrong, "not a valid target");
    fails(&late(&mut tab, json!({ "for": "text", "text": "/(/" })), "not a valid pattern");
}

#[test]
fn a_wait_that_lacks_something_is_refused() {
    let mut tab = open("x");
    for (wait, words) in [
        (json!({}), "Missing required argument: for"),
        (
            json!({ "for": "rain" }),
            "one of selector, selector_hidden, text, text_hidden, url, load_state, function, timeout, download",
        ),
        (json!({ "for": "selector" }), "Missing required argument: selector"),
        (json!({ "for": "selector_hidden" }), "Missing required argument: selector"),
        (json!({ "for": "text" }), "Missing required argument: text"),
        (json!({ "for": "text_hidden" }), "Missing required argument: text"),
        (json!({ "for": "url" }), "Missing required argument: url"),
        (json!({ "for": "load_state" }), "Missing required argument: load_state"),
        (json!({ "for": "function" }), "Missing required argument: function"),
        (json!({ "for": "timeout" }), "Missing required argument: duration"),
        (
            json!({ "for": "selector", "selector": "p", "state": "gone" }),
            "one of attached, detached, visible, hidden",
        ),
        (json!({ "for": "load_state", "load_state": "done" }), "one of load, domcontentloaded, networkidle"),
    ] {
        tab.call("wait", wait).refused(-32602, words);
    }
}

#[test]
fn waits_look_into_frames_or_into_one() {
    let mut tab = open("<p>Outer</p><iframe srcdoc='<p id=in>Inner words</p>'></iframe>");
    tab.call("wait", json!({ "for": "text", "text": "Inner words" })).ok();
    let inner = tab.call("wait", json!({ "for": "selector", "selector": "#in" }));
    assert!(data(&inner)["ref"].as_str().unwrap().starts_with("@f1e"));
    tab.call("wait", json!({ "for": "selector", "selector": "#in", "frameId": 1 })).ok();
    tab.call(
        "wait",
        json!({ "for": "function", "function": "return document.querySelector('#in')", "frameId": 1 }),
    )
    .ok();
    fails(
        &tab.call("wait", json!({ "for": "selector", "selector": "#in", "frameId": 0, "timeout": 100 })),
        "nothing matches it",
    );
    fails(&tab.call("wait", json!({ "for": "text", "text": "x", "frameId": 7 })), "unknown frame 7");
}
