//! The `agent` dialect's ways to look at a page: snapshots, queries, scripts, the console, dialogs.

use serde_json::{Value, json};

use crate::support::{Reply, Site, Tab, open_site, open_with};

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
  - link \"More information...\" @
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
    let shown = "- document \"T\"\n  - link \"Link\" @\n  - textbox \"Name\" @\n  - combobox \"Colour\" @: \"Red\"\n    - option \"Red\" [selected]\n    - option \"Blue\"\n  - generic \"Bare\" @ [clickable]";
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
        "- document \"T\"\n  - link \"One\" @\n  - paragraph: \"Deep words\"\n  - button \"Go\" @"
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
    fails(&tab.call("snapshot", json!({ "selector": "@e999" })), "never given");
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
    fails(&tab.call("snapshot", json!({ "frameId": 9 })), "no frame 9");
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
    assert!(large.len() < 51_000 && large.contains("more not shown"), "{}", large.len());
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
    fails(&tab.call("title", json!({ "tabId": 77 })), "no tab with the id 77");
}
