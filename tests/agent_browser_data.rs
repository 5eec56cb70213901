//! `history` and `bookmarks`, by their new and old names.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    agent_emulate::WITH_ACCESS,
    life::kill_browser,
    support::{
        Reply, Server, Site, Tab,
        agent::{DIALECT, data, fails},
        engine, open_site, open_with, program_name,
    },
};

const PAGES: [(&str, &str); 4] = [
    ("/", "<title>Front</title><link rel=icon href='data:,'>"),
    ("/guide", "<title>The Rust guide</title><link rel=icon href='data:,'>"),
    ("/recipes-of-bread", "<title>Baking & more</title><link rel=icon href='data:,'>"),
    ("/untitled", "<link rel=icon href='data:,'>nothing"),
];

/// A browser that was at all of them, the first one twice.
fn visited() -> Tab {
    let mut tab = open_site(&WITH_ACCESS, Site::with(&PAGES));
    for path in ["/guide", "/recipes-of-bread", "/untitled", "/"] {
        let url = tab.site.url(path);
        tab.navigate(&url);
    }
    tab
}

/// What the history says once this holds: it is written a moment later than it is shown.
#[track_caller]
fn history_until(server: &mut Server, arguments: &Value, holds: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let reply = server.call("history", arguments.clone());
        let found = data(&reply).clone();
        if holds(&found) {
            return found;
        }
        assert!(Instant::now() < deadline, "{arguments}: {found}");
    }
}

fn paths(tab: &Tab, found: &Value) -> Vec<String> {
    let base = tab.site.url("");
    let items = found["items"].as_array().unwrap();
    items.iter().map(|item| item["url"].as_str().unwrap().replace(&base, "")).collect()
}

#[test]
fn what_was_visited_is_found_by_url_and_title() {
    let mut tab = visited();
    let all = history_until(&mut tab.server, &json!({}), |found| {
        found["count"] == 4 && found["items"][0]["visit_count"] == 2 && found["items"][0]["title"] == "Front"
    });
    assert_eq!(paths(&tab, &all), ["/", "/untitled", "/recipes-of-bread", "/guide"]);
    let time = all["items"][0]["last_visit_time"].as_str().unwrap();
    let time: jiff::Timestamp = time.parse().unwrap();
    assert!(jiff::Timestamp::now().duration_since(time).as_secs().abs() < 600, "{time}");

    for (query, expected) in [
        ("rust", vec!["/guide"]),
        ("RUST guide", vec!["/guide"]),
        // A part of a word, in the URL.
        ("ecipes", vec!["/recipes-of-bread"]),
        ("baking bread", vec!["/recipes-of-bread"]),
        ("& more", vec!["/recipes-of-bread"]),
        ("rust bread", vec![]),
        ("nowhere", vec![]),
    ] {
        let found = history_until(&mut tab.server, &json!({ "query": query }), |found| {
            found["count"] == expected.len()
        });
        assert_eq!(paths(&tab, &found), expected, "{query}");
    }
    let reply = tab.call("history", json!({ "query": "guide" }));
    reply.says("1 page\n- The Rust guide http").says("/guide (20");
    tab.call("history", json!({ "query": "nowhere" })).ok().says("Nothing in the history matches");

    let most = tab.call("history", json!({ "max_results": 2 }));
    assert_eq!(paths(&tab, data(&most)), ["/", "/untitled"]);
    // What is open now is left out, and does not count.
    let most = tab.call("history", json!({ "max_results": 2, "exclude_current_tabs": true }));
    assert_eq!(paths(&tab, data(&most)), ["/untitled", "/recipes-of-bread"]);
    let url = tab.site.url("/guide");
    tab.call("tab_new", json!({ "url": url })).ok();
    let found = tab.call("history", json!({ "exclude_current_tabs": true }));
    assert_eq!(paths(&tab, data(&found)), ["/untitled", "/recipes-of-bread"]);
    assert_eq!(data(&tab.call("history", json!({ "exclude_current_tabs": false })))["count"], 4);
}

