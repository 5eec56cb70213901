//! Pages made of component libraries: portals, focus traps, modals, menus, toasts.

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

#[test]
fn bootstrap_modals_dropdowns_collapses_and_toasts() {
    let Some(mut tab) = open("bootstrap") else { return };
    let page = tab.snapshot();
    // The dialog comes after the backdrop has faded in: the reply waits for it.
    let modal = click(&mut tab, &page.reference("Delete account"));
    modal.says("+ dialog \"Really delete?\" [modal]").says("All data will be lost.");
    click(&mut tab, &page.reference("button \"Actions\"")).fails("is covered by dialog \"Really delete?\"");
    click(&mut tab, &modal.reference("Yes, delete")).says("status: Account deleted");
    let menu = click(&mut tab, &page.reference("button \"Actions\""));
    menu.says("button \"Actions\" [expanded]").says("link \"Archive\"");
    click(&mut tab, &menu.reference("link \"Archive\"")).says("button \"Actions\" [collapsed]");
    click(&mut tab, &page.reference("button \"Notify\"")).says("+ alert: You have been notified.");
    click(&mut tab, &page.reference("button \"More\"")).says("+ paragraph: Member since 2019.");
}

#[test]
fn radix_portals_hide_the_page_behind_them_and_give_it_back() {
    let Some(mut tab) = open("radix") else { return };
    let page = tab.snapshot();
    let dialog = click(&mut tab, &page.reference("button \"Edit profile\""));
    dialog.says("+ dialog \"Edit profile\"").says("elements behind it, hidden until it closes");
    // What is behind the dialog is not gone.
    dialog.says_not("- button").says_not("- heading");
    // The overlay is not the dialog, and stands beside it.
    let covered = click(&mut tab, &page.reference("button \"Options\""));
    covered.fails("is covered by dialog \"Edit profile\"").fails("it has Save changes").fails("Close (");
    type_into(&mut tab, &dialog.reference("textbox \"Name\""), "Grace").says("now holds \"Grace\"");
    click(&mut tab, &dialog.reference("button \"Save changes\"")).says("Profile saved");
    let closed = click(&mut tab, &dialog.reference("button \"Close\""));
    closed.says("- dialog \"Edit profile\"").says("~ heading \"Profile of Grace\"").says_not("+ button");
    let menu = click(&mut tab, &page.reference("button \"Options\""));
    menu.says("+ menu \"Options\"").says_not("- button");
    let sub = tab.call("browser_hover", json!({ "ref": menu.reference("menuitem \"Share\"") }));
    click(&mut tab, &sub.reference("menuitem \"By mail\"")).says("status: mailed").says_not("+ button");
    let fruits = click(&mut tab, &page.reference("combobox \"Fruit\""));
    click(&mut tab, &fruits.reference("option \"cherry\""))
        .says("combobox \"Fruit\" [collapsed] [active]")
        .says(": cherry");
    click(&mut tab, &page.reference("checkbox \"Newsletter\"")).says("[checked]");
    click(&mut tab, &page.reference("switch \"Dark mode\"")).says("[checked]");
    click(&mut tab, &page.reference("slider \"Volume\"")).ok();
    tab.call("browser_press_key", json!({ "key": "ArrowRight" })).says("(0–100): 31");
    click(&mut tab, &page.reference("tab \"Likes\"")).says("tab \"Likes\" [selected]").says("Five likes");
}

#[test]
fn material_ui_selects_menus_dialogs_and_snackbars() {
    let Some(mut tab) = open("mui") else { return };
    let page = tab.snapshot();
    // A frame around a field is not a line of its own.
    page.says("\n- textbox \"Traveller\"").says_not("aria-hidden");
    type_into(&mut tab, &page.reference("textbox \"Traveller\""), "Grace").says("now holds \"Grace\"");
    let cities = click(&mut tab, &page.reference("combobox \"City\""));
    cities.says("+ listbox \"City\"").says_not("- button").says_not("aria-hidden");
    click(&mut tab, &cities.reference("option \"Rome\"")).says("status: Rome, no film").says_not("+ button");
    let films = type_into(&mut tab, &page.reference("combobox \"Film\""), "Ama");
    click(&mut tab, &films.reference("option \"Amadeus\"")).says("status: Rome, Amadeus");
    click(&mut tab, &page.reference("checkbox \"Insurance\"")).says("[checked]");
    let budget = json!({ "fields": [{ "ref": page.reference("slider \"Budget\""), "value": "50" }] });
    tab.call("browser_fill_form", budget).says("now holds \"50\"");
    let menu = click(&mut tab, &page.reference("button \"MENU\""));
    click(&mut tab, &menu.reference("menuitem \"Print\"")).says("printed").says_not("+ button");
    let dialog = click(&mut tab, &page.reference("button \"BOOK\""));
    dialog.says("dialog \"Book the trip to Rome?\" [modal]").says_not("- button");
    click(&mut tab, &dialog.reference("button \"YES\"")).says("alert: Trip booked").says("booked");
}

#[test]
fn angular_material_fields_menus_dialogs_and_snackbars() {
    let Some(mut tab) = open("angular-material") else { return };
    let page = tab.snapshot();
    type_into(&mut tab, &page.reference("textbox \"Name\""), "Grace").says("status: Grace, S");
    let sizes = click(&mut tab, &page.reference("combobox \"Size\""));
    // The list is drawn inside the box, and is not its value.
    sizes.says("combobox \"Size\" [expanded] [active]").says(": Small\n").says("option \"Large\"");
    click(&mut tab, &sizes.reference("option \"Large\"")).says("status: Grace, L").says(": Large\n");
    click(&mut tab, &page.reference("checkbox \"Gift\"")).says("[checked]").says(", gift");
    let menu = click(&mut tab, &page.reference("button \"More\""));
    click(&mut tab, &menu.reference("menuitem \"Print\"")).says("printed");
    let dialog = click(&mut tab, &page.reference("button \"Order\""));
    dialog.says("+ dialog \"Place the order?\"").says_not("- button");
    click(&mut tab, &dialog.reference("button \"Yes\"")).says("ordered").says_not("- button");
    click(&mut tab, &page.reference("tab \"Reviews\""))
        .says("tab \"Reviews\" [selected]")
        .says("Four stars.");
}
