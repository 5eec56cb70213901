//! `viewport` and `device`: what the page and its server see of them.

use serde_json::{Value, json};

use crate::support::{Answer, Site};
use crate::support::{
    Tab,
    agent::{DIALECT, data, fails, open},
    open_site,
};

/// A page that is made for phones, too.
const PAGE: &str = "<meta name=viewport content='width=device-width'><title>Page</title><h1>Page</h1>";

const SEEN: &str = "() => [innerWidth, innerHeight, devicePixelRatio, screen.width, screen.height].join()";
const TOUCH: &str = "() => [navigator.maxTouchPoints > 0, matchMedia('(pointer: coarse)').matches].join()";
const AGENT: &str = "() => navigator.userAgent";

/// Each preset: its name, viewport, scale factor, whether it is mobile, and a part of its user agent.
const PRESETS: [(&str, u32, u32, f64, bool, &str); 11] = [
    ("iPhone 14", 390, 844, 3.0, true, "(iPhone; CPU iPhone OS 16_6 like Mac OS X)"),
    ("iPhone 14 Pro Max", 430, 932, 3.0, true, "(iPhone; CPU iPhone OS 16_6 like Mac OS X)"),
    ("iPhone SE", 375, 667, 2.0, true, "(iPhone; CPU iPhone OS 16_6 like Mac OS X)"),
    ("iPad Pro", 1024, 1366, 2.0, true, "(iPad; CPU OS 16_6 like Mac OS X)"),
    ("iPad Mini", 768, 1024, 2.0, true, "(iPad; CPU OS 16_6 like Mac OS X)"),
    ("Pixel 7", 412, 915, 2.625, true, "(Linux; Android 13; Pixel 7)"),
    ("Pixel 7 Pro", 412, 892, 3.5, true, "(Linux; Android 13; Pixel 7 Pro)"),
    ("Samsung Galaxy S23", 360, 780, 3.0, true, "(Linux; Android 13; SM-S911B)"),
    ("Desktop 1080p", 1920, 1080, 1.0, false, "Mozilla/5.0"),
    ("Desktop 1440p", 2560, 1440, 1.0, false, "Mozilla/5.0"),
    ("Desktop 4K", 3840, 2160, 1.0, false, "Mozilla/5.0"),
];

#[track_caller]
fn assert_reported(data: &Value, wanted: &Value) {
    for (name, value) in wanted.as_object().unwrap() {
        assert_eq!(data[name].as_f64(), value.as_f64(), "{name} in {data}");
        if value.as_f64().is_none() {
            assert_eq!(&data[name], value, "{name} in {data}");
        }
    }
}

#[test]
fn a_viewport_is_what_the_page_sees() {
    let mut tab = open(PAGE);
    let reply = tab.call("viewport", json!({ "width": 800, "height": 500 }));
    reply.says("The viewport is 800x500 at 1x");
    assert_reported(
        data(&reply),
        &json!({ "width": 800, "height": 500, "device_scale_factor": 1, "is_mobile": false, "has_touch": false }),
    );
    assert_eq!(tab.evaluate(SEEN), "800,500,1,800,500");
    let reply = tab.call("viewport", json!({ "width": 600, "height": 400, "device_scale_factor": 2.5 }));
    assert_reported(data(&reply), &json!({ "width": 600, "height": 400, "device_scale_factor": 2.5 }));
    assert_eq!(tab.evaluate(SEEN), "600,400,2.5,600,400");
    // What is not said is as it is by default, not as it was.
    let reply =
        tab.call("viewport", json!({ "width": 600, "height": 400, "is_mobile": false, "has_touch": false }));
    assert_reported(data(&reply), &json!({ "device_scale_factor": 1 }));
    let url = tab.site.url("/");
    tab.navigate(&url);
    assert_eq!(tab.evaluate(SEEN), "600,400,1,600,400");
}

#[test]
fn a_viewport_lies_on_its_side_where_it_is_told_to() {
    let mut tab = open(PAGE);
    let reply = tab.call("viewport", json!({ "width": 844, "height": 390, "is_landscape": true }));
    assert_reported(data(&reply), &json!({ "is_landscape": true, "orientation": "landscape-primary" }));
    assert_eq!(tab.evaluate("() => screen.orientation.type"), "landscape-primary");
}

