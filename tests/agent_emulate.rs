//! `geolocation`, `permissions` and `emulate`: what the page and its server see of them.

use std::time::Instant;

use serde_json::{Value, json};

use crate::support::{
    Answer, Tab,
    agent::{DIALECT, data, fails, open},
    open_with,
};

/// A browser that can do all that its engine can.
pub const WITH_ACCESS: [&str; 3] = ["--dialect", "agent,browser", "--system-access"];

const PAGE: &str = "<title>Page</title><link rel=icon href='data:,'><h1>Page</h1>";

const PLACE: &str = "() => new Promise(done => navigator.geolocation.getCurrentPosition(
    at => done([at.coords.latitude, at.coords.longitude, at.coords.accuracy].join()), () => done('nowhere'),
    { timeout: 5000 }))";
const ZONE: &str = "() => Intl.DateTimeFormat().resolvedOptions().timeZone + ' ' + new Date(0).getHours()";
const LANGUAGE: &str = "() => [navigator.language, Intl.NumberFormat().resolvedOptions().locale].join()";

fn matches(tab: &mut Tab, query: &str) -> bool {
    tab.evaluate(&format!("() => matchMedia('{query}').matches")).as_bool().unwrap()
}

fn grant(tab: &mut Tab, name: &str, state: &str) -> crate::support::Reply {
    tab.call("permissions", json!({ "permissions": [{ "name": name, "state": state }] }))
}

#[test]
fn a_place_is_told_to_pages_that_may_know_it() {
    let mut tab = open(PAGE);
    let reply = tab.call("geolocation", json!({ "latitude": 35.68, "longitude": 139.77 }));
    // Nobody would answer the question, so the client is told what to do.
    reply
        .says("35.68, 139.77 (within 100 m)")
        .says("grant it with permissions {\"permissions\": [{\"name\": \"geolocation\"");
    let facts = data(&reply);
    assert_eq!((&facts["latitude"], &facts["longitude"]), (&json!(35.68), &json!(139.77)));
    assert_eq!((&facts["accuracy"], &facts["permission"]), (&json!(100), &json!("prompt")));
    data(&grant(&mut tab, "geolocation", "granted"));
    assert_eq!(tab.evaluate(PLACE), "35.68,139.77,100");
    let reply =
        tab.call("geolocation", json!({ "latitude": -90, "longitude": 180, "accuracy": 5, "clear": false }));
    reply.says_not("grant it");
    assert_eq!(data(&reply)["permission"], "granted");
    assert_eq!(tab.evaluate(PLACE), "-90,180,5");
    let url = tab.site.url("/?next");
    tab.navigate(&url);
    assert_eq!(tab.evaluate(PLACE), "-90,180,5");
    let reply = tab.call("geolocation", json!({ "clear": true }));
    assert_eq!(data(&reply)["cleared"], true);
    assert_ne!(tab.evaluate(PLACE), "-90,180,5");
}

#[test]
fn places_that_are_none_are_refused() {
    let mut tab = open(PAGE);
    for (arguments, words) in [
        (json!({}), "Missing required argument: latitude"),
        (json!({ "longitude": 5 }), "Missing required argument: latitude"),
        (json!({ "latitude": 5 }), "Missing required argument: longitude"),
        (json!({ "latitude": 90.1, "longitude": 5 }), "latitude: it must be a number from -90 to 90"),
        (json!({ "latitude": -91, "longitude": 5 }), "latitude: it must be a number from -90 to 90"),
        (json!({ "latitude": 5, "longitude": 180.5 }), "longitude: it must be a number from -180 to 180"),
        (json!({ "latitude": 5, "longitude": 5, "accuracy": -1 }), "accuracy: it must be a number of metres"),
        (json!({ "latitude": 5, "longitude": 5, "clear": true }), "clear takes no latitude"),
    ] {
        tab.call("geolocation", arguments).refused(-32602, words);
    }
}

/// Each of these, with each state.
fn decides(names: &[&str]) {
    let mut tab = open(PAGE);
    let origin = tab.site.url("");
    for name in names {
        for state in ["granted", "denied", "granted", "prompt"] {
            let reply = grant(&mut tab, name, state);
            reply.says(&format!("{origin}: {name} {state}"));
            assert_eq!(data(&reply)["permissions"], json!([{ "name": name, "state": state }]));
            let query =
                format!("() => navigator.permissions.query({{ name: '{name}' }}).then(it => it.state)");
            assert_eq!(tab.evaluate(&query), state, "{name}");
        }
    }
}

