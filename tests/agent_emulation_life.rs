//! How long emulation lasts: across navigations, in frames, popups and workers, and when pages or browsers end.

use std::time::Instant;

use serde_json::json;

use crate::{
    agent_emulate::WITH_ACCESS,
    life::{kill_browser, kill_renderers, list_with_a_crash},
    support::{
        Answer, Site, Tab,
        agent::{DIALECT, data, fails, open},
        engine, open_site, open_with,
    },
};

const PAGE: &str = "<title>Page</title><link rel=icon href='data:,'><h1>Page</h1><script>
    var first = Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.language</script>";
const FIRST: &str = "() => first";
const NOW: &str = "() => Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.language";
const SIZE: &str = "() => [innerWidth, innerHeight, devicePixelRatio].join()";

fn in_tokyo(tab: &mut Tab) {
    data(&tab.call("emulate", json!({ "timezone": "Asia/Tokyo", "locale": "ja-JP" })));
}

#[test]
fn settings_hold_across_navigations_and_sites() {
    let mut tab = open(PAGE);
    in_tokyo(&mut tab);
    data(&tab.call("viewport", json!({ "width": 500, "height": 400, "device_scale_factor": 2 })));
    for url in [tab.site.url("/?2"), tab.site.other_url("/"), tab.site.url("/?3")] {
        tab.navigate(&url);
        assert_eq!(tab.evaluate(FIRST), "Asia/Tokyo ja-JP", "{url}: from the first script on");
        assert_eq!(tab.evaluate(SIZE), "500,400,2");
    }
    data(&tab.call("back", json!({})));
    assert_eq!(tab.evaluate(FIRST), "Asia/Tokyo ja-JP");
}

#[test]
fn frames_of_other_sites_have_the_settings_of_their_tab() {
    let site = Site::of(PAGE);
    site.answer("/outer", Answer::Html(format!("<iframe src='{}'></iframe>", site.other_url("/"))));
    let mut tab = open_site(&DIALECT, site);
    in_tokyo(&mut tab);
    let url = tab.site.url("/outer");
    tab.navigate(&url);
    let reply = tab.call("evaluate", json!({ "expression": "first", "frameId": 1 }));
    assert_eq!(data(&reply)["result"], "Asia/Tokyo ja-JP");
}

#[test]
fn popups_begin_with_the_settings_of_their_opener() {
    let mut tab = open(PAGE);
    in_tokyo(&mut tab);
    data(&tab.call("viewport", json!({ "width": 500, "height": 400, "device_scale_factor": 2 })));
    for (id, open) in
        [(2, "() => void open('/?popup')"), (3, "() => void open('/?popup', '_blank', 'noopener')")]
    {
        tab.evaluate(open);
        data(&tab.call("wait", json!({ "for": "url", "url": "**?popup", "tabId": id })));
        data(&tab.call("tab_switch", json!({ "tabId": id })));
        assert_eq!(tab.evaluate(NOW), "Asia/Tokyo ja-JP", "{open}");
        assert_eq!(tab.evaluate(SIZE), "500,400,2", "{open}");
        assert_eq!(data(&tab.call("emulate", json!({})))["timezone"], "Asia/Tokyo");
        data(&tab.call("reload", json!({})));
        assert_eq!(tab.evaluate(FIRST), "Asia/Tokyo ja-JP", "{open}");
        data(&tab.call("tab_switch", json!({ "tabId": 1 })));
    }
}

#[test]
fn popups_have_the_settings_of_their_opener_before_their_first_script() {
    let mut tab = open(PAGE);
    in_tokyo(&mut tab);
    tab.evaluate("() => void open('/?popup')");
    data(&tab.call("wait", json!({ "for": "url", "url": "**?popup", "tabId": 2 })));
    let reply = tab.call("evaluate", json!({ "expression": "first", "tabId": 2 }));
    assert_eq!(data(&reply)["result"], "Asia/Tokyo ja-JP");
}

