//! Acting on elements: clicks, keys, hovering, dragging, scrolling; what stands in the way; what an action causes.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Site, Tab, open, open_site, open_with};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

/// A page that writes down what happens to its elements: `log` holds `type:id` of every event that was trusted.
fn logged(events: &str, body: &str) -> String {
    format!(
        "<title>Log</title><script>var log = [];
        for (const type of '{events}'.split(' '))
            addEventListener(type, (e) => e.isTrusted && log.push(type + ':' + (e.target.id || e.target.localName)), true);
        </script>{body}"
    )
}

fn log(tab: &mut Tab) -> Value {
    tab.evaluate("log.splice(0).join(' ')")
}

#[test]
fn a_click_is_the_whole_gesture_on_the_element_that_the_ref_names() {
    let mut tab = open(&logged(
        "pointerdown mousedown pointerup mouseup click",
        "<button id=a>Sign In</button><button id=b>Sign Up</button>",
    ));
    let b = tab.snapshot().reference("Sign Up");
    let reply = tab.call("browser_click", json!({ "ref": b, "element": "Sign Up button" }));
    reply.says(&format!("Clicked button \"Sign Up\" ({b})"));
    assert_eq!(reply.facts()["ref"], b);
    assert_eq!(log(&mut tab), "pointerdown:b mousedown:b pointerup:b mouseup:b click:b");
    click(&mut tab, &format!("@{b}")).ok();
    assert_eq!(log(&mut tab), "pointerdown:b mousedown:b pointerup:b mouseup:b click:b");
}

#[test]
fn right_middle_and_double_clicks() {
    let mut tab = open(&logged(
        "mousedown contextmenu auxclick click dblclick",
        "<button id=a>Menu</button><script>
        a.addEventListener('contextmenu', (e) => { e.preventDefault(); a.insertAdjacentHTML('afterend', '<p>Copy') });
        </script>",
    ));
    let a = tab.snapshot().reference("Menu");
    tab.call("browser_click", json!({ "ref": a, "button": "right" })).says("Copy");
    assert_eq!(log(&mut tab), "mousedown:a contextmenu:a auxclick:a");
    tab.call("browser_click", json!({ "ref": a, "button": "middle" })).ok();
    assert_eq!(log(&mut tab), "mousedown:a auxclick:a");
    tab.call("browser_click", json!({ "ref": a, "doubleClick": true })).ok();
    assert_eq!(log(&mut tab), "mousedown:a click:a mousedown:a click:a dblclick:a");
    tab.call("browser_click", json!({ "ref": a, "button": "third" })).refused(-32602, "button");
    tab.call("browser_click", json!({ "ref": a, "modifiers": ["Hyper"] })).refused(-32602, "modifiers");
    tab.call("browser_click", json!({ "element": "Menu" })).refused(-32602, "Missing required argument: ref");
    assert_eq!(log(&mut tab), "", "a refused call does nothing");
}

#[test]
fn modifiers_are_held_during_the_click_and_let_go_after_it() {
    let mut tab = open(
        "<button>Go</button><script>var held = [];
        document.querySelector('button').onclick = (e) =>
            held.push([e.ctrlKey, e.shiftKey, e.altKey, e.metaKey].map(Number).join(''));
        </script>",
    );
    for modifiers in
        [json!(["Control"]), json!(["Shift", "Alt"]), json!(["Meta"]), json!(["ControlOrMeta"]), json!([])]
    {
        tab.call("browser_click", json!({ "ref": "button", "modifiers": modifiers })).ok();
    }
    assert_eq!(tab.evaluate("held.join(' ')"), "1000 0110 0001 1000 0000");
}

#[test]
fn control_click_and_middle_click_open_a_tab_behind() {
    let site = Site::with(&[
        ("/", "<title>Here</title><a href=/there>There</a>"),
        ("/there", "<title>There</title>"),
    ]);
    let mut tab = open_site(&[], site);
    let link = tab.snapshot().reference("There");
    let there = tab.site.url("/there");
    let reply = tab.call("browser_click", json!({ "ref": link, "modifiers": ["Control"] }));
    reply.says("opened").says(&there);
    tab.call("browser_click", json!({ "ref": link, "button": "middle" })).says("opened").says(&there);
    assert_eq!(tab.evaluate("document.title"), "Here");
    let tabs = tab.call("browser_tabs", json!({ "action": "list" }));
    assert_eq!(tabs.text().matches(&there).count(), 2, "{}", tabs.text());
}

