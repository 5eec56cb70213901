//! The `agent` dialect's keyboard and forms: what was typed, filled, switched, chosen and uploaded is read back.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{
    Answer, Site, Tab,
    agent::{DIALECT, data, fails, open},
    open_site, open_with,
};

#[test]
fn fill_replaces_appends_and_forces() {
    let mut tab = open(
        "<input id=a value=old><textarea id=t>old</textarea><div id=e contenteditable>old</div><input type=password id=p>
         <input id=r readonly value=old><input id=h style='display:none'><script>var told = '';
         r.addEventListener('input', () => told += 'i'); r.addEventListener('change', () => told += 'c')</script>",
    );
    for target in ["#a", "#t", "#e"] {
        let reply = tab.call("fill", json!({ "selector": target, "value": "new" }));
        assert_eq!(data(&reply)["value"], "new", "{target}");
        assert!(data(&reply)["ref"].as_str().unwrap().starts_with("@e"));
        let reply = tab.call("fill", json!({ "selector": target, "value": "er", "clear": false }));
        reply.says("now holds \"newer\"");
        assert_eq!(data(&reply)["value"], "newer", "{target}");
    }
    assert_eq!(tab.evaluate("a.value + t.value + e.innerText"), "newernewernewer");
    let reply = tab.call("fill", json!({ "selector": "#p", "value": "hunter2" }));
    assert!(data(&reply).get("value").is_none() && !reply.message.to_string().contains("hunter2"));
    assert_eq!(tab.evaluate("p.value"), "hunter2");
    fails(
        &tab.call("fill", json!({ "selector": "#r", "value": "x", "timeout": 300 })),
        "NotReady",
        "read-only",
    );
    let reply = tab.call("fill", json!({ "selector": "#r", "value": "x", "force": true }));
    reply.says("it was set, not typed");
    assert_eq!((&data(&reply)["value"], &data(&reply)["forced"]), (&json!("x"), &json!(true)));
    let reply = tab.call("fill", json!({ "selector": "#r", "value": "y", "force": true, "clear": false }));
    assert_eq!(data(&reply)["value"], "xy");
    assert_eq!(tab.evaluate("told"), "icic");
    tab.call("fill", json!({ "selector": "#h", "value": "unseen", "force": true })).ok();
    assert_eq!(tab.evaluate("h.value"), "unseen");
    tab.call("fill", json!({ "selector": "#a" })).refused(-32602, "Missing required argument: value");
    tab.call("fill", json!({ "value": "x" })).refused(-32602, "Missing required argument: selector");
    tab.call("clear", json!({ "selector": "#t" })).says("Cleared: textbox");
    assert_eq!(tab.evaluate("a.value + t.value"), "newer");
    let begun = Instant::now();
    fails(&tab.call("clear", json!({ "selector": "#r", "timeout": 300 })), "NotReady", "read-only");
    assert!(begun.elapsed() < Duration::from_secs(4));
}

#[test]
fn type_adds_key_by_key_with_pauses() {
    let mut tab = open(
        "<input id=a value=ab><textarea id=t></textarea><input id=r readonly><input type=password id=p>
         <form onsubmit='sent = q.value; q.value = ``; return false'><input id=q></form><script>var sent, times = [], keys = '';
         a.addEventListener('keydown', (e) => { times.push(e.timeStamp); keys += e.key })</script>",
    );
    let reply = tab.call("type", json!({ "selector": "#a", "text": "cD !" }));
    reply.says("Typed 4 characters into textbox").says("\"abcD !\"");
    assert_eq!((&data(&reply)["value"], &data(&reply)["count"]), (&json!("abcD !"), &json!(4)));
    assert_eq!(tab.evaluate("keys"), "cD !");
    let shortest = "Math.min(...times.slice(1).map((time, i) => time - times[i]))";
    assert!(tab.evaluate(shortest).as_f64().unwrap() >= 45.0);
    let reply = tab.call("type", json!({ "text": "日本x", "delay": 0 }));
    assert_eq!(data(&reply)["value"], "abcD !日本x", "what has the focus keeps it");
    let long = "lorem ipsum ".repeat(100);
    let reply = tab.call("type", json!({ "selector": "#t", "text": long, "delay": 0 }));
    assert_eq!((&data(&reply)["value"], &data(&reply)["count"]), (&json!(long), &json!(1200)));
    tab.call("type", json!({ "selector": "#q", "text": "find\n", "delay": 0 })).ok();
    assert_eq!(tab.evaluate("sent + q.value"), "find");
    let reply = tab.call("type", json!({ "selector": "#p", "text": "hunter2", "delay": 1 }));
    assert!(data(&reply).get("value").is_none() && !reply.message.to_string().contains("hunter2"));
    fails(&tab.call("type", json!({ "selector": "#r", "text": "x" })), "NotTaken", "did not take");
    tab.call("type", json!({})).refused(-32602, "text");
    tab.call("type", json!({ "text": "x", "delay": -5 })).refused(-32602, "delay");
    tab.call("type", json!({ "text": "xx", "delay": 400_000 })).refused(-32602, "delay");
    tab.evaluate("document.activeElement.blur()");
    tab.evaluate("addEventListener('keydown', (e) => document.title += e.key)");
    tab.call("type", json!({ "text": "go", "delay": 0 })).says("Typed 2 characters");
    assert_eq!(tab.evaluate("document.title"), "go");
}

