//! The `agent` dialect's ways to look at a page: snapshots, queries, scripts, the console, dialogs.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Reply, Site, Tab, not_defined, open_site, open_with};

/// A server that speaks it, beside the tools that these tests prepare pages with.
pub(crate) const SPEAKS: &[&str] = &["--dialect", "agent,browser"];

pub(crate) fn open(html: &str) -> Tab {
    open_with(SPEAKS, html)
}

/// The data of a reply that must be good.
#[track_caller]
pub(crate) fn data(reply: &Reply) -> &Value {
    reply.ok();
    assert_eq!(reply.facts()["success"], true, "{}", reply.message);
    &reply.facts()["data"]
}

/// It must have failed, with these words.
#[track_caller]
pub(crate) fn fails(reply: &Reply, words: &str) {
    assert!(reply.failed(), "it did not fail: {}", reply.message);
    let facts = reply.facts();
    assert_eq!(facts["success"], false, "{facts}");
    let error = facts["error"].as_str().unwrap();
    assert!(error.contains(words), "{words:?} is not in {error:?}");
    assert!(facts["name"].is_string() && facts.get("code").is_some(), "{facts}");
    assert!(reply.text().contains("Hint: "), "{}", reply.text());
}

/// The lines of a snapshot's tree.
fn tree(reply: &Reply) -> Vec<String> {
    reply.ok();
    reply.text().split_once("\n\n").unwrap().1.lines().map(str::to_owned).collect()
}

/// The same without refs, which are given in the order of the asking.
fn shape(reply: &Reply) -> String {
    let mut out = Vec::new();
    for line in tree(reply) {
        match line.split_once(" [ref=@e") {
            Some((before, after)) => {
                out.push(format!("{before} @{}", after.split_once(']').unwrap().1));
            }
            None => out.push(line),
        }
    }
    out.join("\n")
}

const EXAMPLE: &str = "<title>Example Domain</title><h1>Example Domain</h1>\
    <p>This domain is for use in illustrative examples...</p><a href=/more>More information...</a>\
    <div role=group aria-label=Navigation><button>Home</button><button>About</button>\
    <input type=search aria-label=Search placeholder='Search...' style='-webkit-appearance:none' role=textbox></div>";

#[test]
fn a_snapshot_has_the_published_form() {
    let mut tab = open(EXAMPLE);
    let seen = tab.call("snapshot", json!({}));
    let url = tab.site.url("/");
    assert!(
        seen.text().starts_with(&format!("Page: Example Domain ({url})\nViewport: 1280x720\n\n- document ")),
        "{}",
        seen.text()
    );
    let shown = "- document \"Example Domain\"
  - heading \"Example Domain\" @ [level=1]
  - paragraph: \"This domain is for use in illustrative examples...\"
  - link \"More information...\" @ [url=/more]
  - group \"Navigation\" @
    - button \"Home\" @
    - button \"About\" @
    - textbox \"Search\" @ [placeholder=\"Search...\"]";
    assert_eq!(shape(&seen), shown);
    assert_eq!(data(&seen)["title"], "Example Domain");
    assert_eq!(data(&seen)["url"], url);
    let again = tab.call("snapshot", json!({ "mode": "full" }));
    assert_eq!(tree(&seen), tree(&again), "the same elements have the same refs");
}

#[test]
fn modes_show_parts() {
    let mut tab = open(
        "<title>T</title><h1>Head</h1><p>Words <a href=#>Link</a></p><div role=group><label>Name <input></label>\
         <select aria-label=Colour><option>Red<option>Blue</select></div><span onclick=1>Bare</span>",
    );
    let operable = tab.call("snapshot", json!({ "mode": "interactive" }));
    let shown = "- document \"T\"\n  - link \"Link\" @ [url=#]\n  - textbox \"Name\" @\n  - combobox \"Colour\" @: \"Red\"\n    - option \"Red\" [selected]\n    - option \"Blue\"\n  - generic \"Bare\" @ [clickable]";
    assert_eq!(shape(&operable), shown);
    tab.evaluate("document.querySelector('select').focus()");
    let focused = tab.call("snapshot", json!({ "mode": "focused" }));
    let shown =
        "- combobox \"Colour\" @ [active]: \"Red\"\n  - option \"Red\" [selected]\n  - option \"Blue\"";
    assert_eq!(shape(&focused), shown);
    tab.call("snapshot", json!({ "mode": "all" })).refused(-32602, "one of full, interactive, focused");
}

