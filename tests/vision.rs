//! The `vision` dialect: its published tools, its sessions, its errors. `vision_sandbox.rs` has the scripts.

use serde_json::{Value, json};

use crate::support::{
    Answer, Reply, Server, Site,
    arguments::{tools_of, with, wrong_ones_are_named},
    tells,
};

fn start(flags: &[&str]) -> Server {
    Server::start(&[&["--dialect", "vision"], flags].concat())
}

fn site() -> Site {
    let site = Site::of(
        "<title>Shop</title><body style='margin:0;height:3000px'><h1>Example Domain</h1><p>This domain is an example.</p>
         <a href=/more>More information...</a><form><label>Name <input id=name value=old></label>
         <input type=password id=pw><input type=checkbox aria-label=Agree checked></form>
         <button id=go onclick=\"document.title = 'Clicked'\">Go</button>
         <div id=box style='width:200px;height:100px;overflow:auto'><div style='height:900px'>Long</div></div>
         <div style='pointer-events:none;position:relative'><button id=late onclick=\"setTimeout(() => location.href = '/more', 300)\"
         style='pointer-events:auto'>Later</button></div>",
    );
    site.answer("/more", Answer::Html("<title>More</title><h1>More</h1>".into()));
    site.answer("/gone", Answer::Status(404, "<h1>Gone</h1>".into()));
    site.answer("/hang", Answer::Silent);
    site
}

/// A server at the first page of a site.
fn open(flags: &[&str]) -> (Server, Site) {
    let (mut server, site) = (start(flags), site());
    server.call("browser.navigate", json!({ "url": site.url("/") })).ok();
    (server, site)
}

fn named(reply: &Reply, name: &str) {
    assert!(reply.failed(), "it did not fail: {}", reply.message);
    assert_eq!(reply.facts()["error"]["name"], name, "{}", reply.text());
}

/// Sides of a JPEG.
fn jpeg_size(bytes: &[u8]) -> (u32, u32) {
    assert!(bytes.starts_with(&[0xff, 0xd8]), "not a JPEG");
    let mut at = 2;
    loop {
        let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
        if matches!(bytes[at + 1], 0xc0..=0xc2) {
            let side = |from: usize| u32::from(u16::from_be_bytes([bytes[from], bytes[from + 1]]));
            return (side(at + 7), side(at + 5));
        }
        at += 2 + length;
    }
}

#[test]
fn navigation_repeats_the_url_with_status_and_reason() {
    let site = site();
    let mut server = start(&[]);
    let home = site.url("/");
    for until in ["load", "domcontentloaded", "networkidle"] {
        let reply =
            server.call("browser.navigate", json!({ "url": home, "waitUntil": until, "timeout": 30000 }));
        // What a page still loads is told after it.
        reply.says(&format!("Successfully navigated to {home} (200 OK)"));
    }
    let gone = site.url("/gone");
    server
        .call("browser.navigate", json!({ "url": gone }))
        .says(&format!("Successfully navigated to {gone} (404 Not Found)"));
    server
        .call("browser.navigate", json!({ "url": "about:blank" }))
        .says("Successfully navigated to about:blank");
    named(&server.call("browser.navigate", json!({ "url": site.url("/hang"), "timeout": 500 })), "Timeout");
    server.call("browser.navigate", json!({})).refused(-32602, "Missing required argument: url");
    server.call("browser.navigate", json!({ "url": "http://" })).refused(-32602, "http://");
    server.call("browser.navigate", json!({ "url": home, "waitUntil": "soon" })).refused(-32602, "waitUntil");
    for (forbidden, words) in [
        ("file:///etc/hostname", "/etc/hostname"),
        ("chrome://settings", "its scheme is not allowed"),
        ("javascript:alert(1)", "its scheme is not allowed"),
    ] {
        let reply = server.call("browser.navigate", json!({ "url": forbidden }));
        reply.refused(-32002, words);
        assert_eq!(reply.message["error"]["data"]["name"], "AuthorizationError");
    }
    server.call("browser.nothing", json!({})).refused(-32001, "Unknown tool: browser.nothing");
    server.call("navigate", json!({})).refused(-32601, "Unknown tool: navigate");
}