#[test]
fn a_mobile_viewport_has_touch_and_goes_by_the_meta_tag() {
    let mut tab = open(PAGE);
    let phone = json!({ "width": 390, "height": 844, "device_scale_factor": 3, "is_mobile": true, "has_touch": true });
    let reply = tab.call("viewport", phone.clone());
    reply.says("The viewport is 390x844 at 3x, mobile, touch, portrait-primary");
    assert_reported(data(&reply), &phone);
    assert_reported(
        data(&reply),
        &json!({ "inner_width": 390, "orientation": "portrait-primary", "is_landscape": false }),
    );
    assert_eq!(tab.evaluate(SEEN), "390,844,3,390,844");
    assert_eq!(tab.evaluate(TOUCH), "true,true");
    let url = tab.site.url("/");
    tab.navigate(&url);
    assert_eq!(
        tab.evaluate("() => 'ontouchstart' in window"),
        true,
        "after a reload it is there from the start"
    );
    let side = json!({ "width": 844, "height": 390, "is_mobile": true, "is_landscape": true });
    assert_reported(data(&tab.call("viewport", side)), &json!({ "is_landscape": true, "has_touch": false }));
    assert_eq!(tab.evaluate("() => screen.orientation.angle"), 90);
    assert_eq!(tab.evaluate(TOUCH), "false,false");

    tab.site.answer("/wide", Answer::Html("<title>Wide</title>Not made for phones".into()));
    let url = tab.site.url("/wide");
    tab.navigate(&url);
    let reply = tab.call("viewport", json!({ "width": 390, "height": 844, "is_mobile": true }));
    reply.says("no viewport meta tag for it and is laid out 980 wide");
    assert_reported(data(&reply), &json!({ "width": 390, "inner_width": 980 }));
}

#[test]
fn absurd_viewports_are_refused_and_change_nothing() {
    let mut tab = open(PAGE);
    let before = tab.evaluate(SEEN);
    for (name, value) in [
        ("width", 0),
        ("width", 10_001),
        ("height", 0),
        ("height", -5),
        ("device_scale_factor", 0),
        ("device_scale_factor", 11),
    ] {
        let mut arguments = json!({ "width": 800, "height": 600 });
        arguments[name] = value.into();
        tab.call("viewport", arguments).refused(-32602, &format!("Invalid argument {name}: it must be "));
    }
    tab.call("viewport", json!({ "width": 800.5, "height": 600 })).refused(-32602, "a whole number");
    tab.call("viewport", json!({ "width": 9000, "height": 9000, "device_scale_factor": 4 }))
        .refused(-32602, "at most 100 million pixels");
    assert_eq!(tab.evaluate(SEEN), before);
}

#[test]
fn every_device_has_its_viewport_and_its_user_agent() {
    let mut tab = open(PAGE);
    for (name, width, height, scale, mobile, agent) in PRESETS {
        let reply = tab.call("device", json!({ "name": name }));
        reply.says(&format!("Emulating {name}: {width}x{height} at {scale}x"));
        let facts = data(&reply);
        assert_reported(
            facts,
            &json!({ "name": name, "width": width, "height": height, "device_scale_factor": scale }),
        );
        assert!(facts["user_agent"].as_str().unwrap().contains(agent), "{name}: {facts}");
        let url = tab.site.url("/");
        tab.navigate(&url);
        assert_eq!(tab.evaluate(SEEN), format!("{width},{height},{scale},{width},{height}"), "{name}");
        assert_eq!(tab.evaluate(AGENT), facts["user_agent"], "{name}");
        assert_eq!(tab.site.header("/", "user-agent").as_deref(), facts["user_agent"].as_str(), "{name}");
        assert_eq!(tab.evaluate(AGENT).as_str().unwrap().contains("Mobile"), mobile, "{name}");
    }
}

#[test]
fn phones_and_tablets_have_touch_screens() {
    let mut tab = open(PAGE);
    for (name, .., mobile, _) in PRESETS {
        let reply = tab.call("device", json!({ "name": name }));
        assert_reported(
            data(&reply),
            &json!({ "is_mobile": mobile, "has_touch": mobile, "is_landscape": !mobile }),
        );
        assert_eq!(data(&reply)["unsupported"], Value::Null, "{name}");
        assert_eq!(tab.evaluate(TOUCH), format!("{mobile},{mobile}"), "{name}");
    }
}

#[test]
fn what_a_browser_cannot_emulate_of_a_device_is_said() {
    let mut tab = open(PAGE);
    let reply = tab.call("device", json!({ "name": "iPhone 14" }));
    let facts = data(&reply).clone();
    if facts["has_touch"] == true {
        assert_eq!(facts["unsupported"], Value::Null, "{facts}");
    } else {
        reply.says("this browser cannot emulate a touch screen");
        assert_eq!((&facts["is_mobile"], &facts["has_touch"]), (&json!(false), &json!(false)));
        // Who asks for just that hears that it cannot be.
        let before = tab.evaluate(SEEN);
        for part in ["is_mobile", "has_touch"] {
            fails(
                &tab.call("viewport", json!({ "width": 300, "height": 300, part: true })),
                "Unsupported",
                "cannot emulate",
            );
            fails(&tab.call("device", json!({ "custom": { part: true } })), "Unsupported", "cannot emulate");
        }
        assert_eq!(tab.evaluate(SEEN), before);
    }
}