#[test]
fn depth_scope_and_what_is_told_can_be_chosen() {
    let mut tab = open(
        "<title>T</title><nav><ul><li><a href=#>One</a></li></ul></nav><div id=box><section><p>Deep words</p>\
         <button style='position:fixed;left:10px;top:20px;width:100px;height:40px'>Go</button></section></div>",
    );
    let shallow = tab.call("snapshot", json!({ "depth": 1 }));
    assert_eq!(shape(&shallow).lines().next(), Some("- document \"T\""));
    assert!(
        shallow.text().contains("\n  - navigation\n    - … ") && !shallow.text().contains("One"),
        "{}",
        shallow.text()
    );
    // The element of this selector is told by nothing but what is in it.
    let scoped = tab.call("snapshot", json!({ "selector": "#box" }));
    assert!(
        scoped.text().contains("- paragraph: \"Deep words\"") && !scoped.text().contains("One"),
        "{}",
        scoped.text()
    );
    let compact = tab.call("snapshot", json!({ "compact": true }));
    assert_eq!(
        shape(&compact),
        "- document \"T\"\n  - link \"One\" @ [url=#]\n  - paragraph: \"Deep words\"\n  - button \"Go\" @"
    );
    let bare = tab.call("snapshot", json!({ "include_text": false }));
    bare.says_not("Deep words").says("- button \"Go\"");
    let bounds = tab.call("snapshot", json!({ "include_bounds": true }));
    assert!(shape(&bounds).contains("- button \"Go\" @ [bounds=10,20,100,40]"), "{}", bounds.text());
    let reference = scoped.reference("\"Go\"");
    assert_eq!(
        tree(&tab.call("snapshot", json!({ "selector": reference }))),
        [format!("- button \"Go\" [ref={reference}]")]
    );
    fails(&tab.call("snapshot", json!({ "selector": "@e999" })), "ever gave out the ref");
}

#[test]
fn frames_are_part_of_it_and_can_be_seen_alone() {
    let site = Site::with(&[
        ("/", ""),
        (
            "/in",
            "<title>In</title><body style='margin:0'><button style='position:absolute;left:5px;top:7px;width:50px;height:20px'>Inner</button>",
        ),
    ]);
    site.answer("/", crate::support::Answer::Html(format!("<button>Outer</button><iframe style='position:fixed;left:100px;top:50px;border:3px solid' src='{}'></iframe>", site.other_url("/in"))));
    let mut tab = open_site(SPEAKS, site);
    let whole = tab.call("snapshot", json!({ "include_bounds": true }));
    whole.says("Outer").says("[ref=@f1e").says("[bounds=108,60,50,20]");
    let inner = tab.call("snapshot", json!({ "frameId": 1 }));
    inner.says("- document \"In\"").says("Inner").says_not("Outer");
    fails(&tab.call("snapshot", json!({ "frameId": 9 })), "unknown frame 9");
}

#[test]
fn a_page_cannot_forge_lines_of_a_snapshot_and_a_large_one_is_cut() {
    let mut tab = open("<title>A\n- button [ref=@e1]</title><p>x\n- link &quot;y&quot; [ref=@e2]</p>");
    let seen = tab.call("snapshot", json!({}));
    assert_eq!(shape(&seen).lines().count(), 2, "{}", seen.text());
    seen.says("\\[ref=@e2]");
    assert!(seen.text().starts_with("Page: A - button \\[ref=@e1] (http"), "{}", seen.text());
    tab.evaluate("document.body.innerHTML = '<ul>' + '<li><button>A button of many</button></li>'.repeat(5000) + '</ul>'");
    let large = tab.call("snapshot", json!({})).text();
    assert!(large.len() < 51_000 && large.contains(" more items: snapshot selector=@e"), "{}", large.len());
    let levels = tab.call("snapshot", json!({ "depth": 9 })).text();
    assert!(levels.len() < 51_000, "{}", levels.len());
}

#[test]
fn url_and_title_are_told_and_a_tab_can_be_chosen() {
    let mut tab = open("<title>Here\n&amp; there</title>");
    let url = tab.site.url("/");
    assert_eq!(data(&tab.call("url", json!({})))["url"], url);
    assert_eq!(tab.call("url", json!({})).text(), url);
    let title = tab.call("title", json!({}));
    assert_eq!(
        (data(&title)["title"].as_str(), title.text().as_str()),
        (Some("Here & there"), "Here & there")
    );
    tab.call("browser_tabs", json!({ "action": "new" })).ok();
    assert_eq!(data(&tab.call("url", json!({})))["url"], "about:blank");
    assert_eq!(data(&tab.call("url", json!({ "tabId": 1 })))["url"], url);
    tab.call("snapshot", json!({ "tabId": 1 })).says("Page: Here & there");
    fails(&tab.call("title", json!({ "tabId": 77 })), "unknown tab id 77");
}

#[test]
fn a_placeholder_is_not_told_beside_a_value() {
    let page = "<input aria-label=Full placeholder='Your name' value=Ada><input aria-label=Empty placeholder='Your town'>";
    let mut tab = open_with(&["--dialect", "agent,browser,vision"], page);
    for tool in ["snapshot", "browser.snapshot"] {
        tab.call(tool, json!({})).says("Your town").says("Ada").says_not("Your name");
    }
}

