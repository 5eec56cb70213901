//! Saved states of contexts: what is written, what is read, and what is wrong with files that are none.

use std::{
    os::unix::fs::{PermissionsExt, symlink},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site, open, open_site, open_with};

fn save(server: &mut Server, path: &str) -> Reply {
    server.call("browser_context_save_storage", json!({ "path": path }))
}

fn load(server: &mut Server, name: &str, path: &str) -> Reply {
    server.call("browser_context_create", json!({ "name": name, "storageState": path }))
}

/// What a file in the working directory says.
fn written(server: &Server, path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(server.working_directory().join(path)).unwrap()).unwrap()
}

/// A page that remembers what its first script sees.
const FIRST: &str = "<head><script>
    first = document.cookie + ' | ' + Object.entries(localStorage).map((entry) => entry.join('=')).sort().join(' ');
</script></head><title>Home</title>";

const DATABASE: &str = "() => new Promise((done, failed) => {
    const opening = indexedDB.open('shop', 3);
    opening.onupgradeneeded = () => {
        const carts = opening.result.createObjectStore('carts', { keyPath: 'id' });
        carts.createIndex('by owner', 'owner', { unique: false });
        carts.put({ id: 1, owner: 'Jo', when: new Date(86400000), tags: new Set(['a']) });
        opening.result.createObjectStore('log', { autoIncrement: true }).put('hello');
    };
    opening.onsuccess = () => { opening.result.close(); done(true); };
    opening.onerror = () => failed(opening.error);
})";

const READ_DATABASE: &str = "() => new Promise((done, failed) => {
    const opening = indexedDB.open('shop');
    opening.onsuccess = () => {
        const db = opening.result;
        const got = db.transaction('carts').objectStore('carts').index('by owner').get('Jo');
        got.onsuccess = () => done([db.version, got.result.id, got.result.when.getTime(), [...got.result.tags]]);
        got.onerror = () => failed(got.error);
    };
})";

