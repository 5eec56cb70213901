//! Editors show their text, and take typing and filling in every dialect. What they hold is read from the editor's own model,
//! by a button of the page.

use serde_json::{Value, json};

use crate::{
    site::{open, open_with, serve},
    support::{Reply, Tab},
};

const CODE: &str = "if (a) {\n  b();\n}";

/// An editor's page: how its field is found, and the button that tells what the editor holds.
struct Editor {
    field: &'static str,
    button: &'static str,
    /// What it shows at first.
    shows: &'static str,
}

impl Editor {
    /// What the editor's own model holds, as the page tells it.
    fn model(&self, tab: &mut Tab) -> String {
        let button = format!("role:button[name=\"{}\"]", self.button);
        tab.call("browser_click", json!({ "ref": button })).ok();
        text(&tab.evaluate("document.querySelector('output').textContent"))
    }

    fn fill(&self, tab: &mut Tab, field: &str, text: &str) -> Reply {
        tab.call("browser_fill_form", json!({ "fields": [{ "ref": field, "value": text }] }))
    }

    fn check(&self, page: &str) {
        let Some(mut tab) = open(page) else { return };
        let snapshot = tab.snapshot();
        snapshot.says(self.shows);
        let field = snapshot.reference(self.field);
        let typed = tab.call("browser_type", json!({ "ref": field, "text": "Hello (world) {x}" }));
        typed.says("now holds \"Hello (world) {x}\"").says_not("made of it");
        assert!(self.model(&mut tab).contains("Hello (world) {x}"));
        self.fill(&mut tab, &field, CODE).says("now holds \"if (a) {\\n  b();\\n}\"").says_not("made of it");
        let held = self.model(&mut tab).replace("&nbsp;", " ");
        assert!(
            held.contains("if (a) {") && held.contains("b();") && held.matches('}').count() == 1,
            "{held}"
        );
        let slowly = json!({ "ref": field, "text": "Slow text", "slowly": true });
        tab.call("browser_type", slowly).says("now holds \"Slow text\"");
        self.fill(&mut tab, &field, "").says("now holds \"\"");
        assert!(!self.model(&mut tab).contains("Slow"), "it is empty now");
        tab.call("browser_click", json!({ "ref": field })).ok();
        tab.call("browser_press_key", json!({ "key": "z" })).says(": z\n");
        let unlike = self.model(&mut tab);
        assert!(unlike.contains('z'), "{unlike}");
    }
}

#[test]
fn monaco_shows_its_text_and_takes_typing() {
    Editor {
        field: "Editor content",
        button: "Save",
        shows: "const port = 8080;\\nconst host = 'localhost';\\n\\nstart(host, port);",
    }
    .check("monaco");
}

#[test]
fn codemirror_shows_its_text_and_takes_typing() {
    Editor { field: "textbox", button: "Run", shows: "select(1);\\nselect(2);" }.check("codemirror");
}

#[test]
fn prosemirror_shows_its_text_and_takes_typing() {
    Editor { field: "textbox", button: "Send", shows: "Dear Ada," }.check("prosemirror");
}

#[test]
fn quill_shows_its_text_and_takes_typing() {
    Editor { field: "textbox", button: "Post", shows: "First draft." }.check("quill");
}

#[test]
fn lexical_shows_its_text_and_takes_typing() {
    Editor { field: "textbox", button: "Keep", shows: "Buy milk" }.check("lexical");
}

#[test]
fn tinymce_in_its_frame_shows_its_text_and_takes_typing() {
    Editor { field: "textbox", button: "Publish", shows: "Once upon a time." }.check("tinymce");
}

#[test]
fn an_editor_that_draws_its_text_has_one_line_and_no_line_numbers() {
    let Some(mut tab) = open("monaco") else { return };
    tab.snapshot().says_not("1 2 3 4").says_not("aria-hidden");
    let Some(mut tab) = open("codemirror") else { return };
    tab.snapshot().says_not("aria-hidden");
}

#[test]
fn a_long_text_is_read_back_as_far_as_the_editor_shows_it() {
    let Some(mut tab) = open("monaco") else { return };
    let field = tab.snapshot().reference("Editor content");
    let long: String = (0..200).map(|line| format!("let value{line} = {line};\n")).collect();
    tab.call("browser_type", json!({ "ref": field, "text": long })).says("now holds").says_not("made of it");
    let held = "() => { document.querySelector('#save').click();
        const text = JSON.parse(document.querySelector('output').textContent.slice(6));
        return [text.length, text.split('\\n')[150]].join(); }";
    assert_eq!(tab.evaluate(held), format!("{},let value150 = 150;", long.len()));
}

#[test]
fn every_dialect_types_into_an_editor() {
    let Some(mut tab) = open_with("monaco", &["--dialect", "all"]) else { return };
    tab.call("browser_type", json!({ "selector": "role:textbox", "text": "port = 2" })).ok();
    assert_eq!(shown(&mut tab), "port = 2");
    tab.call("fill", json!({ "selector": "role:textbox", "value": "port = 4" })).ok();
    assert_eq!(shown(&mut tab), "port = 4");
    tab.call("click", json!({ "selector": "role:button[name=Save]" })).ok();
    tab.call("type", json!({ "selector": "role:textbox", "text": "5;" })).ok();
    assert_eq!(shown(&mut tab), "port = 45;");
}

#[test]
fn the_vision_dialect_fills_an_editor() {
    let Some(mut tab) = serve("monaco", &["--dialect", "vision"]) else { return };
    let url = tab.site.url("/");
    tab.call("browser.navigate", json!({ "url": url })).ok();
    tab.call("browser.fill", json!({ "selector": "role:textbox", "value": "port = 1" })).ok();
    let read = json!({ "script": "return document.querySelector('.view-lines').innerText" });
    let shown = tab.call("browser.evaluate", read).text().replace('\u{a0}', " ");
    assert!(shown.contains("port = 1"), "{shown}");
}

/// The lines that the editor shows.
fn shown(tab: &mut Tab) -> String {
    text(&tab.evaluate("document.querySelector('.view-lines').innerText")).replace('\u{a0}', " ")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