const FORM: &str = "<title>Form</title><h1>Welcome</h1><h2>Second</h2><h2>Third</h2>\
    <a href=/a>One</a><a href=/b>Two</a><a href=/c style='display:none'>Hidden</a>\
    <label>Email address <input type=email value=me@example.com></label><input placeholder='Your name'>\
    <input type=checkbox aria-label=On checked><input type=checkbox aria-label=Off>\
    <button aria-pressed=true>Bold</button><button aria-pressed=false>Italic</button>\
    <button aria-expanded=true>Menu</button><button aria-expanded=false>More</button>\
    <button style='position:fixed;left:10px;top:20px;width:100px;height:40px' data-testid=send title='Send it'>Submit</button>\
    <button>Submit later</button><img alt='A logo' src='data:,' width=9 height=9><p>Sign in</p><p>Sign in here</p>";

#[test]
fn each_way_to_look_for_elements() {
    let mut tab = open(FORM);
    for (query, role, name) in [
        (
            json!({ "by": "role", "value": "button", "options": { "name": "Submit", "exact": true } }),
            "button",
            "Submit",
        ),
        (json!({ "by": "text", "value": "Sign in", "options": { "exact": true } }), "paragraph", ""),
        (json!({ "by": "text", "value": "WELC" }), "heading", "Welcome"),
        (json!({ "by": "label", "value": "Email address" }), "textbox", "Email address"),
        (json!({ "by": "placeholder", "value": "your" }), "textbox", "Your name"),
        (json!({ "by": "alt", "value": "logo" }), "img", "A logo"),
        (json!({ "by": "title", "value": "Send it" }), "button", "Submit"),
        (json!({ "by": "testid", "value": "send" }), "button", "Submit"),
        (
            json!({ "by": "role", "value": "heading", "options": { "level": 2 }, "nth": 1 }),
            "heading",
            "Third",
        ),
        (json!({ "by": "role", "value": "heading", "nth": -1 }), "heading", "Third"),
        (json!({ "by": "role", "value": "checkbox", "options": { "checked": true } }), "checkbox", "On"),
        (json!({ "by": "role", "value": "checkbox", "options": { "checked": false } }), "checkbox", "Off"),
        (json!({ "by": "role", "value": "button", "options": { "pressed": true } }), "button", "Bold"),
        (json!({ "by": "role", "value": "button", "options": { "pressed": false } }), "button", "Italic"),
        (json!({ "by": "role", "value": "button", "options": { "expanded": true } }), "button", "Menu"),
        (json!({ "by": "role", "value": "button", "options": { "expanded": false } }), "button", "More"),
        (
            json!({ "by": "label", "value": "Email address", "options": { "exact": true } }),
            "textbox",
            "Email address",
        ),
        (
            json!({ "by": "placeholder", "value": "Your name", "options": { "exact": true } }),
            "textbox",
            "Your name",
        ),
        (json!({ "by": "alt", "value": "A logo", "options": { "exact": true } }), "img", "A logo"),
        (json!({ "by": "title", "value": "Send it", "options": { "exact": true } }), "button", "Submit"),
        (json!({ "by": "text", "value": "Welcome", "tabId": 1 }), "heading", "Welcome"),
        (
            json!({ "by": "role", "value": "link", "options": { "name": "hid", "include_hidden": true } }),
            "link",
            "Hidden",
        ),
        (json!({ "by": "text", "value": "Hidden", "options": { "include_hidden": true } }), "link", "Hidden"),
    ] {
        let found = tab.call("query", query.clone());
        assert_eq!((&data(&found)["role"], &data(&found)["name"]), (&json!(role), &json!(name)), "{query}");
        assert!(data(&found)["ref"].as_str().unwrap().starts_with("@e"), "{query}");
    }
    let several =
        tab.call("query", json!({ "by": "role", "value": "button", "options": { "name": "Submit" } }));
    assert_eq!((&data(&several)["count"], &data(&several)["name"]), (&json!(2), &json!("Submit")));
    several.says("the first of 2");
    for none in [
        json!({ "by": "role", "value": "link", "options": { "name": "Hidden" } }),
        json!({ "by": "text", "value": "Hidden" }),
        json!({ "by": "label", "value": "email", "options": { "exact": true } }),
        json!({ "by": "placeholder", "value": "your", "options": { "exact": true } }),
        json!({ "by": "alt", "value": "logo", "options": { "exact": true } }),
        json!({ "by": "title", "value": "send", "options": { "exact": true } }),
        json!({ "by": "testid", "value": "sen" }),
        json!({ "by": "role", "value": "heading", "nth": 3 }),
        json!({ "by": "role", "value": "heading", "nth": -4 }),
    ] {
        fails(&tab.call("query", none), "no element matches");
    }
}