#[test]
fn snapshots_list_elements_with_their_refs_first() {
    let (mut server, site) = open(&[]);
    let reply = server.call("browser.snapshot", json!({}));
    let text = reply.ok().text();
    assert!(
        text.starts_with("[Snapshot of 127.0.0.1]\n- @e1: heading \"Example Domain\" (level: 1)\n"),
        "{text}"
    );
    let line = |words: &str| {
        let line = text.lines().find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("{words:?} is not in {text}")).trim_start().to_owned()
    };
    assert!(line("paragraph \"This domain is an example.\"").starts_with("- @e"));
    assert!(line("link \"More information...\"").ends_with(&format!(" → {}", site.url("/more"))));
    assert!(line("textbox \"Name\"").ends_with("(value: \"old\")"), "{}", line("textbox \"Name\""));
    assert!(line("checkbox \"Agree\"").ends_with("(checked)"));
    let some = server.call("browser.snapshot", json!({ "interactiveOnly": true }));
    some.says("link \"More information...\"").says("button \"Go\"").says_not("heading").says_not("paragraph");
    server
        .call("browser.snapshot", json!({ "selector": "form" }))
        .says("textbox \"Name\"")
        .says_not("heading");
    let whole = server.call("browser.snapshot", json!({ "compact": false }));
    assert!(whole.ok().text().len() >= text.len());
    server.call("browser.snapshot", json!({ "compact": "yes" })).refused(-32602, "compact");
    named(&server.call("browser.snapshot", json!({ "selector": "#nowhere" })), "NotFound");
    server.call("browser.navigate", json!({ "url": site.url("/more") })).ok();
    let none = server.call("browser.snapshot", json!({ "interactiveOnly": true }));
    tells(&none, "[Snapshot of 127.0.0.1]\n(no interactive elements)");
}

