//! `tabId` of the `agent` dialect's tools: they act on that tab, though another one is active.

use cicerone_media::Picture;
use serde_json::{Value, json};

use crate::support::{
    Reply, Tab,
    agent::{data, open},
};

/// Long and red; the active tab is short and blue.
const BEHIND: &str =
    "<meta name=viewport content='width=device-width'><title>Behind</title><link rel=icon href='data:,'>
    <body style='margin: 0; background: red; height: 6000px'>";
const ACTIVE: &str =
    "<meta name=viewport content='width=device-width'><title>Active</title><link rel=icon href='data:,'>
    <body style='margin: 0; background: blue'>";

const SIZE: &str = "[innerWidth, innerHeight].join()";
const AGENT: &str = "navigator.userAgent";
const MAY_LOCATE: &str = "navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)";

/// The value of an expression in a tab.
#[track_caller]
fn seen(tab: &mut Tab, id: u32, expression: &str) -> Value {
    let reply = tab.call("evaluate", json!({ "expression": expression, "tabId": id }));
    data(&reply)["result"].clone()
}

/// The first tab, behind a second one on another site.
fn two_tabs() -> Tab {
    let mut tab = open(BEHIND);
    tab.site.answer("/active", crate::support::Answer::Html(ACTIVE.into()));
    let url = tab.site.other_url("/active");
    data(&tab.call("tab_new", json!({ "url": url })));
    tab
}

/// Whether a picture is of the tab behind.
fn is_red(picture: &Picture) -> bool {
    let [red, _, blue, _] = picture.pixel(picture.width() / 2, picture.height() / 2);
    red > 200 && blue < 60
}

fn is_printed_long(_: &mut Tab, reply: &Reply) {
    assert!(data(reply)["pages"].as_u64().unwrap() > 2, "{}", reply.text());
}

fn shows_the_tab_behind(_: &mut Tab, reply: &Reply) {
    assert!(is_red(&Picture::decode(&reply.images()[0].1).unwrap()));
}

fn has_recorded_the_tab_behind(tab: &mut Tab, reply: &Reply) {
    assert_eq!(data(reply)["tabId"], 1);
    data(&tab.call("record", json!({ "action": "capture_frame", "tabId": 1 })));
    data(&tab.call("record", json!({ "action": "stop", "tabId": 1, "save_path": "behind.gif" })));
    let file = std::fs::File::open(tab.working_directory().join("behind.gif")).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let frame = decoder.read_next_frame().unwrap().unwrap();
    let middle =
        (usize::from(frame.height) / 2 * usize::from(frame.width) + usize::from(frame.width) / 2) * 4;
    let (red, blue) = (frame.buffer[middle], frame.buffer[middle + 2]);
    assert!(red > 200 && blue < 60, "red {red}, blue {blue}");
}

fn is_600_wide_behind(tab: &mut Tab, _: &Reply) {
    assert_eq!(seen(tab, 1, SIZE), "600,500");
    assert_ne!(seen(tab, 2, SIZE), "600,500");
}

fn is_a_fridge_behind(tab: &mut Tab, _: &Reply) {
    assert_eq!(seen(tab, 1, AGENT), "Fridge/1.0");
    assert_ne!(seen(tab, 2, AGENT), "Fridge/1.0");
}

fn may_locate_behind(tab: &mut Tab, reply: &Reply) {
    let origin = tab.site.url("");
    reply.says(&format!("{origin}: geolocation granted"));
    assert_eq!(seen(tab, 1, MAY_LOCATE), "granted");
    assert_eq!(seen(tab, 2, MAY_LOCATE), "prompt");
}

fn is_located_behind(tab: &mut Tab, reply: &Reply) {
    assert_eq!(data(reply)["permission"], "granted", "that of the tab's own site");
    let place = "new Promise(done => navigator.geolocation.getCurrentPosition(
        at => done([at.coords.latitude, at.coords.longitude].join()), () => done('nowhere'), { timeout: 5000 }))";
    let origin = tab.site.other_url("");
    let granted = json!([{ "name": "geolocation", "state": "granted" }]);
    data(&tab.call("permissions", json!({ "permissions": granted, "origin": origin })));
    assert_ne!(seen(tab, 2, place), "1,2");
    data(&tab.call("tab_switch", json!({ "tabId": 1 })));
    assert_eq!(seen(tab, 1, place), "1,2");
    data(&tab.call("tab_switch", json!({ "tabId": 2 })));
}

/// A tool, its arguments but for the tab, and what must be seen then.
type Row = (&'static str, Value, fn(&mut Tab, &Reply));

#[test]
fn tools_act_on_the_tab_that_is_named_though_another_is_active() {
    let mut tab = two_tabs();
    let rows: [Row; 7] = [
        ("screenshot", json!({}), shows_the_tab_behind),
        ("pdf", json!({ "save_path": "behind.pdf" }), is_printed_long),
        ("record", json!({ "action": "start" }), has_recorded_the_tab_behind),
        ("viewport", json!({ "width": 600, "height": 500 }), is_600_wide_behind),
        ("device", json!({ "custom": { "user_agent": "Fridge/1.0" } }), is_a_fridge_behind),
        (
            "permissions",
            json!({ "permissions": [{ "name": "geolocation", "state": "granted" }] }),
            may_locate_behind,
        ),
        ("geolocation", json!({ "latitude": 1, "longitude": 2 }), is_located_behind),
    ];
    for (tool, mut arguments, check) in rows {
        arguments["tabId"] = 1.into();
        let reply = tab.call(tool, arguments);
        data(&reply);
        check(&mut tab, &reply);
        let active = tab.call("title", json!({}));
        assert_eq!(data(&active)["title"], "Active", "{tool} changed the active tab");
    }
}
