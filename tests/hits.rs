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
