//! The `companion` dialect: each tool with every example of its document, in any tab, and snapshots as HTML.

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site, Tab, fails_with, open_site, tells};

/// The flags of a server that speaks it, impatient with what does not come.
const COMPANION: [&str; 4] = ["--dialect", "companion", "--action-timeout", "1s"];

fn open(html: &str) -> Tab {
    open_site(&COMPANION, Site::of(html))
}

/// All refs of a snapshot, with their lines.
fn refs(snapshot: &str) -> Vec<(String, String)> {
    let with_ref = |line: &str| {
        let (_, rest) = line.split_once(" ref=\"")?;
        Some((rest.split_once('"')?.0.to_owned(), line.trim().to_owned()))
    };
    snapshot.lines().filter_map(with_ref).collect()
}

/// The ref of the line that has these words.
#[track_caller]
fn reference(snapshot: &Reply, words: &str) -> String {
    let found = refs(&snapshot.ok().text()).into_iter().find(|(_, line)| line.contains(words));
    found.unwrap_or_else(|| panic!("no ref beside {words:?} in:\n{}", snapshot.text())).0
}

/// The page of the document's examples.
const PAGE: &str = "<title>Site</title><header><button data-action=login>Log in</button></header>
    <nav id=main-menu><a href='/docs'>Docs</a></nav>
    <main id=content><h1>Welcome</h1><button id=submit-btn-1>Submit</button>
    <form action=/search><input id=search-query name=search></form>
    <form action=/search><input name=q></form>
    <input type=email id=email>
    <div class=file-item data-name=document.pdf draggable=true>document.pdf</div>
    <div class=upload-dropzone style='height:60px' ondragover='event.preventDefault()'
        ondrop=\"event.preventDefault(); this.textContent = 'dropped'\">Drop here</div></main>
    <script>var log = [];
    for (const type of ['click', 'mouseover', 'keydown'])
        addEventListener(type, (e) => log.push(type + ':' + (e.key ?? (e.target.id || e.target.localName))), true);
    </script>";

