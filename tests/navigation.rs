//! NavigateRequest places, and back.

use std::time::Duration;

use serde_json::json;

use crate::support::{Answer, NOBODY, SecureSite, Server, Site, Tab, engine, open, open_site, open_with};

#[test]
fn a_page_is_opened_and_waited_for() {
    let site = Site::of("");
    let page = "<title>Shop</title><h1>Welcome</h1><img src=/picture><script>onload = () => document.title += ' loaded'</script>";
    site.answer("/", Answer::Slow(Duration::from_millis(200), Box::new(Answer::Html(page.into()))));
    let picture = Box::new(Answer::Body("image/png", Vec::new()));
    site.answer("/picture", Answer::Slow(Duration::from_millis(200), picture));
    let mut server = Server::start(&[]);
    let reply = server.navigate(&site.url("/"));
    reply
        .says(&format!("Opened {}", site.url("/")))
        .says("navigated")
        .says("\"Shop loaded\"")
        .says("heading \"Welcome\"");
    assert_eq!(reply.facts()["status"], 200);
    assert_eq!(reply.facts()["url"], site.url("/"));
    assert_eq!(server.evaluate("document.readyState"), "complete");
    server.call("browser_navigate", json!({})).refused(-32602, "Missing required argument: url");
    server.call("browser_navigate", json!({ "url": 7 })).refused(-32602, "url");
}

#[test]
fn back_through_the_history_and_no_further() {
    let site = Site::with(&[
        ("/", "<title>One</title><h1>First</h1>"),
        ("/two", "<title>Two</title><a href='#part'>Part</a>"),
    ]);
    let mut tab = open_site(&[], site);
    let two = tab.site.url("/two");
    tab.navigate(&two);
    tab.call("browser_click", json!({ "ref": "text:Part" })).says("/two#part");
    tab.call("browser_navigate_back", json!({})).says("Went back").says("/two \"Two\"");
    let reply = tab.call("browser_navigate_back", json!({}));
    reply.says("Went back").says("\"One\"").says("heading \"First\"");
    assert_eq!(tab.evaluate("document.title"), "One");
    tab.call("browser_navigate_back", json!({})).fails("no page to go back to");
}

#[test]
fn a_page_is_opened_after_all_were_closed() {
    let mut tab = open("<title>Again</title>");
    tab.call("browser_close", json!({})).says("none is open");
    let url = tab.site.url("/");
    tab.navigate(&url).says("\"Again\"");
    tab.call("browser_close", json!({})).ok();
    tab.call("browser_close", json!({})).says("No page was open");
    tab.call("browser_navigate_back", json!({})).fails("no page to go back to");
    tab.call("browser_close", json!({})).ok();
    tab.navigate(&url).says("\"Again\"");
    let tabs = tab.call("browser_tabs", json!({ "action": "list" }));
    assert_eq!(tabs.facts()["tabs"].as_array().unwrap().len(), 1);
}

#[test]
fn redirects_error_pages_and_empty_ones() {
    let site = Site::of("<title>Home</title>");
    site.answer("/old", Answer::Redirect("/older".into())).answer("/older", Answer::Redirect("/new".into()));
    site.answer("/new", Answer::Html("<title>New</title>".into()));
    site.answer("/broken", Answer::Status(500, "<h1>Oops</h1>".into()));
    site.answer("/loop", Answer::Redirect("/loop".into()));
    site.answer("/text", Answer::Body("text/plain", b"plain words".to_vec()));
    let mut tab = open_site(&[], site);
    let url = |path: &str| tab.site.url(path);
    let (old, new, missing, broken, looping, text) =
        (url("/old"), url("/new"), url("/missing"), url("/broken"), url("/loop"), url("/text"));
    let reply = tab.navigate(&old);
    reply.says(&new).says("\"New\"");
    assert_eq!(reply.facts()["url"], new);
    let reply = tab.navigate(&missing);
    reply.says("(404 Not Found)").says("heading \"Not found\"");
    assert_eq!(reply.facts()["status"], 404);
    tab.navigate(&broken).says("(500").says("heading \"Oops\"");
    tab.call("browser_navigate", json!({ "url": looping })).fails("could not be loaded").fails("REDIRECTS");
    tab.navigate(&text).says("plain words");
}

