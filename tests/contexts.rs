//! Contexts: made, switched, listed, closed; isolated from each other, and never in each other's way.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site, Tab, open, open_site, open_with};

fn create(server: &mut Server, name: &str) -> Reply {
    let reply = server.call("browser_context_create", json!({ "name": name }));
    reply.ok();
    reply
}

fn switch(server: &mut Server, name: &str) -> Reply {
    server.call("browser_context_switch", json!({ "name": name }))
}

fn close(server: &mut Server, name: &str) -> Reply {
    server.call("browser_context_close", json!({ "name": name }))
}

fn list(server: &mut Server) -> Vec<Value> {
    let reply = server.call("browser_context_list", json!({}));
    reply.ok();
    reply.facts()["contexts"].as_array().unwrap().clone()
}

/// Names in order, with a star after the active one.
fn names(server: &mut Server) -> String {
    let contexts = list(server);
    let name = |context: &Value| {
        format!("{}{}", context["name"].as_str().unwrap(), if context["isActive"] == true { "*" } else { "" })
    };
    contexts.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn contexts_are_created_listed_switched_and_closed() {
    let site = Site::with(&[("/", "<title>A</title>"), ("/b", "<title>B</title>")]);
    let mut tab = open_site(&[], site);
    let (home, b) = (tab.site.url("/"), tab.site.url("/b"));
    let created = create(&mut tab, "clean");
    created.says("Created context \"clean\", which is active now");
    assert_eq!(created.facts()["name"], "clean");
    assert_eq!(created.facts()["isActive"], true);
    assert_eq!(created.facts()["pageCount"], 0);
    tab.navigate(&b);
    tab.call("browser_tabs", json!({ "action": "new" })).ok();
    tab.call("browser_tabs", json!({ "action": "select", "index": 0 })).ok();
    tab.call(
        "browser_context_create",
        json!({ "name": "uk", "proxy": { "server": "socks5://127.0.0.1:9" } }),
    )
    .says("socks5://127.0.0.1:9");
    let expected = json!([
        { "name": "default", "isActive": false, "pageCount": 1, "currentUrl": home },
        { "name": "clean", "isActive": false, "pageCount": 2, "currentUrl": b },
        { "name": "uk", "isActive": true, "pageCount": 0, "proxy": "socks5://127.0.0.1:9" },
    ]);
    assert_eq!(json!(list(&mut tab)), expected);
    let told = tab.call("browser_context_list", json!({}));
    told.says("- \"default\": 1 tab, at").says("- \"clean\": 2 tabs, at");
    told.says("- \"uk\" (active): no tabs, through socks5://127.0.0.1:9");

    let switched = switch(&mut tab, "clean");
    switched.says("Context \"clean\" is active").says(&b);
    assert_eq!(switched.facts()["name"], "clean");
    assert_eq!(tab.evaluate("document.title"), "B");
    switch(&mut tab, "default").ok();
    assert_eq!(tab.evaluate("document.title"), "A");

    close(&mut tab, "clean").says("Closed context \"clean\"; \"default\" is active");
    assert_eq!(names(&mut tab), "default* uk");
    switch(&mut tab, "uk").ok();
    close(&mut tab, "uk").says("\"default\" is active");
    assert_eq!(tab.evaluate("document.title"), "A", "calls go to the one that is active now");
    close(&mut tab, "default").fails("Cannot close the only remaining context");
    assert_eq!(tab.evaluate("document.title"), "A", "it is still there");
    create(&mut tab, "clean");
    assert_eq!(names(&mut tab), "default clean*", "a name is free again after its context was closed");
}

#[test]
fn names_that_are_taken_unknown_or_none() {
    let mut server = Server::start(&[]);
    for tool in ["browser_context_create", "browser_context_switch", "browser_context_close"] {
        server.call(tool, json!({})).refused(-32602, "Missing required argument: name");
        for wrong in [json!(""), json!("  "), json!(7), json!("x".repeat(101))] {
            server.call(tool, json!({ "name": wrong })).refused(-32602, "name");
        }
    }
    assert_eq!(server.descendants().len(), 0, "none of it needs a browser");
    assert_eq!(names(&mut server), "default*", "listing needs no browser either");
    assert_eq!(server.descendants().len(), 0);
    close(&mut server, "default").fails("Cannot close the only remaining context");
    create(&mut server, "a");
    server.call("browser_context_create", json!({ "name": "a" })).fails("the context \"a\" already exists");
    server.call("browser_context_create", json!({ "name": "default" })).fails("already");
    switch(&mut server, "b").fails("unknown context \"b\"; known: default, a");
    close(&mut server, "b").fails("unknown context \"b\"");
    server
        .call("browser_context_save_storage", json!({ "name": "b", "path": "b.json" }))
        .fails("unknown context \"b\"");
    assert_eq!(names(&mut server), "default a*", "errors change nothing");
}

#[test]
fn the_default_context_can_be_closed_and_its_name_be_used_again() {
    let mut tab = open("<title>Here</title>");
    tab.evaluate("document.cookie = 'who=first'");
    create(&mut tab, "other");
    close(&mut tab, "default").says("\"other\" is active");
    assert_eq!(names(&mut tab), "other*");
    close(&mut tab, "other").fails("Cannot close the only remaining context");
    create(&mut tab, "default");
    let home = tab.site.url("/");
    tab.navigate(&home);
    assert_eq!(tab.evaluate("document.cookie"), "", "it is another one");
    close(&mut tab, "other").says("\"default\" is active");
}

#[test]
fn the_cache_is_each_contexts_own() {
    let site = Site::of("<title>Home</title>");
    site.answer("/cached", Answer::Headed(&["Cache-Control: max-age=3600"], "<title>Cached</title>".into()));
    let mut tab = open_site(&[], site);
    let cached = tab.site.url("/cached");
    let fetches =
        "async () => { await fetch('/cached'); await fetch('/cached'); return (await fetch('/cached')).ok; }";
    assert_eq!(tab.evaluate(fetches), true);
    let asked = |tab: &Tab| tab.site.requests().iter().filter(|line| *line == "GET /cached").count();
    assert_eq!(asked(&tab), 1, "the browser's cache works");
    create(&mut tab, "other");
    tab.navigate(&cached);
    assert_eq!(asked(&tab), 2, "the cache is its own");
}

#[test]
fn cookies_storage_and_permissions_are_each_contexts_own() {
    let mut tab = open("<title>Home</title>");
    let home = tab.site.url("/");
    let mark = "async () => { document.cookie = 'who=default'; localStorage.who = 'default'; sessionStorage.who = 'default';
        await caches.open('c').then((cache) => cache.put('/x', new Response('default')));
        await new Promise((done) => { indexedDB.open('d').onsuccess = done; });
        return true; }";
    assert_eq!(tab.evaluate(mark), true);
    create(&mut tab, "other");
    tab.navigate(&home);
    let seen = tab.evaluate(
        "async () => [document.cookie, localStorage.length, sessionStorage.length, await caches.keys(), (await indexedDB.databases()).length]",
    );
    assert_eq!(seen, json!(["", 0, 0, [], 0]));
    tab.evaluate("() => { document.cookie = 'who=other'; localStorage.who = 'other'; }");
    let other =
        tab.evaluate("async () => (await navigator.permissions.query({ name: 'notifications' })).state");
    switch(&mut tab, "default").ok();
    assert_eq!(
        tab.evaluate("async () => (await navigator.permissions.query({ name: 'notifications' })).state"),
        other,
        "no context is granted more than another"
    );
    assert_eq!(tab.evaluate("() => document.cookie + ' ' + localStorage.who"), "who=default default");
    tab.navigate(&home);
    let cookies = tab.site.cookies();
    assert_eq!(cookies.last().unwrap(), "/ who=default", "requests carry their own context's cookies");
    close(&mut tab, "other").ok();
    create(&mut tab, "other");
    tab.navigate(&home);
    assert_eq!(tab.evaluate("document.cookie"), "", "what was closed is forgotten");
}

