//! What an action waits for, and what its reply tells: settling, navigations, news, bounded changes.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::support::{Answer, Reply, Site, Tab, agent, open, open_site, open_with};

fn slow(milliseconds: u64, answer: Answer) -> Answer {
    Answer::Slow(Duration::from_millis(milliseconds), Box::new(answer))
}

fn text(body: &str) -> Answer {
    Answer::Body("text/plain", body.into())
}

/// Clicks what is named.
#[track_caller]
fn click(tab: &mut Tab, target: &str) -> Reply {
    let reply = tab.call("browser_click", json!({ "ref": target }));
    reply.ok();
    reply
}

/// Clicks what is named, which must not take longer than this.
#[track_caller]
fn click_within(tab: &mut Tab, target: &str, limit: Duration) -> Reply {
    let began = Instant::now();
    let reply = click(tab, target);
    assert!(began.elapsed() < limit, "{:?}: {}", began.elapsed(), reply.text());
    reply
}

/// A server that answers every request with a head and then holds the line, as streams do.
fn stream(head: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    line.clear();
                }
                let _ = (&stream).write_all(head.as_bytes());
                while reader.read_line(&mut line).is_ok_and(|read| read > 0) {
                    line.clear();
                }
            });
        }
    });
    port
}

#[test]
fn a_chain_of_requests_is_waited_for() {
    let page = "<button onclick=\"go()\">Go</button><p id=p></p><script>
        async function go() {
            const a = await (await fetch('/a')).text();
            const b = await (await fetch('/b?' + a)).text();
            const c = await (await fetch('/c?' + b)).text();
            p.textContent = 'got ' + c;
        }</script>";
    let site = Site::of(page);
    for path in ["/a", "/b", "/c"] {
        site.answer(path, slow(250, text(path)));
    }
    let mut tab = open_site(&[], site);
    click(&mut tab, "button").says("settled").says("got /c");
}

#[test]
fn all_requests_of_one_action_are_waited_for() {
    let page = "<button onclick=\"for (const n of [1, 2, 3]) load(n)\">Go</button><ul id=list></ul><script>
        async function load(n) {
            const words = await (await fetch('/' + n)).text();
            list.insertAdjacentHTML('beforeend', '<li>' + words + '</li>');
        }</script>";
    let site = Site::of(page);
    for n in [1, 2, 3] {
        site.answer(&format!("/{n}"), slow(n * 200, text(&format!("answer {n}"))));
    }
    let mut tab = open_site(&[], site);
    click(&mut tab, "button").says("settled").says("answer 1").says("answer 2").says("answer 3");
}

#[test]
fn requests_of_scripts_images_and_xhr_count_too() {
    let page = "<button id=script onclick=\"const s = document.createElement('script'); s.src = '/s.js'; document.head.append(s)\">S</button>
        <button id=image onclick=\"const i = new Image(); i.onload = () => out.textContent = 'picture'; i.src = '/i.svg'; out.append(i)\">I</button>
        <button id=xhr onclick=\"const x = new XMLHttpRequest(); x.onload = () => out.textContent = x.response; x.open('GET', '/x'); x.send()\">X</button>
        <p id=out></p>";
    let site = Site::of(page);
    site.answer("/s.js", slow(300, Answer::Body("text/javascript", b"out.textContent = 'script'".to_vec())));
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>";
    site.answer("/i.svg", slow(300, Answer::Body("image/svg+xml", svg.into())));
    site.answer("/x", slow(300, text("answer")));
    let mut tab = open_site(&[], site);
    click(&mut tab, "#script").says("script");
    click(&mut tab, "#image").says("picture");
    click(&mut tab, "#xhr").says("answer");
}

#[test]
fn an_action_without_effect_comes_back_after_half_a_second() {
    let mut tab =
        open("<button>Nothing</button><script>setTimeout(() => document.title = 'late', 20000)</script>");
    click(&mut tab, "button");
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        click(&mut tab, "button").says("settled").says("No change");
        times.push(began.elapsed());
    }
    times.sort_unstable();
    assert!(times[0] < Duration::from_millis(900), "{times:?}");
}

