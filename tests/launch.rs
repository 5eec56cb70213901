//! The `launch` dialect: each tool with every parameter, default and example of its document, and texts to the letter.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site, Tab, engine, open_site, tells};

/// The flags of a server that speaks it, impatient with what does not come.
const LAUNCH: [&str; 4] = ["--dialect", "launch", "--action-timeout", "1s"];

fn open(html: &str) -> Tab {
    open_site(&LAUNCH, Site::of(html))
}

/// The text must begin with this line.
#[track_caller]
fn begins(reply: &Reply, line: &str) {
    reply.ok();
    assert_eq!(reply.text().lines().next(), Some(line), "{}", reply.text());
}

/// The size of a PNG.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

/// The only picture, which must come before the text.
#[track_caller]
fn picture(reply: &Reply) -> (u32, u32) {
    reply.ok();
    let content = &reply.message["result"]["content"];
    assert_eq!(content[0]["type"], "image", "the picture comes first");
    assert_eq!(content[0]["mimeType"], "image/png");
    assert_eq!(content[1]["type"], "text");
    assert_eq!(content.as_array().unwrap().len(), 2);
    png_size(&reply.images()[0].1)
}

#[test]
fn launching_again_replaces_the_browser() {
    let site = Site::of("<title>Here</title>");
    let mut server = Server::start(&LAUNCH);
    let engine = engine().unwrap_or_else(|| "chromium".into());
    let launched = format!("Browser launched successfully ({engine}, headless: true)");
    let first = server.call("browser_launch", json!({ "browserType": engine, "headless": true }));
    tells(&first, &launched);
    assert_eq!(first.facts(), &json!({ "browserType": engine, "headless": true }));
    let old = server.descendants();
    assert!(!old.is_empty());
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("[innerWidth, innerHeight]"), json!([1280, 720]));

    let second = json!({ "viewport": { "width": 640, "height": 480 } });
    tells(&server.call("browser_launch", second), &launched);
    let new = server.descendants();
    assert!(!new.is_empty() && old.iter().all(|process| !new.contains(process)), "{old:?} {new:?}");
    assert!(old.iter().all(|process| !running(*process)), "a process of the old browser is left");
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("[innerWidth, innerHeight, history.length]"), json!([640, 480, 1]));
    assert_eq!(picture(&server.call("browser_screenshot", json!({}))), (640, 480));

    // What is left out is as published, whatever was launched before.
    tells(&server.call("browser_launch", json!({ "viewport": { "width": 800 } })), &launched);
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("[innerWidth, innerHeight]"), json!([800, 720]));
    tells(&server.call("browser_launch", json!({})), &launched);
    server.navigate(&site.url("/"));
    assert_eq!(server.evaluate("[innerWidth, innerHeight]"), json!([1280, 720]));
}

/// Whether a process is there and has not ended.
fn running(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.starts_with(" Z")))
}

