//! The names that the `agent` dialect's tools had once: the whole migration table, with the arguments of then.

use serde_json::{Value, json};

use crate::support::{
    Answer, Site, Tab,
    agent::{DIALECT, data, fails},
    open_site,
};

const PAGE: &str = "<title>Old</title><button id=b>Go</button><input id=i aria-label=Name><select id=s aria-label=Colour>\
    <option value=r>Red<option value=g>Green</select><input type=checkbox id=c aria-label=Agree><input type=file id=f>\
    <a href=/file id=d>Get</a><button id=q onclick='answer = prompt(`Name?`)'>Ask</button><p>Words of the page</p><div style='height:3000px'></div><script>var log = [];\
    for (const type of ['click', 'dblclick', 'contextmenu', 'mouseover']) b.addEventListener(type, (e) => {\
    e.preventDefault(); log.push(type + (e.ctrlKey ? '+ctrl' : '') + (e.shiftKey ? '+shift' : '')) })</script>";

fn open() -> Tab {
    let site = Site::of(PAGE);
    site.answer("/file", Answer::Download("report.txt", b"hello".to_vec()));
    open_site(&DIALECT, site)
}

/// The ref of an element as it was written then: `ref_5`.
fn old_ref(tab: &mut Tab, name: &str) -> String {
    let read = tab.call("chrome_read_page", json!({ "filter": "interactive" }));
    format!("ref_{}", read.reference(name).trim_start_matches("@e"))
}

#[test]
fn pages_are_read_by_their_old_names() {
    let mut tab = open();
    let read = tab.call("chrome_read_page", json!({}));
    read.says("Words of the page").says("Page: Old (http");
    let button = old_ref(&mut tab, "Go");
    let one = tab.call("chrome_read_page", json!({ "filter": "interactive", "depth": 3, "refId": button }));
    one.says("button \"Go\"").says_not("textbox");
    let operable = tab.call("chrome_get_interactive_elements", json!({ "includeCoordinates": true }));
    operable.says("button \"Go\"").says("[bounds=").says_not("Words");
    for (arguments, words) in [
        (json!({}), "Words of the page"),
        (json!({ "textContent": true }), "Words of the page"),
        (json!({ "selector": "p" }), "Words of the page"),
        (json!({ "selector": "p", "htmlContent": true }), "<p>Words of the page</p>"),
    ] {
        let content = tab.call("chrome_get_web_content", arguments);
        assert!(data(&content)["result"].as_str().unwrap().contains(words), "{}", content.text());
    }
    let code = tab.call(
        "chrome_javascript",
        json!({ "code": "return 1 + 1", "timeoutMs": 5000, "maxOutputBytes": 99 }),
    );
    assert_eq!(data(&code)["result"], 2);
    tab.evaluate("console.error('bad'), console.log('fine')");
    let errors = tab
        .call("chrome_console", json!({ "onlyErrors": true, "maxMessages": 5, "includeExceptions": true }));
    assert_eq!(data(&errors)["count"], 1);
    data(&tab.call("chrome_console", json!({ "clear": true })));
    assert_eq!(data(&tab.call("chrome_console", json!({})))["count"], 0);
    let nobody = tab.call("chrome_request_element_selection", json!({ "timeoutMs": 100 }));
    fails(&nobody, "Timeout", "element picker timed out");
}