#[test]
fn what_began_before_an_action_is_not_waited_for() {
    let page = "<button id=begin onclick=\"setTimeout(() => fetch('/silent'), 900)\">Begin</button>
        <button id=go onclick=\"this.textContent = 'Done'\">Go</button>";
    let site = Site::of(page);
    site.answer("/silent", Answer::Silent);
    let mut tab = open_site(&[], site);
    // A timer of the page is not waited for any longer either.
    click_within(&mut tab, "#begin", Duration::from_secs(2)).says("settled");
    tab.call("browser_wait_for", json!({ "time": 0.8 })).ok();
    assert!(tab.site.requests().contains(&"GET /silent".to_owned()));
    click_within(&mut tab, "#go", Duration::from_secs(2)).says("settled").says("~ button \"Done\"");
}

#[test]
fn a_request_that_takes_too_long_is_said_to_be_under_way() {
    let site = Site::of("<button onclick=\"fetch('/silent'); this.textContent = 'Sent'\">Go</button>");
    site.answer("/silent", Answer::Silent);
    let mut tab = open_site(&[], site);
    let reply = click_within(&mut tab, "button", Duration::from_secs(12));
    reply.says("still busy with 1 request").says("~ button \"Sent\"");
    assert_eq!(reply.facts()["pending"], 1);
}

#[test]
fn event_streams_and_sockets_are_not_waited_for() {
    let events = stream(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nAccess-Control-Allow-Origin: *\r\n\r\ndata: one\n\n",
    );
    let silent = stream("");
    let page = format!(
        "<button id=events onclick=\"listen()\">Events</button><button id=socket onclick=\"plug()\">Socket</button>
        <p id=p></p><script>
        function listen() {{ new EventSource('http://127.0.0.1:{events}/').onmessage = e => p.textContent = 'event ' + e.data }}
        function plug() {{ window.socket = new WebSocket('ws://127.0.0.1:{silent}/') }}
        listen(); plug();
        </script>"
    );
    let site = Site::of(&page);
    let mut tab = open_site(&[], site);
    // The browser has started: what is measured is the page.
    let (began, home) = (Instant::now(), tab.site.url("/"));
    tab.navigate(&home);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    click_within(&mut tab, "#events", Duration::from_secs(2)).says("settled");
    click_within(&mut tab, "#socket", Duration::from_secs(2)).says("settled");
    tab.call("browser_wait_for", json!({ "text": "event one" })).ok();
}

#[test]
fn a_page_that_polls_without_end_comes_to_rest() {
    let page = "<button onclick=\"this.textContent = 'Done'\">Go</button><script>
        setInterval(() => fetch('/poll'), 50);
        (async function poll() { await fetch('/long'); poll() })();
        </script>";
    let site = Site::of(page);
    site.answer("/poll", slow(20, text("no"))).answer("/long", slow(700, text("no")));
    let mut tab = open_site(&[], site);
    click_within(&mut tab, "button", Duration::from_secs(5)).says("settled").says("~ button \"Done\"");
}