#[test]
fn places_within_a_page() {
    let mut tab = open(
        "<title>Long</title><script>stayed = true; onhashchange = () => document.title = location.hash</script>
        <div style='height:3000px'></div><h2 id=end>End</h2><button onclick=\"history.pushState({}, '', '/pushed')\">Push</button>",
    );
    let end = tab.site.url("/#end");
    tab.navigate(&end).says("#end");
    assert_eq!(tab.evaluate("[window.stayed, document.title, scrollY > 1000].join()"), "true,#end,true");
    tab.call("browser_click", json!({ "ref": "role:button" })).says("/pushed");
    tab.call("browser_navigate_back", json!({})).says("#end");
    assert_eq!(tab.evaluate("window.stayed"), true);
    tab.navigate(&end);
    assert_eq!(tab.evaluate("document.title"), "#end");
}

#[test]
fn urls_that_cannot_be_opened_say_what_was_perhaps_meant() {
    let mut tab = open("<title>Stays</title>");
    for (url, words) in [
        ("nowhere", "no scheme"),
        ("/login", "did you mean file:///login"),
        (r"C:\page.html", "scheme is not allowed"),
        ("javascript:1", "scheme is not allowed"),
        ("not a url", "no scheme"),
        ("", "no scheme"),
        ("http://", "URL"),
        ("http://[::1", "parsed"),
        ("javascript:alert(1)", "scheme is not allowed"),
        ("chrome://settings", "scheme is not allowed"),
        ("view-source:http://x/", "scheme is not allowed"),
        ("blob:http://x/1", "scheme is not allowed"),
        ("file:///etc/passwd", "outside of the directories"),
    ] {
        tab.call("browser_navigate", json!({ "url": url })).fails(words);
    }
    assert_eq!(tab.evaluate("document.title"), "Stays", "the page is where it was");
}

#[test]
fn a_url_without_a_scheme_is_opened_as_a_browser_would() {
    let mut tab = open_with(&["--allow-file-urls"], "<title>Here</title>");
    let url = tab.site.url("/");
    let address = url.trim_start_matches("http://").to_owned();
    let port = address.trim_end_matches('/').rsplit_once(':').unwrap().1.to_owned();
    for typed in
        [address.clone(), format!("localhost:{port}/"), format!("//{address}"), format!(" {address} ")]
    {
        let opened = format!("Opened http://{}", typed.trim().trim_start_matches('/'));
        tab.call("browser_navigate", json!({ "url": typed })).says(&opened);
        assert_eq!(tab.evaluate("document.title"), "Here");
    }
    tab.call("browser_tabs", json!({ "action": "new", "url": address })).says("\"Here\"");
    tab.call("browser_navigate", json!({ "url": "nowhere.invalid/x" })).fails("https://nowhere.invalid/x");
    tab.call("browser_navigate", json!({ "url": "nowhere.invalid:8080" }))
        .fails("https://nowhere.invalid:8080");
    tab.navigate("about:blank");
    tab.navigate("data:text/html,<title>Data</title>").says("\"Data\"");
    let file = tab.file("page.html", "<title>File</title>");
    tab.navigate(&format!("file://{}", file.display())).says("\"File\"");
}

#[test]
fn a_server_that_is_not_there() {
    let mut tab = open("<title>Stays</title>");
    tab.call("browser_navigate", json!({ "url": format!("http://{NOBODY}/") })).fails("REFUSED");
    tab.call("browser_navigate", json!({ "url": "http://127.0.0.1:1/" })).fails("UNSAFE_PORT");
    tab.call("browser_navigate", json!({ "url": "http://nowhere.invalid/" })).fails("nowhere.invalid");
    let url = tab.site.url("/");
    tab.navigate(&url).says("\"Stays\"");
    assert_eq!(tab.evaluate("document.title"), "Stays");
}