#[test]
fn every_example_of_the_document_works() {
    let site =
        Site::with(&[("/", PAGE), ("/docs", "<title>Docs</title>"), ("/search", "<title>Found</title>")]);
    let mut tab = open_site(&COMPANION, site);
    let url = tab.site.url("/");
    let reply = tab.call("browser_navigate", json!({ "url": url }));
    tells(&reply, &format!("Successfully navigated to {url} in tab 1"));
    assert_eq!(reply.facts()["tabId"], 1);

    let submit = json!({ "element": "Submit button", "ref": "button#submit-btn-1" });
    tells(&tab.call("browser_click", submit), "Successfully clicked element: button#submit-btn-1");
    let login = json!({ "element": "Login button in header", "ref": "header button[data-action='login']" });
    tells(
        &tab.call("browser_click", login),
        "Successfully clicked element: header button[data-action='login']",
    );
    for (arguments, field, holds) in [
        (
            json!({ "element": "Search input field", "ref": "input#search-query", "text": "browser automation" }),
            "input#search-query",
            "browser automation",
        ),
        (
            json!({ "element": "Email address input", "ref": "input[type='email']#email", "text": "user@example.com" }),
            "input[type='email']#email",
            "user@example.com",
        ),
    ] {
        let reply = tab.call("browser_type", arguments);
        tells(&reply, &format!("Successfully typed into element: {field}\nText: {holds}"));
        assert_eq!(tab.evaluate(&format!("document.querySelector(\"{field}\").value")), holds);
    }
    let menu = json!({ "element": "Main navigation menu", "ref": "nav#main-menu" });
    tells(&tab.call("browser_hover", menu), "Successfully hovered over element: nav#main-menu");
    let drag = json!({
        "sourceElement": "File item in file list", "sourceRef": ".file-item[data-name='document.pdf']",
        "targetElement": "Upload drop zone", "targetRef": ".upload-dropzone",
    });
    tab.call("browser_drag_drop", drag).says(
        "Successfully dragged element: .file-item[data-name='document.pdf'] to generic \"Drop here\" (e",
    );
    assert_eq!(tab.evaluate("document.querySelector('.upload-dropzone').textContent"), "dropped");
    tab.evaluate("log.length = 0");
    for key in ["a", "Escape", "ArrowLeft", "F5", "Shift", "Space", "Enter"] {
        tells(
            &tab.call("browser_press_key", json!({ "key": key })),
            &format!("Successfully pressed key: {key}"),
        );
    }
    let pressed = tab.evaluate("log.filter((entry) => entry.startsWith('keydown')).length");
    assert_eq!(pressed, 7, "{}", tab.evaluate("log.join(' ')"));
    tells(&tab.call("browser_wait", json!({ "time": 0.5 })), "Waited for 0.5 seconds");
    let shot =
        tab.call("browser_screenshot", json!({ "element": "Main content area", "ref": "main#content" }));
    assert_eq!(shot.message["result"]["content"][0]["type"], "image", "the picture comes first");
    assert_eq!(shot.images()[0].0, "image/png");
    shot.says("Screenshot captured successfully (1264x");
    let shot = tab.call("browser_screenshot", json!({}));
    tells(&shot, "Screenshot captured successfully (1280x720)");
    tab.call("browser_screenshot", json!({ "fullPage": true }))
        .says("Screenshot captured successfully (1280x");

    let found = tab.site.url("/search?q=MCP+protocol+documentation");
    let search = json!({ "element": "Search box", "ref": "input[name='q']", "text": "MCP protocol documentation", "submit": true });
    tells(
        &tab.call("browser_type", search),
        &format!(
            "Successfully typed into element: input[name='q']\nText: MCP protocol documentation\nPage: {found} \"Found\""
        ),
    );
    tells(
        &tab.call("browser_go_back", json!({})),
        &format!("Successfully navigated back\nPage: {url} \"Site\""),
    );
    let forward = tab.call("browser_go_forward", json!({}));
    tells(&forward, &format!("Successfully navigated forward\nPage: {found} \"Found\""));
    fails_with(
        &tab.call("browser_go_forward", json!({})),
        "Navigation failed: there is no page to go forward to",
    );
    tab.call("browser_go_back", json!({})).ok();
    let docs = json!({ "element": "Documentation link in navigation", "ref": "nav a[href='/docs']" });
    let docs_url = tab.site.url("/docs");
    tells(
        &tab.call("browser_click", docs),
        &format!("Successfully clicked element: nav a[href='/docs']\nPage: {docs_url} \"Docs\""),
    );
}