#[test]
fn every_way_to_another_page_is_followed() {
    let page = "<title>Home</title>
        <a id=link href=/link>Link</a>
        <form action=/get><input name=q value=a><button id=get>Get</button></form>
        <form action=/post method=post><input name=q value='b c'><button id=post>Post</button></form>
        <button id=location onclick=\"location = '/location'\">Location</button>
        <button id=assign onclick=\"location.assign('/location?assign')\">Assign</button>
        <button id=later onclick=\"fetch('/wait').then(() => location.href = '/location?later')\">Later</button>
        <a id=redirect href=/redirect>Redirect</a>
        <a id=refresh href=/refresh>Refresh</a>
        <button id=meta onclick=\"document.head.innerHTML += '<meta http-equiv=refresh content=0;url=/link?meta>'\">Meta</button>
        <form action=/get><input id=field name=q></form>";
    let site = Site::of(page);
    for path in ["/link", "/get", "/post", "/location"] {
        let page = format!("<title>{path}</title><h1>At {path}</h1>");
        site.answer(path, slow(100, Answer::Html(page)));
    }
    site.answer("/wait", slow(200, text("ok")));
    site.answer("/redirect", Answer::Redirect("/link?redirected".into()));
    site.answer("/refresh", Answer::Html("<meta http-equiv=refresh content='0;url=/link?refreshed'>".into()));
    let mut tab = open_site(&[], site);
    let home = tab.site.url("/");
    let cases = [
        ("#link", "/link", "At /link"),
        ("#get", "/get?q=a", "At /get"),
        ("#post", "/post", "At /post"),
        ("#location", "/location", "At /location"),
        ("#assign", "/location?assign", "At /location"),
        ("#later", "/location?later", "At /location"),
        ("#redirect", "/link?redirected", "At /link"),
        ("#refresh", "/link?refreshed", "At /link"),
        ("#meta", "/link?meta", "At /link"),
    ];
    for (target, path, heading) in cases {
        let (url, reply) = (tab.site.url(path), click(&mut tab, target));
        let told = reply.text().contains("; navigated.") && reply.text().contains(&format!("Page: {url} "));
        assert!(told && reply.text().contains(heading), "{target}: {}", reply.text());
        assert_eq!(reply.facts()["url"], url, "{target}");
        tab.navigate(&home);
    }
    let typed = tab.call("browser_type", json!({ "ref": "#field", "text": "x", "submit": true }));
    typed.says("navigated").says("/get?q=x");
    tab.navigate(&home);
    click(&mut tab, "#field");
    tab.call("browser_press_key", json!({ "key": "Enter" })).says("navigated").says("/get?q=");
    assert!(tab.site.requests().contains(&"POST /post q=b+c".to_owned()), "{:?}", tab.site.requests());
}

#[test]
fn moves_within_a_document_are_told() {
    let page = "<title>App</title><a id=hash href=#there>Hash</a>
        <button id=push onclick=\"history.pushState(0, '', '/app/two'); document.title = 'Two'; p.textContent = 'View two'\">Push</button>
        <p id=p>View one</p>";
    let mut tab = open(page);
    let (hash, two) = (tab.site.url("/#there"), tab.site.url("/app/two"));
    click(&mut tab, "#hash").says(&format!("Page: {hash} \"App\""));
    let reply = click(&mut tab, "#push");
    reply.says(&format!("Page: {two} \"Two\"")).says("View two").says_not("link \"Hash\"");
    assert_eq!(reply.facts()["title"], "Two");
    click(&mut tab, "#p").says_not("Page:");
}

#[test]
fn a_page_that_fails_to_load_after_a_click_is_told() {
    let site =
        Site::of("<a id=missing href=/missing>Missing</a><a id=dead href=http://127.0.0.1:1/>Dead</a>");
    let mut tab = open_site(&["--navigation-timeout", "3s"], site);
    let home = tab.site.url("/");
    click(&mut tab, "#missing").says("navigated").says("Not found");
    tab.navigate(&home);
    let reply = tab.call("browser_click", json!({ "ref": "#dead" }));
    assert!(reply.text().contains("127.0.0.1:1") || reply.text().contains("ERR_"), "{}", reply.text());
    tab.navigate(&home).says("Missing");
}

#[test]
fn a_link_to_a_new_tab_leaves_this_one_active() {
    let site = Site::of("<title>Home</title><a target=_blank href=/two>Two</a><button>Here</button>");
    site.answer("/two", slow(100, Answer::Html("<title>Two</title><h1>Second</h1>".into())));
    let mut tab = open_site(&[], site);
    let two = tab.site.url("/two");
    let reply = click(&mut tab, "a");
    reply.says("tab 1 (tabId 2) opened").says(&two);
    assert_eq!(reply.facts()["news"].as_array().unwrap().len(), 1, "{}", reply.facts());
    click(&mut tab, "button").says("Clicked button \"Here\"").says_not("tab 1");
    tab.call("browser_take_screenshot", json!({})).ok();
    // Selecting it waits for nothing; what it shows comes when it comes.
    tab.call("browser_tabs", json!({ "action": "list" })).says("- 0: (active) \"Home\"").says("- 1: \"");
    tab.call("browser_tabs", json!({ "action": "select", "index": 1 })).ok();
    tab.call("browser_wait_for", json!({ "text": "Second" })).ok();
    tab.snapshot().says("heading \"Second\"").says(&two);
    tab.call("browser_tabs", json!({ "action": "list" })).says("- 0: \"Home\"").says("- 1: (active) \"Two\"");
}