#[test]
fn popups_stay_in_their_context() {
    let page = "<button onclick=\"window.open('/pop')\">Pop</button>";
    let mut tab = open_site(&[], Site::with(&[("/", page), ("/pop", "<title>Popup</title>")]));
    let home = tab.site.url("/");
    create(&mut tab, "other");
    tab.navigate(&home);
    tab.evaluate("document.cookie = 'who=other'");
    tab.call("browser_click", json!({ "ref": "button" })).says("opened: ").says("/pop");
    tab.call("browser_tabs", json!({ "action": "list" })).says("\"Popup\"");
    tab.call("browser_tabs", json!({ "action": "select", "index": 1 })).ok();
    assert_eq!(tab.evaluate("document.cookie"), "who=other");
    let counts: Vec<Value> = list(&mut tab).iter().map(|context| context["pageCount"].clone()).collect();
    assert_eq!(counts, [1, 2]);
    switch(&mut tab, "default").ok();
    tab.call("browser_tabs", json!({ "action": "list" })).says_not("Popup");
}

#[test]
fn refs_of_one_context_are_refused_in_another() {
    let mut tab = open("<button onclick=\"document.title = 'clicked'\">Go</button>");
    let home = tab.site.url("/");
    let first = tab.snapshot().reference("Go");
    create(&mut tab, "other");
    tab.navigate(&home);
    let second = tab.snapshot().reference("Go");
    assert_ne!(first, second, "no ref is given twice");
    let refused = tab.call("browser_click", json!({ "ref": first }));
    refused.fails(&format!("{first} belongs to tab 1"));
    assert_eq!(refused.facts()["error"]["name"], "ForeignRef");
    assert!(refused.text().contains("context \"default\""), "which context is said:\n{}", refused.text());
    assert_eq!(tab.evaluate("document.title"), "", "nothing was clicked");
    tab.call("browser_click", json!({ "ref": second })).says("\"clicked\"");
    close(&mut tab, "other").ok();
    tab.call("browser_click", json!({ "ref": second })).fails(&second);
    tab.call("browser_click", json!({ "ref": first })).says("Clicked");
}