#[test]
fn what_a_hover_shows_is_told() {
    let mut tab = open(
        "<style>menu { display: none } li:hover menu { display: block }</style>
        <ul><li id=file>File <menu><li><a href=/save>Save</a></menu></ul>
        <button onmouseenter=\"this.title = 'seen'\">Tip</button>",
    );
    tab.snapshot().says_not("Save");
    let hovered = tab.call("browser_hover", json!({ "ref": "#file" }));
    hovered.says("Hovering over").says("link \"Save\"");
    let save = hovered.reference("Save");
    tab.call("browser_hover", json!({ "ref": save, "element": "Save" })).ok();
    tab.call("browser_hover", json!({ "ref": "role:button" })).ok();
    assert_eq!(tab.evaluate("document.querySelector('button').title"), "seen");
}

#[test]
fn html5_drag_and_drop_with_data() {
    let mut tab = open(
        "<div id=card draggable=true>Card</div><div id=done style='height:100px;margin-top:200px'>Done</div><script>
        card.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'card');
        done.ondragover = (e) => e.preventDefault();
        done.ondrop = (e) => { e.preventDefault(); done.append(document.getElementById(e.dataTransfer.getData('text'))) };
        card.ondragend = (e) => document.title = 'ended ' + e.dataTransfer.dropEffect;
        </script>",
    );
    let snapshot = tab.snapshot();
    let card = snapshot.reference("Card");
    let reply = tab.call(
        "browser_drag",
        json!({ "startRef": card, "startElement": "Card", "endRef": "#done", "endElement": "Done" }),
    );
    reply.says("Dragged").says(&card);
    assert_eq!(tab.evaluate("card.parentElement.id"), "done");
    assert!(tab.evaluate("document.title").as_str().unwrap().starts_with("ended"));
}

#[test]
fn a_list_that_is_sorted_with_the_mouse() {
    let mut tab = open(
        "<style>li { height: 40px }</style><ul id=list><li>One<li>Two<li>Three<li>Four</ul><script>
        let held;
        list.onmousedown = (e) => held = e.target.closest('li');
        document.onmousemove = (e) => {
            const over = document.elementFromPoint(e.clientX, e.clientY)?.closest('li');
            if (!held || !over || over === held) return;
            const below = held.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
            below ? over.after(held) : over.before(held);
        };
        document.onmouseup = () => held = null;
        </script>",
    );
    let drag =
        |from: &str, to: &str| json!({ "startRef": format!("text:{from}"), "endRef": format!("text:{to}") });
    tab.call("browser_drag", drag("One", "Three")).ok();
    let order = "[...document.querySelectorAll('li')].map((li) => li.textContent).join(' ')";
    assert_eq!(tab.evaluate(order), "Two Three One Four");
    tab.call("browser_drag", drag("Four", "Two")).ok();
    assert_eq!(tab.evaluate(order), "Four Two Three One");
    tab.call("browser_drag", drag("Five", "Two")).fails("no element matches text:Five");
    tab.call("browser_drag", json!({ "startRef": "text:Two" })).refused(-32602, "endRef");
}

#[test]
fn a_drag_to_what_is_out_of_sight_or_from_what_is_covered() {
    let mut tab = open_with(
        &["--action-timeout", "1s"],
        "<div id=card draggable=true style='width:90px'>Card</div><div style='height:2500px'></div><div id=done style='height:60px;background:#eee'>Done</div>
        <div id=veil hidden role=alert style='position:fixed;inset:0;background:#fff'>Veil</div><script>
        card.ondragstart = (e) => e.dataTransfer.setData('text', 'card');
        done.ondragover = (e) => e.preventDefault();
        done.ondrop = (e) => { e.preventDefault(); done.append(document.getElementById(e.dataTransfer.getData('text'))) };
        </script>",
    );
    tab.call("browser_drag", json!({ "startRef": "#card", "endRef": "#done" })).ok();
    assert_eq!(tab.evaluate("card.parentElement.id"), "done");
    tab.evaluate("document.body.prepend(card); veil.hidden = false");
    tab.call("browser_drag", json!({ "startRef": "#card", "endRef": "#done" })).fails("is covered by alert");
    assert_eq!(tab.evaluate("card.parentElement.localName"), "body");
}

