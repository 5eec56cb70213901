//! Tabs, popups, dialogs, closing, resizing.

use serde_json::{Value, json};

use crate::support::{Reply, Server, Site, Tab, open, open_site};

fn tabs(tab: &mut Server, action: &str) -> Reply {
    tab.call("browser_tabs", json!({ "action": action }))
}

fn tab_at(tab: &mut Server, action: &str, index: i64) -> Reply {
    tab.call("browser_tabs", json!({ "action": action, "index": index }))
}

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

/// Titles in order, with a star after the active one.
fn titles(reply: &Reply) -> String {
    let tabs = reply.facts()["tabs"].as_array().unwrap();
    let title = |tab: &Value| {
        format!("{}{}", tab["title"].as_str().unwrap(), if tab["active"] == true { "*" } else { "" })
    };
    tabs.iter().map(title).collect::<Vec<_>>().join(" ")
}

fn three() -> Tab {
    let site =
        Site::with(&[("/", "<title>A</title>"), ("/b", "<title>B</title>"), ("/c", "<title>C</title>")]);
    let mut tab = open_site(&[], site);
    for path in ["/b", "/c"] {
        tabs(&mut tab, "new").ok();
        let url = tab.site.url(path);
        tab.navigate(&url);
    }
    tab
}

#[test]
fn tabs_are_listed_opened_selected_and_closed() {
    let mut tab = three();
    let list = tabs(&mut tab, "list");
    assert_eq!(titles(&list), "A B C*");
    for (index, path) in ["/", "/b", "/c"].iter().enumerate() {
        list.says(&format!("- {index}:")).says(&tab.site.url(path));
    }
    list.says("(active) \"C\"");
    tab_at(&mut tab, "select", 0).says("Tab 0 is active");
    assert_eq!(tab.evaluate("document.title"), "A");
    assert_eq!(titles(&tab_at(&mut tab, "close", 2)), "A* B");
    assert_eq!(titles(&tab_at(&mut tab, "select", 1)), "A B*");
    assert_eq!(titles(&tabs(&mut tab, "close")), "A*", "without an index the active one is closed");
    assert_eq!(tab.evaluate("document.title"), "A");
    tabs(&mut tab, "close").says("No tabs are open");
    tabs(&mut tab, "list").says("No tabs are open");
    tabs(&mut tab, "new").ok();
    assert_eq!(tab.evaluate("location.href"), "about:blank");
}

#[test]
fn a_new_tab_is_active_and_may_have_a_url() {
    let mut tab = three();
    let b = tab.site.url("/b");
    let reply = tab.call("browser_tabs", json!({ "action": "new", "url": b }));
    assert_eq!(titles(&reply), "A B C B*");
    assert_eq!(tab.evaluate("document.visibilityState"), "visible");
    tab.call("browser_tabs", json!({ "action": "new", "url": "javascript:1" }))
        .fails("scheme is not allowed");
    assert_eq!(titles(&tabs(&mut tab, "list")), "A B C B*", "a refused URL opens nothing");
}

#[test]
fn tabs_that_do_not_exist() {
    let mut tab = open("<title>Only</title>");
    tab_at(&mut tab, "select", 1).fails("unknown tab 1; known: 0");
    tab_at(&mut tab, "close", 7).fails("unknown tab 7");
    tab_at(&mut tab, "select", -1).fails("unknown tab -1");
    tabs(&mut tab, "select").refused(-32602, "Missing required argument: index");
    tabs(&mut tab, "explode").refused(-32602, "action");
    tab.call("browser_tabs", json!({})).refused(-32602, "Missing required argument: action");
    assert_eq!(titles(&tabs(&mut tab, "list")), "Only*");
}

#[test]
fn a_popup_is_told_and_does_not_take_over() {
    let site = Site::with(&[
        (
            "/",
            "<title>Main</title><button onclick=\"window.open('/popup')\">Open</button><a href=/popup target=_blank>Blank</a>",
        ),
        ("/popup", "<title>Popup</title><h1>Inside</h1><button onclick='window.close()'>Shut</button>"),
    ]);
    let mut tab = open_site(&[], site);
    let popup = tab.site.url("/popup");
    click(&mut tab, "text:Open").says("tab").says(&popup);
    click(&mut tab, "text:Blank").says("tab").says(&popup);
    assert_eq!(tab.evaluate("document.title"), "Main");
    for index in [2, 0, 1] {
        tab_at(&mut tab, "select", index).ok();
        let text = if index == 0 { "Blank" } else { "Inside" };
        tab.call("browser_wait_for", json!({ "text": text })).ok();
    }
    assert_eq!(titles(&tabs(&mut tab, "list")), "Main Popup* Popup");
    click(&mut tab, "text:Shut");
    assert_eq!(titles(&tabs(&mut tab, "list")), "Main* Popup");
    tab.snapshot().says("Blank");
}