#[test]
fn what_cannot_be_launched_leaves_the_browser_alone() {
    // No display, wherever this runs.
    let mut server = Server::spawn(&LAUNCH, &[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")]);
    server.initialize("2025-06-18");
    let site = Site::of("<title>Here</title><input id=name>");
    server.navigate(&site.url("/"));
    server.call("browser_type", json!({ "selector": "#name", "text": "kept" })).ok();
    let processes = server.descendants();
    for engine in ["chromium", "webkit"] {
        let reply = server.call("browser_launch", json!({ "browserType": engine, "headless": false }));
        reply.fails("no display found for a browser window\nHint: ");
        assert!(reply.text().starts_with("Error launching browser: "), "{}", reply.text());
    }
    for (arguments, words) in [
        (json!({ "browserType": "opera" }), "browserType: it must be one of chromium, firefox, webkit"),
        (json!({ "headless": "yes" }), "headless"),
        (json!({ "viewport": { "width": 0 } }), "viewport: it must be an object whose width is"),
        (json!({ "viewport": { "depth": 1 } }), "depth"),
        (json!({ "viewport": "800x600" }), "viewport"),
        (json!({ "executable": "/bin/sh" }), "executable"),
    ] {
        server.call("browser_launch", arguments).refused(-32602, words);
    }
    assert_eq!(server.evaluate("document.querySelector('input').value"), "kept");
    // The browser itself; processes of pages come and go.
    assert_eq!(server.descendants()[..2], processes[..2]);
}

#[test]
fn no_launch_is_needed_and_after_quitting_any_tool_starts_anew() {
    let mut server = Server::start(&LAUNCH);
    tells(&server.call("browser_quit", json!({})), "No browser was running");
    assert_eq!(server.descendants(), [0; 0]);
    begins(
        &server.call("browser_find", json!({ "selector": "button" })),
        "Found 0 element(s) matching: button",
    );
    let processes = server.descendants();
    assert!(!processes.is_empty());
    let quit = server.call("browser_quit", json!({}));
    tells(&quit, "Browser closed successfully");
    assert_eq!(quit.facts()["closed"], true);
    assert!(processes.iter().all(|process| !running(*process)));
    assert_eq!(picture(&server.call("browser_screenshot", json!({}))), (1280, 720));
    server.call("browser_launch", json!({ "viewport": { "width": 500, "height": 400 } })).ok();
    server.call("browser_quit", json!({})).ok();
    let again = server.call("browser_screenshot", json!({}));
    assert_eq!(picture(&again), (1280, 720), "the default browser, not the last one");
    server.call("browser_quit", json!({ "now": true })).refused(-32602, "Unknown argument: now");
}

#[test]
fn navigation_says_where_it_went_with_title_and_trouble() {
    let site = Site::with(&[("/", "<title>Example \"Domain\"</title>"), ("/end", "<title>End</title>")]);
    site.answer("/moved", Answer::Redirect("/end".into()));
    let mut server = Server::start(&LAUNCH);
    let url = site.url("/");
    let reply = server.call("browser_navigate", json!({ "url": url, "waitUntil": "load" }));
    tells(&reply, &format!("Successfully navigated to {url}\nTitle: Example \"Domain\""));
    assert_eq!(reply.facts()["status"], 200);
    let moved = site.url("/moved");
    let reply = server.call("browser_navigate", json!({ "url": moved }));
    begins(&reply, &format!("Successfully navigated to {moved}"));
    reply.says(&format!("\nTitle: End\nPage: {} \"End\"", site.url("/end")));
    let missing = site.url("/missing");
    let reply = server.call("browser_navigate", json!({ "url": missing }));
    begins(&reply, &format!("Successfully navigated to {missing}"));
    reply.says("\nStatus: 404 Not Found");

    for (url, words) in [
        ("http://127.0.0.1:9/", "could not be loaded: net::"),
        ("nowhere.invalid", "https://nowhere.invalid"),
        ("nowhere", "it has no scheme\nHint: give an absolute"),
    ] {
        let reply = server.call("browser_navigate", json!({ "url": url }));
        reply.fails(words);
        assert!(reply.text().starts_with("Error navigating to URL: "), "{}", reply.text());
    }
    // The page of a failure comes late, and must not be taken for that of the next navigation.
    for _ in 0..5 {
        server.call("browser_navigate", json!({ "url": "http://127.0.0.1:9/" })).fails("net::");
        let reply = server.call("browser_navigate", json!({ "url": url }));
        assert_eq!(reply.facts()["status"], 200, "{}", reply.message);
    }
    server
        .call("browser_navigate", json!({ "url": url, "waitUntil": "soon" }))
        .refused(-32602, "Invalid argument waitUntil: it must be one of load, domcontentloaded, networkidle");
    server.call("browser_navigate", json!({})).refused(-32602, "Missing required argument: url");
}

#[test]
fn each_state_that_a_navigation_waits_for() {
    let late = "<title>Late</title><p id=out>none</p><script>
        setTimeout(() => fetch('/data').then((r) => r.text()).then((text) => out.textContent = text), 200);
        </script>";
    let site = Site::with(&[("/late", late), ("/picture", "<title>Picture</title><img src=/slow.png>")]);
    site.answer("/data", Answer::Slow(Duration::from_millis(400), Box::new(Answer::Html("came".into()))));
    site.answer("/slow.png", Answer::Silent);
    let mut server = Server::start(&LAUNCH);
    let go = |server: &mut Server, path: &str, until: &str| {
        server.call("browser_navigate", json!({ "url": site.url(path), "waitUntil": until })).ok().text()
    };
    go(&mut server, "/late", "networkidle");
    assert_eq!(server.evaluate("out.textContent"), "came", "no request was under way for half a second");
    go(&mut server, "/late", "load");
    assert_eq!(server.evaluate("out.textContent"), "none");
    let began = Instant::now();
    let told = go(&mut server, "/picture", "domcontentloaded");
    assert!(told.contains("Title: Picture\nNote: still busy with 1 request(s)"), "{told}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(server.evaluate("document.readyState"), "interactive");
}

/// A page with something to find in each way.
const FORM: &str = "<title>Form</title><h1>Account</h1><h2>Details</h2>
    <form onsubmit='return false'>
    <label>Email <input name=email value=old></label><label>Email again <input name=again></label>
    <label><input type=checkbox checked> News</label><label><input type=checkbox> Offers</label>
    <button data-testid=go>Submit</button><button>Submit all</button><button disabled>Submit never</button>
    <button hidden>Submit hidden</button><button aria-pressed=true>Bold</button>
    <button aria-expanded=false>Menu</button><div role=tab aria-selected=true>One</div><div role=tab>Two</div>
    </form><p>Some text here</p>";

#[test]
fn finding_in_each_way() {
    let mut tab = open(FORM);
    let example = json!({ "selector": "button", "selectorType": "role", "options": { "name": "Submit", "exact": true } });
    let reply = tab.call("browser_find", example);
    let found = "Found 1 element(s) matching: role=button[name=\"Submit\"]\nVisible: true, Enabled: true\n";
    reply.says(found);
    let reference = reply.facts()["ref"].as_str().unwrap().to_owned();
    assert_eq!(reply.text(), format!("{found}button \"Submit\" ({reference})"));
    assert_eq!(reply.facts()["count"], 1);

    let role =
        |role: &str, options: Value| json!({ "selector": role, "selectorType": "role", "options": options });
    for (arguments, count) in [
        (role("button", json!({ "name": "submit" })), 3),
        (role("button", json!({ "name": "submit", "exact": true })), 0),
        (role("button", json!({ "name": "Submit", "includeHidden": true })), 4),
        (role("button", json!({ "disabled": true })), 1),
        (role("button", json!({ "pressed": true })), 1),
        (role("button", json!({ "expanded": false })), 1),
        (role("checkbox", json!({ "checked": true })), 1),
        (role("checkbox", json!({ "checked": false, "name": "Offers" })), 1),
        (role("heading", json!({ "level": 2 })), 1),
        (role("heading", json!({})), 2),
        (role("tab", json!({ "selected": true })), 1),
        (role("slider", json!({})), 0),
        (json!({ "selector": "button" }), 6),
        (json!({ "selector": "form button:disabled", "selectorType": "css" }), 1),
        (json!({ "selector": "some TEXT", "selectorType": "text" }), 1),
        (json!({ "selector": "some text here", "selectorType": "text", "options": { "exact": true } }), 0),
        (json!({ "selector": "Some text here", "selectorType": "text", "options": { "exact": true } }), 1),
        (json!({ "selector": "go", "selectorType": "testId" }), 1),
        (json!({ "selector": reference }), 1),
    ] {
        let reply = tab.call("browser_find", arguments.clone());
        reply.says(&format!("Found {count} element(s) matching: "));
        assert_eq!(reply.facts()["count"], count, "{arguments}");
        let seen = if count == 0 { "\nVisible: false, Enabled: false" } else { "\nVisible: true, Enabled: " };
        reply.says(seen);
    }
    tab.call("browser_find", json!({ "selector": "button:disabled" })).says("Visible: true, Enabled: false");
    tab.call("browser_find", json!({ "selector": "button[hidden]" })).says("Visible: false, Enabled: true");

    let reply = tab.call("browser_find", json!({ "selector": "a >> b" }));
    reply.fails("\nSelector: a >> b\nHint: ");
    assert!(reply.text().starts_with("Error finding element: "), "{}", reply.text());
    for (arguments, words) in [
        (json!({}), "Missing required argument: selector"),
        (
            json!({ "selector": "b", "selectorType": "xpath" }),
            "selectorType: it must be one of css, text, role",
        ),
        (json!({ "selector": "b", "options": { "nam": "x" } }), "includeHidden; it has nam"),
        (json!({ "selector": "b", "options": { "level": "x" } }), "an object whose level is a whole number"),
        (json!({ "selector": "b", "options": [] }), "options: it must be an object"),
        (json!({ "selector": "b", "timeout": 1 }), "Unknown argument: timeout; known: selector"),
    ] {
        tab.call("browser_find", arguments).refused(-32602, words);
    }
}

#[test]
fn clicking_in_each_way() {
    let mut tab = open(&format!(
        "{FORM}<a href=/gone>Leave</a><script>var log = [];
        for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick'])
            addEventListener(type, (e) => {{ e.preventDefault(); log.push([type, e.target.textContent, e.detail, e.shiftKey].join(':')) }}, true);
        </script>"
    ));
    let example = tab.call("browser_click", json!({ "selector": "Submit all", "selectorType": "text" }));
    tells(&example, "Successfully clicked element: Submit all");
    for (arguments, said) in [
        (
            json!({ "selector": "form button:first-of-type", "selectorType": "css" }),
            "form button:first-of-type",
        ),
        (json!({ "selector": "button", "selectorType": "role", "options": { "name": "Bold" } }), "button"),
        (json!({ "selector": "go", "selectorType": "testId", "options": { "clickCount": 2 } }), "go"),
        (json!({ "selector": "go", "selectorType": "testId", "options": { "button": "right" } }), "go"),
        (
            json!({ "selector": "button", "selectorType": "role",
                    "options": { "name": "Menu", "button": "middle", "modifiers": ["Shift"] } }),
            "button",
        ),
    ] {
        tells(&tab.call("browser_click", arguments), &format!("Successfully clicked element: {said}"));
    }
    assert_eq!(
        // Whether a menu's click is counted depends on the browser.
        tab.evaluate("log.join(' ').replace(/(contextmenu:Submit):[01]/, '$1')"),
        "click:Submit all:1:false click:Submit:1:false click:Bold:1:false click:Submit:1:false click:Submit:2:false \
         dblclick:Submit:2:false contextmenu:Submit:false auxclick:Submit:1:false auxclick:Menu:1:true"
    );
    let reply = tab.call("browser_click", json!({ "selector": "button:not([hidden])" }));
    reply.fails("matches 5 elements: button \"Submit\" (e").fails(
        "\nSelector: button:not([hidden])\nHint: Check if element exists and is actionable\nHint: use one of",
    );
    let began = Instant::now();
    let gone = json!({ "selector": "#gone", "options": { "timeout": 50 } });
    let reply = tab.call("browser_click", gone);
    assert!(began.elapsed() < Duration::from_millis(900), "{:?}", began.elapsed());
    let text = "Error clicking element: not found: no element matches #gone\nSelector: #gone\n\
                Hint: Check if element exists and is actionable\nHint: ";
    reply.fails(text);
    assert!(reply.text().starts_with(text));
    let never = json!({ "selector": "Submit never", "selectorType": "text", "options": { "timeout": 100 } });
    tab.call("browser_click", never).fails("is disabled\nSelector: Submit never\nHint: ");
    for (options, words) in [
        (json!({ "clickCount": 0 }), "an object whose clickCount is a whole number from 1 to 10"),
        (json!({ "clickCount": 11 }), "an object whose clickCount is a whole number from 1 to 10"),
        (
            json!({ "delay": 50 }),
            "an object with button, clickCount, modifiers, force, noWaitAfter, timeout; it has delay",
        ),
        (json!({ "clickCount": "two" }), "clickCount"),
        (json!({ "button": "third" }), "button"),
        (json!({ "modifiers": "Shift" }), "modifiers"),
        (json!({ "delya": 1 }), "it has delya"),
    ] {
        tab.call("browser_click", json!({ "selector": "h1", "options": options })).refused(-32602, words);
    }
}

#[test]
fn a_click_can_be_forced_and_left_alone() {
    let mut tab = open(
        "<button id=b onclick='this.textContent = \"Done\"'>Go</button>
        <div style='position:fixed;inset:0' id=cover>Cover</div><a href='/slow'>Slow</a>",
    );
    tab.site.answer("/slow", Answer::Silent);
    let covered = json!({ "selector": "#b", "options": { "timeout": 100 } });
    tab.call("browser_click", covered).fails("covered by");
    let forced = tab.call("browser_click", json!({ "selector": "#b", "options": { "force": true } }));
    tells(&forced, "Successfully clicked element: #b, by events on the element itself");
    assert_eq!(tab.evaluate("b.textContent"), "Done");
    tab.evaluate("cover.remove()");
    let began = Instant::now();
    let left = json!({ "selector": "a", "options": { "noWaitAfter": true } });
    tells(&tab.call("browser_click", left), "Successfully clicked element: a");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn a_click_says_where_it_led_and_what_it_opened() {
    let site = Site::with(&[
        ("/", "<title>One</title><a href=/two>Go</a><button onclick=\"alert('Sure?')\">Ask</button>"),
        ("/two", "<title>Two</title>"),
    ]);
    let mut tab = open_site(&LAUNCH, site);
    let asked = tab.call("browser_click", json!({ "selector": "button" }));
    tells(
        &asked,
        "Successfully clicked element: button\nNote: alert dialog open: \"Sure?\"\n\
         Hint: answer it with browser_handle_dialog",
    );
    tab.call("browser_find", json!({ "selector": "a" })).fails("the page is blocked by an open");
    tab.call("browser_handle_dialog", json!({ "accept": true })).ok();
    let two = tab.site.url("/two");
    let led = tab.call("browser_click", json!({ "selector": "a" }));
    tells(&led, &format!("Successfully clicked element: a\nPage: {two} \"Two\""));
    assert_eq!(led.facts()["url"], two);
}

#[test]
fn typing_in_each_way() {
    let mut tab = open(
        "<title>Fields</title><label>Email <input id=email value=old></label>
        <label>Bio <textarea id=bio data-testid=bio>old</textarea></label>
        <div id=note contenteditable role=textbox aria-label=Note>old</div><p>Edit me</p>
        <label>Password <input type=password id=password></label><label>Short <input maxlength=3></label>",
    );
    let example =
        json!({ "selector": "Email", "selectorType": "label", "text": "user@example.com", "clear": true });
    tells(
        &tab.call("browser_type", example),
        "Successfully typed into element: Email\nText: user@example.com",
    );
    for (arguments, holder, holds) in [
        (json!({ "selector": "Email", "selectorType": "label", "text": "new" }), "email.value", "new"),
        (json!({ "selector": "#email", "text": "er", "clear": false }), "email.value", "newer"),
        (
            json!({ "selector": "bio", "selectorType": "testId", "text": "\nmore", "clear": false }),
            "bio.value",
            "old\nmore",
        ),
        (json!({ "selector": "textarea", "selectorType": "css", "text": "all" }), "bio.value", "all"),
        (
            json!({ "selector": "Note", "selectorType": "label", "text": " more", "clear": false }),
            "note.innerText.replace('\\u00a0', ' ')",
            "old more",
        ),
        (
            json!({ "selector": "old more", "selectorType": "text", "text": "fresh" }),
            "note.innerText",
            "fresh",
        ),
        (json!({ "selector": "#email", "text": "" }), "email.value", ""),
    ] {
        let reply = tab.call("browser_type", arguments.clone());
        let said = format!("Successfully typed into element: {}", arguments["selector"].as_str().unwrap());
        begins(&reply, &said);
        reply.says(&format!("\nText: {}", arguments["text"].as_str().unwrap()));
        assert_eq!(tab.evaluate(holder), holds, "{arguments}");
        if holder.ends_with(".value") {
            assert_eq!(reply.facts()["value"], holds, "the whole value: {arguments}");
        }
    }
    for (text, clear, holds) in [("hunter2", true, "hunter2"), ("33", false, "hunter233"), ("x", true, "x")] {
        let arguments =
            json!({ "selector": "Password", "selectorType": "label", "text": text, "clear": clear });
        let reply = tab.call("browser_type", arguments);
        tells(&reply, "Successfully typed into element: Password");
        assert!(reply.facts().get("value").is_none(), "{}", reply.facts());
        assert_eq!(tab.evaluate("password.value"), holds);
    }
    tab.call("browser_type", json!({ "selector": "Short", "selectorType": "label", "text": "abcdef" }))
        .says("\nText: abcdef\nNote: the field now holds \"abc\"");
    let reply =
        tab.call("browser_type", json!({ "selector": "Edit me", "selectorType": "text", "text": "x" }));
    reply.fails("is not a field that can be filled\nSelector: Edit me\nHint: ");
    assert!(reply.text().starts_with("Error typing into element: "), "{}", reply.text());
    let several = json!({ "selector": "textbox", "selectorType": "role", "text": "x" });
    tab.call("browser_type", several).fails("role:textbox matches 5 elements: ");
    tab.call("browser_type", json!({ "selector": "#email" }))
        .refused(-32602, "Missing required argument: text");
    tab.call("browser_type", json!({ "text": "x" })).refused(-32602, "Missing required argument: selector");
    let wrong = json!({ "selector": "#email", "text": "x", "clear": "yes" });
    tab.call("browser_type", wrong).refused(-32602, "clear");
}

#[test]
fn screenshots_are_shown_whole_and_saved_where_asked() {
    let mut tab = open(
        "<style>body { margin: 0 }</style><h1 style='margin:0;width:300px;height:50px'>Head</h1>
        <b>1</b><b>2</b><div style='height:2000px'></div>",
    );
    let reply = tab.call("browser_screenshot", json!({}));
    assert_eq!(picture(&reply), (1280, 720));
    tells(&reply, "Screenshot captured (1280x720)");
    let reply = tab.call("browser_screenshot", json!({ "fullPage": true }));
    let (width, height) = picture(&reply);
    assert!(width == 1280 && height > 2000, "{width}x{height}");
    tells(&reply, &format!("Screenshot captured ({width}x{height})"));
    let reply = tab.call("browser_screenshot", json!({ "selector": "h1", "path": "shots/head.png" }));
    assert_eq!(picture(&reply), (300, 50));
    tells(&reply, "Screenshot captured (300x50) and saved to shots/head.png");
    let saved = std::fs::read(tab.working_directory().join("shots/head.png")).unwrap();
    assert_eq!(saved, reply.images()[0].1);
    tab.call("browser_screenshot", json!({ "path": "bare.png" })).says("saved to bare.png");
    assert!(tab.working_directory().join("bare.png").exists(), "a bare name is in the working directory");
    let inside = tab.working_directory().join("absolute.png");
    tab.call("browser_screenshot", json!({ "path": inside })).says("absolute.png");
    assert!(inside.exists());

    for path in ["/etc/shot.png", "../shot.png", "shots/../../shot.png"] {
        let reply = tab.call("browser_screenshot", json!({ "path": path }));
        reply.fails("is outside of the directories that may be used");
        assert!(reply.text().starts_with("Error taking screenshot: "), "{}", reply.text());
    }
    tab.call("browser_screenshot", json!({ "path": "shots" })).fails("is a directory");
    tab.call("browser_screenshot", json!({ "selector": "#gone" }))
        .fails("no element matches #gone\nSelector: #gone\n");
    tab.call("browser_screenshot", json!({ "selector": "b" })).fails("b matches 2 elements: ");
    let both = json!({ "selector": "h1", "fullPage": true });
    tab.call("browser_screenshot", both).refused(-32602, "fullPage cannot be combined");
    tab.call("browser_screenshot", json!({ "path": 5 })).refused(-32602, "path");

    tab.evaluate("document.querySelector('div').style.height = '11950px'");
    let reply = tab.call("browser_screenshot", json!({ "fullPage": true }));
    let (width, height) = picture(&reply);
    assert!(height == 8000 && width < 1280, "{width}x{height}");
    reply.says(&format!("Screenshot captured ({width}x{height})"));
    let bytes = reply.images()[0].1.len();
    assert!(bytes <= 5 << 20, "{bytes} bytes");
}