#[test]
fn each_thing_that_a_query_returns() {
    let mut tab = open(FORM);
    let mut returned = |what: &str, mut query: Value| {
        query["return"] = what.into();
        data(&tab.call("query", query)).clone()
    };
    let send = || json!({ "by": "testid", "value": "send" });
    assert_eq!(returned("count", json!({ "by": "role", "value": "link" })), json!({ "count": 2 }));
    assert_eq!(returned("count", json!({ "by": "role", "value": "table" })), json!({ "count": 0 }));
    assert_eq!(returned("text", json!({ "by": "role", "value": "heading", "nth": 0 }))["text"], "Welcome");
    assert_eq!(
        returned("bounds", send())["bounds"],
        json!({ "x": 10.0, "y": 20.0, "width": 100.0, "height": 40.0 })
    );
    let mut attribute = send();
    attribute["attribute"] = "title".into();
    assert_eq!(returned("attribute", attribute.clone())["value"], "Send it");
    attribute["attribute"] = "lang".into();
    assert_eq!(returned("attribute", attribute)["value"], Value::Null);
    let all = returned("all", json!({ "by": "label", "value": "Email address" }));
    assert_eq!(
        (&all["value"], &all["tag"], &all["role"]),
        (&json!("me@example.com"), &json!("input"), &json!("textbox"))
    );
    assert_eq!((&all["visible"], &all["attributes"]["type"]), (&json!(true), &json!("email")));
    assert!(all["bounds"]["width"].as_f64().unwrap() > 0.0 && all["ref"].is_string());
    let reference = returned("ref", send())["ref"].clone();
    let seen = tab.call("snapshot", json!({}));
    assert_eq!(json!(seen.reference("\"Submit\"")), reference, "a snapshot calls it the same");
}

#[test]
fn a_query_that_lacks_something_is_refused() {
    let mut tab = open(FORM);
    tab.call("query", json!({ "value": "x" })).refused(-32602, "by");
    tab.call("query", json!({ "by": "role" })).refused(-32602, "value");
    tab.call("query", json!({ "by": "css", "value": "x" })).refused(-32602, "one of role, text");
    tab.call("query", json!({ "by": "role", "value": "link", "return": "attribute" }))
        .refused(-32602, "attribute");
    tab.call("query", json!({ "by": "role", "value": "link", "options": { "nam": "x" } }))
        .refused(-32602, "it has nam (did you mean name?)");
}

#[test]
fn a_query_can_be_kept_to_one_frame() {
    let mut tab = open("<button>Outer</button><iframe srcdoc='<button>Inner</button>'></iframe>");
    let names = |tab: &mut Tab, more: Value| {
        let mut query = json!({ "by": "role", "value": "button", "return": "count" });
        query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        data(&tab.call("query", query)).clone()
    };
    assert_eq!(names(&mut tab, json!({}))["count"], 2);
    assert_eq!(names(&mut tab, json!({ "frameId": 0, "return": "ref" }))["name"], "Outer");
    assert_eq!(names(&mut tab, json!({ "frameId": 1, "return": "ref" }))["name"], "Inner");
    assert_eq!(names(&mut tab, json!({ "nth": -1, "return": "ref" }))["name"], "Inner");
}

/// A page that would say so if it heard of a click or a key.
const HEARS: &str = "<body style='margin:0'><button style='position:fixed;left:10px;top:10px;width:100px;height:40px'>Buy</button>\
    <iframe style='position:fixed;left:200px;top:0' srcdoc='<body style=margin:0><button style=width:100px;height:40px>Inner</button>'></iframe>\
    <script>heard = 0; for (const type of ['click', 'mousedown', 'keydown']) addEventListener(type, () => heard++, true)</script>";

/// A person sees what is picked by the outline that follows the pointer, in the page and in its frame.
fn sees_outlines(tab: &mut Tab) {
    let by = Instant::now() + Duration::from_secs(8);
    for (x, document) in [(50, "document"), (250, "frames[0].document")] {
        let outlined = format!("{document}.documentElement.children.length === 3");
        // To and fro: to be told again to be where it is moves no pointer.
        for y in [100, 101].into_iter().cycle() {
            tab.call("browser_mouse_move_xy", json!({ "x": x, "y": y })).ok();
            if tab.evaluate(&outlined) == true {
                break;
            }
            assert!(Instant::now() < by, "there is no outline in {document}");
        }
    }
}

/// Asks a person to pick, and does what the person does.
fn pick(tab: &mut Tab, timeout: u32, person: impl FnOnce(&mut Tab)) -> Reply {
    let picking = tab.begin_call("query", json!({ "by": "picker", "timeout": timeout }));
    person(tab);
    let picked = tab.finish(picking);
    assert_eq!(tab.evaluate("[heard, document.documentElement.children.length]"), json!([0, 2]));
    picked
}

#[test]
fn a_person_picks_an_element() {
    let mut tab = open_with(&["--dialect", "agent,browser", "--caps", "vision"], HEARS);
    let click = |x: f64| {
        move |tab: &mut Tab| {
            sees_outlines(tab);
            tab.call("browser_mouse_click_xy", json!({ "x": x, "y": 20 })).ok();
        }
    };
    assert_eq!(data(&pick(&mut tab, 9_000, click(50.0)))["name"], "Buy");
    let inner = pick(&mut tab, 9_000, click(250.0));
    assert_eq!(data(&inner)["name"], "Inner");
    assert!(data(&inner)["ref"].as_str().unwrap().starts_with("@f1e"), "{}", inner.text());
    let escape = |tab: &mut Tab| {
        sees_outlines(tab);
        tab.call("browser_press_key", json!({ "key": "Escape" })).ok();
    };
    fails(&pick(&mut tab, 9_000, escape), "cancelled picking");
    fails(&pick(&mut tab, 300, |_| {}), "element picker timed out after 0.3 s");
    assert_eq!(data(&pick(&mut tab, 9_000, click(50.0)))["name"], "Buy", "and then again");
}

