//! Data grids: read, sort, filter, edit, turn the page, select.

use serde_json::json;

use crate::{
    site::open,
    support::{Reply, Tab},
};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

#[test]
fn ag_grid_is_sorted_paged_edited_and_selected() {
    let Some(mut tab) = open("ag-grid") else { return };
    let page = tab.snapshot();
    page.says("columnheader \"Price\"").says("gridcell \"Toyota\"").says("text: 1 to 20 of 200");
    let sorted = click(&mut tab, &page.reference("columnheader \"Price\""));
    sorted.says("columnheader \"Price\" [clickable] [sorted=ascending]").says("M185");
    let next = click(&mut tab, "role:button[name=\"Next Page\"]");
    next.says("spinbutton \"Page number, 2 of 10\"").says("+ text: 21 to 40 of 200");
    // Rows are told by what they hold, not by the control that all of them begin with.
    next.says_not("row selection (unc…");
    // The rows from before the grid was sorted fade out for a while.
    tab.call("browser_wait_for", json!({ "textGone": "12919" })).ok();
    let first = tab.snapshot().reference("gridcell \"1");
    tab.call("browser_click", json!({ "ref": first, "doubleClick": true })).says("[active]");
    let typed = json!({ "ref": ":focus", "text": "777", "submit": true });
    tab.call("browser_type", typed).says("costs 777").says("gridcell \"777\"");
    let row = tab.snapshot().reference("checkbox \"Press Space");
    click(&mut tab, &row).says("[selected]").says("[checked]").says_not("in row \"Press Space");
    let size = click(&mut tab, "role:combobox");
    click(&mut tab, &size.reference("option \"50\"")).says("combobox \"Page Size\"").says(": 50");
}

#[test]
fn tabulator_is_sorted_filtered_and_edited() {
    let Some(mut tab) = open("tabulator") else { return };
    let page = tab.snapshot();
    page.says("gridcell \"Person 0\"").says("columnheader \"Age\"");
    let sorted = click(&mut tab, &page.reference("columnheader \"Age\""));
    sorted.says("[sorted=ascending]").says("~ moved: ");
    // The filter is applied 300 ms after the last key: the reply waits for it.
    let filtered =
        tab.call("browser_type", json!({ "ref": page.reference("searchbox"), "text": "Person 7" }));
    filtered.says("now holds \"Person 7\"").says("rows");
    let only = tab.snapshot();
    only.says("gridcell \"Person 7\"").says_not("gridcell \"Person 8\"");
    let editing = click(&mut tab, &only.reference("gridcell \"29\""));
    editing.says("spinbutton");
    tab.call("browser_type", json!({ "ref": ":focus", "text": "99", "submit": true }))
        .says("Person 7: age is 99");
    let choosing = click(&mut tab, &only.reference("gridcell \"Rome\""));
    let choosing = if choosing.text().contains("Lima") { choosing } else { tab.snapshot() };
    click(&mut tab, &choosing.reference("Lima")).says("Person 7: city is Lima");
}
