//! Windows that a person sees, on a display of their own: Chrome shows its debugging bar there, and does not draw tabs in the
//! background.

use serde_json::json;

use crate::{
    own::{CLIENT, Own},
    support::chrome::eventually,
};

/// A button at the very bottom, which moves when the bar takes its room.
const BOTTOM: &str = "<title>0</title><body style='margin: 0'>
    <button style='position: fixed; bottom: 0; left: 0' onclick='document.title++'>Count</button>";

fn height(own: &Own, url: &str) -> i64 {
    let pages = own.chrome.cdp().targets("page");
    let tab = pages.iter().find(|page| page["url"] == url).unwrap();
    own.chrome.cdp().evaluate(tab["targetId"].as_str().unwrap(), "innerHeight").as_i64().unwrap()
}

#[test]
fn the_bar_that_takes_room_makes_no_click_miss() {
    let mut own = Own::headed(BOTTOM);
    let (mine, url) = (own.site.url("/mine"), own.site.url("/"));
    let before = eventually("the person's tab", || Some(height(&own, &mine)).filter(|height| *height > 100));
    // Clicks from the first moment on, while the bar comes.
    own.server.navigate(&url);
    let button = own.server.snapshot().reference("Count");
    for count in 1..=5 {
        own.server.call("browser_click", json!({ "ref": button })).ok();
        assert_eq!(own.server.evaluate("document.title"), count.to_string());
    }
    eventually("the bar", || (height(&own, &mine) < before).then_some(()));
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "6");
}

#[test]
fn a_tab_behind_the_persons_own_is_used_and_drawn_without_coming_to_the_front() {
    let mut own = Own::headed(BOTTOM);
    let url = own.site.url("/");
    own.server.navigate(&url);
    let in_front = "chrome.tabs.query({ active: true }).then(([tab]) => tab.url)";
    let mine = own.site.url("/mine");
    assert_eq!(own.chrome.in_worker(in_front), mine.as_str(), "the person's tab stays in front");
    assert_eq!(own.server.evaluate("document.visibilityState"), "visible");
    let frame = "new Promise((done) => requestAnimationFrame(() => done('drawn')))";
    assert_eq!(own.server.evaluate(frame), "drawn");
    let button = own.server.snapshot().reference("Count");
    own.server.call("browser_click", json!({ "ref": button })).ok();
    assert_eq!(own.server.evaluate("document.title"), "1");
    assert_eq!(own.chrome.in_worker(in_front), mine.as_str());
    assert_eq!(own.chrome.grouped(CLIENT), [url]);
}

#[test]
fn a_screenshot_of_a_tab_behind_the_persons_own_comes_every_time() {
    let mut own = Own::headed(BOTTOM);
    let url = own.site.url("/");
    own.server.navigate(&url);
    let back = "chrome.tabs.query({}).then((all) => all.find((tab) => tab.url.endsWith('/mine')).id)
        .then((id) => chrome.tabs.update(id, { active: true })).then(() => 0)";
    for _ in 0..4 {
        own.server.call("browser_take_screenshot", json!({})).ok();
        own.chrome.in_worker(back);
    }
}