#[test]
fn a_tab_that_its_page_closes_is_told() {
    let site = Site::of("<a target=_blank rel=opener href=/two>Two</a><button>Here</button>");
    site.answer("/two", Answer::Html("<script>setTimeout(close, 300)</script>".into()));
    let mut tab = open_site(&[], site);
    click(&mut tab, "a").says("tab 1 (tabId 2) opened");
    tab.call("browser_wait_for", json!({ "time": 1 })).says("tab 1 (tabId 2) closed");
    click(&mut tab, "button").says_not("tab 1");
}

#[test]
fn an_action_may_close_its_own_page() {
    let site = Site::of("<a target=_blank rel=opener href=/two>Two</a>");
    site.answer("/two", Answer::Html("<button autofocus onclick='window.close()'>Close</button>".into()));
    let mut tab = open_site(&[], site);
    for (round, (tool, arguments)) in
        [("browser_click", json!({ "ref": "button" })), ("browser_press_key", json!({ "key": "Enter" }))]
            .into_iter()
            .enumerate()
    {
        let opened = round + 2;
        click(&mut tab, "a").says(&format!("tab 1 (tabId {opened}) opened"));
        tab.call("browser_tabs", json!({ "action": "select", "index": 1 })).ok();
        tab.call(tool, arguments).says(&format!("tab 1 (tabId {opened}) closed"));
        tab.snapshot().says("link \"Two\"");
    }
}

#[test]
fn new_errors_of_the_console_are_told_once() {
    let page = "<button id=log onclick=\"console.error('first'); console.error('second'); console.warn('mild')\">Log</button>
        <button id=throw onclick=\"undefined.x\">Throw</button>
        <button id=reject onclick=\"Promise.reject(new Error('rejected'))\">Reject</button>
        <button id=quiet>Quiet</button><script>console.error('while loading')</script>";
    let mut tab = open("<h1>Here</h1>");
    tab.site.answer("/page", Answer::Html(page.into()));
    let url = tab.site.url("/page");
    tab.navigate(&url).says("console error: \"while loading\"");
    click(&mut tab, "#quiet").says_not("console");
    click(&mut tab, "#log").says("2 console errors, the first: \"first\"").says_not("mild");
    click(&mut tab, "#quiet").says_not("console");
    click(&mut tab, "#throw").says("console error").says("TypeError");
    click(&mut tab, "#reject").says("console error").says("rejected");
    click(&mut tab, "#quiet").says_not("console");
}

#[test]
fn a_download_that_is_too_large_is_not_kept_and_the_reply_says_why() {
    const LIMIT: usize = 1 << 20;
    let site = Site::of("<a id=most href=/most>Most</a><a id=more href=/more>More</a>");
    site.answer("/most", Answer::Download("most.bin", vec![b'x'; LIMIT]));
    site.answer("/more", Answer::Download("more.bin", vec![b'x'; LIMIT + 1]));
    let flags = ["--dialect=agent,browser", "--max-download-size=1", "--screenshot-dir=out"];
    let mut tab = open_site(&flags, site);
    tab.call("browser_click", json!({ "ref": "#most" })).ok();
    tab.call("wait", json!({ "for": "download" })).ok().says("most.bin");
    let why = "failed: it is too large: 1048577 bytes, the limit is 1048576";
    let told = tab.call("browser_click", json!({ "ref": "#more" }));
    let waited = tab.call("wait", json!({ "for": "download" }));
    agent::fails(&waited, "DownloadFailed", &format!("the download of \"more.bin\" {why}"));
    assert!(waited.text().contains("--max-download-size"), "{}", waited.text());
    // It may take a moment until it is told.
    assert!(told.text().contains(why) || waited.text().contains(why), "{}", told.text());
    let out = std::fs::read_dir(tab.working_directory().join("out")).unwrap();
    let kept: Vec<_> = out.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(kept, ["most.bin"]);
}

