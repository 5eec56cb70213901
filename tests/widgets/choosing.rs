//! Choosing: selects drawn by scripts, and date pickers.

use serde_json::json;

use crate::{
    site::open,
    support::{Reply, Tab},
};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

fn type_into(tab: &mut Tab, target: &str, text: &str) -> Reply {
    tab.call("browser_type", json!({ "ref": target, "text": text }))
}

fn press(tab: &mut Tab, key: &str) -> Reply {
    tab.call("browser_press_key", json!({ "key": key }))
}

#[test]
fn select2_opens_is_searched_and_chosen_from() {
    let Some(mut tab) = open("select2") else { return };
    let page = tab.snapshot();
    let opened = click(&mut tab, &page.reference("combobox \"Alabama\""));
    opened.says("[expanded]").says("+  option \"Wyoming\"").says("searchbox [active]");
    type_into(&mut tab, ":focus", "Wy").says("- option \"Alabama\"");
    press(&mut tab, "Enter").says("status: state is WY").says("combobox \"Wyoming\" [collapsed]");
    type_into(&mut tab, &page.reference("searchbox"), "gr").says("option \"green\"");
    press(&mut tab, "Enter").says("status: tags is green");
}

#[test]
fn choices_opens_and_is_chosen_from() {
    let Some(mut tab) = open("choices") else { return };
    let page = tab.snapshot();
    let opened = click(&mut tab, &page.reference("~select-one"));
    opened.says("[expanded]").says("+  option \"Rome\"");
    click(&mut tab, &opened.reference("option \"Rome\"")).says("status: city is Rome");
    type_into(&mut tab, &page.reference("searchbox \"With\""), "Gr").says("option \"Grace");
    press(&mut tab, "Enter").says("status: with is Grace").says("button \"Remove item: Grace\"");
}

#[test]
fn a_choice_that_choices_does_not_show_is_told() {
    let Some(mut tab) = open("choices") else { return };
    tab.snapshot().ok();
    let select = json!({ "ref": "#city", "values": ["Rome"] });
    tab.call("browser_select_option", select.clone()).says("still has the old choice");
    tab.call("browser_select_option", select).says_not("still has the old choice");
}

#[test]
fn react_select_opens_is_searched_and_chosen_from() {
    let Some(mut tab) = open("react-select") else { return };
    let page = tab.snapshot();
    page.says("text: Red");
    let opened = click(&mut tab, &page.reference("combobox \"Colour\""));
    opened.says("combobox \"Colour\" [expanded]").says("+  option \"Blue\"");
    click(&mut tab, &opened.reference("option \"Blue\"")).says("status: blue with nothing");
    type_into(&mut tab, &page.reference("combobox \"Others\""), "Bla").says("+  option \"Black\"");
    press(&mut tab, "Enter").says("status: blue with black").says("button \"Remove Black\"");
}

#[test]
fn flatpickr_opens_inside_its_label_and_gives_a_day() {
    let Some(mut tab) = open("flatpickr") else { return };
    let page = tab.snapshot();
    let opened = click(&mut tab, &page.reference("textbox \"Arrival\""));
    opened.says("generic \"March 15, 2026\"").says("combobox \"Month\"");
    // The calendar opens inside the label, and is not the field's name.
    tab.snapshot().says("textbox \"Arrival\" [readonly] [active]");
    click(&mut tab, &opened.reference("March 15, 2026"))
        .says("status: arrives 2026-03-15")
        .says(": 2026-03-15");
    let typed = type_into(&mut tab, &page.reference("textbox \"Arrival\""), "2026-04-05");
    typed.fails("is read-only");
    let range = click(&mut tab, &page.reference("textbox \"Stay\""));
    click(&mut tab, &range.reference("March 17, 2026")).says("stays 2026-03-17");
    // Its days are drawn anew, and their refs follow.
    click(&mut tab, &range.reference("March 18, 2026")).says("stays 2026-03-17 to 2026-03-18");
}

#[test]
fn two_calendars_of_flatpickr_are_two() {
    let Some(mut tab) = open("flatpickr") else { return };
    let page = tab.snapshot();
    let arrival = click(&mut tab, &page.reference("textbox \"Arrival\"")).reference("March 15, 2026");
    let stay = click(&mut tab, &page.reference("textbox \"Stay\""));
    let text = stay.text();
    let gone = |line: &str| line.starts_with("- ") && line.contains("\"March 1, 2026");
    assert!(text.lines().any(gone), "{text}");
    stay.says("generic \"March 15, 2026\" [clickable]");
    let other = stay.reference("March 15, 2026");
    assert_ne!(other, arrival);
    click(&mut tab, &arrival).fails("not visible");
    click(&mut tab, &other).says("stays 2026-03-15").says_not("arrives");
}

#[test]
fn the_date_picker_of_material_ui_is_typed_into_and_chosen_from() {
    let Some(mut tab) = open("mui") else { return };
    let page = tab.snapshot();
    page.says("group \"Departure\"");
    type_into(&mut tab, &page.reference("spinbutton \"Day\""), "15").says("2026-03-15");
    let opened = click(&mut tab, &page.reference("button \"Choose date"));
    opened.says("+ dialog \"Departure\"").says("gridcell \"15\" [selected]");
    click(&mut tab, &opened.reference("gridcell \"20\"")).says("2026-03-20");
}

#[test]
fn the_date_picker_of_angular_material_is_typed_into_and_chosen_from() {
    let Some(mut tab) = open("angular-material") else { return };
    let page = tab.snapshot();
    type_into(&mut tab, &page.reference("textbox \"Delivery\""), "4/5/2026").says("Sun Apr 05 2026");
    let opened = click(&mut tab, &page.reference("button \"Open calendar\""));
    opened.says("+ dialog \"Delivery\"").says("button \"April 5, 2026\" [pressed]");
    click(&mut tab, "role:button[name=\"April 20, 2026\"]").says("Mon Apr 20 2026");
}