#[test]
fn the_computer_does_what_its_action_says() {
    let mut tab = open();
    let (button, field) = (old_ref(&mut tab, "Go"), old_ref(&mut tab, "Name"));
    let mut does = |action: &str, more: Value| {
        let mut arguments = json!({ "action": action });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        data(&tab.call("chrome_computer", arguments));
        tab.evaluate("log.splice(0).filter((one) => !one.startsWith('mouseover')).join()")
    };
    let on_it = json!({ "ref": button });
    assert_eq!(does("left_click", json!({ "ref": button, "modifiers": { "ctrlKey": true } })), "click+ctrl");
    assert_eq!(does("left_click", json!({ "ref": button, "modifiers": ["Shift"] })), "click+shift");
    assert!(does("right_click", on_it.clone()).as_str().unwrap().starts_with("contextmenu"));
    assert_eq!(does("double_click", on_it.clone()), "click,click,dblclick");
    assert_eq!(does("triple_click", on_it.clone()), "click,click,dblclick,click");
    assert_eq!(does("left_click", json!({ "coordinates": { "x": 15, "y": 15 } })), "click");
    does("hover", on_it.clone());
    does("type", json!({ "ref": field, "text": "ab" }));
    does("key", json!({ "text": "Backspace" }));
    assert_eq!(tab.evaluate("i.value"), "a");
    let mut does = |action: &str, more: Value| {
        let mut arguments = json!({ "action": action });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        data(&tab.call("chrome_computer", arguments)).clone()
    };
    assert_eq!(does("fill", json!({ "ref": field, "value": "new" }))["value"], "new");
    does("fill", json!({ "selector": "#c", "value": true }));
    // Ticks of a wheel.
    assert_eq!(does("scroll", json!({ "scrollDirection": "down", "scrollAmount": 2 }))["y"], 200.0);
    assert_eq!(does("scroll_to", json!({ "ref": field }))["visible"], true);
    let dragged = does("left_click_drag", json!({ "startRef": button, "ref": field }));
    assert!(dragged["source"].is_string() && dragged["target"].is_string(), "{dragged}");
    let (from, to) = (json!({ "x": 300, "y": 300 }), json!({ "x": 350, "y": 300 }));
    does("left_click_drag", json!({ "startCoordinates": from, "coordinates": to }));
    does("wait", json!({ "duration": 0.1 }));
    does("wait", json!({ "text": "Words of the page", "timeout": 2000, "tabId": 1 }));
    does("wait", json!({ "text": "Loading", "appear": false }));
    let never = tab.call("chrome_computer", json!({ "action": "wait", "text": "Never", "timeout": 100 }));
    fails(&never, "Timeout", "timed out after 0.1 s: ");
    assert_eq!(tab.evaluate("c.checked"), true);
    for (action, more, words) in [
        ("scroll", json!({ "scrollDirection": "up", "coordinates": { "x": 1, "y": 1 } }), "coordinates"),
        ("key", json!({ "text": "Backspace Enter" }), "one key or chord per call"),
        ("screenshot", json!({ "name": "home" }), "name"),
        ("wait", json!({ "appear": true }), "appear"),
    ] {
        let mut arguments = json!({ "action": action });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tab.call("chrome_computer", arguments).refused(-32602, words);
    }
    tab.call("chrome_keyboard", json!({ "keys": "Backspace Enter" })).refused(-32602, "one key or chord");
    tab.call("chrome_computer", json!({})).refused(-32602, "Missing required argument: action");
    tab.call("chrome_computer", json!({ "action": "fly" })).refused(-32602, "left_click");
}

#[test]
fn fields_keys_files_and_dialogs_have_old_names() {
    let mut tab = open();
    let (button, field) = (old_ref(&mut tab, "Go"), old_ref(&mut tab, "Name"));
    for (arguments, happened) in [
        (json!({ "selector": "#b" }), "click"),
        (json!({ "ref": button }), "click"),
        (json!({ "selector": "//button[1]", "selectorType": "xpath" }), "click"),
        (json!({ "selector": "#b", "double": true }), "click,click,dblclick"),
        (
            json!({ "coordinates": { "x": 15, "y": 15 }, "waitForNavigation": false, "timeout": 3000 }),
            "click",
        ),
    ] {
        data(&tab.call("chrome_click_element", arguments.clone()));
        let log = tab.evaluate("log.splice(0).filter((one) => one !== 'mouseover').join()");
        assert_eq!(log, happened, "{arguments}");
    }
    for (selector, value) in [
        ("#i", json!("text")),
        ("#i", json!(5)),
        ("#s", json!("g")),
        ("#c", json!(true)),
        ("#c", json!(false)),
    ] {
        data(&tab.call("chrome_fill_or_select", json!({ "selector": selector, "value": value })));
        let now = tab.evaluate(&format!(
            "((field) => field.type === 'checkbox' ? field.checked : field.value)(document.querySelector('{selector}'))"
        ));
        let expected = if value == 5 { json!("5") } else { value };
        assert_eq!(now, expected, "{selector}");
    }
    data(&tab.call("chrome_fill_or_select", json!({ "ref": field, "value": "" })));
    data(&tab.call("chrome_keyboard", json!({ "keys": "hello there", "selector": "#i" })));
    data(&tab.call("chrome_keyboard", json!({ "keys": "Backspace", "selector": "#i" })));
    assert_eq!(tab.evaluate("i.value"), "hello ther");
    tab.file("notes.txt", "some notes");
    for (file, name) in [
        (json!({ "filePath": "notes.txt" }), "notes.txt"),
        (json!({ "base64Data": "aGk=", "fileName": "a.txt" }), "a.txt"),
    ] {
        let mut arguments = json!({ "selector": "#f" });
        arguments.as_object_mut().unwrap().extend(file.as_object().unwrap().clone());
        assert_eq!(data(&tab.call("chrome_upload_file", arguments))["files"], json!([name]));
    }
    tab.call("click", json!({ "selector": "#q" })).says("prompt dialog open");
    tab.call("chrome_handle_dialog", json!({ "action": "accept", "promptText": "me" })).ok();
    assert_eq!(tab.evaluate("answer"), "me");
    tab.call("click", json!({ "selector": "#d" })).ok();
    let kept = tab.call("chrome_handle_download", json!({ "timeoutMs": 5000, "waitForComplete": true }));
    assert_eq!(data(&kept)["name"], "report.txt");
}