const LISTS: &str = "<form aria-label=Login><input aria-label=User placeholder='Who are you?' data-testid=user><input type=checkbox aria-label=Remember>\
    <button type=button onclick='document.title=\"login\"'>Submit</button></form>\
    <form aria-label=Search><button type=button onclick='document.title=\"search\"'>Submit</button></form>\
    <ul><li>One<b>new</b><li>Two<i>old</i><li>Three</ul>\
    <button onclick='document.title=\"saved\"' onmouseover='document.title=\"over\"'>Save</button><button>Cancel</button>";

#[test]
fn a_locator_goes_step_by_step() {
    let mut tab = open(LISTS);
    for (chain, role, text) in [
        (
            json!([
                { "method": "role", "value": "form", "options": { "name": "Login" } },
                { "method": "within" },
                { "method": "role", "value": "button", "options": { "name": "Submit" } },
            ]),
            "button",
            "Submit",
        ),
        (
            json!([{ "method": "role", "value": "listitem" }, { "method": "nth", "value": "1" }]),
            "listitem",
            "Twoold",
        ),
        (json!([{ "method": "role", "value": "listitem" }, { "method": "first" }]), "listitem", "Onenew"),
        (json!([{ "method": "css", "value": "li" }, { "method": "last" }]), "listitem", "Three"),
        (
            json!([{ "method": "xpath", "value": "//li" }, { "method": "nth", "value": "-2" }]),
            "listitem",
            "Twoold",
        ),
        (
            json!([{ "method": "role", "value": "button" }, { "method": "filter", "options": { "hasText": "sav" } }]),
            "button",
            "Save",
        ),
        (
            json!([{ "method": "css", "value": "li" }, { "method": "filter", "options": { "hasNotText": "one" } }, { "method": "first" }]),
            "listitem",
            "Twoold",
        ),
        (
            json!([{ "method": "css", "value": "li" }, { "method": "filter", "options": { "has": "b" } }]),
            "listitem",
            "Onenew",
        ),
        (
            json!([{ "method": "css", "value": "li" }, { "method": "filter", "options": { "hasNot": { "method": "css", "value": "b, i" } } }]),
            "listitem",
            "Three",
        ),
        (
            json!([{ "method": "within", "value": "form[aria-label=Search]" }, { "method": "css", "value": "button" }]),
            "button",
            "Submit",
        ),
        (
            json!([{ "method": "css", "value": "i" }, { "method": "within", "value": "ul" }]),
            "emphasis",
            "old",
        ),
        (json!([{ "method": "label", "value": "User" }]), "textbox", "User"),
        (json!([{ "method": "text", "value": "Cancel" }]), "button", "Cancel"),
        (json!([{ "method": "placeholder", "value": "who" }]), "textbox", "User"),
        (json!([{ "method": "testid", "value": "user" }]), "textbox", "User"),
        (
            json!([{ "method": "role", "value": "button" }, { "method": "filter", "options": { "hasText": "Save", "visible": true } }]),
            "button",
            "Save",
        ),
    ] {
        let found = tab.call("locator", json!({ "chain": chain, "action": "get_ref", "tabId": 1 }));
        assert_eq!(
            (&data(&found)["count"], &data(&found)["name"]),
            (&json!(1), &json!(text)),
            "{chain}: {}",
            found.text()
        );
        if role != "emphasis" {
            assert_eq!(data(&found)["role"], role, "{chain}");
        }
    }
    let several = tab.call("locator", json!({ "chain": [{ "method": "role", "value": "listitem" }] }));
    assert_eq!(data(&several)["count"], 3);
    fails(
        &tab.call("locator", json!({ "chain": [{ "method": "css", "value": "table" }] })),
        "no element matches table",
    );
}

#[test]
fn a_locator_acts_on_what_it_finds() {
    let mut tab = open(LISTS);
    let save = json!([{ "method": "role", "value": "button" }, { "method": "filter", "options": { "hasText": "Save" } }]);
    let over = tab.call("locator", json!({ "chain": save, "action": "hover" }));
    assert!(data(&over)["ref"].is_string());
    assert_eq!(tab.evaluate("document.title"), "over");
    data(&tab.call("locator", json!({ "chain": save, "action": "click" })));
    assert_eq!(tab.evaluate("document.title"), "saved");
    let user = json!([{ "method": "label", "value": "User" }]);
    let filled = tab.call("locator", json!({ "chain": user, "action": "fill", "fill_value": "me" }));
    assert_eq!(data(&filled)["value"], "me");
    assert_eq!(tab.evaluate("document.querySelector('input').value"), "me");
    for _ in 0..2 {
        let box_ = json!([{ "method": "label", "value": "Remember" }]);
        let checked = tab.call("locator", json!({ "chain": box_, "action": "check" }));
        assert_eq!(data(&checked)["checked"], true);
        assert_eq!(tab.evaluate("document.querySelector('[type=checkbox]').checked"), true);
    }
    fails(&tab.call("locator", json!({ "chain": user, "action": "check" })), "it is not a check box");
    let both = json!([{ "method": "role", "value": "button", "options": { "name": "Submit" } }]);
    fails(&tab.call("locator", json!({ "chain": both, "action": "click" })), "matches 2 elements");
}