#[test]
fn downloads_of_a_second_context_are_kept_and_told_there() {
    let mut tab = open("<a href=/file>Get</a>");
    tab.site.answer("/file", Answer::Download("data.bin", b"0123456789".to_vec()));
    let home = tab.site.url("/");
    create(&mut tab, "other");
    tab.navigate(&home);
    let reply = tab.call("browser_click", json!({ "ref": "a" }));
    reply.says("downloaded \"data.bin\" to .viewpoint-mcp-screenshots/data.bin");
    let kept = tab.working_directory().join(".viewpoint-mcp-screenshots/data.bin");
    assert_eq!(std::fs::read(kept).unwrap(), b"0123456789");
    switch(&mut tab, "default").ok();
    tab.snapshot().says_not("data.bin");
}

#[test]
fn a_context_closed_while_calls_run_in_it_costs_them_an_error_soon() {
    let site = Site::of("<button>Go</button>");
    site.answer("/silent", Answer::Silent);
    let mut tab = open_site(&[], site);
    let (home, silent) = (tab.site.url("/"), tab.site.url("/silent"));
    let running = [
        ("browser_evaluate", json!({ "function": "() => new Promise(() => {})" })),
        ("browser_evaluate", json!({ "function": "() => { for (;;); }" })),
        ("browser_wait_for", json!({ "text": "never" })),
        ("browser_navigate", json!({ "url": silent })),
        ("browser_click", json!({ "ref": "#never" })),
    ];
    for (tool, arguments) in running {
        create(&mut tab, "temp");
        tab.navigate(&home);
        let runs = tab.begin_call(tool, arguments.clone());
        let waits = tab.begin_call("browser_snapshot", json!({}));
        // A script in the page has begun when the pings after it are answered; what matters is that all of it runs.
        tab.request("ping", json!({}));
        let began = Instant::now();
        close(&mut tab, "temp").says("\"default\" is active");
        for id in [runs, waits] {
            let reply = tab.finish_within(id, Duration::from_secs(2));
            let reply = reply.unwrap_or_else(|| panic!("{tool} {arguments} was not answered"));
            reply.fails("closed");
        }
        assert!(began.elapsed() < Duration::from_secs(2), "{tool}: {:?}", began.elapsed());
        assert_eq!(tab.evaluate("document.querySelectorAll('button').length"), 1, "the others go on");
    }
    assert_eq!(names(&mut tab), "default*");
}

/// Ends the browser of a server, at once.
fn kill_browser(server: &Server) {
    let browser = server.descendants().into_iter().find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        let begun_by_us = line.contains("--remote-debugging-p") || line.contains("cicerone-webkit");
        begun_by_us && !line.contains("--type=")
    });
    let pid = Pid::from_raw(browser.unwrap().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
}