#[test]
fn typing_stops_at_a_dialog_and_when_it_is_cancelled() {
    let mut tab =
        open("<input id=a oninput='fetch(`/key`)'><input id=b oninput='value.length === 2 && alert(`two`)'>");
    let id = tab.begin_call("type", json!({ "selector": "#a", "text": "x".repeat(200), "delay": 100 }));
    let typed = |tab: &Tab| tab.site.requests().iter().filter(|one| *one == "GET /key").count();
    let until = Instant::now() + Duration::from_secs(20);
    while typed(&tab) < 3 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    tab.send(&cancel);
    let before = tab.evaluate("a.value.length").as_i64().unwrap();
    let later = "new Promise((done) => setTimeout(() => done(a.value.length), 400))";
    assert_eq!(tab.evaluate(later), before, "a cancelled call stops");
    assert!((3..200).contains(&before), "{before}");
    let reply = tab.call("type", json!({ "selector": "#b", "text": "12345", "delay": 20 }));
    reply.says("3 were left");
    assert_eq!((&data(&reply)["count"], &data(&reply)["state"]), (&json!(2), &json!("dialog")));
}

#[test]
fn press_knows_every_published_key() {
    let mut tab = open(
        "<input id=a autofocus><script>var keys = []; addEventListener('keydown', (e) => {
            keys.push([e.ctrlKey && 'C', e.altKey && 'A', e.shiftKey && 'S', e.metaKey && 'M', e.key].filter(Boolean).join('+'));
            e.preventDefault() })</script>",
    );
    let plain: Vec<String> = ('a'..='z')
        .chain('A'..='Z')
        .chain('0'..='9')
        .map(String::from)
        .chain((1..=12).map(|n| format!("F{n}")))
        .chain(
            [
                "Enter",
                "Tab",
                "Escape",
                "Backspace",
                "Delete",
                "Space",
                "ArrowUp",
                "ArrowDown",
                "ArrowLeft",
                "ArrowRight",
                "Home",
                "End",
                "PageUp",
                "PageDown",
            ]
            .map(String::from),
        )
        .collect();
    for key in &plain {
        let reply = tab.call("press", json!({ "key": key }));
        assert_eq!(data(&reply)["key"], *key);
    }
    let seen = tab.evaluate(
        "keys.splice(0).map((key) => key.replace(/^S\\+/, '')).map((key) => key === ' ' ? 'Space' : key)",
    );
    assert_eq!(seen, json!(plain));
    for (key, seen) in [
        ("Control+a", "C+Control,C+a"),
        ("Control+c", "C+Control,C+c"),
        ("Shift+Tab", "S+Shift,S+Tab"),
        ("Control+Shift+p", "C+Control,C+S+Shift,C+S+P"),
        ("Meta+Enter", "M+Meta,M+Enter"),
        ("Control", "C+Control"),
        ("Alt", "A+Alt"),
        ("Shift", "S+Shift"),
        ("Meta", "M+Meta"),
    ] {
        tab.call("press", json!({ "key": key })).says(&format!("Pressed {key}"));
        assert_eq!(tab.evaluate("keys.splice(0).join()"), seen, "{key}");
    }
    tab.call("press", json!({ "key": "Hyperdrive" })).refused(-32602, "Hyperdrive");
    tab.call("press", json!({})).refused(-32602, "key");
    tab.call("press", json!({ "key": "a", "repeat": 0 })).refused(-32602, "repeat");
}