#[test]
fn a_chain_that_makes_no_sense_is_refused() {
    let mut tab = open(LISTS);
    for (chain, words) in [
        (json!([]), "a list of steps"),
        (json!([{ "value": "x" }]), "step 0 must have a method"),
        (json!([{ "method": "button" }]), "one of role, text"),
        (json!([{ "method": "role" }]), "step 0 must have a value"),
        (json!([{ "method": "nth", "value": "1" }]), "must come after one that finds"),
        (json!([{ "method": "css", "value": "a" }, { "method": "nth", "value": "x" }]), "a whole number"),
        (json!([{ "method": "css", "value": "a" }, { "method": "within" }]), "must come before"),
        (
            json!([{ "method": "css", "value": "a" }, { "method": "filter", "options": { "text": "x" } }]),
            "not by text",
        ),
        // What is not read would find other elements.
        (
            json!([{ "method": "role", "value": "button", "name": "Submit" }]),
            "step 0 must be an object with method, value, options; write name inside options",
        ),
        (
            json!([{ "method": "role", "value": "button", "optoins": { "name": "Submit" } }]),
            "it has optoins (did you mean options?)",
        ),
        (
            json!([{ "method": "css", "value": "a" }, { "method": "filter", "options": { "hasTxt": "x" } }]),
            "not by hasTxt (did you mean hasText?)",
        ),
        (
            json!([{ "method": "css", "value": "a" }, { "method": "first", "options": { "name": "x" } }]),
            "step 1 takes no options",
        ),
    ] {
        tab.call("locator", json!({ "chain": chain })).refused(-32602, words);
    }
    let user = json!([{ "method": "label", "value": "User" }]);
    tab.call("locator", json!({ "chain": user, "action": "fill" })).refused(-32602, "fill_value");
}

/// The result of a script.
#[track_caller]
fn result(tab: &mut Tab, arguments: Value) -> Value {
    data(&tab.call("evaluate", arguments))["result"].clone()
}

#[test]
fn scripts_are_expressions_functions_or_bodies() {
    let mut tab = open("<title>T</title><p id=x>words</p><iframe srcdoc='<title>In</title>'></iframe>");
    for (expression, args, expected) in [
        ("document.title", json!([]), json!("T")),
        ("1 + 1", json!([]), json!(2)),
        ("return document.title", json!([]), json!("T")),
        ("const a = 1; return a + 1", json!([]), json!(2)),
        ("let a = 20; a + 1", json!([]), json!(21)),
        ("({ a: [1, null] })", json!([]), json!({ "a": [1, null] })),
        ("() => 5", json!([]), json!(5)),
        ("(a, b) => a + b", json!([2, 3]), json!(5)),
        ("function (a) { return a.x }", json!([{ "x": "y" }]), json!("y")),
        ("async (a) => a", json!(["z"]), json!("z")),
        ("return args[0] + arguments[1]", json!([1, 2]), json!(3)),
        ("const args = 7; return args + arguments[0]", json!([1]), json!(8)),
        ("args.length", json!([1, 2]), json!(2)),
        ("const r = await Promise.resolve(4); return r", json!([]), json!(4)),
        ("new Promise(done => setTimeout(done, 20, 'later'))", json!([]), json!("later")),
        ("undefined", json!([]), Value::Null),
    ] {
        assert_eq!(
            result(&mut tab, json!({ "expression": expression, "args": args })),
            expected,
            "{expression}"
        );
    }
    assert_eq!(result(&mut tab, json!({ "expression": "document.title", "frameId": 1 })), "In");
    let unawaited = json!({ "expression": "Promise.resolve(1)", "await_promise": false });
    assert_eq!(result(&mut tab, unawaited), "Promise");
    for (expression, kind, description) in [
        ("document.body", "object", "HTMLBodyElement"),
        ("[1, 2]", "object", "Array(2)"),
        ("5", "number", "5"),
    ] {
        let reference = json!({ "expression": expression, "return_by_value": false });
        assert_eq!(result(&mut tab, reference), json!({ "type": kind, "description": description }));
    }
    fails(&tab.call("evaluate", json!({ "expression": "nothing.here" })), &not_defined("nothing"));
    fails(&tab.call("evaluate", json!({ "expression": "return )" })), "SyntaxError");
    fails(
        &tab.call("evaluate", json!({ "expression": "while (true) {}", "timeout": 300 })),
        "timed out after 0.3 s",
    );
    fails(
        &tab.call("evaluate", json!({ "expression": "new Promise(() => {})", "timeout": 300 })),
        "timed out after 0.3 s",
    );
    assert_eq!(result(&mut tab, json!({ "expression": "1" })), 1, "the page goes on");
    tab.call("evaluate", json!({})).refused(-32602, "expression");
}

