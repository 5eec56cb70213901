//! What is dragged, swiped and zoomed: calendars, sortable lists, a carousel, a map.

use serde_json::json;

use crate::{
    site::open,
    support::{Reply, Tab},
};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

fn drag(tab: &mut Tab, from: &str, to: &str) -> Reply {
    tab.call("browser_drag", json!({ "startRef": from, "endRef": to }))
}

fn items(tab: &mut Tab, list: &str) -> String {
    let script = format!(
        "[...document.querySelectorAll('{list} > li')].map((item) => item.textContent.trim()).join()"
    );
    tab.evaluate(&script).as_str().unwrap().to_owned()
}

#[test]
fn fullcalendar_tells_days_and_events_and_an_event_is_dragged() {
    let Some(mut tab) = open("fullcalendar") else { return };
    let page = tab.snapshot();
    page.says("heading \"March 2026\"").says("gridcell \"March 10, 2026\"").says("button \"Review\"");
    click(&mut tab, &page.reference("March 18, 2026")).says("status: day 2026-03-18");
    click(&mut tab, &page.reference("button \"Release\"")).says("status: event Release");
    let dragged = drag(&mut tab, &page.reference("button \"Review\""), &page.reference("March 24, 2026"));
    dragged.says("status: Review is on 2026-03-24");
    click(&mut tab, &page.reference("button \"Next Month\"")).says("heading \"April 2026\"");
    let week = click(&mut tab, &page.reference("tab \"Week view\""));
    // Doubled labels of the columns stay out.
    week.says("tab \"Week view\" [selected]").says("columnheader \"March 29, 2026\"").says_not("Sun 29");
}

#[test]
fn sortablejs_is_sorted_within_a_list_and_between_lists() {
    let Some(mut tab) = open("sortable") else { return };
    let page = tab.snapshot();
    let sorted = drag(&mut tab, &page.reference("\"Write\""), &page.reference("\"Ship\""));
    sorted.says("~ moved: listitem \"Write\"");
    assert_eq!(items(&mut tab, "#todo"), "Test,Ship,Write");
    // The lists make room in transitions: the pointer stays over the target until they have.
    let moved = drag(&mut tab, &page.reference("\"Test\""), &page.reference("\"Plan\""));
    moved.says("~ moved: listitem \"Test\"").says("listitem \"Plan\"");
    assert_eq!(items(&mut tab, "#todo"), "Ship,Write");
    assert_eq!(items(&mut tab, "#done").matches("Test").count(), 1);
}

#[test]
fn jquery_ui_is_sorted_and_its_dialog_and_tabs_are_used() {
    let Some(mut tab) = open("jquery-ui") else { return };
    let page = tab.snapshot();
    drag(&mut tab, &page.reference("\"Prelude\""), &page.reference("\"Toccata\"")).says("~ moved: listitem");
    assert!(items(&mut tab, "#list").starts_with("Fugue,"));
    let opened = click(&mut tab, &page.reference("textbox \"Date\""));
    opened.says("text: March 2026");
    click(&mut tab, &opened.reference("link \"12\"")).says(": 03/12/2026");
    let dialog = click(&mut tab, &page.reference("button \"Open\""));
    dialog.says("+ dialog \"Settings\"").says("Volume is 7.");
    click(&mut tab, &dialog.reference("button \"Close\"")).says("- dialog \"Settings\"");
    click(&mut tab, &page.reference("tab \"Two\"")).says("tab \"Two\" [selected]").says("Second panel");
}

#[test]
fn swiper_is_moved_by_its_buttons_and_by_a_swipe() {
    let Some(mut tab) = open("swiper") else { return };
    let page = tab.snapshot();
    page.says("group \"1 / 3\"").says("button \"Go to slide 1\" [current]");
    click(&mut tab, &page.reference("button \"Next slide\"")).says("button \"Go to slide 2\" [current]");
    // To the left, by more than half a slide.
    let swiped = drag(&mut tab, &page.reference("group \"2 / 3\""), &page.reference("button \"Menu\""));
    swiped.says("button \"Go to slide 3\" [current]").says("button \"Next slide\" [disabled]");
}

#[test]
fn leaflet_opens_popups_zooms_and_shows_its_layers_on_hover() {
    let Some(mut tab) = open("leaflet") else { return };
    let page = tab.snapshot();
    let popup = click(&mut tab, &page.reference("button \"Office\""));
    popup.says("Open until six.").says("button \"Close popup\"");
    click(&mut tab, &page.reference("button \"Zoom in\"")).says("status: zoom 14");
    // The button is replaced by the list as soon as the pointer is over it.
    let layers = tab.call("browser_hover", json!({ "ref": page.reference("button \"Layers\"") }));
    layers.says("checkbox \"Depots\"");
    click(&mut tab, &layers.reference("checkbox \"Depots\"")).says("[checked]");
}

#[test]
fn a_click_on_what_the_pointer_drives_away_tells_what_it_would_have_hit() {
    let Some(mut tab) = open("leaflet") else { return };
    let layers = tab.snapshot().reference("button \"Layers\"");
    click(&mut tab, &layers).fails("Layers").says_not_visible();
}

trait NotVisible {
    fn says_not_visible(&self);
}

impl NotVisible for Reply {
    /// It was there until the pointer came.
    #[track_caller]
    fn says_not_visible(&self) {
        assert!(!self.text().contains("is not visible"), "{}", self.text());
    }
}