#[test]
fn a_tab_is_named_by_its_id() {
    let site = Site::with(&[
        (
            "/one",
            "<title>One</title><h1>One</h1><input id=a><div id=b draggable=true>b</div><div id=c>c</div>
            <script>console.log('log of one')</script>",
        ),
        ("/two", "<title>Two</title><h1>Two</h1>"),
    ]);
    let mut server = Server::start(&COMPANION);
    let (one, two) = (site.url("/one"), site.url("/two"));
    tells(
        &server.call("browser_navigate", json!({ "url": two })),
        &format!("Successfully navigated to {two} in tab 1"),
    );
    server.call("browser_tabs", json!({ "action": "new" })).ok();
    tells(
        &server.call("browser_navigate", json!({ "url": two })),
        &format!("Successfully navigated to {two} in tab 2"),
    );
    // From here on everything is done in the other tab.
    let reply = server.call("browser_navigate", json!({ "url": one, "tabId": 1 }));
    tells(&reply, &format!("Successfully navigated to {one} in tab 1"));
    let snapshot = server.call("browser_snapshot", json!({ "tabId": 1 }));
    let input = reference(&snapshot.clone(), "<input");
    snapshot.says(">One</h1>");
    for (tool, mut arguments) in [
        ("browser_click", json!({ "ref": input })),
        ("browser_type", json!({ "ref": input, "text": "typed" })),
        ("browser_hover", json!({ "ref": input })),
        ("browser_press_key", json!({ "key": "End" })),
        ("browser_press_key", json!({ "key": "!" })),
        ("browser_drag_drop", json!({ "sourceRef": "#b", "targetRef": "#c" })),
        ("browser_screenshot", json!({ "ref": "h1" })),
        ("browser_get_console_logs", json!({})),
        ("browser_go_back", json!({})),
        ("browser_go_forward", json!({})),
    ] {
        arguments["tabId"] = json!(1);
        let reply = server.call(tool, arguments.clone());
        reply.ok();
        if tool == "browser_get_console_logs" {
            reply.says("[INFO] log of one");
        }
        if arguments["key"] == "!" {
            let value = server.call("browser_evaluate", json!({ "function": "document.title" }));
            value.says("Two");
        }
    }
    server.call("browser_snapshot", json!({})).says(">Two</h1>").says_not("One");
    server.call("browser_get_console_logs", json!({})).says_not("log of one");
    fails_with(
        &server.call("browser_click", json!({ "ref": input })),
        &format!("Element not found: {input}\n"),
    );

    server.call("browser_tabs", json!({ "action": "close", "index": 0 })).ok();
    for (id, words) in [(1, "unknown tab id 1; known: 2"), (99, "unknown tab id 99")] {
        for (tool, mut arguments) in [
            ("browser_navigate", json!({ "url": one })),
            ("browser_go_back", json!({})),
            ("browser_go_forward", json!({})),
            ("browser_click", json!({ "ref": "h1" })),
            ("browser_type", json!({ "ref": "h1", "text": "x" })),
            ("browser_hover", json!({ "ref": "h1" })),
            ("browser_drag_drop", json!({ "sourceRef": "h1", "targetRef": "h1" })),
            ("browser_snapshot", json!({})),
            ("browser_screenshot", json!({})),
            ("browser_get_console_logs", json!({})),
            ("browser_press_key", json!({ "key": "a" })),
        ] {
            arguments["tabId"] = json!(id);
            server.call(tool, arguments.clone()).fails(words);
            arguments["tabId"] = json!("one");
            server.call(tool, arguments).refused(-32602, "Invalid argument tabId");
        }
    }
    server.call("browser_snapshot", json!({ "tabId": 2.0 })).says(">Two</h1>");
}

#[test]
fn a_snapshot_is_html_whose_refs_work() {
    let mut tab = open(
        "<title>Shape</title><nav id=main-nav><a href='/home'>Home</a><a href='/about'>About</a></nav>
        <main><h1>Welcome to Our Site</h1><button id=cta-button>Get Started</button>
        <input type=search placeholder='Search...'><textarea aria-label=Bio>old</textarea>
        <select aria-label=Size><option>S<option selected>M</select>
        <label><input type=checkbox checked> News</label><input type=password value=hunter2>
        <div onclick='0'>Clickable</div><div contenteditable>Edit</div><div hidden>Unseen</div></main>
        <iframe srcdoc='<button>Inside</button>'></iframe>
        <script>document.addEventListener('click', (e) => e.preventDefault())</script>",
    );
    let snapshot = tab.call("browser_snapshot", json!({}));
    let text = snapshot.ok().text();
    let (heading, html) = text.split_once("\n\n").unwrap();
    assert_eq!(heading, "Page accessibility snapshot:");
    assert!(
        html.starts_with("<html>\n  <body>\n    <nav id=\"main-nav\">\n      <a href=\"/home\" ref=\"e"),
        "{html}"
    );
    assert!(html.ends_with("  </body>\n</html>"), "{html}");
    for piece in [
        "\">Home</a>",
        "<h1 ref=\"",
        "<button id=\"cta-button\" ref=\"",
        "<input type=\"search\" placeholder=\"Search...\" ref=\"",
        "Inside</button>",
    ] {
        assert!(html.contains(piece), "{piece} is not in:\n{html}");
    }
    assert!(!html.contains("hunter2") && !html.contains("Unseen") && !html.contains("<script"), "{html}");
    let refs = refs(html);
    assert!(refs.len() >= 12, "{html}");
    for (reference, line) in refs {
        tab.call("browser_hover", json!({ "ref": reference }))
            .says(&format!("hovered over element: {reference}"));
        if line.starts_with("<input") && !line.contains("checkbox") || line.starts_with("<textarea") {
            tab.call("browser_type", json!({ "ref": reference, "text": "typed" })).ok();
        } else if !line.starts_with("<iframe") {
            tab.call("browser_click", json!({ "element": line, "ref": reference })).ok();
        }
    }
    let again = tab.call("browser_snapshot", json!({}));
    assert_eq!(reference(&again, "cta-button"), reference(&snapshot, "cta-button"), "a ref stays");
    again.says("typed");
}