#[test]
fn what_is_saved_is_there_before_the_first_script_of_a_new_context() {
    let site = Site::of(FIRST);
    site.answer(
        "/set",
        Answer::Headed(
            &[
                "Set-Cookie: strict=1; Path=/; SameSite=Strict; HttpOnly",
                "Set-Cookie: lax=2; Path=/deep; Max-Age=5000; SameSite=Lax",
                "Set-Cookie: plain=3",
            ],
            FIRST.into(),
        ),
    );
    let mut tab = open_site(&[], site);
    let (set, other) = (tab.site.url("/set"), tab.site.other_url("/"));
    // Two origins, and none of them has a page open in the end.
    tab.navigate(&other);
    tab.evaluate("() => { document.cookie = 'there=4'; localStorage.there = 'yes'; }");
    tab.navigate(&set);
    tab.evaluate("() => { localStorage.token = 'ü\\u0000\"1'; localStorage.empty = ''; }");
    assert_eq!(tab.evaluate(DATABASE), true);
    tab.navigate("about:blank");
    let saved = save(&mut tab, "states/login.json");
    saved.says("Saved 4 cookies and the storage of 2 origins to states/login.json");
    assert_eq!(saved.facts()["skipped"], json!([]));
    assert_eq!(
        tab.call("browser_tabs", json!({ "action": "list" })).facts()["tabs"].as_array().unwrap().len(),
        1
    );

    let mode =
        std::fs::metadata(tab.working_directory().join("states/login.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it holds what logs somebody in");
    let state = written(&tab, "states/login.json");
    let cookie = |name: &str| {
        let cookies = state["cookies"].as_array().unwrap();
        cookies.iter().find(|cookie| cookie["name"] == name).unwrap().clone()
    };
    assert_eq!(
        cookie("strict"),
        json!({ "name": "strict", "value": "1", "domain": "127.0.0.1", "path": "/", "expires": -1.0,
            "httpOnly": true, "secure": false, "sameSite": "Strict" })
    );
    assert_eq!((&cookie("lax")["path"], &cookie("lax")["sameSite"]), (&json!("/deep"), &json!("Lax")));
    assert!(cookie("lax")["expires"].as_f64().unwrap() > 1.7e9);
    assert_eq!(cookie("plain")["sameSite"], "Lax");
    assert_eq!(cookie("there")["domain"], "localhost");
    let origins = state["origins"].as_array().unwrap();
    let (here, there) = (tab.site.url(""), tab.site.other_url(""));
    let of = |origin: &str| origins.iter().find(|stored| stored["origin"] == origin).unwrap();
    assert_eq!(of(&there)["localStorage"], json!([{ "name": "there", "value": "yes" }]));
    assert_eq!(
        of(&here)["localStorage"],
        json!([{ "name": "empty", "value": "" }, { "name": "token", "value": "ü\0\"1" }])
    );
    assert_eq!(of(&here)["indexedDB"][0]["name"], "shop");
    assert_eq!(of(&here)["indexedDB"][0]["version"], 3);

    load(&mut tab, "again", "states/login.json").says("Created context \"again\"");
    let before = tab.site.requests().len();
    tab.navigate(&other);
    assert_eq!(tab.evaluate("first"), "there=4 | there=yes");
    let home = tab.site.url("/");
    tab.navigate(&home);
    assert_eq!(tab.evaluate("first"), "plain=3 | empty= token=ü\0\"1");
    assert_eq!(tab.evaluate(READ_DATABASE), json!([3, 1, 86_400_000, ["a"]]));
    let asked = &tab.site.requests()[before..];
    assert!(asked.iter().all(|line| line == "GET /" || line == "GET /favicon.ico"), "{asked:?}");
    assert!(tab.site.cookies().iter().any(|line| line.contains("strict=1") && line.starts_with("/ ")));
    // What was loaded and never visited is saved again.
    load(&mut tab, "third", "states/login.json").ok();
    save(&mut tab, "third.json").says("4 cookies and the storage of 2 origins");
    assert_eq!(written(&tab, "third.json"), state);
}

#[test]
fn other_contexts_can_be_saved_by_name() {
    let mut tab = open(FIRST);
    tab.evaluate("localStorage.who = 'default'");
    tab.call("browser_context_create", json!({ "name": "other" })).ok();
    let saved =
        tab.call("browser_context_save_storage", json!({ "name": "default", "path": "default.json" }));
    saved.says("0 cookies and the storage of 1 origin to default.json");
    assert_eq!(written(&tab, "default.json")["origins"][0]["localStorage"][0]["value"], "default");
    save(&mut tab, "other.json").says("0 cookies and the storage of 0 origins");
    assert_eq!(written(&tab, "other.json"), json!({ "cookies": [], "origins": [] }));
    load(&mut tab, "empty", "other.json").ok();
    tab.call("browser_context_save_storage", json!({})).refused(-32602, "Missing required argument: path");
}

#[test]
fn pages_that_hang_hold_up_no_saving() {
    let site = Site::of(FIRST);
    site.answer(
        "/loop",
        Answer::Html(
            "<script>localStorage.looped = 'yes'; setTimeout(() => { for (;;); }, 0)</script>".into(),
        ),
    );
    let mut tab = open_with(&["--navigation-timeout", "3s"], FIRST);
    tab.evaluate("localStorage.calm = 'yes'");
    let calm = tab.site.url("");
    let (looped, hung) = (site.other_url("/loop"), site.other_url(""));
    tab.call("browser_tabs", json!({ "action": "new", "url": looped }));
    tab.call("browser_tabs", json!({ "action": "select", "index": 0 })).ok();
    let began = Instant::now();
    let saved = save(&mut tab, "state.json");
    saved.ok();
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let state = written(&tab, "state.json");
    let origins: Vec<&str> = state["origins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stored| stored["origin"].as_str().unwrap())
        .collect();
    assert!(origins.contains(&calm.as_str()), "{origins:?}");
    let skipped = saved.facts()["skipped"].as_array().unwrap().iter().any(|origin| *origin == hung);
    assert!(skipped || origins.contains(&hung.as_str()), "neither read nor named: {}", saved.text());
    assert_eq!(skipped, saved.text().contains("skipped"), "{}", saved.text());
}

#[test]
fn a_dialog_that_is_open_holds_up_no_saving() {
    let mut tab = open("<button onclick=\"localStorage.asked = 'yes'; confirm('Sure?')\">Ask</button>");
    tab.call("browser_click", json!({ "ref": "button" })).says("Sure?");
    let saved = save(&mut tab, "state.json");
    saved.says("storage of 1 origin");
    assert_eq!(written(&tab, "state.json")["origins"][0]["localStorage"][0]["name"], "asked");
}

#[test]
fn states_written_by_hand_are_read() {
    let mut tab = open(FIRST);
    let origin = tab.site.url("");
    let port = tab.site.port();
    let cookies = json!([
        { "name": "session", "value": "1", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": false, "secure": false, "sameSite": "Lax" },
        { "name": "strict", "value": "2", "domain": "127.0.0.1", "path": "/", "expires": 4_000_000_000_i64, "httpOnly": false, "secure": false, "sameSite": "Strict" },
        { "name": "expired", "value": "3", "domain": "127.0.0.1", "path": "/", "expires": 1_000_000_000, "httpOnly": false, "secure": false, "sameSite": "Lax" },
        { "name": "fraction", "value": "4", "domain": "127.0.0.1", "path": "/", "expires": 4_000_000_000.25 },
        { "name": "none", "value": "5", "domain": "shop.test", "path": "/", "expires": -1, "httpOnly": true, "secure": true, "sameSite": "None" },
        { "name": "dotted", "value": "6", "domain": ".shop.test", "path": "/", "expires": -1, "httpOnly": true, "secure": true, "sameSite": "None" },
        { "name": "chips", "value": "7", "domain": "frame.test", "path": "/", "expires": -1, "httpOnly": false, "secure": true, "sameSite": "None", "partitionKey": "https://top.test" },
        { "name": "by url", "value": "8", "url": format!("http://127.0.0.1:{port}/") },
    ]);
    let databases = json!([{ "name": "shop", "version": 3, "stores": [{ "name": "carts", "keyPath": "id", "autoIncrement": false,
        "indexes": [{ "name": "by owner", "keyPath": "owner", "multiEntry": false, "unique": false }],
        "records": [{ "value": { "id": 9, "owner": "Jo" } }] }] }]);
    let state = json!({ "cookies": cookies, "origins": [
        { "origin": origin, "localStorage": [{ "name": "k", "value": "v" }], "indexedDB": databases },
        { "origin": "https://never-seen.test", "localStorage": [{ "name": "far", "value": "away" }] },
        { "origin": "https://nothing.test", "localStorage": [] },
    ] });
    tab.file("by-hand.json", &state.to_string());
    load(&mut tab, "by hand", "by-hand.json").ok();
    let home = tab.site.url("/");
    tab.navigate(&home);
    assert_eq!(tab.evaluate("first.split(' | ')[1]"), "k=v");
    let seen = tab.evaluate("first.split(' | ')[0].split('; ').sort().join(' ')");
    assert_eq!(seen, "by url=8 fraction=4 session=1 strict=2");
    let id = "() => new Promise((done) => { indexedDB.open('shop').onsuccess = (event) => {
        event.target.result.transaction('carts').objectStore('carts').index('by owner').get('Jo').onsuccess =
            (got) => done(got.target.result.id); }; })";
    assert_eq!(tab.evaluate(id), 9);
    save(&mut tab, "saved.json").ok();
    let saved = written(&tab, "saved.json");
    let cookie = |name: &str| {
        let found = saved["cookies"].as_array().unwrap().iter().find(|cookie| cookie["name"] == name);
        found.cloned().unwrap_or_else(|| panic!("no {name} in {:#}", saved["cookies"]))
    };
    assert_eq!(cookie("none")["domain"], "shop.test");
    assert_eq!(cookie("dotted")["domain"], ".shop.test");
    assert_eq!(cookie("chips")["partitionKey"], "https://top.test");
    assert!(cookie("strict")["expires"].as_f64().unwrap() > 1.7e9, "browsers cut it to what they keep");
    assert!(!saved["cookies"].to_string().contains("expired"));
    let far = saved["origins"]
        .as_array()
        .unwrap()
        .iter()
        .find(|stored| stored["origin"] == "https://never-seen.test");
    assert_eq!(far.unwrap()["localStorage"][0]["value"], "away");
}

