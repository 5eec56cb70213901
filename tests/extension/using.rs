//! The whole path: a call, the server, the extension, a tab that the person sees.

use serde_json::json;

use crate::{
    own::{CLIENT, Own, server},
    support::{Answer, chrome::eventually},
};

const FORM: &str = "<title>Form</title><label>Name <input id=name></label>
    <button onclick=\"document.title = 'Hello ' + document.getElementById('name').value\">Greet</button>";

#[test]
fn an_agent_uses_a_tab_of_the_persons_browser() {
    let mut own = Own::at(FORM);
    let snapshot = own.server.snapshot();
    let (field, button) = (snapshot.reference("textbox"), snapshot.reference("Greet"));
    own.server.call("browser_type", json!({ "ref": field, "text": "Ada" })).ok();
    own.server.call("browser_click", json!({ "ref": button })).says("Hello Ada");
    let shot = own.server.call("browser_take_screenshot", json!({}));
    shot.ok();
    let url = own.site.url("/");
    assert_eq!(
        own.chrome.grouped(CLIENT),
        std::slice::from_ref(&url),
        "its tab is in a group with the client's name"
    );
    assert_eq!(own.tabs(), [url], "the person's own tab is not seen");
    let windows = own.chrome.in_worker("chrome.windows.getAll().then((all) => all.length)");
    assert_eq!(windows, 1, "its tab is in the window that is there");
}

#[test]
fn frames_popups_and_dialogs_are_there() {
    let mut own = Own::unopened(&[], &[], "");
    let frame = own.site.other_url("/frame");
    own.site.answer(
        "/",
        Answer::Html(format!(
            "<title>Outer</title><iframe src='{frame}'></iframe><a href=/popup target=_blank>Open</a>
             <button onclick=\"document.title = prompt('Who?')\">Ask</button>"
        )),
    );
    own.site.answer(
        "/frame",
        Answer::Html("<button onclick=\"this.textContent = 'Pressed'\">Inner</button>".into()),
    );
    own.site.answer("/popup", Answer::Html("<title>Popup</title>".into()));
    let url = own.site.url("/");
    own.server.navigate(&url);
    let snapshot = own.server.snapshot();
    own.server.call("browser_click", json!({ "ref": snapshot.reference("Inner") })).says("Pressed");
    own.server.call("browser_click", json!({ "ref": snapshot.reference("Ask") })).says("Who?");
    own.server.call("browser_handle_dialog", json!({ "accept": true, "promptText": "Grace" })).says("Grace");
    own.server.call("browser_click", json!({ "ref": snapshot.reference("Open") })).ok();
    let popup = own.site.url("/popup");
    eventually("the popup", || own.tabs().contains(&popup).then_some(()));
    eventually("the popup in the group", || own.chrome.grouped(CLIENT).contains(&popup).then_some(()));
}

#[test]
fn the_companion_dialect_says_in_its_own_words_that_no_extension_is_there() {
    let data = tempfile::tempdir().unwrap();
    let mut server = server(data.path(), &["--dialect", "companion"], CLIENT);
    let reply = server.call("browser_navigate", json!({ "url": "about:blank" }));
    reply.fails("cicerone extension install");
    let words = "Tool browser_navigate requires Chrome extension, but extension is not connected";
    assert!(reply.text().starts_with(words), "{}", reply.text());
}

#[test]
fn the_launch_dialect_uses_the_browser_that_is_there_and_starts_no_other() {
    let mut own = Own::with(&["--dialect", "launch"], FORM);
    let url = own.site.url("/");
    own.server.call("browser_type", json!({ "selector": "#name", "text": "Ada" })).ok();
    own.server.call("browser_click", json!({ "selector": "button" })).ok();
    assert_eq!(own.server.evaluate("document.title"), "Hello Ada");
    assert_eq!(own.chrome.grouped(CLIENT), std::slice::from_ref(&url));
    let reply = own.server.call("browser_launch", json!({ "headless": false }));
    reply.fails("use it as it is, or start the server without --endpoint and --extension");
    assert_eq!(own.server.evaluate("document.title"), "Hello Ada");
    assert_eq!(own.chrome.grouped(CLIENT), [url]);
}