#[test]
fn an_open_dialog_is_told_and_answered() {
    let mut tab = open(
        "<title>-</title><button onclick=\"alert('Hi'); document.title = 'alerted'\">Alert</button>
        <button onclick=\"document.title = confirm('Sure?')\">Confirm</button>
        <button onclick=\"document.title = prompt('Name?', 'nobody')\">Prompt</button>",
    );
    let answer = |tab: &mut Tab, arguments: Value| {
        tab.call("browser_handle_dialog", arguments).says("Dialog");
        tab.evaluate("document.title")
    };
    let reply = click(&mut tab, "text:Alert");
    reply.says("alert dialog open: \"Hi\"").says("Hint: answer it with browser_handle_dialog");
    assert_eq!(reply.facts()["state"], "dialog");
    assert_eq!(answer(&mut tab, json!({ "accept": true })), "alerted");
    click(&mut tab, "text:Confirm").says("confirm dialog open: \"Sure?\"");
    assert_eq!(answer(&mut tab, json!({ "accept": true })), "true");
    click(&mut tab, "text:Confirm").ok();
    assert_eq!(answer(&mut tab, json!({ "accept": false })), "false");
    click(&mut tab, "text:Prompt").says("prompt dialog open: \"Name?\"");
    assert_eq!(answer(&mut tab, json!({ "accept": true, "promptText": "answer" })), "answer");
    click(&mut tab, "text:Prompt").ok();
    assert_eq!(answer(&mut tab, json!({ "accept": true })), "nobody", "what it offered is kept");
    click(&mut tab, "text:Prompt").ok();
    assert_eq!(answer(&mut tab, json!({ "accept": false })), "null");
    tab.call("browser_handle_dialog", json!({})).refused(-32602, "Missing required argument: accept");
}

#[test]
fn the_next_dialog_is_answered_as_was_told_before() {
    let mut tab = open(
        "<title>-</title><button onclick=\"document.title = confirm('Sure?')\">Confirm</button>
        <button onclick=\"document.title = prompt('Name?')\">Prompt</button>",
    );
    let arm = |tab: &mut Tab, arguments: Value| tab.call("browser_handle_dialog", arguments);
    arm(&mut tab, json!({ "accept": true, "promptText": "answer" })).says("The next dialog will be accepted");
    click(&mut tab, "text:Prompt").says("settled").says("prompt dialog accepted: \"Name?\"");
    assert_eq!(tab.evaluate("document.title"), "answer");
    arm(&mut tab, json!({ "accept": true })).ok();
    click(&mut tab, "text:Confirm").says("confirm dialog accepted");
    assert_eq!(tab.evaluate("document.title"), "true");
    arm(&mut tab, json!({ "accept": false })).says("The next dialog will be dismissed");
    click(&mut tab, "text:Confirm").says("confirm dialog dismissed");
    assert_eq!(tab.evaluate("document.title"), "false");
    click(&mut tab, "text:Confirm").says("dialog open");
}