#[test]
fn what_was_visited_is_found_by_time() {
    let mut tab = visited();
    history_until(&mut tab.server, &json!({}), |found| found["count"] == 4);
    let today = jiff::Zoned::now().date();
    let (later, sooner) = (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1), today.to_string());
    for (start, end, count) in [
        ("today", "today", 4),
        ("today", "now", 4),
        ("yesterday", "now", 4),
        ("yesterday", "yesterday", 0),
        ("30 minutes ago", "now", 4),
        ("1 hour ago", "today", 4),
        ("1 day ago", "1 hour ago", 0),
        ("2 days ago", "now", 4),
        ("1 week ago", "now", 4),
        ("2 months ago", "1 week ago", 0),
        ("2020-01-31", "2020-01-31", 0),
        ("2020-01-31T09:30:00Z", "now", 4),
        (&sooner, &sooner, 4),
        (&later.to_string(), &(later + jiff::SignedDuration::from_hours(1)).to_string(), 0),
    ] {
        // Midnight may pass while this runs; then yesterday is right, too.
        if jiff::Zoned::now().date() != today {
            return;
        }
        let found = tab.call("history", json!({ "start_time": start, "end_time": end }));
        assert_eq!(data(&found)["count"], count, "{start} {end}");
    }
    assert_eq!(data(&tab.call("history", json!({ "start_time": "today" })))["count"], 4);
    assert_eq!(data(&tab.call("history", json!({ "end_time": "yesterday" })))["count"], 0);
    assert_eq!(data(&tab.call("history", json!({ "start_time": "1 year ago" })))["count"], 4);
    assert_eq!(data(&tab.call("history", json!({ "end_time": "4000 seconds ago" })))["count"], 0);
    assert_eq!(data(&tab.call("history", json!({ "end_time": "now", "query": "rust" })))["count"], 1);
}

#[test]
fn arguments_that_history_cannot_be_called_with() {
    let mut server = Server::start(&DIALECT);
    for (argument, value, words) in [
        ("query", json!(1), "query: it must be a string"),
        ("start_time", json!("soon"), "'N seconds/minutes/hours/days/weeks/months/years ago'"),
        ("start_time", json!(5), "start_time: it must be an ISO date"),
        ("start_time", json!(""), "start_time: it must be an ISO date"),
        ("start_time", json!("2026-02-30"), "start_time"),
        ("end_time", json!("3 fortnights ago"), "end_time: it must be an ISO date"),
        ("end_time", json!([]), "end_time"),
        ("max_results", json!(0), "max_results: it must be a whole number from 1 to 1000"),
        ("max_results", json!(1001), "max_results"),
        ("max_results", json!(1.5), "max_results"),
        ("max_results", json!("all"), "max_results"),
        ("exclude_current_tabs", json!("yes"), "exclude_current_tabs"),
        ("text", json!("a"), "text"),
    ] {
        server.call("history", json!({ argument: value })).refused(-32602, words);
    }
    let backwards = json!({ "start_time": "now", "end_time": "1 day ago" });
    server.call("history", backwards).refused(-32602, "start_time is after end_time");
}

#[test]
fn other_contexts_are_in_the_history_or_it_is_said_that_they_are_not() {
    let mut server = Server::start(&WITH_ACCESS);
    let site = Site::with(&PAGES);
    server.call("window_new", json!({ "incognito": true, "url": site.url("/guide") })).ok();
    server.call("navigate", json!({ "url": site.url("/guide") })).ok();
    if engine().as_deref() == Some("firefox") {
        let found = history_until(&mut server, &json!({}), |found| found["count"] == 1);
        assert_eq!(found.get("note"), None);
        return;
    }
    let reply = server.call("history", json!({}));
    reply.says("records only the default context");
    let found = data(&reply);
    assert_eq!((&found["count"], &found["items"]), (&json!(0), &json!([])));
    assert!(found["note"].as_str().unwrap().contains("records only the default context"), "{found}");
}

#[test]
fn the_history_opens_no_tab() {
    let mut tab = visited();
    let before = tab.call("tab_list", json!({})).text();
    history_until(&mut tab.server, &json!({}), |found| found["count"] == 4);
    assert_eq!(tab.call("tab_list", json!({})).text(), before);
    let own = |item: &Value| !item["url"].as_str().unwrap().starts_with("http");
    let found = tab.call("history", json!({}));
    assert!(!data(&found)["items"].as_array().unwrap().iter().any(own), "{}", found.text());
    assert_eq!(tab.evaluate("() => document.title"), "Front");
}