#[test]
fn a_slider_made_of_divs_is_dragged() {
    let mut tab = open(
        "<div id=knob style='position:absolute;left:0;top:50px;width:20px;height:20px;background:red'>k</div>
        <div id=end style='position:absolute;left:400px;top:50px;width:20px;height:20px'>end</div><script>
        knob.onpointerdown = (e) => {
            knob.setPointerCapture(e.pointerId);
            knob.onpointermove = (e) => { moves++; knob.style.left = e.clientX - 10 + 'px' };
        };
        knob.onpointerup = () => knob.onpointermove = null;
        var moves = 0;
        </script>",
    );
    tab.call("browser_drag", json!({ "startRef": "#knob", "endRef": "#end" })).ok();
    assert_eq!(tab.evaluate("knob.style.left"), "400px");
    assert!(tab.evaluate("moves").as_i64().unwrap() > 2, "it moves on the way, too");
}

#[test]
fn keys_go_to_the_focused_element() {
    let mut tab = open(&logged("keydown keyup", "<input id=a autofocus value=old><input id=b>"));
    click(&mut tab, "#a").ok();
    for key in ["Control+A", "Delete", "a", "Shift+b", "C", "Space", "1", "!", "+"] {
        tab.call("browser_press_key", json!({ "key": key })).says(&format!("Pressed {key}"));
    }
    assert_eq!(tab.evaluate("a.value"), "aBC 1!+");
    tab.evaluate("log = []");
    tab.call("browser_press_key", json!({ "key": "Tab" })).ok();
    assert_eq!(log(&mut tab), "keydown:a keyup:b");
    assert_eq!(tab.evaluate("document.activeElement.id"), "b");
    tab.call("browser_press_key", json!({ "key": "Nope" })).refused(-32602, "key");
    tab.call("browser_press_key", json!({})).refused(-32602, "Missing required argument: key");
    assert_eq!(log(&mut tab), "");
}

#[test]
fn keys_say_what_a_keyboard_says() {
    let mut tab = open(
        "<p>Press</p><script>var seen = [];
        onkeydown = (e) => seen.push([e.key, e.code, e.keyCode, e.ctrlKey, e.shiftKey].join());
        </script>",
    );
    for (key, seen) in [
        ("Escape", "Escape,Escape,27,false,false"),
        ("ArrowDown", "ArrowDown,ArrowDown,40,false,false"),
        ("F2", "F2,F2,113,false,false"),
        ("z", "z,KeyZ,90,false,false"),
        (
            "Control+Shift+K",
            "Control,ControlLeft,17,true,false Shift,ShiftLeft,16,true,true K,KeyK,75,true,true",
        ),
    ] {
        tab.call("browser_press_key", json!({ "key": key })).ok();
        assert_eq!(tab.evaluate("seen.splice(0).join(' ')"), seen, "{key}");
    }
}

#[test]
fn keys_do_what_they_do_for_people() {
    let mut tab = open(&logged(
        "click",
        "<button id=go>Go</button><input id=box type=checkbox><select id=pick><option>One<option>Two</select><input id=a value=cut><input id=b>
        <dialog id=modal>Question</dialog>",
    ));
    let press = |tab: &mut Tab, keys: &[&str]| {
        for key in keys {
            tab.call("browser_press_key", json!({ "key": key })).ok();
        }
    };
    press(&mut tab, &["Tab", "Enter", "Space", "Tab", "Space", "Tab", "ArrowDown", "Tab"]);
    assert_eq!(log(&mut tab), "click:go click:go click:box");
    assert_eq!(tab.evaluate("[box.checked, pick.value, document.activeElement.id].join()"), "true,Two,a");
    press(&mut tab, &["Control+a", "Control+x", "Tab", "Control+v", "Control+v"]);
    assert_eq!(tab.evaluate("[a.value, b.value].join()"), ",cutcut");
    tab.evaluate("modal.showModal()");
    press(&mut tab, &["Escape"]);
    assert_eq!(tab.evaluate("modal.open"), false);
    click(&mut tab, "#pick").ok();
    click(&mut tab, "#go").ok();
    assert!(
        log(&mut tab).as_str().unwrap().ends_with("click:go"),
        "an open list of options is in nobody's way"
    );
}