#[test]
fn files_that_are_no_states_are_errors_that_say_why() {
    let mut tab = open("<title>Here</title>");
    tab.file("broken.json", "{\"cookies\": [");
    tab.file("text.json", "hello");
    tab.file("empty.json", "");
    tab.file("list.json", "[]");
    tab.file("other.json", "{\"users\": [], \"version\": 2}");
    tab.file("types.json", "{\"cookies\": {\"a\": 1}}");
    tab.file("homeless.json", "{\"cookies\": [{\"name\": \"a\", \"value\": \"b\"}]}");
    tab.file("origin.json", "{\"origins\": [{\"origin\": \"nowhere\", \"localStorage\": []}]}");
    tab.file("scheme.json", "{\"origins\": [{\"origin\": \"file:///etc\", \"localStorage\": [{\"name\": \"a\", \"value\": \"b\"}]}]}");
    std::fs::create_dir(tab.working_directory().join("folder")).unwrap();
    std::fs::write(tab.working_directory().join("binary.json"), [0xff, 0xfe, 0]).unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("state.json"), "{\"cookies\": []}").unwrap();
    symlink(outside.path().join("state.json"), tab.working_directory().join("link.json")).unwrap();
    let absolute = outside.path().join("state.json").display().to_string();
    let cases = [
        ("missing.json", "missing.json: "),
        ("broken.json", "not a storage state"),
        ("text.json", "not a storage state"),
        ("empty.json", "not a storage state"),
        ("list.json", "not a storage state"),
        ("binary.json", "not a storage state"),
        ("other.json", "it has neither cookies nor origins"),
        ("types.json", "not a storage state"),
        ("homeless.json", "the cookie a has neither a domain nor a url"),
        ("origin.json", "nowhere is not an origin"),
        ("scheme.json", "is not an origin"),
        ("folder", "folder: "),
        (absolute.as_str(), "outside of the directories"),
        ("link.json", "outside of the directories"),
        ("../../state.json", "outside of the directories"),
    ];
    for (path, words) in cases {
        let reply = load(&mut tab, "never", path);
        reply.fails(words);
        assert!(!reply.text().contains("os error 2") || path == "missing.json", "{path}: {}", reply.text());
    }
    let contexts = tab.call("browser_context_list", json!({}));
    assert_eq!(contexts.facts()["contexts"].as_array().unwrap().len(), 1, "none was made");
    assert_eq!(tab.evaluate("document.title"), "Here");
}