/// The path of a folder that the browser has of itself, with nothing in it.
fn own_folder(server: &mut Server) -> String {
    let reply = server.call("bookmarks", json!({ "action": "list_folders" }));
    let folders = data(&reply)["folders"].as_array().unwrap().clone();
    let paths = folders.iter().map(|folder| folder["path"].as_str().unwrap());
    let empty = |path: &str| !paths.clone().any(|other| other.starts_with(&format!("{path}/")));
    let own = paths.clone().zip(&folders).find(|(path, folder)| empty(path) && folder["count"] == 0);
    own.unwrap().0.to_owned()
}

fn bookmarks(server: &mut Server, action: &str, mut arguments: Value) -> Reply {
    arguments["action"] = action.into();
    server.call("bookmarks", arguments)
}

#[test]
fn bookmarks_are_added_found_and_deleted() {
    let mut server = Server::start(&WITH_ACCESS);
    // A new profile may have some already.
    let before = data(&bookmarks(&mut server, "search", json!({})))["count"].as_u64().unwrap();
    let reply =
        bookmarks(&mut server, "add", json!({ "url": "https://one.example/a", "title": "First one" }));
    reply.says("Bookmarked https://one.example/a (id ");
    let first = data(&reply).clone();
    assert_eq!((&first["url"], &first["title"]), (&json!("https://one.example/a"), &json!("First one")));
    let second = json!({ "url": "https://two.example/", "title": "Second one" });
    let second = data(&bookmarks(&mut server, "add", second)).clone();
    assert_ne!(first["bookmark_id"], second["bookmark_id"]);
    // Without a title it is the URL.
    let third = data(&bookmarks(&mut server, "add", json!({ "url": "https://three.example" }))).clone();
    assert_eq!(third["title"], "https://three.example/");

    let all = data(&bookmarks(&mut server, "search", json!({}))).clone();
    assert_eq!(all["count"], before + 3, "{all}");
    for (query, count) in [("ONE", 2), ("one example/a", 1), ("xample", 3), ("nowhere", 0), ("second", 1)] {
        let found = data(&bookmarks(&mut server, "search", json!({ "query": query }))).clone();
        assert_eq!((&found["count"], found["bookmarks"].as_array().unwrap().len()), (&json!(count), count));
    }
    let found = data(&bookmarks(&mut server, "search", json!({ "query": "second" }))).clone();
    let found = &found["bookmarks"][0];
    assert_eq!((&found["bookmark_id"], &found["url"]), (&second["bookmark_id"], &second["url"]));
    assert!(!found["folder"].as_str().unwrap().is_empty(), "{found}");
    assert_eq!(data(&bookmarks(&mut server, "search", json!({ "max_results": 1 })))["count"], 1);

    let id = second["bookmark_id"].clone();
    let gone = bookmarks(&mut server, "delete", json!({ "bookmark_id": id }));
    gone.says("Deleted bookmark");
    assert_eq!(data(&gone)["bookmark_id"], id);
    bookmarks(&mut server, "search", json!({ "query": "second" })).ok().says("No bookmark matches");
    let again = bookmarks(&mut server, "delete", json!({ "bookmark_id": id }));
    fails(&again, "NotFound", "bookmark not found");
    fails(&bookmarks(&mut server, "delete", json!({ "bookmark_id": "nowhere" })), "NotFound", "nowhere");
}

#[test]
fn the_active_page_is_bookmarked_unless_told() {
    let mut tab = open_with(&WITH_ACCESS, "<title>Mine</title>");
    let url = tab.site.url("/");
    let added = data(&bookmarks(&mut tab.server, "add", json!({}))).clone();
    assert_eq!((&added["url"], &added["title"]), (&json!(url), &json!("Mine")));
    let added = data(&bookmarks(&mut tab.server, "add", json!({ "title": "Ours" }))).clone();
    assert_eq!((&added["url"], &added["title"]), (&json!(url), &json!("Ours")));
    tab.call("navigate", json!({ "url": "about:blank" })).ok();
    fails(&bookmarks(&mut tab.server, "add", json!({})), "NoPage", "no page to bookmark");
}