#[test]
fn press_repeats_with_pauses_on_what_is_named() {
    let mut tab = open(
        "<input id=a value=abcdef><input id=b><script>var times = [];
         a.addEventListener('keydown', (e) => times.push(e.timeStamp))</script>",
    );
    let reply = tab.call("press", json!({ "selector": "#a", "key": "Backspace", "repeat": 3, "delay": 60 }));
    reply.says("Pressed Backspace 3 times on textbox");
    assert_eq!(data(&reply)["count"], 3);
    assert_eq!(tab.evaluate("a.value"), "abc");
    assert!(tab.evaluate("times[2] - times[0]").as_f64().unwrap() >= 110.0);
    tab.call("press", json!({ "key": "Home" })).ok();
    tab.call("press", json!({ "key": "x", "repeat": 2 })).ok();
    assert_eq!(tab.evaluate("a.value"), "xxabc");
    tab.call("press", json!({ "key": "Control+a" })).ok();
    tab.call("press", json!({ "key": "Delete" })).ok();
    assert_eq!(tab.evaluate("a.value"), "");
    fails(&tab.call("press", json!({ "selector": "#none", "key": "a" })), "NotFound", "#none");
}

#[test]
fn check_and_uncheck_are_verified() {
    let mut tab = open(
        "<input type=checkbox id=c aria-label=Agree><input type=radio name=r id=r1><input type=radio name=r id=r2 checked>
         <div role=switch id=s tabindex=0 aria-checked=false onclick='this.ariaChecked = this.ariaChecked !== `true`'>Dark</div>
         <input type=checkbox id=h style='display:none'><input type=checkbox id=stubborn onclick='return false'>
         <input type=checkbox id=off disabled><input id=text><label for=c id=l>Label</label>",
    );
    let reply = tab.call("check", json!({ "selector": "#c" }));
    reply.says("checkbox \"Agree\"").says("is checked");
    assert_eq!(data(&reply)["checked"], true);
    assert_eq!(tab.evaluate("c.checked"), true);
    tab.call("check", json!({ "selector": "#c" })).says("was checked already");
    let reply = tab.call("uncheck", json!({ "selector": "#l" }));
    assert_eq!((&data(&reply)["checked"], tab.evaluate("c.checked")), (&json!(false), json!(false)));
    tab.call("uncheck", json!({ "selector": "#c", "timeout": 1000 })).says("was unchecked already");
    tab.call("check", json!({ "selector": "#r1" })).ok();
    assert_eq!(tab.evaluate("[r1.checked, r2.checked]"), json!([true, false]));
    fails(&tab.call("uncheck", json!({ "selector": "#r1" })), "Misfit", "another of its group");
    tab.call("check", json!({ "selector": "#s" })).ok();
    assert_eq!(tab.evaluate("s.ariaChecked"), "true");
    fails(&tab.call("check", json!({ "selector": "#h", "timeout": 300 })), "NotReady", "not visible");
    let reply = tab.call("check", json!({ "selector": "#h", "force": true }));
    reply.says("by events on the element itself");
    assert_eq!((&data(&reply)["forced"], tab.evaluate("h.checked")), (&json!(true), json!(true)));
    tab.call("uncheck", json!({ "selector": "#h", "force": true })).ok();
    assert_eq!(tab.evaluate("h.checked"), false);
    fails(&tab.call("check", json!({ "selector": "#stubborn" })), "NotTaken", "did not take");
    fails(
        &tab.call("check", json!({ "selector": "#off", "force": true, "timeout": 300 })),
        "NotReady",
        "disabled",
    );
    fails(&tab.call("check", json!({ "selector": "#text" })), "Misfit", "not a check box");
    tab.call("check", json!({})).refused(-32602, "selector");
}

#[test]
fn select_chooses_by_value_label_and_index() {
    let options = "<option value=a>Alpha<option value=b>Beta<option value=c>Gamma";
    let mut tab =
        open(&format!("<select id=one>{options}</select><select id=many multiple>{options}</select>"));
    let mut chosen = |arguments: Value| {
        let reply = tab.call("select", arguments);
        (data(&reply)["value"].clone(), data(&reply)["label"].clone())
    };
    assert_eq!(chosen(json!({ "selector": "#one", "value": "b" })), (json!(["b"]), json!(["Beta"])));
    assert_eq!(chosen(json!({ "selector": "#one", "label": "Gamma" })).0, json!(["c"]));
    assert_eq!(chosen(json!({ "selector": "#one", "index": 0 })).0, json!(["a"]));
    assert_eq!(chosen(json!({ "selector": "#one", "value": ["b"] })).0, json!(["b"]));
    assert_eq!(chosen(json!({ "selector": "#many", "value": ["a", "b"] })).0, json!(["a", "b"]));
    assert_eq!(chosen(json!({ "selector": "#many", "label": ["Beta", "Gamma"] })).0, json!(["b", "c"]));
    assert_eq!(chosen(json!({ "selector": "#many", "index": [0, 2] })).0, json!(["a", "c"]));
    assert_eq!(chosen(json!({ "selector": "#many", "value": [] })).0, json!([]));
    assert_eq!(tab.evaluate("one.value + many.selectedOptions.length"), "b0");
    tab.call("select", json!({ "selector": "#one" })).refused(-32602, "one of value, label, index");
    tab.call("select", json!({ "selector": "#one", "index": "x" })).refused(-32602, "index");
    fails(
        &tab.call("select", json!({ "selector": "#one", "value": "Beta" })),
        "Misfit",
        "no option with the value",
    );
    fails(&tab.call("select", json!({ "selector": "#one", "index": 9 })), "Misfit", "index 9");
    fails(
        &tab.call("select", json!({ "selector": "#one", "value": ["a", "b"] })),
        "Misfit",
        "takes one option",
    );
    fails(
        &tab.call("select", json!({ "selector": "#none", "value": "a", "timeout": 300 })),
        "NotFound",
        "#none",
    );
}