#[test]
fn client_hints_agree_with_the_user_agent() {
    let mut tab = open_site(&DIALECT, Site::of(PAGE));
    let hints = "async () => { const data = navigator.userAgentData;
        const { model, platformVersion } = await data.getHighEntropyValues(['model', 'platformVersion']);
        return [data.platform, data.mobile, model, platformVersion, navigator.platform].join() }";
    for (name, wanted, mobile) in [
        ("Pixel 7", "Android,true,Pixel 7,13.0.0,Linux armv81", Some("?1")),
        ("Samsung Galaxy S23", "Android,true,SM-S911B,13.0.0,Linux armv81", Some("?1")),
        // Safari has no client hints.
        ("iPhone 14", ",false,,,iPhone", None),
    ] {
        data(&tab.call("device", json!({ "name": name })));
        data(&tab.call("reload", json!({})));
        assert_eq!(tab.evaluate(hints), wanted, "{name}");
        assert_eq!(tab.site.header("/", "sec-ch-ua-mobile").as_deref(), mobile, "{name}");
        if mobile.is_some() {
            let agent = tab.site.header("/", "user-agent").unwrap();
            let major = agent.split_once("Chrome/").unwrap().1.split('.').next().unwrap().to_owned();
            let brands = tab.site.header("/", "sec-ch-ua").unwrap();
            assert!(brands.contains(&format!("\"Chromium\";v=\"{major}\"")), "{brands}");
            assert_eq!(tab.site.header("/", "sec-ch-ua-platform").as_deref(), Some("\"Android\""));
        }
    }
}

#[test]
fn a_custom_device_is_what_it_is_said_to_be() {
    let mut tab = open(PAGE);
    let own = tab.evaluate(AGENT);
    let custom = json!({ "viewport": { "width": 500, "height": 700 }, "user_agent": "Fridge/1.0", "device_scale_factor": 1.5 });
    let reply = tab.call("device", json!({ "custom": custom }));
    reply.says("Emulating a custom device: 500x700 at 1.5x");
    assert_reported(
        data(&reply),
        &json!({ "width": 500, "height": 700, "device_scale_factor": 1.5, "user_agent": "Fridge/1.0" }),
    );
    assert_eq!(tab.evaluate(SEEN), "500,700,1.5,500,700");
    data(&tab.call("reload", json!({})));
    assert_eq!(tab.site.header("/", "user-agent").as_deref(), Some("Fridge/1.0"));
    // A device is a whole: what is not said of it is the browser's own, and the viewport stays.
    let reply = tab.call("device", json!({ "custom": { "device_scale_factor": 2 } }));
    assert_reported(
        data(&reply),
        &json!({ "width": 500, "height": 700, "device_scale_factor": 2, "user_agent": own }),
    );
    for name in ["is_mobile", "has_touch"] {
        assert_reported(
            data(&tab.call("device", json!({ "custom": { name: false } }))),
            &json!({ name: false }),
        );
    }
}

#[test]
fn devices_that_are_none_are_refused() {
    let mut tab = open(PAGE);
    let before = (tab.evaluate(SEEN), tab.evaluate(AGENT));
    for (name, nearest) in
        [("iPhone 15", "iPhone 14"), ("galaxy s23", "Samsung Galaxy S23"), ("Desktop", "Desktop 4K")]
    {
        tab.call("device", json!({ "name": name })).refused(-32602, &format!("the nearest is {nearest}"));
    }
    for arguments in [json!({}), json!({ "custom": {} }), json!({ "name": null })] {
        tab.call("device", arguments).refused(-32602, "Missing required argument: name or custom");
    }
    tab.call("device", json!({ "name": "iPad Pro", "custom": { "is_mobile": true } }))
        .refused(-32602, "not both");
    for (custom, words) in [
        (json!({ "viewport": { "width": 500 } }), "viewport has width and height"),
        (json!({ "viewport": { "width": 0, "height": 5 } }), "whose width is a whole number"),
        (json!({ "viewport": { "depth": 5 } }), "it has depth"),
        (json!({ "user_agent": "" }), "whose user_agent is a text"),
        (json!({ "user_agent": "a\nb" }), "whose user_agent is a text"),
        (json!({ "device_scale_factor": 50 }), "whose device_scale_factor is a number from 0.1 to 10"),
        (json!({ "is_mobile": "yes" }), "whose is_mobile is true or false"),
        (json!({ "has_touch": 1 }), "whose has_touch is true or false"),
    ] {
        tab.call("device", json!({ "custom": custom })).refused(-32602, words);
    }
    assert_eq!((tab.evaluate(SEEN), tab.evaluate(AGENT)), before);
}

#[test]
fn a_resized_device_stays_one() {
    let mut tab: Tab = open(PAGE);
    data(&tab.call("viewport", json!({ "width": 800, "height": 500, "device_scale_factor": 2 })));
    tab.call("browser_resize", json!({ "width": 640, "height": 480 })).ok();
    assert_eq!(tab.evaluate("() => [innerWidth, innerHeight, devicePixelRatio].join()"), "640,480,2");
}