#[test]
fn folders_are_named_by_path_or_id() {
    let mut server = Server::start(&WITH_ACCESS);
    let own = own_folder(&mut server);
    let add = |url: &str, folder: &str, create: bool| json!({ "url": url, "parent_folder": folder, "create_folder": create });
    let path = format!("{own}/Work/Docs");
    let missing = bookmarks(&mut server, "add", add("https://a.example/", &path, false));
    fails(&missing, "NotFound", &format!("unknown bookmark folder {path:?}; known: "));
    assert!(missing.text().split("known: ").nth(1).unwrap().contains(&own), "{}", missing.text());
    let unless_told = json!({ "url": "https://a.example/", "parent_folder": path });
    fails(&bookmarks(&mut server, "add", unless_told), "NotFound", "unknown bookmark folder");
    let added = bookmarks(&mut server, "add", add("https://a.example/", &path, true));
    added.says(&format!(" in {path} (id ")).says("; the folders were created");
    assert_eq!(data(&added)["folder"], path.as_str());
    // Now it is there, and nothing is created twice; the browser's own folder may be left out.
    bookmarks(&mut server, "add", add("https://b.example/", "Work/Docs", true)).ok().says_not("created");
    bookmarks(&mut server, "add", add("https://c.example/", &format!("{own}/Work"), false)).ok();

    let folders = data(&bookmarks(&mut server, "list_folders", json!({}))).clone();
    let list = folders["folders"].as_array().unwrap();
    assert_eq!(folders["count"], list.len());
    let of = |path: &str| {
        let found: Vec<_> = list.iter().filter(|folder| folder["path"] == path).collect();
        assert_eq!(found.len(), 1, "{folders}");
        found[0].clone()
    };
    assert_eq!(of(&path)["count"], 2);
    assert_eq!(of(&format!("{own}/Work"))["count"], 1);
    assert_eq!(of(&own)["count"], 0);

    let id = of(&path)["id"].clone();
    for (folder, count) in [(json!(path), 2), (id.clone(), 2), (json!("Work"), 3), (json!(own), 3)] {
        let found = data(&bookmarks(&mut server, "search", json!({ "folder": folder }))).clone();
        assert_eq!(found["count"], count, "{folder}");
    }
    let found = bookmarks(&mut server, "search", json!({ "folder": id, "query": "b.example" }));
    assert_eq!(data(&found)["bookmarks"][0]["folder"], path.as_str());
    fails(&bookmarks(&mut server, "search", json!({ "folder": "Nowhere" })), "NotFound", "known: ");
    let added = bookmarks(&mut server, "add", add("https://d.example/", id.as_str().unwrap(), false));
    assert_eq!(data(&added)["folder"], path.as_str());
    // A path that begins nowhere is created among the others.
    let added = bookmarks(&mut server, "add", add("https://e.example/", "Fresh", true));
    added.says("; the folder was created");
    assert!(data(&added)["folder"].as_str().unwrap().ends_with("/Fresh"), "{}", added.text());
    assert_eq!(data(&bookmarks(&mut server, "search", json!({ "folder": "Fresh" })))["count"], 1);

    // What has something in it stays, and so does what is the browser's own.
    let full = bookmarks(&mut server, "delete", json!({ "bookmark_id": id }));
    fails(&full, "BookmarkRefused", "was not deleted");
    let own = of(&own)["id"].clone();
    fails(
        &bookmarks(&mut server, "delete", json!({ "bookmark_id": own })),
        "BookmarkRefused",
        "was not deleted",
    );
    assert_eq!(data(&bookmarks(&mut server, "search", json!({ "folder": path })))["count"], 3);
}

#[test]
fn so_many_are_found_unless_told() {
    let mut tab = open_with(&WITH_ACCESS, PAGES[0].1);
    tab.evaluate("() => { for (let nth = 0; nth < 105; nth++) history.pushState(0, '', '/place-' + nth) }");
    let all = json!({ "query": "place-", "max_results": 1000 });
    history_until(&mut tab.server, &all, |found| found["count"] == 105);
    assert_eq!(data(&tab.call("history", json!({ "query": "place-" })))["count"], 100);

    for nth in 0..52 {
        let url = format!("https://place.example/{nth}");
        data(&bookmarks(&mut tab.server, "add", json!({ "url": url })));
    }
    let count = |server: &mut Server, arguments: Value| {
        data(&bookmarks(server, "search", arguments))["count"].clone()
    };
    assert_eq!(count(&mut tab.server, json!({ "query": "place.example" })), 50);
    assert_eq!(count(&mut tab.server, json!({ "query": "place.example", "max_results": 100 })), 52);
}