#[test]
fn a_part_of_a_snapshot_is_html_too_in_any_tab() {
    let items: String = (0..400).map(|item| format!("<li><a href=/{item}>Article {item}</a>")).collect();
    let page =
        format!("<title>List</title><nav><b>Menu</b></nav><ul id=list>{items}</ul><footer>End</footer>");
    let site = Site::with(&[("/", "<title>Other</title><h1>Other</h1>"), ("/list", &page)]);
    let mut server = Server::start(&[&COMPANION[..], &["--snapshot-limit", "4000"]].concat());
    server.call("browser_navigate", json!({ "url": site.url("/list") })).ok();
    server.call("browser_tabs", json!({ "action": "new" })).ok();
    server.call("browser_navigate", json!({ "url": site.url("/") })).says("in tab 2");
    let text = server.call("browser_snapshot", json!({ "tabId": 1 })).ok().text();
    assert!(text.contains(">Article 0</a>") && text.contains(">End</footer>"), "{text}");
    let cut = text.lines().find(|line| line.contains("… truncated: ")).unwrap_or_else(|| panic!("{text}"));
    let value = |name: &str| cut.split_once(name).unwrap().1.split(' ').next().unwrap().to_owned();
    // The call that the cut names, which shows what follows and nothing else.
    let rest = json!({ "ref": value(" ref="), "after": value(" after="), "tabId": 1 });
    let shown = text.matches("<li").count();
    let rest = server.call("browser_snapshot", rest).ok().text();
    assert!(
        rest.starts_with("Page accessibility snapshot:\n\n<html>\n  <body>\n    <ul id=\"list\""),
        "{rest}"
    );
    assert!(rest.contains(&format!(">Article {shown}</a>")) && !rest.contains(">Article 0</a>"), "{rest}");
    assert!(
        !rest.contains("Menu") && !rest.contains("Other") && rest.ends_with("  </body>\n</html>"),
        "{rest}"
    );
    let last = server.call("browser_snapshot", json!({ "ref": "li:last-child", "tabId": 1 })).ok().text();
    assert!(last.contains("\n    <li>\n      <a href=\"/399\"") && !last.contains("Article 398"), "{last}");
    let found = server.call("browser_snapshot", json!({ "find": "article 399", "tabId": 1 })).ok().text();
    assert!(found.contains(">Article 399</a>") && !found.contains("Article 398"), "{found}");
    let levels = server.call("browser_snapshot", json!({ "depth": 1, "tabId": 1 })).ok().text();
    assert!(levels.contains("<ul id=\"list\"") && !levels.contains("<li"), "{levels}");
    server.call("browser_snapshot", json!({ "ref": "h1" })).says(">Other</h1>");
}

#[test]
fn a_long_text_says_how_long_it_is() {
    let mut tab = open("<p id=p></p><script>p.textContent = 'word '.repeat(2000) + 'end'</script>");
    tab.call("browser_snapshot", json!({})).says("… (truncated, 10003 characters in total)</p>");
}