#[test]
fn focus_is_given_or_refused() {
    let mut tab = open("<input id=a><p id=p>text</p>");
    let reply = tab.call("focus", json!({ "selector": "#a", "timeout": 1000 }));
    reply.says("Focused textbox");
    assert!(data(&reply)["ref"].as_str().unwrap().starts_with("@e"));
    assert_eq!(tab.evaluate("document.activeElement.id"), "a");
    fails(&tab.call("focus", json!({ "selector": "#p" })), "Misfit", "cannot be focused");
    tab.call("focus", json!({})).refused(-32602, "selector");
}

#[test]
fn secrets_are_typed_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("secrets");
    std::fs::write(&file, "TOKEN@127.0.0.1=sesame-open\n").unwrap();
    let flags = [&DIALECT[..], &["--secrets", file.to_str().unwrap()]].concat();
    let mut tab = open_with(&flags, "<input id=a><input id=b>");
    for (tool, more) in [
        ("fill", json!({ "selector": "#a", "value": "$TOKEN" })),
        ("type", json!({ "selector": "#b", "text": "$TOKEN", "delay": 0 })),
    ] {
        let reply = tab.call(tool, more);
        reply.ok();
        assert!(!reply.message.to_string().contains("sesame"), "{}", reply.message);
    }
    assert_eq!(tab.evaluate("[a.value.length, b.value === a.value]"), json!([11, true]));
}

const FILES: &str =
    "<input type=file id=f multiple><input type=file id=one style='display:none'><p id=p>x</p>";
const HELD: &str = "Promise.all(Array.from(document.querySelector('#f').files, async (file) => [file.name, file.type, await file.text()]))";

#[test]
fn upload_takes_paths_and_contents() {
    let mut tab = open(FILES);
    tab.file("a.txt", "alpha");
    tab.file("b.txt", "beta");
    let upload =
        |tab: &mut Tab, files: Value| tab.call("upload", json!({ "selector": "#f", "files": files }));
    let reply = upload(&mut tab, json!(["a.txt", { "path": "b.txt" }]));
    reply.says("Uploaded a.txt, b.txt");
    assert_eq!(data(&reply)["files"], json!(["a.txt", "b.txt"]));
    assert_eq!(
        tab.evaluate(HELD),
        json!([["a.txt", "text/plain", "alpha"], ["b.txt", "text/plain", "beta"]])
    );
    let mixed = json!([{ "base64": "aGVsbG8=", "name": "h.csv", "mime_type": "text/x-mine" }, { "base64": "aGk=", "name": "i.json" },
        { "path": "a.txt", "name": "c.txt" }, "b.txt"]);
    upload(&mut tab, mixed).says("h.csv, i.json, c.txt, b.txt");
    assert_eq!(
        tab.evaluate(HELD),
        json!([
            ["h.csv", "text/x-mine", "hello"],
            ["i.json", "application/json", "hi"],
            ["c.txt", "text/plain", "alpha"],
            ["b.txt", "text/plain", "beta"]
        ])
    );
    let hidden = json!({ "selector": "#one", "files": [{ "base64": "aGk=", "name": "x" }], "timeout": 5000 });
    assert!(data(&tab.call("upload", hidden))["ref"].as_str().unwrap().starts_with("@e"));
    assert_eq!(tab.evaluate("one.files[0].name"), "x");
    upload(&mut tab, json!([])).says("Cleared");
    assert_eq!(tab.evaluate("f.files.length"), 0);
    let two = json!({ "selector": "#one", "files": [{ "base64": "aGk=" }, { "base64": "aGk=" }] });
    fails(&tab.call("upload", two), "FileField", "only one file");
    fails(
        &tab.call("upload", json!({ "selector": "#p", "files": ["a.txt"] })),
        "FileField",
        "not a file field",
    );
    fails(&upload(&mut tab, json!(["/etc/hostname"])), "Forbidden", "outside");
    fails(&upload(&mut tab, json!([{ "path": "/etc/hostname", "name": "x" }])), "Forbidden", "outside");
    fails(&upload(&mut tab, json!([{ "url": "file:///etc/hostname" }])), "Forbidden", "outside");
    fails(&upload(&mut tab, json!(["none.txt"])), "FileError", "none.txt");
    upload(&mut tab, json!([{ "base64": "!" }])).refused(-32602, "base64");
    upload(&mut tab, json!([{ "name": "x" }])).refused(-32602, "one of path, url, base64");
    upload(&mut tab, json!([{ "path": "a.txt", "url": "http://x/" }]))
        .refused(-32602, "one of path, url, base64");
    tab.call("upload", json!({ "selector": "#f" })).refused(-32602, "files");
    let large = tab.file("large.bin", &"x".repeat(33 << 20));
    fails(&upload(&mut tab, json!([{ "path": large, "name": "y" }])), "TooLarge", "32 MB");
}