#[test]
fn enter_submits_a_form_and_what_it_opens_is_waited_for() {
    let site = Site::with(&[("/", "<form action=/found><input name=q autofocus></form>")]);
    let found = Answer::Html("<title>Found</title><h1>Results</h1>".into());
    site.answer("/found", Answer::Slow(Duration::from_millis(300), Box::new(found)));
    let mut tab = open_site(&[], site);
    click(&mut tab, "input").ok();
    tab.call("browser_press_key", json!({ "key": "x" })).ok();
    let reply = tab.call("browser_press_key", json!({ "key": "Enter" }));
    reply.says("navigated").says("/found?q=x").says("\"Found\"").says("Results");
    assert_eq!(reply.facts()["state"], "navigated");
}

#[test]
fn an_element_is_scrolled_into_the_middle() {
    let mut tab = open(
        "<div style='height:3000px'></div><button>Submit</button>
        <div style='height:3000px'></div><div id=box style='height:100px;overflow:auto'><div style='height:900px'></div><i id=low>Low</i></div>",
    );
    let submit = tab.snapshot().reference("Submit");
    tab.call("browser_scroll_into_view", json!({ "ref": submit, "element": "Submit button" }))
        .says("Scrolled button \"Submit\"");
    let off = "() => {
        const box = document.querySelector('button').getBoundingClientRect();
        return Math.abs(box.top + box.height / 2 - innerHeight / 2);
    }";
    assert!(tab.evaluate(off).as_f64().unwrap() < 3.0);
    tab.call("browser_scroll_into_view", json!({ "ref": "#low" })).ok();
    let seen = "(() => { const r = low.getBoundingClientRect(); return document.elementFromPoint(r.x + 1, r.y + 1) === low })()";
    assert_eq!(tab.evaluate(seen), true);

    tab.call("browser_scroll_into_view", json!({ "ref": "e999999" }))
        .fails("no snapshot ever gave out the ref e999999");
    tab.call("browser_scroll_into_view", json!({ "ref": "#nowhere" })).fails("no element matches #nowhere");
    tab.evaluate("document.querySelector('button').remove()");
    tab.call("browser_scroll_into_view", json!({ "ref": submit })).fails("no longer exists on the page");
}

#[test]
fn what_is_far_below_or_inside_a_scroller_is_brought_under_the_pointer() {
    let mut tab = open(&logged(
        "click",
        "<header style='position:fixed;top:0;left:0;right:0;height:80px;background:#fff'>Head</header>
        <footer style='position:fixed;bottom:0;left:0;right:0;height:80px;background:#fff'>Foot</footer>
        <div style='height:150px;overflow:auto'><div style='height:2000px'></div><button id=inner>Inner</button></div>
        <div style='height:3000px'></div><button id=deep>Deep</button><div style='height:900px'></div>",
    ));
    click(&mut tab, "#deep").ok();
    click(&mut tab, "#inner").ok();
    assert_eq!(log(&mut tab), "click:deep click:inner");
}

#[test]
fn what_covers_an_element_is_named() {
    let mut tab = open_with(
        &["--action-timeout", "500ms"],
        &logged(
            "click mousedown",
            "<button id=buy>Buy</button>
            <div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#eee;padding:100px'><button id=ok>Accept</button></div>",
        ),
    );
    let snapshot = tab.snapshot();
    let (buy, cookies) = (snapshot.reference("\"Buy\""), snapshot.reference("\"Cookies\""));
    click(&mut tab, &buy).fails(&format!("{buy} is covered by dialog \"Cookies\" ({cookies})"));
    tab.call("browser_hover", json!({ "ref": buy })).fails("is covered by");
    assert_eq!(log(&mut tab), "", "nothing was clicked instead");
    click(&mut tab, "#ok").ok();
    assert_eq!(log(&mut tab), "mousedown:ok click:ok");
    tab.evaluate(
        "document.querySelector('[role=dialog]').remove();
        document.body.insertAdjacentHTML('beforeend', '<dialog id=modal aria-label=Modal>Stop</dialog>');
        modal.showModal()",
    );
    click(&mut tab, &buy).fails("Modal");
    assert_eq!(log(&mut tab), "");
}