#[test]
fn screenshots_come_before_the_listing_and_within_their_bounds() {
    let (mut server, _site) = open(&["--max-image-dimension", "600"]);
    let reply = server.call("browser.screenshot", json!({}));
    let content = reply.ok().message["result"]["content"].as_array().unwrap();
    let kinds: Vec<&str> = content.iter().map(|item| item["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["image", "text"]);
    reply.says("[Snapshot of 127.0.0.1]\n- @e1: heading \"Example Domain\" (level: 1)");
    let (mime, bytes) = reply.images().remove(0);
    assert_eq!((mime.as_str(), jpeg_size(&bytes)), ("image/jpeg", (600, 338)));
    let full =
        server.call("browser.screenshot", json!({ "fullPage": true, "includeAccessibilityTree": false }));
    full.says_not("heading");
    let (width, height) = jpeg_size(&full.images()[0].1);
    assert!(height <= 600 && width < height, "{width}x{height}");
    let element = server.call("browser.screenshot", json!({ "selector": "#box" }));
    assert_eq!(jpeg_size(&element.images()[0].1), (200, 100));
    element.says_not("Example Domain");
    let both = json!({ "selector": "#box", "fullPage": true });
    server.call("browser.screenshot", both).refused(-32602, "fullPage");
    named(&server.call("browser.screenshot", json!({ "selector": "#nowhere" })), "NotFound");
}

/// The sum of a JPEG's first quantization table: the lower the quality, the larger.
fn coarseness(bytes: &[u8]) -> u32 {
    let mut at = 2;
    loop {
        let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
        if bytes[at + 1] == 0xdb {
            return bytes[at + 5..at + 69].iter().map(|step| u32::from(*step)).sum();
        }
        at += 2 + length;
    }
}

#[test]
fn a_screenshot_of_too_many_bytes_has_a_lower_quality() {
    let plain = "<body style='margin:0'><h1>Plain</h1>";
    let noise = "<body style='margin:0'><canvas width=2400 height=2400></canvas><script>
        const on = document.querySelector('canvas').getContext('2d'), image = on.createImageData(2400, 2400);
        const pixels = new Uint32Array(image.data.buffer);
        let seed = 1;
        for (let at = 0; at < pixels.length; at++) {
            seed ^= seed << 13;
            seed ^= seed >>> 17;
            seed ^= seed << 5;
            pixels[at] = seed | 0xff000000;
        }
        on.putImageData(image, 0, 0);
    </script>";
    let site = Site::of(plain);
    site.answer("/noise", Answer::Html(noise.into()));
    let mut server = start(&["--viewport", "2400x2400", "--max-image-dimension", "2400"]);
    let mut picture = |path: &str| {
        server.call("browser.navigate", json!({ "url": site.url(path) })).ok();
        let reply = server.call("browser.screenshot", json!({ "includeAccessibilityTree": false }));
        reply.ok().images().remove(0).1
    };
    let (plain, noise) = (picture("/"), picture("/noise"));
    assert_eq!((jpeg_size(&plain), jpeg_size(&noise)), ((2400, 2400), (2400, 2400)));
    // 5 MiB in base64.
    assert!(noise.len() > 1 << 20 && noise.len() <= (5 << 20) / 4 * 3, "{}", noise.len());
    assert!(coarseness(&noise) > coarseness(&plain), "{} {}", coarseness(&noise), coarseness(&plain));
}

#[test]
fn a_large_screenshot_has_two_thousand_pixels_unless_told() {
    let (mut server, _site) = open(&["--viewport", "2600x1300"]);
    let reply = server.call("browser.screenshot", json!({ "includeAccessibilityTree": false }));
    assert_eq!(jpeg_size(&reply.ok().images()[0].1), (2000, 1000));
}

#[test]
fn clicks_by_selector_and_ref_and_wait_for_a_navigation() {
    let (mut server, site) = open(&[]);
    tells(&server.call("browser.click", json!({ "selector": "button#go" })), "Clicked element: button#go");
    let reference = {
        let reply = server.call("browser.snapshot", json!({}));
        let line = reply.text().lines().find(|line| line.contains("button \"Later\"")).unwrap().to_owned();
        line.trim_start().trim_start_matches("- ").split(':').next().unwrap().to_owned()
    };
    let click = json!({ "selector": reference, "waitForNavigation": true });
    let reply = server.call("browser.click", click);
    reply.says(&format!("Clicked element: {reference}\nPage: {}", site.url("/more")));
    server.call("browser.navigate", json!({ "url": site.url("/") })).ok();
    let click = json!({ "selector": "#go", "waitForNavigation": true, "timeout": 600 });
    let reply = server.call("browser.click", click);
    named(&reply, "Timeout");
    reply.fails("timed out after 0.6 s: the click did not navigate");
    named(&server.call("browser.click", json!({ "selector": "#nowhere", "timeout": 300 })), "NotFound");
    named(&server.call("browser.click", json!({ "selector": reference, "timeout": 300 })), "NotFound");
    server.call("browser.click", json!({ "selector": "" })).refused(-32602, "selector");
    server.call("browser.click", json!({})).refused(-32602, "Missing required argument: selector");
}

#[test]
fn a_navigation_that_a_click_began_has_the_time_of_a_navigation() {
    let mut server = start(&[]);
    let site = Site::of("<a href=/late>Late</a>");
    let late =
        Answer::Slow(std::time::Duration::from_secs(6), Box::new(Answer::Html("<title>Late</title>".into())));
    site.answer("/late", late);
    server.call("browser.navigate", json!({ "url": site.url("/") })).ok();
    let reply = server.call("browser.click", json!({ "selector": "a", "waitForNavigation": true }));
    reply.says(&format!("Clicked element: a\nPage: {}", site.url("/late")));
}

#[test]
fn a_covered_element_is_a_timeout() {
    let mut server = start(&[]);
    let site = Site::of("<button id=a>Under</button><div style='position:fixed;inset:0'></div>");
    server.call("browser.navigate", json!({ "url": site.url("/") })).ok();
    let reply = server.call("browser.click", json!({ "selector": "#a", "timeout": 400 }));
    named(&reply, "Timeout");
    reply.fails("covered");
}

#[test]
fn fields_are_filled_and_read_back() {
    let (mut server, _site) = open(&[]);
    let fill = |server: &mut Server, arguments: Value| server.call("browser.fill", arguments);
    let reply = fill(&mut server, json!({ "selector": "input#name", "value": "john.doe@example.com" }));
    tells(&reply, "Filled input#name with \"john.doe@example.com\"");
    let reply = fill(&mut server, json!({ "selector": "input#name", "value": "!", "clearFirst": false }));
    assert_eq!(reply.ok().facts()["value"], "john.doe@example.com!");
    server.call("browser.snapshot", json!({ "selector": "form" })).says("value: \"john.doe@example.com!\"");
    let reply = fill(&mut server, json!({ "selector": "#pw", "value": "hunter2" }));
    tells(&reply, "Filled #pw");
    assert!(!reply.message.to_string().contains("hunter2"));
    named(&fill(&mut server, json!({ "selector": "#nowhere", "value": "x" })), "NotFound");
    fill(&mut server, json!({ "selector": "#name" })).refused(-32602, "Missing required argument: value");
}

#[test]
fn a_field_that_goes_away_is_not_said_to_hold_the_text() {
    let mut server = start(&[]);
    let site = Site::of("<label>Name <input id=name oninput='this.remove()'></label>");
    server.call("browser.navigate", json!({ "url": site.url("/") })).ok();
    let reply = server.call("browser.fill", json!({ "selector": "#name", "value": "x" }));
    tells(&reply, "Filled #name\nNote: the field is not there any more to be read back");
}

#[test]
fn scrolling_says_how_far_or_that_nothing_moved() {
    let (mut server, _site) = open(&[]);
    tells(&server.call("browser.scroll", json!({})), "Scrolled down by 300 pixels");
    let scroll = json!({ "direction": "down", "pixels": 500 });
    let reply = server.call("browser.scroll", scroll);
    tells(&reply, "Scrolled down by 500 pixels");
    assert_eq!(reply.facts()["y"].as_f64(), Some(800.0));
    tells(&server.call("browser.scroll", json!({ "direction": "up" })), "Scrolled up by 300 pixels");
    let reply = server.call("browser.scroll", json!({ "selector": "#box", "pixels": 50 }));
    tells(&reply, "Scrolled down by 50 pixels");
    assert_eq!(reply.facts()["y"].as_f64(), Some(50.0));
    server.call("browser.scroll", json!({ "direction": "left" })).says("Nothing moved");
    server.call("browser.scroll", json!({ "direction": "sideways" })).refused(-32602, "direction");
    server.call("browser.scroll", json!({ "pixels": -5 })).refused(-32602, "pixels");
}

#[test]
fn sessions_are_made_on_first_use_and_share_nothing() {
    let (mut server, site) = open(&[]);
    site.answer("/set", Answer::Headed(&["Set-Cookie: who=me"], "<title>Set</title>".into()));
    let go = |server: &mut Server, path: &str, session: Option<&str>| {
        let mut arguments = json!({ "url": site.url(path) });
        if let Some(session) = session {
            arguments["sessionId"] = session.into();
        }
        server.call("browser.navigate", arguments).ok();
    };
    go(&mut server, "/set", Some("mine"));
    go(&mut server, "/more", Some("mine"));
    go(&mut server, "/more", Some("other"));
    assert_eq!(site.cookies_for("/more"), ["/more who=me"], "the other session has none");
    // The one that was used last is current.
    server.call("browser.snapshot", json!({})).says("heading \"More\"");
    server.call("browser.snapshot", json!({ "sessionId": "default" })).says("heading \"Example Domain\"");
    server.call("browser.snapshot", json!({})).says("heading \"Example Domain\"");
    let close = json!({ "sessionId": "mine", "graceful": true });
    tells(&server.call("browser.close", close), "Closed session: mine");
    named(&server.call("browser.close", json!({ "sessionId": "mine" })), "NotFound");
    // Under the same name there is another one now, with nothing in it.
    go(&mut server, "/more", Some("mine"));
    assert_eq!(site.cookies_for("/more").len(), 1);
    tells(&server.call("browser.close", json!({})), "Closed all sessions");
    go(&mut server, "/more", None);
    for bad in ["", "   "] {
        let arguments = json!({ "url": site.url("/"), "sessionId": bad });
        server.call("browser.navigate", arguments).refused(-32602, "sessionId");
    }
}

#[test]
fn a_session_is_closed_gracefully_or_at_once() {
    let (mut server, site) = open(&[]);
    let slow =
        Answer::Slow(std::time::Duration::from_secs(2), Box::new(Answer::Html("<title>Slow</title>".into())));
    site.answer("/slow", slow);
    let go = json!({ "url": site.url("/slow"), "sessionId": "a" });
    server.call("browser.navigate", json!({ "url": site.url("/"), "sessionId": "a" })).ok();
    let running = server.begin_call("browser.navigate", go.clone());
    let closing = server.begin_call("browser.close", json!({ "sessionId": "a" }));
    server.finish(running).says("Successfully navigated");
    server.finish(closing).says("Closed session: a");
    server.call("browser.navigate", json!({ "url": site.url("/"), "sessionId": "a" })).ok();
    let running = server.begin_call("browser.navigate", go);
    let closing = server.begin_call("browser.close", json!({ "sessionId": "a", "graceful": false }));
    server.finish(closing).says("Closed session: a\nNote: a call still ran and was ended in: a");
    assert!(server.finish(running).failed());
    // Where there is another session, the browser stays.
    server.call("browser.navigate", json!({ "url": site.url("/more"), "sessionId": "b" })).ok();
    server.call("browser.snapshot", json!({ "sessionId": "b" })).says("heading \"More\"");
}

#[test]
fn a_graceful_close_waits_for_a_sessions_first_call() {
    let (mut server, site) = (start(&[]), site());
    let slow =
        Answer::Slow(std::time::Duration::from_secs(2), Box::new(Answer::Html("<title>Slow</title>".into())));
    site.answer("/slow", slow);
    let go = json!({ "url": site.url("/slow"), "sessionId": "new" });
    let running = server.begin_call("browser.navigate", go);
    let closing = server.begin_call("browser.close", json!({ "sessionId": "new", "graceful": true }));
    server.finish(running).says("Successfully navigated");
    tells(&server.finish(closing), "Closed session: new");
}

#[test]
fn a_graceful_close_waits_so_long_and_says_what_it_ended() {
    let (mut server, site) = open(&["--navigation-timeout", "2s"]);
    let go = json!({ "url": site.url("/hang"), "sessionId": "a", "timeout": 60000 });
    server.call("browser.navigate", json!({ "url": site.url("/"), "sessionId": "a" })).ok();
    let running = server.begin_call("browser.navigate", go);
    let closing = server.begin_call("browser.close", json!({ "sessionId": "a", "graceful": true }));
    let reply = server.finish(closing);
    reply.says("Closed session: a\nNote: a call still ran and was ended in: a");
    assert_eq!(reply.facts()["interrupted"], json!(["a"]));
    let ended = server.finish(running);
    ended.fails("closed");
    server.call("browser.snapshot", json!({ "sessionId": "default" })).says("Example Domain");
}

#[test]
fn a_session_is_closed_when_nobody_used_it_for_long() {
    let (mut server, site) = open(&["--session-timeout", "2s"]);
    site.answer("/set", Answer::Headed(&["Set-Cookie: who=me"], "<title>Set</title>".into()));
    let slow =
        Answer::Slow(std::time::Duration::from_secs(5), Box::new(Answer::Html("<title>Slow</title>".into())));
    site.answer("/slow", slow);
    server.call("browser.navigate", json!({ "url": site.url("/set"), "sessionId": "idle" })).ok();
    // A call under way is use.
    server
        .call("browser.navigate", json!({ "url": site.url("/slow"), "sessionId": "used" }))
        .says("Successfully navigated");
    named(&server.call("browser.close", json!({ "sessionId": "idle" })), "NotFound");
    tells(&server.call("browser.close", json!({ "sessionId": "used" })), "Closed session: used");
}

#[test]
fn wrong_missing_and_unknown_arguments_are_named() {
    wrong_ones_are_named("vision");
}

#[test]
fn values_that_no_argument_can_have_are_named_by_every_tool() {
    let mut server = start(&[]);
    let long = "x".repeat(101);
    let mut refused = 0;
    for (tool, example, takes, _) in tools_of("vision") {
        for (name, wrong) in [
            ("sessionId", json!("")),
            ("sessionId", json!("   ")),
            ("sessionId", json!(long)),
            ("selector", json!("")),
            ("timeout", json!(-1)),
            ("pixels", json!(-5)),
        ] {
            if takes.contains_key(name) {
                let named = format!("Invalid argument {name}: it must be ");
                server.call(tool, with(&example, name, wrong)).refused(-32602, &named);
                refused += 1;
            }
        }
    }
    assert_eq!(refused, 8 * 3 + 5 + 2 + 1);
    assert_eq!(server.descendants(), [0; 0]);
}