/// A page must not fill the disk with files that nobody asked for.
#[test]
fn what_downloads_take_up_is_limited_and_the_reply_says_so() {
    const LIMIT: usize = 4 << 20;
    let site = Site::of("<h1>Plenty</h1>");
    for nth in 0..30 {
        site.answer(&format!("/{nth}"), Answer::Download("some.bin", vec![b'x'; 900 << 10]));
    }
    let flags = ["--dialect=agent,browser", "--max-download-size=1", "--screenshot-dir=out"];
    let mut tab = open_site(&flags, site);
    let mut told = String::new();
    tab.evaluate(
        "(async () => {
            for (let nth = 0; nth < 30; nth++) {
                Object.assign(document.createElement('a'), { href: '/' + nth, download: '' }).click();
                await new Promise((done) => setTimeout(done, 100));
            }
        })() && 1",
    );
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !told.contains("all downloads of the session would be larger than 4194304 bytes") {
        assert!(std::time::Instant::now() < until, "{told}");
        told += &tab.snapshot().text();
    }
    let out = std::fs::read_dir(tab.working_directory().join("out")).unwrap();
    let kept: u64 = out.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(kept > 0 && kept <= LIMIT as u64, "{kept} bytes");
}

#[test]
fn downloads_that_were_deleted_take_up_nothing() {
    let site = Site::of("<a href=/file>File</a>");
    site.answer("/file", Answer::Download("some.bin", vec![b'x'; 900 << 10]));
    let flags = ["--dialect=agent,browser", "--max-download-size=1", "--screenshot-dir=out"];
    let mut tab = open_site(&flags, site);
    let mut download = || {
        tab.call("click", json!({ "selector": "text:File" })).ok();
        tab.call("wait", json!({ "for": "download" }))
    };
    for _ in 0..4 {
        download().ok();
    }
    agent::fails(
        &download(),
        "DownloadFailed",
        "all downloads of the session would be larger than 4194304 bytes",
    );
    let out = tab.working_directory().join("out");
    std::fs::remove_file(out.join("some.bin")).unwrap();
    tab.call("click", json!({ "selector": "text:File" })).ok();
    tab.call("wait", json!({ "for": "download" })).ok();
}

/// The browser writes into the directory for temporary files, which on Linux is rarely in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_download_goes_to_another_file_system() {
    let site = Site::of("<a href=/report>Report</a>");
    site.answer("/report", Answer::Download("report.csv", vec![b'x'; 3 << 20]));
    let memory = tempfile::tempdir_in("/dev/shm").unwrap();
    let mut tab =
        open_site(&["--dialect=agent,browser", "--screenshot-dir", memory.path().to_str().unwrap()], site);
    tab.call("browser_click", json!({ "ref": "text:Report" })).ok();
    tab.call("wait", json!({ "for": "download" })).ok().says("report.csv");
    assert_eq!(std::fs::read(memory.path().join("report.csv")).unwrap().len(), 3 << 20);
}