#[test]
fn popups_keep_their_settings_when_their_opener_leaves() {
    let mut tab = open(PAGE);
    in_tokyo(&mut tab);
    tab.evaluate("() => void open('/?popup')");
    data(&tab.call("wait", json!({ "for": "url", "url": "**?popup", "tabId": 2 })));
    let look = |tab: &mut Tab| {
        let script = "Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.language";
        data(&tab.call("evaluate", json!({ "expression": script, "tabId": 2 })))["result"].clone()
    };
    let other = tab.site.other_url("/");
    tab.navigate(&other);
    assert_eq!(look(&mut tab), "Asia/Tokyo ja-JP");
    data(&tab.call("tab_close", json!({ "tabId": 1 })));
    assert_eq!(look(&mut tab), "Asia/Tokyo ja-JP");
}

/// Opens a popup in each way, and goes to it, by its tab id.
fn in_each_popup(tab: &mut Tab, look: impl Fn(&mut Tab, &str)) {
    for (id, open) in
        [(2, "() => void open('/?popup')"), (3, "() => void open('/?popup', '_blank', 'noopener')")]
    {
        tab.evaluate(open);
        data(&tab.call("wait", json!({ "for": "url", "url": "**?popup", "tabId": id })));
        data(&tab.call("tab_switch", json!({ "tabId": id })));
        look(tab, open);
        data(&tab.call("tab_switch", json!({ "tabId": 1 })));
    }
}

#[test]
fn popups_are_on_the_device_of_their_opener_and_at_its_place() {
    let mut tab = open(PAGE);
    let device = data(&tab.call("device", json!({ "name": "Pixel 7" }))).clone();
    let granted = json!([{ "name": "geolocation", "state": "granted" }]);
    data(&tab.call("permissions", json!({ "permissions": granted })));
    data(&tab.call("geolocation", json!({ "latitude": 1, "longitude": 2, "accuracy": 5 })));
    in_each_popup(&mut tab, |tab, open| {
        // Firefox does not pause popups: docs/engines.md says what they may send first.
        if engine().as_deref() != Some("firefox") {
            let sent = tab.site.header("/?popup", "user-agent");
            assert_eq!(sent.as_deref(), device["user_agent"].as_str(), "{open}: its first request");
        }
        assert_eq!(tab.evaluate("() => navigator.userAgent"), device["user_agent"], "{open}");
        // Not every engine has touch.
        assert_eq!(tab.evaluate("() => navigator.maxTouchPoints > 0"), device["has_touch"], "{open}");
        let place = "() => new Promise(done => navigator.geolocation.getCurrentPosition(
            at => done([at.coords.latitude, at.coords.longitude, at.coords.accuracy].join()), () => done('nowhere'),
            { timeout: 5000 }))";
        assert_eq!(tab.evaluate(place), "1,2,5", "{open}");
    });
}

#[test]
fn popups_have_the_network_of_their_opener() {
    let mut tab = open_with(&WITH_ACCESS, PAGE);
    tab.site.answer("/data", Answer::Body("text/plain", vec![b'x'; 20_000]));
    data(&tab.call("emulate", json!({ "network_throttle": "slow_3g" })));
    in_each_popup(&mut tab, |tab, open| {
        assert_eq!(data(&tab.call("emulate", json!({})))["network_throttle"], "slow_3g", "{open}");
        let begun = Instant::now();
        let fetch = "() => fetch('/data', { cache: 'no-store' }).then(it => it.text()).then(it => it.length)";
        assert_eq!(tab.evaluate(fetch), 20_000);
        assert!(begun.elapsed().as_millis() >= 2_000, "{open}: {:?}", begun.elapsed());
    });
}

#[test]
fn popups_of_a_page_without_a_network_have_none() {
    let mut tab = open(PAGE);
    data(&tab.call("emulate", json!({ "offline": true })));
    tab.evaluate("() => void open('about:blank')");
    data(&tab.call("tab_switch", json!({ "tabId": 2 })));
    assert_eq!(data(&tab.call("emulate", json!({})))["offline"], true);
    assert_eq!(tab.evaluate("() => navigator.onLine"), false);
    let fetch = format!("() => fetch('{}').then(() => 'there', () => 'not there')", tab.site.url("/data"));
    assert_eq!(tab.evaluate(&fetch), "not there");
    assert!(!tab.site.requests().iter().any(|request| request.contains("/data")));
}

