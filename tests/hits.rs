//! Hits: what a click reaches, what is said where it cannot, and keys.

use serde_json::json;

use crate::support::{Reply, Tab, open, open_with};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

const QUICK: [&str; 2] = ["--action-timeout", "1s"];

#[test]
fn what_lets_the_pointer_through_cannot_be_clicked() {
    let page = "<div onclick=\"document.title = 'parent'\"><button style='pointer-events: none'>Pay</button> more</div>";
    let mut tab = open_with(&QUICK, page);
    click(&mut tab, "button").fails("takes no pointer (pointer-events: none)");
    assert_eq!(tab.evaluate("document.title"), "");
}

#[test]
fn a_cover_is_named_with_what_closes_it() {
    let page = "<button id=buy>Buy</button>
        <div role=dialog aria-label='Cookie consent' style='position: fixed; inset: 0; background: white'>
        <p role=note aria-label=Fine>We use cookies</p><button>Accept all</button><button>Reject all</button></div>";
    let mut tab = open_with(&QUICK, page);
    let snapshot = tab.snapshot();
    let [dialog, accept, reject] =
        ["dialog \"Cookie consent\"", "Accept all", "Reject all"].map(|words| snapshot.reference(words));
    click(&mut tab, "#buy").fails(&format!(
        "covered by dialog \"Cookie consent\" ({dialog}); it has Accept all ({accept}), Reject all ({reject})"
    ));
}

/// A dialog above a button, with what is drawn around or beside it.
fn behind(cover: &str) -> Tab {
    let style = "<style>.cover { position: fixed; inset: 0; background: #0008 } .box { position: fixed; top: 60%; background: white }</style>";
    open_with(&QUICK, &format!("{style}<button id=buy>Buy</button>{cover}"))
}

/// The dialog and its buttons in the error.
#[track_caller]
fn names_the_dialog(cover: &str) {
    let mut tab = behind(cover);
    let snapshot = tab.snapshot();
    let (dialog, close) = (snapshot.reference("dialog \"Hello\""), snapshot.reference("button \"Close\""));
    click(&mut tab, "#buy").fails(&format!("covered by dialog \"Hello\" ({dialog}); it has Close ({close})"));
}

#[test]
fn a_backdrop_is_named_by_its_dialog() {
    let dialog = "<div class=box role=dialog aria-modal=true aria-label=Hello><button>Close</button></div>";
    names_the_dialog(&format!("<div class=cover></div>{dialog}"));
    names_the_dialog(&format!("<div class=cover>{dialog}</div>"));
    names_the_dialog(&format!(
        "<div><div class=cover></div>{}</div>",
        dialog.replace(" aria-modal=true", "")
    ));
    // A dialog that hides the page behind it instead of being marked as modal.
    let hides = "<script>buy.setAttribute('aria-hidden', true)</script>";
    let unmarked = dialog.replace(" aria-modal=true", "");
    names_the_dialog(&format!("<div class=cover></div><section>{unmarked}</section>{hides}"));
    // One that takes the pointer from the page.
    let style = "<style>body { pointer-events: none } .cover, .box { pointer-events: auto }</style>";
    names_the_dialog(&format!("{style}<div class=cover></div>{dialog}"));
}

#[test]
fn a_cover_is_not_named_by_a_dialog_that_has_nothing_to_do_with_it() {
    let chat = "<div class=box role=dialog aria-label=Chat><button>Send</button></div>";
    let mut tab = behind(&format!("<div class=cover></div><div>{chat}</div>"));
    click(&mut tab, "#buy").fails("is covered by generic");
}

#[test]
fn what_pulses_or_moves_for_ever_can_be_clicked() {
    let page = "<style>@keyframes pulse { 50% { transform: scale(1.2) } } @keyframes sway { 50% { transform: translateX(20px) } }
        #pulse { animation: pulse .5s infinite } #sway { animation: sway 1s infinite; width: 200px }</style>
        <button id=pulse onclick=\"this.textContent = 'One'\">Pulse</button><p></p>
        <button id=sway onclick=\"this.textContent = 'Two'\">Sway</button>";
    let mut tab = open(page);
    click(&mut tab, "#pulse").says("One");
    click(&mut tab, "#sway").says("Two");
}

#[test]
fn choosing_an_option_leaves_no_list_open() {
    let page = "<div id=wrap><select aria-label=Size><option>Small</option><option>Large</option></select>
        <ul id=list hidden style='position: absolute; background: white; margin: 0; width: 300px; height: 200px'><li>Small</li><li>Large</li></ul></div>
        <button onclick=\"document.title = 'next'\">Next</button>
        <script>const open = () => list.hidden = false;
        wrap.addEventListener('mousedown', open); wrap.addEventListener('focusin', open);
        document.addEventListener('mousedown', e => { if (!wrap.contains(e.target)) list.hidden = true });
        wrap.addEventListener('focusout', () => list.hidden = true);</script>";
    let mut tab = open(page);
    tab.call("browser_select_option", json!({ "ref": "select", "values": ["Large"] })).says("Large");
    click(&mut tab, "button").says("Clicked button \"Next\"");
    assert_eq!(tab.evaluate("document.title"), "next");
    assert_eq!(tab.evaluate("document.querySelector('select').value"), "Large");
}

#[test]
fn a_choice_that_the_page_does_not_show_is_told() {
    let page = |script: &str| {
        format!("<style>#box {{ position: relative; width: 200px; height: 30px }} select {{ position: absolute; opacity: 0 }}</style>
        <div id=box><span id=shown>Small</span><select aria-label=Size><option>Small</option><option>Large</option></select></div><script>{script}</script>")
    };
    let large = json!({ "ref": "select", "values": ["Large"] });
    let mut tab = open(&page(""));
    let told = tab.call("browser_select_option", large.clone());
    told.says("combobox \"Size\"")
        .says("is invisible, and what the page shows in its place still has the old choice");
    let mut tab = open(&page(
        "document.querySelector('select').onchange = e => setTimeout(() => shown.textContent = e.target.value)",
    ));
    tab.call("browser_select_option", large).says("Large").says_not("cannot be seen");
}

#[test]
fn only_shift_holds_shift() {
    let page = "<input autofocus><p id=p></p><script>
        addEventListener('keydown', e => { if (e.key.length == 1) { p.textContent = (e.shiftKey ? 'Save as ' : 'Save ') + e.key; e.preventDefault() } })</script>";
    let mut tab = open(page);
    tab.call("browser_press_key", json!({ "key": "Control+S" })).says("Save s");
    tab.call("browser_press_key", json!({ "key": "Control+Shift+S" })).says("Save as S");
}

#[test]
fn the_focused_element_is_a_target() {
    let page = "<input id=one aria-label=One><input id=two aria-label=Two><iframe srcdoc='<input aria-label=Inner>'></iframe>";
    let mut tab = open(page);
    tab.call("browser_type", json!({ "ref": ":focus", "text": "x" })).fails("no element matches :focus");
    click(&mut tab, "#two").ok();
    tab.call("browser_type", json!({ "ref": ":focus", "text": "here" })).says("textbox \"Two\"");
    click(&mut tab, "label:Inner").ok();
    tab.call("browser_type", json!({ "ref": ":focus", "text": "there" })).says("textbox \"Inner\"");
}