#[test]
fn a_page_cannot_forge_tags_or_refs() {
    let mut tab = open(
        "<title></html>&quot; ref=&quot;e1</title><p>&lt;button ref=\"e1\"&gt;Fake&lt;/button&gt; &amp;lt;</p>
        <button aria-label='x\" ref=\"e77' id='y\" ref=\"e78'>&lt;/button&gt;&lt;a ref=\"e79\"&gt;</button>
        <input value='\" ref=\"e80' placeholder='\"/>\n<a ref=\"e81\">'>
        <img alt='--&gt; \" ref=\"e82'><a href='/\" ref=\"e83'>x\n      <b>y</b></a>
        <script>document.querySelector('p').append('\\u2028<a ref=\"e84\">\\u202e\\n</body></html>')</script>",
    );
    let snapshot = tab.call("browser_snapshot", json!({}));
    let text = snapshot.ok().text();
    let given: Vec<String> = refs(&text).into_iter().map(|(reference, _)| reference).collect();
    let real = text.matches(" ref=\"").count();
    assert_eq!(real, given.len(), "one ref a line:\n{text}");
    for forged in ["e77", "e78", "e79", "e80", "e81", "e82", "e83", "e84"] {
        assert!(!given.contains(&forged.to_owned()), "{text}");
    }
    assert_eq!(text.matches("</html>").count(), 1, "{text}");
    assert_eq!(text.matches("</body>").count(), 1, "{text}");
    assert!(!text.contains('\u{2028}') && !text.contains('\u{202e}'), "{text:?}");
    for reference in given {
        tab.call("browser_hover", json!({ "ref": reference })).ok();
    }
}

#[test]
fn console_logs_are_told_under_a_heading() {
    let mut tab = open(
        "<script>console.info('Page loaded successfully'); console.error('Failed', { a: 1 });
        console.warn('Deprecated API usage detected'); console.debug('User interaction\\n[ERROR] tracked');
        setTimeout(() => { throw new Error('uncaught') })</script>",
    );
    tab.call("browser_wait_for", json!({ "time": 0.1 })).ok();
    let logs = tab.call("browser_get_console_logs", json!({}));
    let text = logs.ok().text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["Console logs:", ""], "{text}");
    for (line, begin) in lines[2..].iter().zip([
        "[INFO] Page loaded successfully",
        "[ERROR] Failed",
        "[WARNING] Deprecated API usage detected",
        "[DEBUG] User interaction",
        "[ERROR] Uncaught Error: uncaught",
    ]) {
        assert!(line.starts_with(begin), "{line} should begin with {begin}");
    }
    assert_eq!(lines.len(), 7, "{text}");
    let url = tab.site.url("/missing");
    tab.site.answer("/missing", Answer::Html("<title>Quiet</title>".into()));
    tab.call("browser_navigate", json!({ "url": url })).ok();
    tells(&tab.call("browser_get_console_logs", json!({})), "Console logs:\n\n(none)");
    tab.evaluate("for (let i = 0; i < 1100; i++) console.log(i)");
    let logs = tab.call("browser_get_console_logs", json!({})).text();
    assert!(
        logs.starts_with("Console logs: (truncated to the newest 1000 of 1100)\n\n[INFO] 100"),
        "{}",
        &logs[..100]
    );
}