#[test]
fn arguments_that_bookmarks_cannot_be_called_with() {
    let mut server = Server::start(&DIALECT);
    server.call("bookmarks", json!({})).refused(-32602, "Missing required argument: action");
    server.call("bookmarks", json!({ "action": "move" })).refused(-32602, "action");
    bookmarks(&mut server, "delete", json!({})).refused(-32602, "Missing required argument: bookmark_id");
    for (action, argument, value, words) in [
        ("search", "query", json!(1), "query"),
        ("search", "folder", json!(""), "folder: it must be a string that is not empty"),
        ("search", "folder", json!(2), "folder"),
        ("search", "max_results", json!(0), "max_results: it must be a whole number from 1 to 1000"),
        ("search", "max_results", json!(-5), "max_results"),
        ("search", "max_results", json!("many"), "max_results"),
        ("add", "url", json!(7), "url"),
        ("add", "title", json!(7), "title"),
        ("add", "parent_folder", json!("/"), "parent_folder"),
        ("add", "parent_folder", json!(1), "parent_folder"),
        ("add", "create_folder", json!("yes"), "create_folder"),
        ("delete", "bookmark_id", json!(""), "bookmark_id"),
        ("delete", "bookmark_id", json!(5), "bookmark_id"),
        ("search", "limit", json!(5), "limit"),
    ] {
        bookmarks(&mut server, action, json!({ argument: value })).refused(-32602, words);
    }
    for (url, words) in [
        ("not a url", "\"not a url\" is not a valid URL: it has no scheme"),
        ("http://[", "cannot be parsed"),
        ("javascript:alert(1)", "its scheme is not allowed"),
        ("", "is not a valid URL"),
    ] {
        fails(&bookmarks(&mut server, "add", json!({ "url": url })), "BadUrl", words);
    }
    assert_eq!(server.descendants(), [0; 0]);
}

#[test]
fn history_and_bookmarks_by_their_old_names() {
    let mut tab = visited();
    history_until(&mut tab.server, &json!({}), |found| found["count"] == 4);
    let found = tab.call(
        "chrome_history",
        json!({
            "text": "", "startTime": "1 day ago", "endTime": "now", "maxResults": 2, "excludeCurrentTabs": true,
        }),
    );
    assert_eq!(paths(&tab, data(&found)), ["/untitled", "/recipes-of-bread"]);
    let added = tab.call(
        "chrome_bookmark_add",
        json!({ "url": "https://a.example/", "title": "Old", "parentId": "Kept", "createFolder": true }),
    );
    let id = data(&added)["bookmark_id"].clone();
    let found =
        tab.call("chrome_bookmark_search", json!({ "query": "old", "maxResults": 5, "folderPath": "Kept" }));
    assert_eq!(data(&found)["bookmarks"][0]["bookmark_id"], id);
    data(&tab.call("chrome_bookmark_delete", json!({ "bookmarkId": id })));
    assert_eq!(data(&tab.call("chrome_bookmark_search", json!({ "query": "a.example" })))["count"], 0);
}

#[test]
fn a_browser_that_was_killed_is_said_to_have_ended() {
    let mut tab = visited();
    history_until(&mut tab.server, &json!({}), |found| found["count"] == 4);
    kill_browser(&tab);
    // It may be asked before its end is known; a fresh one has seen nothing, and is not asked before that was said.
    fails(&tab.call("history", json!({})), "BrowserEnded", "");
    assert_eq!(data(&tab.call("history", json!({})))["count"], 0);
    data(&bookmarks(&mut tab.server, "add", json!({ "url": "https://a.example/" })));
    kill_browser(&tab);
    fails(&bookmarks(&mut tab.server, "search", json!({})), "BrowserEnded", "");
    assert_eq!(data(&bookmarks(&mut tab.server, "search", json!({ "query": "a.example" })))["count"], 0);
}