#[test]
fn elements_that_cannot_be_used_are_refused_with_the_reason() {
    let mut tab = open_with(
        &["--action-timeout", "400ms"],
        &logged(
            "click",
            "<button id=off disabled>Off</button>
            <fieldset disabled><button id=inside>Inside</button></fieldset>
            <button id=aria aria-disabled=true>Aria</button>
            <button id=none style='display:none'>None</button>
            <button id=invisible style='visibility:hidden'>Invisible</button>
            <button id=empty style='width:0;height:0;padding:0;border:0'></button>
            <button id=away style='position:fixed;left:-500px'>Away</button>",
        ),
    );
    for (target, reason) in [
        ("#off", "is disabled"),
        ("#inside", "is disabled"),
        ("#aria", "is disabled"),
        ("#none", "is not visible"),
        ("#invisible", "is not visible"),
        ("#empty", "is not visible"),
        ("#away", "is outside of the viewport"),
    ] {
        let reply = click(&mut tab, target);
        reply.fails(reason);
        assert_eq!(reply.facts()["error"]["name"], "NotReady", "{target}");
    }
    assert_eq!(log(&mut tab), "");
}

#[test]
fn an_action_waits_until_its_element_can_be_used() {
    let mut tab = open(&logged(
        "click",
        "<style>#slides { transition: margin .4s } .in { margin-left: 300px }</style>
        <button id=late disabled>Late</button><button id=shown hidden>Shown</button><button id=slides>Slides</button>
        <button id=under>Under</button><div id=veil style='position:fixed;inset:0;display:none'>Wait</div>",
    ));
    let soon = |script: &str| format!("void setTimeout(() => {{ {script} }}, 300)");
    tab.evaluate(&soon("late.disabled = false"));
    click(&mut tab, "#late").ok();
    tab.evaluate(&soon("shown.hidden = false"));
    click(&mut tab, "#shown").ok();
    tab.evaluate("void (slides.className = 'in')");
    click(&mut tab, "#slides").ok();
    tab.evaluate(&format!("veil.style.display = 'block'; {}", soon("veil.remove()")));
    click(&mut tab, "#under").ok();
    tab.evaluate(&soon("document.body.insertAdjacentHTML('beforeend', '<button id=born>Born</button>')"));
    click(&mut tab, "#born").ok();
    assert_eq!(log(&mut tab), "click:late click:shown click:slides click:under click:born");
}

#[test]
fn what_is_part_of_an_element_does_not_cover_it() {
    let mut tab = open(&logged(
        "change",
        "<label><input id=box type=checkbox style='opacity:0;position:absolute'>
        <span style='position:relative;display:inline-block;width:40px;height:20px;background:#ccc'></span> News</label>
        <button id=nested onclick='log.push(\"nested\")'><span><b>Deep</b> label</span></button>
        <p style='width:300px;font:16px/1.2 monospace'>some words before <a id=wrapped href='#there'>the link of two lines</a> and after</p>
        <div style='pointer-events:none;position:fixed;inset:0'>watermark</div>",
    ));
    click(&mut tab, "#box").ok();
    click(&mut tab, "#nested").ok();
    click(&mut tab, "#wrapped").says("#there");
    assert_eq!(log(&mut tab), "change:box nested");
    assert_eq!(tab.evaluate("box.checked"), true);
}

#[test]
fn elements_in_open_and_closed_shadow_roots() {
    let mut tab = open(
        "<title>Shadows</title><x-open></x-open><x-closed></x-closed><script>
        for (const [name, mode] of [['x-open', 'open'], ['x-closed', 'closed']])
            customElements.define(name, class extends HTMLElement {
                constructor() {
                    super();
                    const root = this.attachShadow({ mode });
                    root.innerHTML = '<section><button>In ' + mode + '</button><input aria-label=\"Field ' + mode + '\"></section>';
                    root.querySelector('button').onclick = () => document.title += ' ' + mode;
                    root.querySelector('input').onchange = (e) => document.title += ' ' + e.target.value;
                }
            });
        </script>",
    );
    for mode in ["open", "closed"] {
        let snapshot = tab.snapshot();
        let (button, field) =
            (snapshot.reference(&format!("In {mode}")), snapshot.reference(&format!("Field {mode}")));
        click(&mut tab, &button).says(&format!("button \"In {mode}\""));
        tab.call("browser_type", json!({ "ref": field, "text": format!("typed-{mode}"), "submit": true }))
            .ok();
    }
    assert_eq!(tab.evaluate("document.title"), "Shadows open typed-open closed typed-closed");
    click(&mut tab, "x-open button").ok();
    assert!(
        tab.evaluate("document.title").as_str().unwrap().ends_with("typed-closed open"),
        "CSS pierces open roots"
    );
}