#[test]
fn failures_begin_with_the_published_words() {
    let mut tab = open("<title>Here</title><h1>Here</h1><b id=b>b</b><b>b</b><button disabled>Off</button>");
    let gone = tab.call("browser_click", json!({ "element": "Submit", "ref": "button#submit-btn-1" }));
    fails_with(&gone, "Element not found: button#submit-btn-1\nHint: ");
    assert_eq!(gone.facts()["error"]["name"], "NotFound");
    fails_with(&tab.call("browser_hover", json!({ "ref": "nav" })), "Element not found: nav\nHint: ");
    let typed = json!({ "ref": "#gone", "text": "x" });
    fails_with(&tab.call("browser_type", typed), "Element not found: #gone\nHint: ");
    let drag = |from: &str, to: &str| json!({ "sourceRef": from, "targetRef": to });
    fails_with(&tab.call("browser_drag_drop", drag(".from", "h1")), "Element not found: .from\n");
    fails_with(&tab.call("browser_drag_drop", drag("h1", ".to")), "Element not found: .to\n");
    fails_with(&tab.call("browser_screenshot", json!({ "ref": "#gone" })), "Element not found: #gone\n");
    let unknown = tab.call("browser_click", json!({ "ref": "e999" }));
    fails_with(
        &unknown,
        "Element not found: e999\nelement not found: no snapshot ever gave out the ref e999\nHint: take a new",
    );
    let b = tab.call("browser_hover", json!({ "ref": "#b" })).facts()["ref"].as_str().unwrap().to_owned();
    tab.evaluate("b.remove()");
    fails_with(
        &tab.call("browser_click", json!({ "ref": b })),
        &format!("Element not found: {b}\n{b} no longer exists"),
    );
    tab.evaluate("void document.body.insertAdjacentHTML('beforeend', '<b>Too</b>')");
    fails_with(&tab.call("browser_click", json!({ "ref": "b" })), "Error: b matches 2 elements: ");
    fails_with(&tab.call("browser_click", json!({ "ref": "button" })), "Error: button \"Off\": e");

    for (url, words) in [
        ("http://no-such-host.invalid/", "Navigation failed: net::ERR_NAME_NOT_RESOLVED\nHint: "),
        ("http://127.0.0.1:9/", "Navigation failed: net::"),
        ("nowhere", "Navigation failed: \"nowhere\" is not a valid URL: it has no scheme\nHint: "),
    ] {
        fails_with(&tab.call("browser_navigate", json!({ "url": url })), words);
    }
    let file = tab.call("browser_navigate", json!({ "url": "file:///etc/hostname" }));
    fails_with(&file, "Navigation failed: /etc/hostname is outside of the directories");
    let page = tab.file("page.html", "<p>Local</p>");
    let file = tab.call("browser_navigate", json!({ "url": format!("file://{}", page.display()) }));
    assert!(file.text().starts_with("Navigation failed: \"file://"), "{}", file.text());
    let url = tab.site.url("/nothing");
    let reply = tab.call("browser_navigate", json!({ "url": url }));
    let text = format!("Successfully navigated to {url} in tab 1\nStatus: 404 Not Found");
    assert!(reply.ok().text().starts_with(&text), "{}", reply.text());
}

#[test]
fn a_host_that_is_refused_is_a_navigation_that_failed() {
    let mut server = Server::start(&["--dialect", "companion", "--blocked-hosts", "evil.test"]);
    let reply = server.call("browser_navigate", json!({ "url": "http://evil.test/" }));
    assert!(
        reply.text().starts_with("Navigation failed: ") && reply.text().contains("evil.test"),
        "{}",
        reply.text()
    );
    assert!(reply.failed() && reply.text().contains("\nHint: "), "{}", reply.text());
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let mut server = Server::start(&COMPANION);
    for time in [json!(0), json!(0.05), json!(30.5), json!(-1), json!("1"), Value::Null] {
        server.call("browser_wait", json!({ "time": time })).refused(-32602, "time");
    }
    tells(&server.call("browser_wait", json!({ "time": 0.1 })), "Waited for 0.1 seconds");
    for (tool, arguments, words) in [
        ("browser_navigate", json!({}), "Missing required argument: url"),
        ("browser_click", json!({ "element": "x" }), "Missing required argument: ref"),
        ("browser_type", json!({ "element": "x", "ref": "a" }), "Missing required argument: text"),
        ("browser_drag_drop", json!({ "sourceRef": "a" }), "Missing required argument: targetRef"),
        ("browser_press_key", json!({}), "Missing required argument: key"),
        ("browser_press_key", json!({ "key": "Hyper" }), "unknown key \"Hyper\""),
        ("browser_wait", json!({}), "Missing required argument: time"),
        ("browser_screenshot", json!({ "fullPage": true, "ref": "h1" }), "fullPage cannot be combined"),
        ("browser_snapshot", json!({ "tab": 1 }), "Unknown argument: tab; did you mean tabId? known: tabId"),
    ] {
        server.call(tool, arguments).refused(-32602, words);
    }
    fails_with(
        &server.call("browser_go_back", json!({})),
        "Navigation failed: there is no page to go back to",
    );
}