#[test]
fn popups_have_the_processor_of_their_opener() {
    let mut tab = open(PAGE);
    let work = "() => { const begin = performance.now(); let sum = 0;
        for (let at = 0; at < 2e8; at++) sum += at % 7; return performance.now() - begin }";
    let time = |tab: &mut Tab| (0..3).map(|_| tab.evaluate(work).as_f64().unwrap()).fold(f64::MAX, f64::min);
    let fast = time(&mut tab);
    data(&tab.call("emulate", json!({ "cpu_throttle": 8 })));
    in_each_popup(&mut tab, |tab, open| {
        assert_eq!(data(&tab.call("emulate", json!({})))["cpu_throttle"], 8, "{open}");
        let slow = time(tab);
        assert!(slow > fast * 1.5, "{open}: {slow} ms instead of {fast} ms");
    });
}

#[test]
fn workers_have_the_settings_of_their_page() {
    let site = Site::of(PAGE);
    let worker = "onmessage = () => postMessage(Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.language)";
    site.answer("/worker.js", Answer::Body("text/javascript", worker.into()));
    let mut tab = open_site(&DIALECT, site);
    in_tokyo(&mut tab);
    let ask = "() => new Promise(done => { const worker = new Worker('/worker.js');
        worker.onmessage = ({ data }) => done(data); worker.postMessage(1) })";
    assert_eq!(tab.evaluate(ask), "Asia/Tokyo ja-JP");
}

#[test]
fn two_tabs_are_in_two_places() {
    let mut tab = open(PAGE);
    in_tokyo(&mut tab);
    let url = tab.site.url("/");
    data(&tab.call("tab_new", json!({ "url": url })));
    data(&tab.call("emulate", json!({ "timezone": "Europe/Rome", "locale": "it-IT" })));
    for again in 0..2 {
        for (id, wanted) in [(2, "Europe/Rome it-IT"), (1, "Asia/Tokyo ja-JP")] {
            data(&tab.call("tab_switch", json!({ "tabId": id })));
            assert_eq!(tab.evaluate(NOW), wanted, "{again}");
            data(&tab.call("reload", json!({})));
            assert_eq!(tab.evaluate(FIRST), wanted, "{again}");
        }
    }
}

#[test]
fn frames_of_two_tabs_are_in_two_places_or_that_is_said() {
    let site = Site::of(PAGE);
    site.answer("/outer", Answer::Html(format!("<iframe src='{}'></iframe>", site.other_url("/"))));
    let mut tab = open_site(&DIALECT, site);
    let url = tab.site.url("/outer");
    in_tokyo(&mut tab);
    tab.navigate(&url);
    data(&tab.call("tab_new", json!({})));
    data(&tab.call("emulate", json!({ "timezone": "Europe/Rome", "locale": "it-IT" })));
    let came = tab.navigate(&url);
    let reply = tab.call("evaluate", json!({ "expression": "first", "frameId": 1 }));
    if data(&reply)["result"] != "Europe/Rome it-IT" {
        let said = came.text() + &tab.call("emulate", json!({})).text();
        assert!(said.contains("and has that tab's time zone"), "{said}");
        // Where it is there already, it is refused.
        let reply = tab.call("emulate", json!({ "timezone": "Europe/Paris" }));
        fails(&reply, "SharedProcess", "the time zone cannot be set: the tab shares a browser process");
    }
    assert!(tab.evaluate(NOW).as_str().unwrap().starts_with("Europe/Rome it-IT"));
}