#[test]
fn elements_in_frames_of_this_site_of_another_and_inside_each_other() {
    let site = Site::of("");
    let inner =
        "<button onclick=\"this.textContent = 'Pressed'\">NAME</button><input aria-label='NAME field'>";
    site.answer("/same", Answer::Html(inner.replace("NAME", "Same")));
    site.answer("/deep", Answer::Html(inner.replace("NAME", "Deep")));
    let nested = format!(
        "{}<iframe style='margin:30px' src='{}'></iframe>",
        inner.replace("NAME", "Other"),
        site.url("/deep")
    );
    site.answer("/other", Answer::Html(nested));
    let page = format!(
        "<p style='height:1000px'>Top</p><iframe src=/same></iframe><iframe src='{}' width=600 height=400></iframe>",
        site.other_url("/other")
    );
    site.answer("/", Answer::Html(page));
    let mut tab = open_site(&[], site);
    for name in ["Same", "Other", "Deep"] {
        let snapshot = tab.snapshot();
        let button = snapshot.reference(&format!("button \"{name}\""));
        let field = snapshot.reference(&format!("\"{name} field\""));
        assert!(button.starts_with('f') && button.contains('e'), "{button}");
        click(&mut tab, &button).says("settled").says("~ button \"Pressed\"");
        tab.call("browser_type", json!({ "ref": field, "text": "hello" })).says("now holds \"hello\"");
        let read = tab.call("browser_evaluate", json!({ "ref": field, "function": "(el) => el.value" }));
        read.says("hello");
    }
    assert_eq!(tab.snapshot().text().matches("button \"Pressed\"").count(), 3);
}

#[test]
fn frames_that_are_framed_scaled_and_scrolled() {
    let site = Site::of("");
    let inner = "<body style='margin:0'><div style='height:900px'></div>
        <button style='display:block;width:30px;height:20px;padding:0' onclick=\"this.textContent = 'ok'\">NAME</button>
        <div style='height:900px'></div>";
    site.answer("/a", Answer::Html(inner.replace("NAME", "A")));
    site.answer("/b", Answer::Html(inner.replace("NAME", "B")));
    let page = format!(
        "<iframe src=/a style='border:40px solid;padding:30px;width:200px;height:100px'></iframe>
        <iframe src='{}' style='border:10px solid;transform:scale(.5);width:400px;height:300px'></iframe>",
        site.other_url("/b")
    );
    site.answer("/", Answer::Html(page));
    let mut tab = open_site(&["--action-timeout", "2s"], site);
    for name in ["A", "B"] {
        click(&mut tab, &format!("role:button[name=\"{name}\"]")).says("~ button \"ok\"");
    }
}

#[test]
fn what_covers_a_frame_covers_what_is_in_it() {
    let site = Site::of("");
    site.answer("/in", Answer::Html("<button onclick='parent.postMessage(1, \"*\")'>In</button>".into()));
    let page = format!(
        "<iframe src='{}'></iframe><div role=alert style='position:fixed;inset:0;background:#fff'>Blocked</div>",
        site.other_url("/in")
    );
    site.answer("/", Answer::Html(page));
    let mut tab = open_site(&["--action-timeout", "500ms"], site);
    let button = tab.snapshot().reference("\"In\"");
    click(&mut tab, &button).fails("is covered by");
    tab.evaluate("document.querySelector('[role=alert]').remove()");
    click(&mut tab, &button).ok();
}

#[test]
fn bare_elements_that_listen_are_seen_and_clicked() {
    let mut tab = open(
        "<title>-</title><span id=listens>Listens</span><div onclick=\"document.title += ' inline'\">Inline</div>
        <b style='cursor:pointer' id=points>Points</b><i>Plain</i><script>
        listens.addEventListener('click', () => document.title += ' listens');
        document.addEventListener('click', (e) => e.target === points && (document.title += ' points'));
        </script>",
    );
    let snapshot = tab.snapshot();
    for name in ["Listens", "Inline", "Points"] {
        let reference = snapshot.reference(name);
        click(&mut tab, &reference).ok();
    }
    assert_eq!(tab.evaluate("document.title"), "- listens inline points");
    let plain = snapshot.text().lines().find(|line| line.contains("Plain")).unwrap().to_owned();
    assert!(!plain.contains("[clickable]"), "{plain}");
}