#[test]
fn a_site_may_do_what_was_decided() {
    decides(&["geolocation", "notifications"]);
}

#[test]
fn a_site_may_use_devices_and_the_clipboard_as_decided() {
    decides(&["camera", "microphone", "clipboard-read", "clipboard-write"]);
}

#[test]
fn what_cannot_be_decided_is_said_and_changes_nothing() {
    let mut tab = open(PAGE);
    let both =
        json!([{ "name": "geolocation", "state": "granted" }, { "name": "camera", "state": "granted" }]);
    let reply = tab.call("permissions", json!({ "permissions": both }));
    let state =
        tab.evaluate("() => navigator.permissions.query({ name: 'geolocation' }).then(it => it.state)");
    if reply.failed() {
        fails(&reply, "Unsupported", "this browser cannot set the permission camera");
        assert_eq!(state, "prompt");
    } else {
        assert_eq!(state, "granted");
    }
}

#[test]
fn permissions_are_of_one_origin() {
    let mut tab = open(PAGE);
    let other = tab.site.other_url("/");
    let origin = other.trim_end_matches('/').to_owned();
    let settings = json!([{ "name": "geolocation", "state": "denied" }]);
    let reply = tab.call("permissions", json!({ "permissions": settings, "origin": other }));
    assert_eq!(data(&reply)["origin"], origin);
    let state = "() => navigator.permissions.query({ name: 'geolocation' }).then(it => it.state)";
    assert_eq!(tab.evaluate(state), "prompt");
    tab.navigate(&other);
    assert_eq!(tab.evaluate(state), "denied");
}

#[test]
fn permissions_that_are_none_are_refused() {
    let mut tab = open(PAGE);
    let good = json!([{ "name": "camera", "state": "granted" }]);
    for (permissions, words) in [
        (json!([]), "a list with at least one permission"),
        (json!([{ "state": "granted" }]), "an object with a name"),
        (json!([{ "name": "camera" }]), "an object with a state"),
        (json!([{ "name": "telepathy", "state": "granted" }]), "one of geolocation, notifications, camera"),
        (json!([{ "name": "camera", "state": "maybe" }]), "one of granted, denied, prompt"),
        (json!([{ "name": "camera", "state": "granted", "odd": 1 }]), "it has odd"),
        (json!([5]), "a list whose item 0 is an object"),
        (json!({}), "a list"),
    ] {
        tab.call("permissions", json!({ "permissions": permissions })).refused(-32602, words);
    }
    for origin in ["example.com", "ftp://example.com", "", "about:blank"] {
        let arguments = json!({ "permissions": good, "origin": origin });
        tab.call("permissions", arguments).refused(-32602, "an origin such as https://example.com");
    }
    tab.navigate("about:blank");
    fails(&tab.call("permissions", json!({ "permissions": good })), "NoOrigin", "the page has no origin");
}

#[test]
fn media_are_what_style_sheets_see() {
    let mut tab = open_with(&WITH_ACCESS, PAGE);
    for (argument, value, query, seen) in [
        ("color_scheme", "dark", "(prefers-color-scheme: dark)", true),
        ("color_scheme", "light", "(prefers-color-scheme: dark)", false),
        ("color_scheme", "no-preference", "(prefers-color-scheme: light)", true),
        ("reduced_motion", "reduce", "(prefers-reduced-motion: reduce)", true),
        ("reduced_motion", "no-preference", "(prefers-reduced-motion: reduce)", false),
        ("media", "print", "print", true),
        ("media", "screen", "print", false),
    ] {
        let reply = tab.call("emulate", json!({ argument: value }));
        let told = if value == "no-preference" && argument == "color_scheme" { "light" } else { value };
        reply.says(&format!("{argument} {told}"));
        assert_eq!(data(&reply)[argument], told);
        assert_eq!(matches(&mut tab, query), seen, "{argument} {value}");
    }
}

#[test]
fn forced_colours_are_what_style_sheets_see() {
    let mut tab = open_with(&WITH_ACCESS, PAGE);
    for (value, seen) in [("active", true), ("none", false)] {
        let reply = tab.call("emulate", json!({ "forced_colors": value }));
        reply.says(&format!("forced_colors {value}"));
        assert_eq!(data(&reply)["forced_colors"], value);
        assert_eq!(matches(&mut tab, "(forced-colors: active)"), seen, "{value}");
    }
}

