//! The `agent` dialect's pointer and keyboard: every parameter, value and default that is published.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{
    Answer, Site, Tab,
    agent::{DIALECT, data, fails, open},
    open_site,
};

const HEARING: &str = "<script>var heard = [];
    for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick']) addEventListener(type, (e) => heard.push(
        [type, e.target.id, e.detail, e.isTrusted ? 'real' : 'sent',
         ...['alt', 'ctrl', 'meta', 'shift'].filter((key) => e[key + 'Key'])].join(' ')));
    addEventListener('contextmenu', (e) => e.preventDefault());
    </script>";

fn heard(tab: &mut Tab) -> Vec<String> {
    let heard = tab.evaluate("heard.splice(0)");
    heard.as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[test]
fn click_takes_every_form_of_target_and_one_is_needed() {
    let mut tab = open(&format!("<button id=save title=Keep data-testid=s>Save</button>{HEARING}"));
    let by_ref = format!("@{}", tab.snapshot().reference("Save"));
    for target in
        ["#save", "role:button[name=\"Save\"]", "text:Save", "title:Keep", "testid:s", "//button", &by_ref]
    {
        let reply = tab.call("click", json!({ "selector": target }));
        reply.says(&format!("Clicked button \"Save\" ({by_ref})"));
        assert_eq!(data(&reply)["ref"], by_ref, "{target}");
        assert_eq!(data(&reply)["state"], "settled");
        assert_eq!(heard(&mut tab), ["click save 1 real"], "{target}");
    }
    tab.call("click", json!({})).refused(-32602, "selector or coordinates");
    tab.call("click", json!({ "selector": "" })).refused(-32602, "selector");
    tab.call("click", json!({ "selector": "#save", "click_count": 0 })).refused(-32602, "click_count");
    tab.call("click", json!({ "selector": "#save", "button": "top" })).refused(-32602, "button");
    tab.call("click", json!({ "selector": "#save", "modifiers": ["Hyper"] })).refused(-32602, "modifiers");
    tab.call("click", json!({ "selector": "#save", "timeout": -1 })).refused(-32602, "timeout");
    assert!(heard(&mut tab).is_empty());
}

#[test]
fn clicks_have_buttons_counts_modifiers_and_coordinates() {
    let mut tab =
        open(&format!("<button id=a style='position:fixed;left:100px;top:100px'>A</button>{HEARING}"));
    for (more, words) in [
        (json!({ "button": "left" }), vec!["click a 1 real"]),
        (json!({ "button": "middle" }), vec!["auxclick a 1 real"]),
        (json!({ "button": "right" }), vec!["contextmenu a real"]),
        (json!({ "click_count": 2 }), vec!["click a 1 real", "click a 2 real", "dblclick a 2 real"]),
        (
            json!({ "click_count": 3 }),
            vec!["click a 1 real", "click a 2 real", "dblclick a 2 real", "click a 3 real"],
        ),
        (json!({ "modifiers": ["Alt"] }), vec!["click a 1 real alt"]),
        (json!({ "modifiers": ["Meta", "Shift"] }), vec!["click a 1 real meta shift"]),
        (json!({ "modifiers": ["Control"], "coordinates": { "x": 1, "y": 1 } }), vec!["click a 1 real ctrl"]),
    ] {
        let mut arguments = json!({ "selector": "#a" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tab.call("click", arguments).ok();
        let mut got = heard(&mut tab);
        // Whether the right button also has a click of its own, and is counted, depends on the platform.
        got.retain(|one| more["button"] != "right" || one.starts_with("contextmenu"));
        got.iter_mut().filter(|one| one.starts_with("contextmenu")).for_each(|one| {
            *one = one.replace(" 0 ", " ").replace(" 1 ", " ");
        });
        assert_eq!(got, words, "{more}");
    }
    let at = json!({ "x": 105, "y": 105.5 });
    let reply = tab.call("click", json!({ "coordinates": at, "modifiers": ["Shift"] }));
    reply.says("Clicked 105,105.5");
    assert_eq!(heard(&mut tab), ["click a 1 real shift"]);
    tab.call("dblclick", json!({ "coordinates": at })).says("Double-clicked");
    assert_eq!(heard(&mut tab), ["click a 1 real", "click a 2 real", "dblclick a 2 real"]);
    let reply = tab.call("dblclick", json!({ "selector": "#a", "modifiers": ["Alt"], "timeout": 2000 }));
    assert!(data(&reply)["ref"].as_str().unwrap().starts_with("@e"));
    assert_eq!(heard(&mut tab).last().unwrap(), "dblclick a 2 real alt");
    tab.call("dblclick", json!({})).refused(-32602, "selector or coordinates");
    tab.call("click", json!({ "coordinates": { "x": 1 } })).refused(-32602, "coordinates");
    fails(&tab.call("click", json!({ "coordinates": { "x": 5000, "y": 1 } })), "OffViewport", "5000,1");
}

#[test]
fn force_acts_on_the_element_itself_and_says_so() {
    let mut tab = open(&format!(
        "<button id=covered>Covered</button><div id=veil style='position:fixed;inset:0'></div>
         <button id=gone style='display:none'>Gone</button><button id=off disabled>Off</button>{HEARING}"
    ));
    let covered = tab.call("click", json!({ "selector": "#covered", "timeout": 300 }));
    fails(&covered, "NotReady", "button \"Covered\": @e");
    fails(&covered, "NotReady", " is covered by ");
    fails(&tab.call("click", json!({ "selector": "#gone", "timeout": 300 })), "NotReady", "is not visible");
    for id in ["covered", "gone"] {
        let reply = tab.call("click", json!({ "selector": format!("#{id}"), "force": true }));
        reply.says("by events on the element itself");
        assert_eq!(data(&reply)["forced"], true);
        assert_eq!(heard(&mut tab), [format!("click {id} 1 sent")]);
    }
    let twice = json!({ "selector": "#gone", "force": true, "click_count": 2, "modifiers": ["Control"] });
    tab.call("click", twice).ok();
    assert_eq!(
        heard(&mut tab),
        ["click gone 1 sent ctrl", "click gone 2 sent ctrl", "dblclick gone 2 sent ctrl"]
    );
    let disabled = json!({ "selector": "#off", "force": true, "timeout": 300 });
    fails(&tab.call("click", disabled), "NotReady", "is disabled");
    let nowhere = json!({ "coordinates": { "x": 1, "y": 1 }, "force": true });
    tab.call("click", nowhere).refused(-32602, "force");
    tab.evaluate("void (gone.onclick = () => alert('asked'))");
    tab.call("click", json!({ "selector": "#gone", "force": true })).says("asked");
}

#[test]
fn a_click_waits_for_its_navigation_unless_told() {
    let site = Site::of("<a href=/next>Next</a>");
    let next = Answer::Html("<title>Next page</title>".into());
    site.answer("/next", Answer::Slow(Duration::from_millis(1500), Box::new(next)));
    let mut tab = open_site(&DIALECT, site);
    let reply = tab.call("click", json!({ "selector": "a" }));
    assert_eq!((&data(&reply)["state"], &data(&reply)["title"]), (&json!("navigated"), &json!("Next page")));
    let home = tab.site.url("/");
    tab.navigate(&home);
    let begun = Instant::now();
    let reply = tab.call("click", json!({ "selector": "a", "no_wait_after": true }));
    assert_eq!(data(&reply)["state"], "unawaited");
    assert!(begun.elapsed() < Duration::from_millis(1400), "{:?}", begun.elapsed());
}

#[test]
fn calls_are_for_the_tab_and_the_frame_that_they_name() {
    let site = Site::of(
        "<button id=b onclick='this.textContent=`hit`'>Out</button><iframe src=/in style='position:absolute;left:200px;top:100px;border:0'></iframe>",
    );
    site.answer(
        "/in",
        Answer::Html(
            "<body style='margin:0'><button id=b onclick='this.textContent=`hit`'>In</button><input id=i>"
                .into(),
        ),
    );
    let mut tab = open_site(&DIALECT, site);
    fails(&tab.call("click", json!({ "selector": "#b" })), "Ambiguous", "matches 2 elements");
    let inside = tab.snapshot().reference("In");
    let frame: u32 = inside.trim_start_matches('f').split('e').next().unwrap().parse().unwrap();
    let reply = tab.call("click", json!({ "selector": "#b", "frameId": frame }));
    assert_eq!(data(&reply)["ref"], format!("@{inside}"));
    assert_eq!(tab.evaluate("[b.textContent, frames[0].b.textContent]"), json!(["Out", "hit"]));
    tab.evaluate("frames[0].b.textContent = 'In'");
    tab.call("click", json!({ "coordinates": { "x": 5, "y": 5 }, "frameId": frame })).says("205,105");
    assert_eq!(tab.evaluate("frames[0].b.textContent"), "hit");
    tab.call("type", json!({ "selector": "#i", "frameId": frame, "text": "ab", "delay": 0 })).ok();
    tab.call("type", json!({ "text": "cd", "delay": 0 })).says("holds \"abcd\"");
    tab.call("press", json!({ "key": "Backspace", "frameId": frame })).ok();
    assert_eq!(tab.evaluate("frames[0].i.value"), "abc");
    fails(&tab.call("click", json!({ "selector": "#b", "frameId": 99 })), "NoFrame", "unknown frame 99");
    fails(&tab.call("click", json!({ "coordinates": { "x": 1, "y": 1 }, "frameId": 99 })), "NoFrame", "99");
    fails(&tab.call("click", json!({ "selector": "#b", "tabId": 77 })), "NoTab", "77");
    let first = tab.call("browser_tabs", json!({ "action": "list" }));
    first.ok();
    tab.call("browser_tabs", json!({ "action": "new" })).ok();
    tab.call("click", json!({ "selector": "#b", "tabId": 1, "frameId": 0 })).ok();
    let reply = tab.call("click", json!({ "selector": format!("@{inside}") }));
    fails(&reply, "ForeignRef", "belongs to tab 1");
}

#[test]
fn hover_moves_the_pointer() {
    let mut tab = open(
        "<style>#m:hover + p { display: block } p { display: none }</style>
         <div id=m style='position:fixed;left:50px;top:50px;width:100px;height:20px'>Menu</div><p id=p>Shown</p>",
    );
    let shown = "getComputedStyle(p).display";
    tab.call("hover", json!({ "selector": "#m", "timeout": 1000 })).says("Hovering over");
    assert_eq!(tab.evaluate(shown), "block");
    tab.call("hover", json!({ "coordinates": { "x": 600, "y": 400 } })).says("600,400");
    assert_eq!(tab.evaluate(shown), "none");
    tab.call("hover", json!({ "coordinates": { "x": 60, "y": 60 } })).ok();
    assert_eq!(tab.evaluate(shown), "block");
    tab.call("hover", json!({})).refused(-32602, "selector or coordinates");
}

#[test]
fn drag_goes_between_elements_and_points_in_steps() {
    let mut tab = open(
        "<style>div { user-select: none; position: absolute; width: 60px; height: 60px } #s { left: 0; top: 0 } #t { left: 300px; top: 0 }</style>
         <div id=s aria-label=Source role=img></div><div id=t aria-label=Goal role=img></div><script>var log = [];
         for (const type of ['mousedown', 'mouseup']) addEventListener(type, (e) => log.push(type + ' ' + e.target.id));
         var moves = 0; addEventListener('mousemove', (e) => e.buttons && moves++)</script>",
    );
    let mut dragged = |arguments: Value| {
        let reply = tab.call("drag", arguments);
        let data = data(&reply).clone();
        let log = tab.evaluate("log.splice(0).join()");
        (data, log, tab.evaluate("[moves, moves = 0][0]").as_i64().unwrap())
    };
    let (data, log, moves) = dragged(json!({ "source": "#s", "target": "#t" }));
    assert!((10..=13).contains(&moves), "{moves}");
    assert!(
        data["source"].as_str().unwrap().starts_with("@e")
            && data["target"].as_str().unwrap().starts_with("@e")
    );
    assert_eq!(log, "mousedown s,mouseup t");
    let (s, t) = (json!({ "x": 10, "y": 10 }), json!({ "x": 310, "y": 10 }));
    assert_eq!(dragged(json!({ "source_coordinates": s, "target": "#t" })).1, "mousedown s,mouseup t");
    let (data, log, moves) = dragged(json!({ "source_coordinates": s, "target_coordinates": t, "steps": 3 }));
    // The steps, and two moves over the target.
    assert!((3..=5).contains(&moves), "{moves}");
    assert_eq!((data.get("source"), log), (None, json!("mousedown s,mouseup t")));
    let (_, log, _) = dragged(json!({ "source": "#s", "target_coordinates": t, "timeout": 1000 }));
    assert_eq!(log, "mousedown s,mouseup t");
    let missing = tab.call("drag", json!({ "source": "#s" }));
    missing.refused(-32602, "target or target_coordinates");
    tab.call("drag", json!({ "target": "#s" })).refused(-32602, "source or source_coordinates");
    tab.call("drag", json!({ "source": "#s", "target": "#t", "steps": 0 })).refused(-32602, "steps");
    fails(&tab.call("drag", json!({ "source": "#s", "target": "#x", "timeout": 300 })), "NotFound", "#x");
}

#[test]
fn scroll_tells_where_it_ended_and_whether_it_moved() {
    let mut tab = open(
        "<style>html { scroll-behavior: smooth } body { margin: 0 }</style>
         <div id=box style='height:200px;width:200px;overflow:auto'><div style='height:2000px;width:2000px'></div></div>
         <div style='height:3000px;width:4000px'></div><button id=far>Far</button><div style='height:3000px'></div>",
    );
    let mut scrolled = |arguments: Value| {
        let data = data(&tab.call("scroll", arguments)).clone();
        (data["x"].as_f64().unwrap(), data["y"].as_f64().unwrap(), data["moved"] == true)
    };
    assert_eq!(scrolled(json!({ "direction": "down", "amount": 500 })), (0.0, 500.0, true));
    assert_eq!(scrolled(json!({ "direction": "down" })), (0.0, 800.0, true));
    assert_eq!(scrolled(json!({ "direction": "up", "amount": 100 })), (0.0, 700.0, true));
    assert_eq!(scrolled(json!({ "direction": "right", "amount": 40 })), (40.0, 700.0, true));
    assert_eq!(scrolled(json!({ "direction": "left", "amount": 400 })), (0.0, 700.0, true));
    assert_eq!(scrolled(json!({ "direction": "left" })), (0.0, 700.0, false));
    assert_eq!(scrolled(json!({ "position": { "x": 10, "y": 20 } })), (10.0, 20.0, true));
    assert_eq!(scrolled(json!({ "position": { "y": 0 } })), (10.0, 0.0, true));
    assert_eq!(scrolled(json!({ "selector": "#box", "direction": "down", "amount": 50 })), (0.0, 50.0, true));
    assert_eq!(scrolled(json!({ "selector": "#box", "position": { "x": 7, "y": 9 } })), (7.0, 9.0, true));
    assert_eq!(scrolled(json!({ "direction": "down", "amount": 900, "smooth": true })), (10.0, 900.0, true));
    let top = |tab: &mut Tab| tab.evaluate("Math.round(far.getBoundingClientRect().top)").as_i64().unwrap();
    let places = [("start", 0..2), ("center", 330..370), ("end", 680..720), ("nearest", 680..720)];
    for (block, expected) in places {
        let reply = tab.call("scroll", json!({ "selector": "#far", "into_view": true, "block": block }));
        assert_eq!(data(&reply)["visible"], true);
        let at = top(&mut tab);
        assert!(expected.contains(&at), "{block}: {at}");
    }
    let glided = tab
        .call("scroll", json!({ "selector": "#far", "into_view": true, "smooth": true, "block": "start" }));
    assert!(data(&glided)["moved"] == true && top(&mut tab) < 2, "{}", glided.text());
    tab.call("scroll", json!({ "selector": "#far" })).says("into view");
    assert!((330..370).contains(&top(&mut tab)));
    for (arguments, words) in [
        (json!({}), "one of direction, position, selector"),
        (json!({ "into_view": true }), "selector"),
        (json!({ "amount": 5 }), "direction"),
        (json!({ "direction": "down", "position": { "x": 1 } }), "not both"),
        (json!({ "position": {} }), "position"),
        (json!({ "direction": "away" }), "direction"),
        (json!({ "selector": "#far", "block": "top" }), "block"),
    ] {
        tab.call("scroll", arguments).refused(-32602, words);
    }
    tab.call("scroll", json!({ "direction": "up", "amount": 99999 })).ok();
    tab.call("scroll", json!({ "direction": "up" })).says("Nothing moved");
}