#[test]
fn downloads_are_told_with_their_path() {
    let site = Site::of(
        "<a id=server href=/report>Report</a>
        <a id=page download='made here.txt' href='data:text/plain,made'>Made</a>
        <a id=bad href=/traversal>Bad</a><button>Quiet</button>",
    );
    site.answer("/report", Answer::Download("report.csv", b"a,b\n1,2\n".to_vec()));
    site.answer("/traversal", Answer::Download("../../evil.sh", b"evil".to_vec()));
    let mut tab = open_site(&[], site);
    let kept = |tab: &Tab, reply: &Reply| {
        let text = reply.text();
        let line = text.lines().find(|line| line.contains("downloaded")).unwrap_or_else(|| panic!("{text}"));
        tab.working_directory().join(line.rsplit_once(" to ").unwrap().1)
    };
    for (target, name, content) in [
        ("#server", "report.csv", "a,b\n1,2\n"),
        ("#page", "made here.txt", "made"),
        ("#bad", "evil.sh", "evil"),
    ] {
        let began = tab.call("browser_click", json!({ "ref": target }));
        // It may take a moment until it is there.
        let told = if began.text().contains("downloaded") {
            began
        } else {
            tab.call("browser_wait_for", json!({ "time": 1 }))
        };
        let path = kept(&tab, &told);
        assert!(told.text().contains(name), "{}", told.text());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        assert!(
            path.canonicalize().unwrap().starts_with(tab.working_directory().canonicalize().unwrap()),
            "{path:?}"
        );
        click(&mut tab, "button").says_not("download");
    }
    // The page is where it was, and the same name again is another file.
    let again = tab.call("browser_click", json!({ "ref": "#server" }));
    let again = if again.text().contains("downloaded") {
        again
    } else {
        tab.call("browser_wait_for", json!({ "time": 1 }))
    };
    assert_ne!(kept(&tab, &again).file_name().unwrap(), "report.csv");
    let report = tab.site.url("/report");
    tab.call("browser_navigate", json!({ "url": report })).says("download");
    tab.snapshot().says("button \"Quiet\"");
}

#[test]
fn dialogs_that_were_answered_beforehand_are_told_once() {
    let page = "<button id=ask onclick=\"this.textContent = prompt('Name?', 'Ann')\">Ask</button><button id=quiet>Quiet</button>";
    let mut tab = open(page);
    tab.snapshot();
    tab.call("browser_handle_dialog", json!({ "accept": true, "promptText": "Bob" })).says("next dialog");
    click(&mut tab, "#ask").says("prompt dialog accepted: \"Name?\"").says("~ button \"Bob\"");
    click(&mut tab, "#quiet").says_not("dialog");
    let reply = click(&mut tab, "#ask");
    reply.says("prompt dialog open: \"Name?\"");
    assert_eq!(reply.facts()["state"], "dialog");
    tab.call("browser_handle_dialog", json!({ "accept": false })).says("dismissed");
    click(&mut tab, "#quiet").says_not("dialog");
}

#[test]
fn replies_show_as_much_of_the_page_as_asked_for() {
    let page = "<title>T</title><h1>Heading</h1><button onclick=\"this.textContent = 'Done'\">Go</button><p>Rest</p>";
    let mut full = open_with(&["--action-snapshot", "full"], page);
    click(&mut full, "button").says("heading \"Heading\"").says("- button \"Done\"").says("Rest");
    let mut none = open_with(&["--action-snapshot", "none"], page);
    let reply = click(&mut none, "button");
    reply.says("Clicked button \"Go\"").says_not("Done").says_not("Heading").says_not("<page");
    let url = none.site.url("/?again");
    none.navigate(&url).says(&format!("Page: {url} \"T\"")).says_not("Heading");
    none.snapshot().says("heading \"Heading\"");
}

#[test]
fn a_small_change_has_a_short_reply() {
    let rows: String = (0..300).map(|n| format!("<li><a href='#{n}'>Row {n} of many</a></li>")).collect();
    let page = format!(
        "<title>A page with a title</title><ul>{rows}</ul>
        <button id=nothing>Nothing</button><button id=one onclick=\"this.textContent = 'Pressed'\">Press</button>
        <button id=more onclick=\"out.innerHTML = '<p role=alert>Saved</p><a href=/x>Undo</a>'\">More</button><div id=out></div>
        <input aria-label=Name>"
    );
    let mut tab = open(&page);
    tab.snapshot();
    for target in ["#nothing", "#one", "#more"] {
        let reply = click(&mut tab, target);
        assert!(reply.bytes <= 600, "{target}: {} bytes: {}", reply.bytes, reply.message);
    }
    let typed = tab.call("browser_type", json!({ "ref": "input", "text": "Ada" }));
    assert!(typed.ok().bytes <= 600, "{} bytes: {}", typed.bytes, typed.message);
}

