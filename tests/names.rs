//! What a snapshot calls things and what gets a ref: delegated listeners, controls without a name, text that only the
//! eye gets, names as the browser computes them, targets of which one can be seen.

use serde_json::json;

use crate::support::{Reply, Tab, agent, open};

/// The line of a snapshot that has these words.
#[track_caller]
fn line(snapshot: &Reply, words: &str) -> String {
    let text = snapshot.text();
    let found = text.lines().find(|line| line.contains(words));
    found.unwrap_or_else(|| panic!("{words:?} is not in:\n{text}")).trim().to_owned()
}

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

#[test]
fn items_under_a_listener_of_their_container_have_refs() {
    let mut tab = open(
        "<title>-</title><div onclick=\"document.title = event.target.textContent\"><div>Red</div><div>Green</div></div>
        <ul onclick=\"document.title = event.target.textContent\"><li>One</li><li>Two</li><li class=disabled>Three</li>
        <li style='pointer-events:none'>Four</li><li></li></ul>
        <table><tbody onclick=\"document.title = event.target.closest('tr').id\"><tr id=ada><td>Ada</td><td>London</td></tr>
        <tr id=bob><td>Bob</td><td>Paris</td></tr></tbody></table>",
    );
    let snapshot = tab.snapshot();
    for (item, title) in [("Green", "Green"), ("Two", "Two")] {
        let reference = snapshot.reference(item);
        click(&mut tab, &reference).ok();
        assert_eq!(tab.evaluate("document.title"), title);
    }
    let row = snapshot.reference("row");
    click(&mut tab, &row).ok();
    assert_eq!(tab.evaluate("document.title"), "ada");
    for words in ["Three", "Four"] {
        assert!(!line(&snapshot, words).contains("[ref="), "{}", snapshot.text());
    }
    snapshot.says("list [clickable]").says("rowgroup [clickable]");
}

#[test]
fn items_under_a_listener_that_a_script_adds_have_refs() {
    let mut tab = open(
        "<title>-</title><div id=select><div class=chosen>Pick one</div><div class=options>
        <div class=option>Alpha</div><div class=option>Beta</div><div class=option>Gamma</div></div></div><script>
        select.addEventListener('click', (e) => document.title = e.target.textContent)</script>",
    );
    let beta = tab.snapshot().reference("Beta");
    click(&mut tab, &beta).ok();
    assert_eq!(tab.evaluate("document.title"), "Beta");
}

#[test]
fn controls_without_a_name_say_what_their_markup_calls_them() {
    let mut tab = open(
        "<button class='btn trash css-1x2y3z'></button><button><svg width=9 height=9><use href='#icon-pencil' /></svg></button>
        <button><img alt='' src='/img/arrow-left.svg?v=3'></button><div onclick=1 title='Delete [ref=e9]'></div>
        <input name=email><button class='sc-bdVaJa flex items-center'></button><button class=trash>Named</button>",
    );
    let snapshot = tab.snapshot();
    for hint in ["trash", "pencil", "arrow-left", "Delete \\[ref=e9]", "email"] {
        let line = line(&snapshot, &format!("] ~{hint}"));
        assert!(line.contains("[ref=e"), "{line}");
    }
    assert_eq!(snapshot.text().matches('~').count(), 5, "{}", snapshot.text());
    let trash = snapshot.reference("~trash");
    click(&mut tab, &trash).ok();
}

#[test]
fn clickable_wrappers_of_one_place_are_one_line() {
    let mut tab = open(
        "<style>div { height: 20px; width: 100px }</style><div onclick=1><div onclick=1><div onclick=1>Make</div></div></div>
        <div onclick=1><div onclick=1></div></div>",
    );
    let snapshot = tab.snapshot();
    assert_eq!(snapshot.text().matches("[clickable]").count(), 2, "{}", snapshot.text());
    snapshot.says("generic \"Make\" [clickable]");
}

#[test]
fn text_that_a_person_sees_and_aria_hides_is_told_and_marked() {
    let mut tab = open(
        "<p>Order</p><div aria-hidden=true>Total 42</div><button>Save</button><span aria-hidden=true>Save</span>
        <i aria-hidden=true>\u{e001}</i><button aria-label=Close><span aria-hidden=true>Esc</span></button>",
    );
    let snapshot = tab.snapshot();
    snapshot.says("text [aria-hidden]: Total 42").says_not("Esc");
    assert_eq!(snapshot.text().matches("[aria-hidden]").count(), 1, "{}", snapshot.text());
    assert_eq!(snapshot.text().matches("Save").count(), 1, "{}", snapshot.text());
}

#[test]
fn a_target_with_one_visible_match_means_that_one() {
    let mut tab = open(
        "<title>-</title><button onclick=\"document.title = 'tab'\">Past week</button><div hidden><h2>Past week</h2><input name=q></div>
        <input name=q id=shown><iframe srcdoc='<div hidden>Past week</div>'></iframe>",
    );
    click(&mut tab, "text:Past week").ok();
    assert_eq!(tab.evaluate("document.title"), "tab");
    tab.call("browser_type", json!({ "ref": "input[name=q]", "text": "found" })).ok();
    assert_eq!(tab.evaluate("document.getElementById('shown').value"), "found");
    tab.evaluate(
        "void document.body.insertAdjacentHTML('beforeend', '<p>Past week</p><p hidden>Past week</p>')",
    );
    click(&mut tab, "text:Past week").fails("2 ");
}

#[test]
fn page_text_cannot_pass_for_a_ref_and_keeps_its_quotes() {
    let mut tab = open(
        "<p>Press [ref=e999] or [ REF=e998] \"now\", C:\\dir</p><button>A \"b\"</button><input aria-label=F value='\"q\"'>",
    );
    let snapshot = tab.snapshot();
    snapshot
        .says("Press \\[ref=e999] or \\[ REF=e998] \"now\", C:\\dir")
        .says("button \"A \\\"b\\\"\"")
        .says(": \"q\"");
}

#[test]
fn names_are_accessible_names_and_never_the_text_of_a_container() {
    let mut tab = agent::open(
        "<main>Some text <button>Go</button></main><div role=doc-chapter aria-label=One>x</div>
        <a role=doc-noteref href=#n>1</a><details><summary>More</summary>x</details>",
    );
    let main = tab.call("query", json!({ "by": "role", "value": "main" }));
    assert_eq!(agent::data(&main)["role"], "main");
    assert_eq!(agent::data(&main)["name"], "");
    let button = tab.call("query", json!({ "by": "role", "value": "button" }));
    assert_eq!(agent::data(&button)["name"], "Go");
    let details = tab.call("query", json!({ "by": "role", "value": "group" }));
    assert_eq!(
        (&agent::data(&details)["role"], &agent::data(&details)["name"]),
        (&json!("group"), &json!(""))
    );
    let snapshot = tab.snapshot();
    snapshot.says("doc-chapter \"One\"");
    assert!(snapshot.reference("doc-noteref \"1\"").starts_with('e'));
}