#[test]
fn media_need_an_engine_that_has_them_or_system_access() {
    let mut tab = open(PAGE);
    let reply = tab.call("emulate", json!({ "color_scheme": "dark", "timezone": "Asia/Tokyo" }));
    if reply.failed() {
        fails(&reply, "Unsupported", "this browser cannot emulate media features without system access");
        assert!(reply.text().contains("--system-access"), "{}", reply.text());
        assert_eq!(data(&tab.call("emulate", json!({})))["timezone"], Value::Null, "nothing was changed");
    } else {
        assert!(matches(&mut tab, "(prefers-color-scheme: dark)"));
    }
}

#[test]
fn a_time_zone_is_that_of_dates() {
    let mut tab = open(PAGE);
    let truth = tab.evaluate(ZONE);
    let reply = tab.call("emulate", json!({ "timezone": "Asia/Tokyo" }));
    reply.says("Emulating timezone Asia/Tokyo");
    assert_eq!(data(&reply)["timezone"], "Asia/Tokyo");
    assert_eq!(tab.evaluate(ZONE), "Asia/Tokyo 9");
    data(&tab.call("emulate", json!({ "timezone": "America/New_York" })));
    assert_eq!(tab.evaluate(ZONE), "America/New_York 19");
    for unknown in ["Mars/Base", "Tokyo", "+09:00", "not a zone"] {
        fails(&tab.call("emulate", json!({ "timezone": unknown })), "UnknownTimeZone", "unknown time zone");
    }
    tab.call("emulate", json!({ "timezone": "" })).refused(-32602, "timezone: it must be a name");
    let url = tab.site.url("/?next");
    tab.navigate(&url);
    assert_eq!(tab.evaluate(ZONE), "America/New_York 19", "what failed changed nothing");
    tab.call("emulate", json!({ "timezone": null })).says("Nothing is emulated");
    assert_eq!(tab.evaluate(ZONE), truth);
}

#[test]
fn a_locale_is_seen_and_sent() {
    let mut tab = open(PAGE);
    let truth = tab.evaluate(LANGUAGE);
    let reply = tab.call("emulate", json!({ "locale": "de-CH" }));
    assert_eq!(data(&reply)["locale"], "de-CH");
    assert_eq!(tab.evaluate(LANGUAGE), "de-CH,de-CH");
    data(&tab.call("reload", json!({})));
    let sent = tab.site.header("/", "accept-language").unwrap();
    assert!(sent.starts_with("de-CH"), "{sent}");
    for bad in ["no language", "-", "de_CH_x"] {
        fails(&tab.call("emulate", json!({ "locale": bad })), "BadLocale", "is not a valid locale");
    }
    assert_eq!(tab.evaluate(LANGUAGE), "de-CH,de-CH");
    data(&tab.call("emulate", json!({ "locale": null })));
    assert_eq!(tab.evaluate(LANGUAGE), truth);
}

#[test]
fn without_a_network_nothing_comes() {
    let mut tab = open(PAGE);
    let fetch = "() => fetch('/data').then(() => 'there', () => 'not there')";
    for off in [json!({ "offline": true }), json!({ "network_throttle": "offline" })] {
        let reply = tab.call("emulate", off.clone());
        reply.says("offline");
        assert_eq!(data(&reply)["offline"], true, "{off}");
        assert_eq!(tab.evaluate(fetch), "not there", "{off}");
        assert_eq!(tab.evaluate("() => navigator.onLine"), false);
        let reply = tab.call("emulate", json!({ "offline": false }));
        assert_eq!(data(&reply)["offline"], false);
        assert_eq!(tab.evaluate(fetch), "there");
    }
    data(&tab.call("emulate", json!({ "network_throttle": "offline" })));
    data(&tab.call("emulate", json!({ "network_throttle": null })));
    assert_eq!(tab.evaluate(fetch), "there");
}

#[test]
fn a_slow_network_takes_its_time() {
    let mut tab = open_with(&WITH_ACCESS, PAGE);
    tab.site.answer("/data", Answer::Body("text/plain", vec![b'x'; 20_000]));
    let fetch = "() => fetch('/data', { cache: 'no-store' }).then(it => it.text()).then(it => it.length)";
    // Chrome DevTools' numbers: at least this long for 20 kB.
    for (preset, least) in [("slow_3g", 2_000), ("fast_3g", 560), ("4g", 160)] {
        let reply = tab.call("emulate", json!({ "network_throttle": preset }));
        reply.says(&format!("network_throttle {preset}"));
        assert_eq!(data(&reply)["network_throttle"], preset);
        let begin = Instant::now();
        assert_eq!(tab.evaluate(fetch), 20_000);
        assert!(begin.elapsed().as_millis() >= least, "{preset}: {:?}", begin.elapsed());
    }
    let reply = tab.call("emulate", json!({ "network_throttle": null }));
    assert_eq!(data(&reply)["network_throttle"], Value::Null);
}