#[test]
fn a_certificate_that_nobody_trusts_is_said() {
    let (mut tab, secure) = (open("<title>Stays</title>"), SecureSite::start());
    let began = std::time::Instant::now();
    tab.call("browser_navigate", json!({ "url": secure.url("/") })).fails("CERT").fails(&secure.url("/"));
    let url = tab.site.url("/");
    tab.navigate(&url).says("\"Stays\"");
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn a_site_that_asks_for_a_password_holds_up_nothing() {
    let mut tab = open("<title>Stays</title>");
    let asks = ["WWW-Authenticate: Basic realm=\"site\"", "Content-Type: text/html"].map(str::to_owned);
    tab.site.answer("/secret", Answer::Raw(401, asks.to_vec(), b"<h1>Who is there?</h1>".to_vec()));
    tab.site.answer("/with", Answer::Html("<title>With</title><iframe src=/secret></iframe>".into()));
    let (secret, with, home) = (tab.site.url("/secret"), tab.site.url("/with"), tab.site.url("/"));
    let began = std::time::Instant::now();
    let reply = tab.call("browser_navigate", json!({ "url": secret }));
    // Chromium has no credentials to try, and shows an error page.
    if engine().is_none() {
        reply.fails("could not be loaded");
    } else {
        reply.says("401");
        assert_eq!(tab.evaluate("async () => (await fetch('/secret')).status"), 401);
    }
    tab.navigate(&with).says("\"With\"");
    tab.navigate(&home).says("\"Stays\"");
    assert!(began.elapsed() < std::time::Duration::from_secs(15), "{:?}", began.elapsed());
}

#[test]
fn a_page_that_does_not_come_in_time() {
    let site = Site::of("<title>Home</title>");
    site.answer("/silent", Answer::Silent);
    site.answer("/endless", Answer::Endless("<title>Half</title><h1>First half</h1>".into()));
    let mut tab = open_site(&["--navigation-timeout", "1s"], site);
    let (silent, endless) = (tab.site.url("/silent"), tab.site.url("/endless"));
    let reply = tab.call("browser_navigate", json!({ "url": silent }));
    reply.fails("timed out after 1 s");
    assert_eq!(reply.facts()["error"]["name"], "Timeout");
    assert_eq!(tab.evaluate("document.title"), "Home");
    // One that has begun did not load either, but what came of it can be read.
    tab.call("browser_navigate", json!({ "url": endless })).fails("timed out after 1 s");
    tab.snapshot().says("\"Half\"").says("First half");
}

#[test]
fn data_urls_blank_pages_and_files_that_may_be_read() {
    let mut server = Server::start(&["--allow-file-urls"]);
    server
        .navigate("data:text/html,<title>Inline</title><button>Press</button>")
        .says("\"Inline\"")
        .says("button \"Press\"");
    server.navigate("about:blank").says("about:blank");
    let file = server.file("site/index.html", "<title>Local</title><h1>From disk</h1>");
    server.navigate(&format!("file://{}", file.display())).says("\"Local\"").says("From disk");
    let secret = server.temporary_directory().join("secret.html");
    std::fs::write(&secret, "<h1>Secret</h1>").unwrap();
    server
        .call("browser_navigate", json!({ "url": format!("file://{}", secret.display()) }))
        .fails("outside");
}

#[test]
fn an_alert_while_a_page_loads_does_not_block() {
    let mut tab = open("");
    tab.site.answer(
        "/alert",
        Answer::Html("<title>Loud</title><script>alert('Hello')</script><h1>After</h1>".into()),
    );
    let loud = tab.site.url("/alert");
    let reply = tab.call("browser_navigate", json!({ "url": loud }));
    reply.says("alert").says("Hello");
    assert_eq!(reply.facts()["state"], "dialog");
    tab.call("browser_handle_dialog", json!({ "accept": true })).says("Dialog accepted").says("After");
    tab.call("browser_handle_dialog", json!({ "accept": true })).says("The next dialog will be accepted");
    tab.navigate(&loud).says("navigated").says("alert dialog accepted: \"Hello\"").says("After");
}

#[test]
fn a_page_that_asks_before_it_is_left() {
    let site = Site::with(&[
        (
            "/",
            "<title>Draft</title><button>Touch</button><script>onbeforeunload = (e) => e.preventDefault()</script>",
        ),
        ("/next", "<title>Next</title>"),
    ]);
    let mut tab = open_site(&[], site);
    let next = tab.site.url("/next");
    tab.call("browser_click", json!({ "ref": "role:button" })).ok();
    tab.navigate(&next).says("beforeunload dialog accepted");
    assert_eq!(tab.evaluate("document.title"), "Next");
}

#[test]
fn a_page_of_localhost_is_a_secure_context() {
    let site = Site::with(&[("/", "<title>Local</title>")]);
    site.answer("/sw.js", Answer::Body("text/javascript", b"oninstall = () => skipWaiting()".to_vec()));
    let mut server = Server::start(&[]);
    server.navigate(&site.other_url("/")).says("Local");
    let script = "async () => [isSecureContext, !!crypto.subtle, await navigator.serviceWorker.register('/sw.js').then(() => 'registered')]";
    assert_eq!(server.evaluate(script), json!([true, true, "registered"]));
}

/// Pages with typed work that asks before it is left, by the ways to leave it.
fn draft() -> Tab {
    let site = Site::with(&[
        (
            "/",
            "<title>Draft</title><input><a href=/next>Leave</a><button onclick=\"location.href = '/next'\">Go</button>
             <script>onbeforeunload = (e) => e.preventDefault()</script>",
        ),
        ("/next", "<title>Next</title><h1>There</h1>"),
    ]);
    let mut tab = open_site(&[], site);
    tab.call("browser_type", json!({ "ref": "input", "text": "my work" })).ok();
    tab
}

#[test]
fn a_click_or_a_script_that_leaves_typed_work_asks_the_client() {
    for leave in ["text:Leave", "role:button"] {
        let mut tab = draft();
        let reply = tab.call("browser_click", json!({ "ref": leave }));
        reply.says("beforeunload dialog open: accept it to leave the page, dismiss it to stay");
        assert_eq!(reply.facts()["state"], "dialog");
        tab.call("browser_click", json!({ "ref": "input" }))
            .fails("the page is blocked by an open beforeunload dialog");
        tab.call("browser_handle_dialog", json!({ "accept": false })).says("Dialog dismissed");
        assert_eq!(tab.evaluate("document.title + document.querySelector('input').value"), "Draftmy work");
        tab.call("browser_click", json!({ "ref": leave })).says("beforeunload dialog open");
        let reply = tab.call("browser_handle_dialog", json!({ "accept": true }));
        reply.says("Dialog accepted").says("navigated").says("heading \"There\"");
        assert_eq!(tab.evaluate("document.title"), "Next");
    }
    let mut tab = draft();
    let script = json!({ "function": "() => { location.href = '/next' }" });
    tab.call("browser_evaluate", script).fails("blocked by an open beforeunload dialog");
    tab.call("browser_handle_dialog", json!({ "accept": true })).says("heading \"There\"");
}

#[test]
fn an_open_question_before_leaving_holds_up_no_navigation_close_or_quit() {
    let mut tab = draft();
    let next = tab.site.url("/next");
    tab.call("browser_click", json!({ "ref": "role:button" })).says("beforeunload dialog open");
    tab.navigate(&next).says("heading \"There\"");
    let home = tab.site.url("/");
    tab.navigate(&home);
    tab.call("browser_type", json!({ "ref": "input", "text": "more work" })).ok();
    tab.call("browser_navigate_back", json!({})).says("beforeunload dialog accepted").says("There");
    tab.navigate(&home);
    tab.call("browser_type", json!({ "ref": "input", "text": "more work" })).ok();
    tab.call("browser_click", json!({ "ref": "text:Leave" })).says("beforeunload dialog open");
    tab.call("browser_tabs", json!({ "action": "close" })).says("beforeunload dialog accepted");
    for end in ["browser_close", "browser_quit"] {
        tab.navigate(&home).says("\"Draft\"");
        tab.call("browser_type", json!({ "ref": "input", "text": "last work" })).ok();
        tab.call("browser_click", json!({ "ref": "text:Leave" })).says("beforeunload dialog open");
        tab.call(end, json!({})).says("beforeunload dialog accepted");
    }
}

#[test]
fn a_question_before_leaving_can_be_declined() {
    let site = Site::with(&[
        (
            "/",
            "<title>Draft</title><button>Touch</button><script>onbeforeunload = (e) => e.preventDefault()</script>",
        ),
        ("/next", "<title>Next</title>"),
    ]);
    let mut tab = open_site(&[], site);
    let next = tab.site.url("/next");
    tab.call("browser_click", json!({ "ref": "role:button" })).ok();
    tab.call("browser_handle_dialog", json!({ "accept": false })).says("The next dialog will be dismissed");
    tab.call("browser_navigate", json!({ "url": next }))
        .fails("was cancelled: the page's beforeunload dialog was dismissed");
    assert_eq!(tab.evaluate("document.title"), "Draft");
}

#[test]
fn downloads_are_kept_and_told() {
    let site = Site::of("<title>Here</title><a href=/report>Report</a>");
    site.answer("/report", Answer::Download("report.csv", b"a,b".to_vec()));
    let mut tab = open_site(&[], site);
    let report = tab.site.url("/report");
    let kept = tab.working_directory().join(".viewpoint-mcp-screenshots");
    let reply = tab.call("browser_click", json!({ "ref": "text:Report" }));
    reply.says("downloaded \"report.csv\"");
    assert_eq!(std::fs::read_to_string(kept.join("report.csv")).unwrap(), "a,b");
    tab.navigate(&report).says("is a download").says("downloaded \"report.csv\"");
    assert_eq!(tab.evaluate("document.title"), "Here");
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 2, "the second does not overwrite the first");
    tab.site.answer("/report", Answer::Download("../../escaped.txt", b"x".to_vec()));
    tab.call("browser_click", json!({ "ref": "text:Report" })).says("downloaded");
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 3, "a name does not lead out");
}