/// Firefox has no history for us unless it was started for that.
#[test]
fn a_temporary_browser_is_restarted_where_that_is_needed_and_says_so() {
    const KEEP: &str = "() => { document.cookie = 'visit=1'; document.cookie = 'login=1; max-age=9999'; \
                        localStorage.setItem('draft', location.pathname); }";
    const KEPT: &str =
        "() => [document.cookie.split('; ').sort().join(), localStorage.getItem('draft'), location.pathname]";
    let mut tab = open_site(&DIALECT, Site::with(&PAGES));
    let at = |tab: &Tab, path: &str| json!({ "url": tab.site.url(path) });
    let url = at(&tab, "/guide");
    tab.call("browser_navigate", url).ok();
    tab.evaluate(KEEP);
    let url = at(&tab, "/untitled");
    tab.call("tab_new", url).ok();
    tab.call("browser_context_create", json!({ "name": "other" })).ok();
    let url = at(&tab, "/recipes-of-bread");
    tab.call("browser_navigate", url).ok();
    tab.evaluate(KEEP);
    tab.call("browser_context_switch", json!({ "name": "default" })).ok();
    let tabs = |tab: &mut Tab| data(&tab.call("tab_list", json!({}))).clone();
    let before = tabs(&mut tab);

    let reply = tab.call("history", json!({}));
    if engine().as_deref() == Some("firefox") {
        reply.ok().says("restarted with system access").says("3 tabs were reopened at their URLs");
    } else {
        reply.ok().says_not("restarted");
    }
    assert_eq!(tabs(&mut tab), before);
    history_until(&mut tab.server, &json!({ "query": "rust guide" }), |found| found["count"] == 1);
    bookmarks(&mut tab.server, "add", json!({ "url": "https://a.example/" })).ok().says_not("restarted");
    assert_eq!(tab.evaluate(KEPT), json!(["login=1,visit=1", "/guide", "/untitled"]));
    tab.call("browser_context_switch", json!({ "name": "other" })).ok();
    assert_eq!(tab.evaluate(KEPT), json!(["login=1,visit=1", "/recipes-of-bread", "/recipes-of-bread"]));
    tab.call("history", json!({})).ok().says_not("restarted");
}

#[test]
fn a_restart_that_fails_loses_no_login() {
    use std::os::unix::fs::PermissionsExt;
    const KEEP: &str = "() => { document.cookie = 'visit=1'; document.cookie = 'login=1; max-age=9999'; \
                        localStorage.setItem('draft', '1'); }";
    const KEPT: &str = "() => [document.cookie.split('; ').sort().join(), localStorage.getItem('draft')]";
    // Where no restart is needed, there is none that could fail.
    if engine().as_deref() != Some("firefox") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("browser");
    let write = |script: &str| {
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let starts = format!("exec {} \"$@\"", program_name());
    write(&starts);
    let flags = [&DIALECT[..], &["--executable-path", program.to_str().unwrap()]].concat();
    let mut tab = open_site(&flags, Site::with(&PAGES));
    tab.evaluate(KEEP);
    tab.call("browser_context_create", json!({ "name": "other" })).ok();
    let url = tab.site.url("/guide");
    tab.navigate(&url);
    tab.evaluate(KEEP);
    write("exit 3");
    for _ in 0..2 {
        fails(&tab.call("history", json!({})), "LaunchFailed", "could not be started");
    }
    std::fs::remove_file(&program).unwrap();
    assert!(tab.call("history", json!({})).failed());
    write(&starts);
    tab.navigate(&url);
    assert_eq!(tab.evaluate(KEPT), json!(["login=1,visit=1", "1"]), "of the other context");
    tab.call("browser_context_switch", json!({ "name": "default" })).ok();
    tab.navigate(&url);
    assert_eq!(tab.evaluate(KEPT), json!(["login=1,visit=1", "1"]), "of the default context");
}

#[test]
fn without_system_access_it_is_said_what_is_needed() {
    let profile = tempfile::tempdir().unwrap();
    let lasting = profile.path().join("profile");
    let mut server = Server::start(&[&DIALECT[..], &["--user-data-dir", lasting.to_str().unwrap()]].concat());
    if engine().as_deref() == Some("webkit") {
        fails(&server.call("history", json!({})), "Unsupported", "cannot read its history");
        let reply = bookmarks(&mut server, "list_folders", json!({}));
        fails(&reply, "Unsupported", "cannot use its bookmarks");
        return;
    }
    if engine().as_deref() == Some("firefox") {
        let reply = server.call("history", json!({}));
        fails(&reply, "Unsupported", "cannot read its history without system access");
        assert!(reply.text().contains("--system-access"), "{}", reply.text());
        let reply = bookmarks(&mut server, "list_folders", json!({}));
        fails(&reply, "Unsupported", "cannot use its bookmarks without system access");
        return;
    }
    // Chromium needs none. Nothing was visited, and no page is open.
    assert_eq!(data(&server.call("history", json!({})))["count"], 0);
    assert!(data(&bookmarks(&mut server, "list_folders", json!({})))["count"].as_u64().unwrap() >= 2);
}