#[test]
fn long_values_are_cut_and_secrets_hidden() {
    let mut tab = open("<p>x</p>");
    let whole = tab.call("evaluate", json!({ "expression": "'é'.repeat(20000)" }));
    assert_eq!(data(&whole)["result"].as_str().unwrap().len(), 40_000);
    let long = tab.call("evaluate", json!({ "expression": "'é'.repeat(30000)" }));
    assert_eq!(
        (data(&long)["result"].as_str().unwrap().len(), &data(&long)["truncated"]),
        (51_200, &json!(true))
    );
    long.says("truncated, 60000 bytes in total");
    let short = tab.call("evaluate", json!({ "expression": "[1, 2, 3, 4]", "max_output_size": 4 }));
    assert_eq!(data(&short)["result"], "[1,2");
    tab.evaluate("document.cookie = 'session=abc'; localStorage.setItem('authToken', 'xyz')");
    let secret = "({ password: 'hunter2', user: 'me', header: 'Bearer abcdefgh', n: 1 })";
    let hidden = tab.call("evaluate", json!({ "expression": secret }));
    let expected = json!({ "password": "[REDACTED]", "user": "me", "header": "Bearer [REDACTED]", "n": 1 });
    assert_eq!(data(&hidden)["result"], expected);
    hidden.says_not("hunter2");
    assert_eq!(result(&mut tab, json!({ "expression": "document.cookie" })), "session=[REDACTED]");
    let stored = json!({ "expression": "Object.entries(localStorage)" });
    assert_eq!(result(&mut tab, stored), json!([["authToken", "[REDACTED]"]]));
    let bare = tab.call("evaluate", json!({ "expression": secret, "sanitize": false }));
    assert_eq!(data(&bare)["result"]["password"], "hunter2");
}

/// The texts of the console's lines.
#[track_caller]
fn console(tab: &mut Tab, arguments: Value) -> Vec<String> {
    let heard = tab.call("console", arguments);
    let messages = data(&heard)["messages"].as_array().unwrap();
    assert_eq!(data(&heard)["count"], messages.len());
    messages
        .iter()
        .map(|line| format!("{} {}", line["level"].as_str().unwrap(), line["text"].as_str().unwrap()))
        .collect()
}

#[test]
fn the_console_can_be_read_by_level_and_pattern() {
    let mut tab = open(
        "<script>console.log('a log'); console.info('an info'); console.warn('a warning'); console.error('an error');\
         console.debug('a debug'); setTimeout(() => { throw new Error('thrown') })</script>",
    );
    tab.call("wait", json!({ "for": "function", "function": "return true" })).ok();
    let all = [
        "log a log",
        "info an info",
        "warn a warning",
        "error an error",
        "debug a debug",
        "error Uncaught Error: thrown",
    ];
    assert_eq!(console(&mut tab, json!({})), all);
    assert_eq!(console(&mut tab, json!({ "action": "get", "include_exceptions": false })), all[..5]);
    for (level, at) in [("log", 0), ("info", 1), ("warn", 2), ("debug", 4)] {
        assert_eq!(console(&mut tab, json!({ "level": [level] })), [all[at]]);
    }
    assert_eq!(console(&mut tab, json!({ "level": ["error", "log"] })), [all[0], all[3], all[5]]);
    assert_eq!(console(&mut tab, json!({ "pattern": "^an? (log|warn)" })), [all[0], all[2]]);
    assert_eq!(console(&mut tab, json!({ "pattern": "/ERR.*/i", "level": ["error"] })), [all[3], all[5]]);
    let two = tab.call("console", json!({ "max_messages": 2 }));
    assert_eq!((&data(&two)["count"], &data(&two)["more"]), (&json!(2), &json!(4)));
    two.says("2 console messages (4 older ones are left out)")
        .says("[debug] a debug")
        .says("thrown")
        .says_not("a log");
    assert_eq!(data(&two)["messages"][1]["exception"], true);
    let place = &data(&two)["messages"][0];
    assert_eq!((&place["url"], &place["line"]), (&json!(tab.site.url("/")), &json!(1)));
    tab.call("console", json!({ "pattern": "(" })).refused(-32602, "pattern");
    tab.call("console", json!({ "pattern": "a(?=b)" })).refused(-32602, "look-around");
    tab.call("console", json!({ "level": ["loud"] })).refused(-32602, "one of log, info, warn, error, debug");
    assert_eq!(console(&mut tab, json!({ "clear_after_read": true })).len(), 6);
    assert_eq!(console(&mut tab, json!({})), [""; 0]);
    tab.evaluate("for (let i = 0; i < 150; i++) console.log(i)");
    let most = tab.call("console", json!({ "tabId": 1 }));
    assert_eq!((&data(&most)["count"], &data(&most)["more"]), (&json!(100), &json!(50)));
    assert_eq!(data(&most)["messages"][99]["text"], "149", "the newest");
    tab.call("console", json!({ "action": "clear" })).ok();
    assert_eq!(console(&mut tab, json!({})), [""; 0]);
}