#[test]
fn a_slow_processor_takes_its_time() {
    let mut tab = open(PAGE);
    let work = "() => { const begin = performance.now(); let sum = 0;
        for (let at = 0; at < 2e8; at++) sum += at % 7; return performance.now() - begin }";
    let time = |tab: &mut Tab| (0..3).map(|_| tab.evaluate(work).as_f64().unwrap()).fold(f64::MAX, f64::min);
    let fast = time(&mut tab);
    let reply = tab.call("emulate", json!({ "cpu_throttle": 8 }));
    reply.says("Emulating cpu_throttle 8");
    assert_eq!(data(&reply)["cpu_throttle"], 8);
    let slow = time(&mut tab);
    assert!(slow > fast * 1.5, "{slow} ms instead of {fast} ms");
    for back in [json!(1), Value::Null] {
        data(&tab.call("emulate", json!({ "cpu_throttle": 8 })));
        assert_eq!(data(&tab.call("emulate", json!({ "cpu_throttle": back })))["cpu_throttle"], Value::Null);
    }
    for bad in [json!(0), json!(0.5), json!(-4), json!(101)] {
        tab.call("emulate", json!({ "cpu_throttle": bad })).refused(-32602, "a number from 1 to 100");
    }
}

#[test]
fn settings_sum_up_and_null_puts_each_back() {
    let mut tab = open_with(&WITH_ACCESS, PAGE);
    data(&tab.call("emulate", json!({ "color_scheme": "dark", "timezone": "Asia/Tokyo" })));
    data(&tab.call("emulate", json!({ "locale": "ja-JP" })));
    let reply = tab.call("emulate", json!({ "reduced_motion": "reduce" }));
    let all = json!({ "color_scheme": "dark", "timezone": "Asia/Tokyo", "locale": "ja-JP", "reduced_motion": "reduce", "offline": false });
    let told = |reply: &crate::support::Reply| {
        let mut facts = data(reply).as_object().cloned().unwrap();
        facts.remove("state");
        Value::from(facts)
    };
    assert_eq!(told(&reply), all);
    assert_eq!(told(&tab.call("emulate", json!({}))), all, "nothing asked, nothing changed");
    let reply = tab.call("emulate", json!({ "color_scheme": null, "timezone": null }));
    assert_eq!(told(&reply), json!({ "locale": "ja-JP", "reduced_motion": "reduce", "offline": false }));
    assert_eq!(tab.evaluate(LANGUAGE), "ja-JP,ja-JP");
    assert!(!matches(&mut tab, "(prefers-color-scheme: dark)"));
    data(&tab.call(
        "emulate",
        json!({ "locale": null, "reduced_motion": null, "forced_colors": null, "media": null }),
    ));
    tab.call("emulate", json!({})).says("Nothing is emulated");
    // A tab of its own has nothing of it.
    data(&tab.call("emulate", json!({ "timezone": "Asia/Tokyo" })));
    let url = tab.site.url("/");
    data(&tab.call("tab_new", json!({ "url": url })));
    assert!(!tab.evaluate(ZONE).as_str().unwrap().starts_with("Asia/Tokyo"));
    assert_eq!(data(&tab.call("emulate", json!({ "tabId": 1 })))["timezone"], "Asia/Tokyo");
}

#[test]
fn dialogs_hold_up_what_emulates() {
    let mut tab =
        open_with(&DIALECT, "<title>Page</title><script>setTimeout(() => alert('Hold'), 300)</script>");
    // It ends when the dialog opens.
    fails(&tab.call("wait", json!({ "for": "text", "text": "never" })), "DialogOpen", "Hold");
    for (tool, arguments) in [
        ("viewport", json!({ "width": 500, "height": 500 })),
        ("device", json!({ "name": "Desktop 4K" })),
        ("geolocation", json!({ "clear": true })),
        ("emulate", json!({ "timezone": "Asia/Tokyo" })),
    ] {
        fails(&tab.call(tool, arguments), "DialogOpen", "Hold");
    }
}