#[test]
fn upload_fetches_with_the_browsers_cookies() {
    let site = Site::of(&format!("{FILES}<script>document.cookie = 'who=me'</script>"));
    site.answer("/pics/cat.png", Answer::Body("image/png; charset=x", b"PNG".to_vec()));
    site.answer("/moved", Answer::Redirect("/pics/cat.png".into()));
    site.answer("/slow", Answer::Silent);
    site.answer("/big", Answer::Body("text/plain", vec![b'x'; (32 << 20) + 1]));
    let mut tab = open_site(&DIALECT, site);
    let cat = tab.site.url("/pics/cat.png");
    let upload = |tab: &mut Tab, url: String, more: Value| {
        let timeout = if url.ends_with("/slow") { 1000 } else { 30_000 };
        let mut file = json!({ "url": url });
        file.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tab.call("upload", json!({ "selector": "#f", "files": [file], "timeout": timeout }))
    };
    upload(&mut tab, cat.clone(), json!({})).says("Uploaded cat.png");
    assert_eq!(tab.evaluate(HELD), json!([["cat.png", "image/png", "PNG"]]));
    assert!(
        tab.site.cookies_for("/pics/cat.png").iter().any(|sent| sent.contains("who=me")),
        "the browser's cookies go out"
    );
    let moved = tab.site.url("/moved");
    upload(&mut tab, moved, json!({ "name": "dog.gif", "mime_type": "image/gif" })).says("dog.gif");
    assert_eq!(tab.evaluate(HELD), json!([["dog.gif", "image/gif", "PNG"]]));
    // Another site's server: no page could have fetched it.
    let other = tab.site.other_url("/pics/cat.png");
    upload(&mut tab, other, json!({})).says("cat.png");
    let [none, slow, big] = ["/none", "/slow", "/big"].map(|path| tab.site.url(path));
    fails(&upload(&mut tab, none, json!({})), "FetchFailed", "answered 404");
    fails(&upload(&mut tab, slow, json!({})), "FetchFailed", "timed out after 1 s");
    fails(&upload(&mut tab, big, json!({})), "TooLarge", "32 MB");
    fails(&upload(&mut tab, "javascript:1".into(), json!({})), "BadUrl", "scheme");
    fails(&upload(&mut tab, "data:text/plain,x".into(), json!({})), "BadUrl", "base64");
    fails(&upload(&mut tab, "http://127.0.0.1:1/x".into(), json!({})), "FetchFailed", "ERR_");
    let left = std::fs::read_dir(tab.temporary_directory()).unwrap().flatten();
    let left: Vec<_> = left
        .map(|entry| entry.file_name())
        .filter(|name| !name.to_string_lossy().contains("cicerone"))
        .collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("cat")), "{left:?}");
}

/// A thousand characters in one batch cost little more than the bare key events.
#[test]
fn a_long_text_is_typed_in_one_batch() {
    let mut tab = open("<textarea id=t></textarea>");
    let text = "abcdefghi ".repeat(100);
    let begun = Instant::now();
    let reply = tab.call("type", json!({ "selector": "#t", "text": text, "delay": 0 }));
    assert_eq!(data(&reply)["count"], 1000);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