#[test]
fn a_state_that_the_browser_refuses_leaves_no_context_behind() {
    let mut tab = open("<title>Here</title>");
    // A cookie that no browser takes, and more than an origin may keep.
    let refused =
        json!({ "cookies": [{ "name": "a", "value": "b\u{1}c;d", "domain": "127.0.0.1", "path": "/" }] });
    tab.file("cookie.json", &refused.to_string());
    let reply = load(&mut tab, "never", "cookie.json");
    reply.fails("cookie.json: the cookie \"a\" of \"127.0.0.1\" was not set");
    let much = json!({ "origins": [{ "origin": tab.site.url(""), "localStorage": [{ "name": "much", "value": "x".repeat(12 << 20) }] }] });
    tab.file("much.json", &much.to_string());
    let reply = load(&mut tab, "never", "much.json");
    reply.fails(&format!("much.json: the data of {} was not written", tab.site.url("")));
    assert!(reply.bytes < 2_000, "the reply repeats the state");
    let contexts = tab.call("browser_context_list", json!({}));
    assert_eq!(contexts.facts()["contexts"].as_array().unwrap().len(), 1);
    assert_eq!(tab.evaluate("document.title"), "Here", "calls go on where they were");
}

#[test]
fn a_state_of_fifty_megabytes_is_loaded_while_others_go_on() {
    let mut tab = open(FIRST);
    let port = tab.site.port();
    let value = "x".repeat(4_300_000);
    let origins: Vec<Value> = (1..=12)
        .map(|nth| json!({ "origin": format!("http://127.0.0.{nth}:{port}"), "localStorage": [{ "name": "big", "value": value }] }))
        .collect();
    let file = tab.file("big.json", &json!({ "cookies": [], "origins": origins }).to_string());
    assert!(std::fs::metadata(file).unwrap().len() > 50_000_000);
    let began = Instant::now();
    let loading =
        tab.begin_call("browser_context_create", json!({ "name": "big", "storageState": "big.json" }));
    let ping = tab.begin("ping", json!({}));
    tab.finish(ping);
    assert!(began.elapsed() < Duration::from_secs(1), "a ping waited {:?}", began.elapsed());
    tab.finish(loading).ok();
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let home = tab.site.url("/");
    tab.navigate(&home);
    assert_eq!(tab.evaluate("localStorage.big.length"), 4_300_000);
    assert_eq!(tab.evaluate("() => Object.keys(localStorage).length"), 1);
}