#[test]
fn a_popup_in_another_place_is_there_or_says_why_not() {
    let mut tab = open(PAGE);
    in_tokyo(&mut tab);
    tab.evaluate("() => void open('/?popup')");
    data(&tab.call("wait", json!({ "for": "url", "url": "**?popup", "tabId": 2 })));
    for (name, value, part) in [("timezone", "Europe/Rome", 0), ("locale", "it-IT", 1)] {
        let reply = tab.call("emulate", json!({ name: value, "tabId": 2 }));
        if reply.failed() {
            fails(&reply, "SharedProcess", "shares a browser process with another tab");
        }
        let script = "Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + navigator.language";
        let looked = tab.call("evaluate", json!({ "expression": script, "tabId": 2 }));
        let seen = data(&looked)["result"].as_str().unwrap().split(' ').nth(part).unwrap().to_owned();
        let before = ["Asia/Tokyo", "ja-JP"][part];
        assert_eq!(seen, if reply.failed() { before } else { value });
    }
    assert_eq!(tab.evaluate(NOW), "Asia/Tokyo ja-JP");
}

#[test]
fn a_crashed_page_comes_back_with_its_settings() {
    let mut tab = open_with(&WITH_ACCESS, PAGE);
    in_tokyo(&mut tab);
    data(&tab.call("emulate", json!({ "color_scheme": "dark" })));
    data(&tab.call(
        "device",
        json!({ "custom": { "viewport": { "width": 500, "height": 400 }, "user_agent": "Fridge/1.0" } }),
    ));
    kill_renderers(&tab);
    list_with_a_crash(&mut tab);
    for (tool, arguments) in
        [("viewport", json!({ "width": 300, "height": 300 })), ("emulate", json!({ "locale": "it-IT" }))]
    {
        let reply = tab.call(tool, arguments);
        if reply.failed() {
            fails(&reply, "Crashed", "crashed");
            break;
        }
    }
    let reply = tab.call("emulate", json!({}));
    assert_eq!(data(&reply)["timezone"], "Asia/Tokyo");
    assert_eq!(tab.evaluate(FIRST), "Asia/Tokyo ja-JP");
    assert_eq!(tab.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches"), true);
    assert_eq!(tab.evaluate(SIZE), "500,400,1");
    assert_eq!(tab.evaluate("() => navigator.userAgent"), "Fridge/1.0");
}

#[test]
fn the_tab_that_replaces_those_of_a_killed_browser_has_the_settings_of_the_active_one() {
    let mut tab = open(PAGE);
    in_tokyo(&mut tab);
    data(&tab.call("viewport", json!({ "width": 500, "height": 400 })));
    data(&tab.call("permissions", json!({ "permissions": [{ "name": "geolocation", "state": "granted" }] })));
    data(&tab.call("geolocation", json!({ "latitude": 1, "longitude": 2 })));
    kill_browser(&tab);
    let url = tab.site.url("/");
    let mut reply = tab.call("navigate", json!({ "url": url }));
    if reply.failed() {
        reply = tab.call("navigate", json!({ "url": url }));
    }
    data(&reply);
    assert_eq!(tab.evaluate(FIRST), "Asia/Tokyo ja-JP");
    assert_eq!(tab.evaluate(SIZE), "500,400,1");
    let reply = tab.call("geolocation", json!({ "latitude": 1, "longitude": 2 }));
    assert_eq!(data(&reply)["permission"], "granted");
    assert_eq!(data(&tab.call("emulate", json!({})))["locale"], "ja-JP");
}

#[test]
fn closed_tabs_have_nothing_to_emulate() {
    let mut tab = open(PAGE);
    let url = tab.site.url("/");
    data(&tab.call("tab_new", json!({ "url": url })));
    data(&tab.call("emulate", json!({ "timezone": "Asia/Tokyo" })));
    data(&tab.call("tab_close", json!({ "tabId": 2 })));
    for (tool, arguments) in [
        ("viewport", json!({ "width": 300, "height": 300, "tabId": 2 })),
        ("device", json!({ "name": "Desktop 4K", "tabId": 2 })),
        ("geolocation", json!({ "clear": true, "tabId": 2 })),
        (
            "permissions",
            json!({ "permissions": [{ "name": "geolocation", "state": "granted" }], "tabId": 2 }),
        ),
        ("emulate", json!({ "offline": true, "tabId": 2 })),
    ] {
        fails(&tab.call(tool, arguments), "NoTab", "unknown tab id 2");
    }
    assert!(!tab.evaluate(NOW).as_str().unwrap().starts_with("Asia/Tokyo"));
}