#[test]
fn the_vision_dialect_has_one_session_there() {
    let mut own = Own::unopened(&["--dialect", "vision"], &[], FORM);
    let url = own.site.url("/");
    own.server.call("browser.navigate", json!({ "url": url })).ok();
    let listed = own.server.call("browser.snapshot", json!({ "interactiveOnly": true })).ok().text();
    let line = listed.lines().find(|line| line.contains("Greet")).unwrap();
    let button = line.trim_start_matches("- ").split(':').next().unwrap();
    assert!(button.starts_with("@e"), "{listed}");
    own.server.call("browser.fill", json!({ "selector": "#name", "value": "Grace" })).ok();
    own.server.call("browser.click", json!({ "selector": button })).ok();
    let title = own
        .chrome
        .in_worker(&format!("chrome.tabs.query({{ url: {} }}).then(([tab]) => tab.title)", json!(url)));
    assert_eq!(title, "Hello Grace");
    assert_eq!(own.chrome.grouped(CLIENT), std::slice::from_ref(&url));
    for (tool, arguments) in [
        ("browser.navigate", json!({ "url": url, "sessionId": "mine" })),
        ("browser.snapshot", json!({ "sessionId": "mine" })),
    ] {
        let reply = own.server.call(tool, arguments);
        reply.fails("this browser cannot create isolated contexts").fails("--extension");
    }
    assert_eq!(own.chrome.grouped(CLIENT), [url], "the first session goes on");
    own.server.call("browser.snapshot", json!({ "sessionId": "default" })).says("Greet");
}

#[test]
fn what_a_debugger_of_an_extension_lacks_is_said() {
    let mut own = Own::with(&["--dialect", "all"], FORM);
    let reply = own.server.call("browser_context_create", json!({ "name": "other" }));
    reply.fails("this browser cannot create isolated contexts").fails("--extension");
    for (tool, arguments, lacks) in [
        ("history", json!({ "query": "x" }), "this browser cannot read its history"),
        (
            "permissions",
            json!({ "permissions": [{ "name": "geolocation", "state": "granted" }] }),
            "this browser cannot",
        ),
    ] {
        let reply = own.server.call(tool, arguments);
        assert!(reply.failed() && reply.text().contains(lacks), "{tool}: {}", reply.message);
    }
    let resized = own.server.call("browser_resize", json!({ "width": 700, "height": 500 }));
    resized.ok();
    assert_eq!(own.server.evaluate("innerWidth"), 700);
}

#[test]
fn an_answer_that_is_too_long_costs_its_own_call_an_error() {
    let mut own = Own::at(FORM);
    let script = json!({ "function": "'x'.repeat(70 * 1024 * 1024)" });
    let reply = own.server.call("browser_evaluate", script);
    assert!(reply.failed(), "{} bytes", reply.bytes);
    eventually("the page again", || {
        let reply = own.server.call("browser_evaluate", json!({ "function": "document.title" }));
        (reply.facts()["result"] == "Form").then_some(())
    });
    assert_eq!(own.tabs(), [own.site.url("/")]);
}

#[test]
fn downloads_go_where_the_persons_downloads_go_and_the_reply_says_so() {
    let mut own = Own::at("<a href=/file>Get</a>");
    own.site.answer("/file", Answer::Download("report.txt", b"hello".to_vec()));
    let link = own.server.snapshot().reference("Get");
    let reply = own.server.call("browser_click", json!({ "ref": link }));
    reply.says("\"report.txt\" is being downloaded to the person's own downloads");
}

#[test]
fn devtools_on_the_same_tab_are_no_obstacle() {
    let mut own = Own::at(FORM);
    let url = own.site.url("/");
    let mut cdp = own.chrome.cdp();
    let tab = cdp.targets("page").into_iter().find(|page| page["url"] == url.as_str()).unwrap();
    let target = tab["targetId"].as_str().unwrap().to_owned();
    cdp.on(&target, |cdp, session| {
        cdp.send(Some(session), "Runtime.enable", json!({}));
        assert_eq!(own.server.evaluate("document.title"), "Form");
        own.server.snapshot().says("Greet");
    });
}