#[test]
fn a_console_buffer_survives_navigations() {
    let mut tab = open("<script>console.log('at ' + location.search)</script>");
    let url = tab.site.url("/");
    fails(&tab.call("console", json!({ "action": "stop_buffer" })), "no console buffer");
    tab.navigate(&format!("{url}?1"));
    assert_eq!(console(&mut tab, json!({})), ["log at ?1"], "without one it is of this page");
    tab.call("console", json!({ "action": "start_buffer" })).ok();
    tab.navigate(&format!("{url}?2"));
    tab.navigate(&format!("{url}?3"));
    assert_eq!(console(&mut tab, json!({})), ["log at ?2", "log at ?3"]);
    tab.call("console", json!({ "action": "start_buffer" })).says("already");
    assert_eq!(console(&mut tab, json!({ "action": "stop_buffer", "pattern": "2" })), ["log at ?2"]);
    assert_eq!(console(&mut tab, json!({})), ["log at ?3"]);
}

#[test]
fn dialogs_are_read_and_answered() {
    let mut tab =
        open("<button onclick='setTimeout(() => answer = prompt(\"Name?\", \"nobody\"))'>Ask</button>");
    let ask = |tab: &mut Tab| tab.call("browser_click", json!({ "ref": "role:button" })).ok().clone();
    fails(&tab.call("dialog", json!({ "action": "get_message" })), "no dialog is open");
    ask(&mut tab);
    let message = tab.call("dialog", json!({ "action": "get_message" }));
    assert_eq!(
        data(&message),
        &json!({ "message": "Name?", "type": "prompt", "value": "nobody", "open": true })
    );
    let url = tab.site.url("/");
    assert_eq!(data(&tab.call("url", json!({})))["url"], url, "looking needs no answer");
    let accepted = tab.call("dialog", json!({ "action": "accept", "prompt_text": "me" }));
    assert_eq!((&data(&accepted)["message"], &data(&accepted)["open"]), (&json!("Name?"), &json!(false)));
    assert_eq!(tab.evaluate("answer"), "me");
    ask(&mut tab);
    tab.call("dialog", json!({ "action": "dismiss" })).says("Dialog dismissed: prompt \"Name?\"");
    assert_eq!(tab.evaluate("answer"), Value::Null);
    for action in ["accept", "dismiss"] {
        fails(&tab.call("dialog", json!({ "action": action })), "no dialog is open");
    }
    ask(&mut tab);
    tab.call("dialog", json!({ "action": "accept" })).says("Dialog accepted: prompt \"Name?\"");
    assert_eq!(tab.evaluate("answer"), "nobody", "what it proposes");
    tab.call("dialog", json!({})).refused(-32602, "action");
    tab.call("dialog", json!({ "action": "close" })).refused(-32602, "one of accept, dismiss, get_message");
}

#[test]
fn dialogs_can_be_answered_by_themselves() {
    let mut tab = open("<p>x</p>");
    let set = |tab: &mut Tab, automatic: Value| {
        let set = tab.call("dialog", json!({ "action": "accept", "auto_handle": automatic }));
        data(&set)["auto_handle"].clone()
    };
    assert_eq!(
        set(&mut tab, json!({ "enabled": true, "default_action": "accept", "prompt_default_text": "auto" })),
        true
    );
    assert_eq!(tab.evaluate("[confirm('a'), confirm('b'), prompt('c')]"), json!([true, true, "auto"]));
    let again = tab.site.url("/?again");
    tab.navigate(&again);
    assert_eq!(tab.evaluate("confirm('a')"), true, "in the next document, too");
    set(&mut tab, json!({ "enabled": true, "default_action": "dismiss" }));
    assert_eq!(tab.evaluate("[confirm('a'), prompt('c')]"), json!([false, null]));
    assert_eq!(set(&mut tab, json!({ "enabled": false })), false);
    assert!(tab.call("browser_evaluate", json!({ "function": "confirm('a')" })).text().contains("dialog"));
    // One that is open stays: it is only set up.
    set(&mut tab, json!({ "enabled": true, "default_action": "accept" }));
    tab.call("dialog", json!({ "action": "get_message" })).says("confirm \"a\"");
    tab.call("dialog", json!({ "action": "dismiss" })).ok();
    tab.call("dialog", json!({ "action": "accept", "auto_handle": { "on": true } }))
        .refused(-32602, "it has on");
}

#[test]
fn behind_an_open_dialog_the_page_is_shown_as_it_was() {
    let page = "<title>Shop</title><button onclick='setTimeout(() => alert(1))'>Pay</button>";
    for looks_first in [false, true] {
        let mut tab = open(page);
        if looks_first {
            tab.call("snapshot", json!({})).ok();
        }
        tab.call("click", json!({ "selector": "text:Pay" })).says("alert");
        let reply = tab.call("snapshot", json!({}));
        reply.says("This is the page as it was last seen").says("button \"Pay\" [ref=@e");
        tab.call("dialog", json!({ "action": "accept" })).ok();
    }
}