#[test]
fn contexts_of_a_browser_that_was_killed_are_made_anew_and_that_is_said() {
    let mut tab = open("<title>Here</title>");
    let (home, port) = (tab.site.url("/"), tab.site.port());
    let state = json!({ "cookies": [{ "name": "from", "value": "file", "domain": "127.0.0.1", "path": "/" }],
        "origins": [{ "origin": format!("http://127.0.0.1:{port}"), "localStorage": [{ "name": "k", "value": "v" }] }] });
    tab.file("state.json", &state.to_string());
    tab.call("browser_context_create", json!({ "name": "saved", "storageState": "state.json" })).ok();
    tab.navigate(&home);
    create(&mut tab, "third");
    tab.navigate(&home);
    tab.evaluate("document.cookie = 'gone=1'");
    kill_browser(&tab);
    let waits = tab.begin_call("browser_wait_for", json!({ "text": "never" }));
    let first = tab.finish_within(waits, Duration::from_secs(5)).expect("an answer");
    first.fails("the browser ended unexpectedly");
    tab.navigate(&home).says("the browser had ended and was restarted");
    assert_eq!(tab.evaluate("document.cookie"), "");
    switch(&mut tab, "saved").ok();
    let said = tab.navigate(&home);
    said.says("the browser had ended and was restarted");
    assert_eq!(
        tab.evaluate("() => document.cookie + ' ' + localStorage.k"),
        "from=file v",
        "it has what it began with"
    );
    tab.snapshot().says_not("restarted");
    switch(&mut tab, "default").ok();
    tab.navigate(&home).says("the browser had ended and was restarted");
    assert_eq!(names(&mut tab), "default* saved third");
}

#[test]
fn eight_contexts_are_driven_at_once_and_none_waits_for_another() {
    let site = Site::of("<title>Home</title><button onclick=\"this.textContent += '!'\">Go</button>");
    let mut tab = open_with(&["--action-timeout", "3s"], "");
    let home = site.url("/");
    let contexts: Vec<String> = (0..8).map(|nth| format!("c{nth}")).collect();
    for name in &contexts {
        create(&mut tab, name);
        tab.navigate(&home);
        tab.evaluate(&format!("document.cookie = 'who={name}'"));
    }
    // One of them hangs for as long as it may.
    switch(&mut tab, "c3").ok();
    let hung = tab.begin_call("browser_evaluate", json!({ "function": "() => { for (;;); }" }));
    let began = Instant::now();
    let mut pairs = Vec::new();
    for round in 0..4 {
        for name in contexts.iter().filter(|name| *name != "c3") {
            let switched = tab.begin_call("browser_context_switch", json!({ "name": name }));
            let script = format!(
                "async () => {{ await new Promise((done) => setTimeout(done, 100)); return document.cookie + ' {round}'; }}"
            );
            let evaluated = tab.begin_call("browser_evaluate", json!({ "function": script }));
            let clicked = tab.begin_call("browser_click", json!({ "ref": "button" }));
            pairs.push((name.clone(), round, switched, evaluated, clicked));
        }
    }
    for (name, round, switched, evaluated, clicked) in pairs {
        let switched = tab.finish(switched);
        assert_eq!(switched.facts()["name"], json!(name));
        let evaluated = tab.finish(evaluated);
        assert_eq!(evaluated.ok().facts()["result"], format!("who={name} {round}"));
        let marks = "!".repeat(round + 1);
        tab.finish(clicked).says(&format!("\"Go{marks}\""));
    }
    let took = began.elapsed();
    assert!(
        tab.aside.iter().all(|message| message["id"] != hung),
        "the hung one was answered before the others: {took:?}"
    );
    tab.finish(hung).fails("timed out after");
    switch(&mut tab, "c3").ok();
    assert_eq!(tab.evaluate("document.cookie"), "who=c3");
}

#[test]
fn a_long_url_of_a_context_is_told_in_part() {
    let mut tab = open("<p>x</p>");
    let url = format!("{}?{}", tab.site.url("/"), "x".repeat(5_000));
    tab.navigate(&url);
    let listed = list(&mut tab);
    assert!(listed[0]["currentUrl"].as_str().unwrap().len() < 2_100, "{listed:?}");
    let switched = switch(&mut tab, "default");
    assert!(switched.ok().text().len() < 500, "{}", switched.text());
    assert!(switched.facts()["currentUrl"].as_str().unwrap().len() < 2_100);
}

#[test]
fn a_context_that_is_given_up_while_it_is_made_leaves_no_name_behind() {
    let mut server = Server::start(&[]);
    // The browser is yet to be started, so this takes its time.
    let given_up = server.begin_call("browser_context_create", json!({ "name": "a" }));
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": given_up } });
    server.send(&cancelled);
    assert_eq!(names(&mut server), "default*");
    create(&mut server, "a");
    assert_eq!(names(&mut server), "default a*");
}