#[test]
fn a_click_without_effect_says_so_shortly() {
    let mut tab = open("<title>Quiet</title><button>Nothing</button><p>More</p>");
    let nothing = tab.snapshot().reference("Nothing");
    let reply = click(&mut tab, &nothing);
    reply
        .says("; settled.")
        .says("No change within 0.5 s")
        .says_not("Quiet")
        .says_not("More")
        .says_not("http://");
    assert_eq!(reply.facts()["state"], "settled");
    assert!(reply.bytes < 600, "{} bytes", reply.bytes);
}

#[test]
fn a_click_that_fetches_is_answered_when_the_answer_is_shown() {
    let site = Site::of(
        "<button onclick='load()'>Load</button><ul></ul><script>
        async function load() {
            for (const path of ['/one', '/two']) {
                const text = await (await fetch(path)).text();
                document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>' + text);
            }
        }</script>",
    );
    for (path, text) in [("/one", "First"), ("/two", "Second")] {
        let body = Box::new(Answer::Body("text/plain", text.into()));
        site.answer(path, Answer::Slow(Duration::from_millis(250), body));
    }
    let mut tab = open_site(&[], site);
    tab.snapshot();
    click(&mut tab, "role:button").says("; settled.").says("First").says("Second").says("+ ");
}

#[test]
fn a_click_that_navigates_is_answered_when_the_page_is_loaded() {
    let site = Site::of(
        "<title>One</title><a href=/two>Link</a><button onclick=\"location = '/two'\">Script</button>
        <button onclick=\"fetch('/data').then(() => location = '/two')\">Later</button><form action=/two><button>Send</button></form>",
    );
    site.answer("/data", Answer::Body("text/plain", b"x".to_vec()));
    let two = Answer::Html("<title>Two</title><h1>Second</h1><img src=/picture><script>onload = () => document.title += '!'</script>".into());
    site.answer("/two", Answer::Slow(Duration::from_millis(200), Box::new(two)));
    let picture = Box::new(Answer::Body("image/png", Vec::new()));
    site.answer("/picture", Answer::Slow(Duration::from_millis(200), picture));
    let mut tab = open_site(&[], site);
    for name in ["Link", "Script", "Later", "Send"] {
        let reference = tab.snapshot().reference(name);
        let reply = click(&mut tab, &reference);
        reply.says("; navigated.").says("/two").says("\"Two!\"").says("heading \"Second\"");
        assert_eq!(reply.facts()["title"], "Two!", "{name}");
        tab.call("browser_navigate_back", json!({})).says("\"One\"");
    }
}

#[test]
fn a_click_whose_request_never_ends_says_that_the_page_is_busy() {
    let site = Site::of("<button onclick=\"fetch('/never'); this.textContent = 'Asked'\">Ask</button>");
    site.answer("/never", Answer::Silent);
    let mut tab = open_site(&[], site);
    tab.snapshot();
    let reply = click(&mut tab, "role:button");
    reply.says("still busy with 1 request").says("button \"Asked\"");
    assert_eq!((&reply.facts()["state"], &reply.facts()["pending"]), (&json!("busy"), &json!(1)));
    click(&mut tab, "role:button[name=\"Asked\"]").ok();
}

#[test]
fn a_page_that_never_rests_settles_all_the_same() {
    let mut tab = open(
        "<title>Old</title><p id=clock></p><button onclick=\"document.title = 'New'\">Rename</button><script>
        setInterval(() => clock.textContent = performance.now(), 5);
        (function spin() { clock.style.left = Math.random() + 'px'; requestAnimationFrame(spin) })();
        </script>",
    );
    let reply = click(&mut tab, "role:button");
    reply.says("; settled.").says("\"New\"");
    assert_eq!(reply.facts()["title"], "New");
}

#[test]
fn what_was_under_way_before_a_click_is_not_waited_for() {
    let site =
        Site::of("<button>Quiet</button><script>onload = () => setTimeout(() => fetch('/never'))</script>");
    site.answer("/never", Answer::Silent);
    let mut tab = open_site(&[], site);
    tab.evaluate("new Promise((done) => setTimeout(done, 50))");
    assert!(tab.site.requests().contains(&"GET /never".to_owned()));
    click(&mut tab, "role:button").says("; settled.");
}