#[test]
fn a_page_that_sends_one_on() {
    let site = Site::of("");
    site.answer("/script", Answer::Html("<script>location.replace('/end')</script>".into()));
    site.answer("/refresh", Answer::Html("<meta http-equiv=refresh content='0;url=/end'>".into()));
    site.answer("/end", Answer::Html("<title>End</title><h1>Arrived</h1>".into()));
    for path in ["/script", "/refresh"] {
        let mut server = Server::start(&[]);
        server.navigate(&site.url(path)).says(&site.url("/end")).says("\"End\"").says("Arrived");
    }
}

#[test]
fn the_browser_is_ready_is_all_that_installing_says_when_there_is_one() {
    let mut server = Server::start(&[]);
    let reply = server.call("browser_install", json!({}));
    let engine = engine().unwrap_or_else(|| "chromium".into()).replace("chromium", "chrom");
    assert!(reply.ok().text().to_lowercase().contains(&engine), "{}", reply.text());
    server.navigate("data:text/html,<h1>It is</h1>").says("It is");
}

#[test]
fn a_page_with_a_worker_settles_as_any_other() {
    let site = Site::of(
        "<title>Home</title><script>new Worker('/worker.js').onmessage = (event) => { document.title = event.data; }</script>",
    );
    site.answer(
        "/worker.js",
        Answer::Body("text/javascript", b"postMessage('worked'); setInterval(() => {}, 100);".to_vec()),
    );
    let mut tab = open_site(&[], site);
    let (began, home) = (std::time::Instant::now(), tab.site.url("/"));
    tab.navigate(&home);
    tab.evaluate("() => new Promise((done) => { const look = () => document.title === 'worked' ? done() : requestAnimationFrame(look); look(); })");
    assert!(began.elapsed() < std::time::Duration::from_secs(8), "{:?}", began.elapsed());
}

/// The browser does not report the end of requests whose frame it has thrown away.
#[test]
fn requests_of_a_document_that_was_left_are_not_waited_for() {
    let site = Site::with(&[("/", "<iframe src=/never></iframe><img src=/never>"), ("/two", "<h1>Two</h1>")]);
    site.answer("/never", Answer::Silent);
    let mut server = Server::start(&["--dialect", "browser,launch"]);
    for _ in 0..3 {
        server
            .call("browser_navigate", json!({ "url": site.url("/"), "waitUntil": "domcontentloaded" }))
            .ok();
        let to_two = json!({ "url": site.url("/two"), "waitUntil": "networkidle" });
        server.call("browser_navigate", to_two).ok().says("/two");
    }
}