#[test]
fn changes_are_told_with_refs_that_work() {
    let page = "<button id=add onclick=\"list.insertAdjacentHTML('beforeend', '<li><button onclick=this.parentNode.remove()>Remove me</button></li>')\">Add</button>
        <ul id=list></ul><label><input type=checkbox>Check</label>";
    let mut tab = open(page);
    tab.snapshot();
    let added = click(&mut tab, "#add");
    added.says("+ ").says("button \"Remove me\"").says_not("checkbox");
    let remove = added.reference("Remove me");
    let removed = click(&mut tab, &remove);
    removed.says("- ").says("gone").says(&remove);
    click(&mut tab, "input").says("~ checkbox \"Check\"").says("checked");
    click(&mut tab, "input").says("~ checkbox \"Check\"").says_not("[checked]");
}

#[test]
fn a_page_where_everything_changes_has_a_bounded_reply() {
    let page = "<button id=all onclick=\"fill(n++)\">All</button><button id=clear onclick=\"list.innerHTML = ''\">Clear</button>
        <ul id=list></ul><script>
        let n = 0;
        function fill(n) {
            let html = '';
            for (let i = 0; i < 3000; i++) html += '<li><a href=#>Entry ' + i + ' of round ' + n + '</a></li>';
            list.innerHTML = html;
        }
        fill(n++);
        </script>";
    let mut tab = open(page);
    tab.snapshot();
    let reply = click(&mut tab, "#all");
    reply.says("more");
    assert!(reply.bytes < 6_000, "{} bytes", reply.bytes);
    let reply = click(&mut tab, "#clear");
    assert!(reply.bytes < 6_000, "{} bytes", reply.bytes);
    let reply = click(&mut tab, "#all");
    reply.says("Entry 0 of round 2").says("more");
    assert!(reply.bytes < 6_000, "{} bytes", reply.bytes);
    // A change beside many others' rest is told alone.
    tab.snapshot();
    tab.evaluate("() => { list.children[2500].firstChild.textContent = 'Special' }");
    let reply = click(&mut tab, "body");
    reply.says("Special").says_not("Entry 7 ");
}

#[test]
fn a_wait_ends_with_what_it_waits_for() {
    let page = "<p id=p>Loading</p><button onclick=\"setTimeout(() => { p.textContent = 'Ready' }, 700)\">Go</button>
        <iframe srcdoc=\"<p>Inner words</p>\"></iframe>";
    let mut tab = open(page);
    click(&mut tab, "button");
    let began = Instant::now();
    tab.call("browser_wait_for", json!({ "text": "Ready" })).says("\"Ready\" is there").says("Ready");
    tab.call("browser_wait_for", json!({ "textGone": "Loading" })).says("\"Loading\" is gone");
    tab.call("browser_wait_for", json!({ "text": "Inner words" })).ok();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let began = Instant::now();
    tab.call("browser_wait_for", json!({ "text": "never", "timeout": 1 }))
        .fails("timed out after 1 s: \"never\" did not appear");
    tab.call("browser_wait_for", json!({ "textGone": "Ready", "timeout": 1 }))
        .fails("\"Ready\" did not go away");
    assert!(
        began.elapsed() > Duration::from_secs(2) && began.elapsed() < Duration::from_secs(6),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_wait_outlives_a_navigation() {
    let site = Site::of("<button onclick=\"setTimeout(() => location = '/two', 900)\">Go</button>");
    site.answer("/two", slow(300, Answer::Html("<h1>Arrived</h1>".into())));
    let mut tab = open_site(&[], site);
    click(&mut tab, "button");
    tab.call("browser_wait_for", json!({ "text": "Arrived" })).says("heading \"Arrived\"").says("/two");
}