#[test]
fn no_tool_waits_for_a_dialog() {
    let mut tab = open(
        "<title>Main</title><h1>Head</h1><button onclick=\"console.log('said'); alert('Hi')\">Alert</button><input>",
    );
    let input = tab.snapshot().reference("textbox");
    click(&mut tab, "text:Alert").says("dialog open");
    for (tool, arguments) in [
        ("browser_click", json!({ "ref": input })),
        ("browser_type", json!({ "ref": input, "text": "x" })),
        ("browser_evaluate", json!({ "function": "1" })),
        ("browser_press_key", json!({ "key": "a" })),
        ("browser_wait_for", json!({ "text": "Head" })),
        ("browser_take_screenshot", json!({})),
    ] {
        tab.call(tool, arguments).fails("the page is blocked by an open alert dialog: \"Hi\"");
    }
    tab.snapshot().says("heading \"Head\"").says("blocked by an open alert dialog");
    tab.call("browser_console_messages", json!({})).says("said");
    tab.call("browser_network_requests", json!({})).ok();
    tabs(&mut tab, "list").says("- 0:");
    tabs(&mut tab, "new").ok();
    assert_eq!(tab.evaluate("1 + 1"), 2, "another tab is not held");
    tab_at(&mut tab, "select", 0).ok();
    tab.call("browser_handle_dialog", json!({ "accept": true })).says("Dialog accepted");
    tab.call("browser_type", json!({ "ref": input, "text": "x" })).ok();
}

#[test]
fn a_page_held_by_a_dialog_can_be_left_and_closed() {
    let mut tab = open("<title>Main</title><button onclick=\"alert('Hi')\">Alert</button>");
    click(&mut tab, "text:Alert").says("dialog open");
    let url = tab.site.url("/");
    tab.navigate(&url).says("Opened").says("alert dialog dismissed: \"Hi\"");
    assert_eq!(tab.evaluate("document.title"), "Main");
    click(&mut tab, "text:Alert").says("dialog open");
    tab.call("browser_close", json!({})).says("Closed the page");
    tab.navigate(&url).says("\"Main\"");
    assert_eq!(tab.evaluate("document.title"), "Main");
}

#[test]
fn dialogs_that_come_by_themselves_and_one_after_another() {
    let mut tab = open(
        "<title>-</title><button onclick=\"document.title = [confirm('One'), confirm('Two')].join()\">Twice</button>",
    );
    click(&mut tab, "text:Twice").says("\"One\"");
    tab.call("browser_handle_dialog", json!({ "accept": true })).says("Dialog accepted").says("\"Two\"");
    tab.call("browser_handle_dialog", json!({ "accept": false })).says("Dialog dismissed");
    assert_eq!(tab.evaluate("document.title"), "true,false");
    let reply = tab.call("browser_evaluate", json!({ "function": "() => confirm('From a script')" }));
    assert!(reply.text().contains("From a script"), "{}", reply.text());
    tab.call("browser_handle_dialog", json!({ "accept": true })).ok();
    assert_eq!(tab.evaluate("document.title"), "true,false");
    tab.evaluate("void setTimeout(() => alert('By itself'), 100)");
    let reply = tab.call("browser_wait_for", json!({ "time": 0.5 }));
    assert!(reply.text().contains("By itself"), "{}", reply.text());
    tab.call("browser_evaluate", json!({ "function": "1" })).fails("By itself");
    tab.call("browser_handle_dialog", json!({ "accept": true })).says("Dialog accepted");
    assert_eq!(tab.evaluate("1"), 1);
}

#[test]
fn closing_a_page_leaves_the_one_before_active() {
    let mut tab = three();
    tab.call("browser_close", json!({})).says("2 left");
    assert_eq!(titles(&tabs(&mut tab, "list")), "A B*");
    tab.call("browser_close", json!({})).ok();
    let last = tab.call("browser_close", json!({}));
    last.says("none is open");
    assert_eq!(last.facts()["tabs"], 0);
}

#[test]
fn the_viewport_is_resized() {
    let mut tab =
        open("<p id=size></p><script>onresize = () => size.textContent = innerWidth + ' wide'</script>");
    let size = "[innerWidth, innerHeight].join()";
    assert_eq!(tab.evaluate(size), "1280,720");
    tab.call("browser_resize", json!({ "width": 1920, "height": 1080 })).says("1920x1080").says("1920 wide");
    assert_eq!(tab.evaluate(size), "1920,1080");
    tab.call("browser_resize", json!({ "width": 400, "height": 300 })).ok();
    assert_eq!(tab.evaluate(size), "400,300");
    tab.call("browser_resize", json!({ "width": 0, "height": 300 })).refused(-32602, "width");
    tab.call("browser_resize", json!({ "width": 400 })).refused(-32602, "Missing required argument: height");
    assert_eq!(tab.evaluate(size), "400,300");
    let url = tab.site.url("/");
    tab.navigate(&url);
    assert_eq!(tab.evaluate(size), "400,300", "it stays over navigations");
}