#[test]
fn a_click_hits_its_element_or_fails() {
    let mut tab = open(&logged(
        "click",
        "<button id=shy style='position:relative'>Shy</button><button id=bold style='position:absolute;left:8px;top:200px'>Bold</button>
        <button id=wrong style='position:absolute;left:0;top:300px;width:300px;height:40px'>Wrong</button>
        <button id=swap style='position:absolute;left:0;top:300px;width:300px;height:40px'>Swap</button><script>
        bold.onmouseenter = () => bold.style.left = '300px';
        let gap = 0;
        swap.onmouseenter = () => swap.style.top = (gap += 60) % 240 + 360 + 'px';
        </script>",
    ));
    click(&mut tab, "#bold").ok();
    assert_eq!(log(&mut tab), "click:bold", "it stepped aside once, and was followed");
    tab.evaluate(
        "void (swap.onmouseenter = swap.onmousemove = () => swap.style.top = (gap += 60) % 240 + 360 + 'px')",
    );
    let reply = click(&mut tab, "#swap");
    reply.fails("Swap");
    assert_eq!(log(&mut tab), "", "what lay below was not clicked instead");
}

#[test]
fn a_click_may_take_its_element_away() {
    let mut tab = open(
        "<ul><li>Milk <button onclick='this.parentElement.remove()'>Delete milk</button>
        <li>Bread <button onclick=\"document.body.innerHTML = '<h1>All gone</h1>'\">Delete all</button></ul>",
    );
    let snapshot = tab.snapshot();
    let (milk, all) = (snapshot.reference("Delete milk"), snapshot.reference("Delete all"));
    click(&mut tab, &milk).says("; settled.").says("- listitem");
    click(&mut tab, &all).says("All gone");
    click(&mut tab, &milk).fails("no longer exists");
}

#[test]
fn changes_are_told_as_new_changed_and_gone() {
    let mut tab = open(
        "<h1>Cart</h1><p id=n>0 items</p><button onclick=\"n.textContent = '1 item'; old.remove();
            n.insertAdjacentHTML('afterend', '<a href=/pay>Pay now</a>')\">Add</button><a id=old href=/empty>Nothing here</a>",
    );
    let add = tab.snapshot().reference("Add");
    let reply = click(&mut tab, &add);
    reply
        .says("1 item")
        .says("+ link \"Pay now\"")
        .says("- link \"Nothing here\"")
        .says_not("heading \"Cart\"");
    let pay = reply.reference("Pay now");
    assert_eq!(tab.snapshot().reference("Pay now"), pay, "the diff's refs are the snapshot's");
}

#[test]
fn a_great_change_is_told_within_bounds() {
    let mut tab = open(
        "<button onclick='fill()'>Fill</button><script>
        const item = (_, i) => `<p><a href=/${i}>Item ${i}</a>`;
        const fill = () => document.body.insertAdjacentHTML('beforeend', Array.from({ length: 5000 }, item).join(''));
        </script>",
    );
    let fill = tab.snapshot().reference("Fill");
    let reply = click(&mut tab, &fill);
    reply.says("Item 0");
    assert!(reply.text().len() < 8_000, "{} characters", reply.text().len());
    assert!(
        reply.text().contains("more") || reply.text().contains("snapshot"),
        "the cut is told:\n{}",
        reply.text()
    );
}

#[test]
fn replies_show_the_whole_page_or_nothing_when_told_so() {
    let page = "<title>T</title><h1>Head</h1><button onclick=\"this.textContent = 'After'\">Before</button>";
    let mut tab = open_with(&["--action-snapshot", "full"], page);
    click(&mut tab, "role:button").says("Snapshot:").says("heading \"Head\"").says("button \"After\"");
    let mut tab = open_with(&["--action-snapshot", "none"], page);
    click(&mut tab, "role:button").says("Clicked").says_not("After").says_not("Head");
}

#[test]
fn errors_that_an_action_caused_come_with_its_reply() {
    let mut tab = open("<button onclick='nowhere()'>Break</button><button onclick='1'>Fine</button>");
    click(&mut tab, "text:Break").says("console error").says("nowhere");
    click(&mut tab, "text:Fine").says_not("console error");
}

#[test]
fn text_that_adopted_style_sheets_generate_is_part_of_names() {
    let mut tab = open(
        "<button>Save</button><div id=host></div><script>
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('button::before { content: \"Auto-\" }');
        document.adoptedStyleSheets = [sheet];
        const root = host.attachShadow({ mode: 'open' });
        root.innerHTML = '<button>Load</button>';
        root.adoptedStyleSheets = [sheet];
        </script>",
    );
    tab.snapshot().says("button \"Auto-Save\"").says("button \"Auto-Load\"");
}
