//! Effects that come late: they are in the reply to the action that led to them, or told as what came since.

use serde_json::json;

use crate::support::{Answer, Reply, Site, Tab, agent, open, open_site};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

/// A page with one button that does something late.
fn late(script: &str) -> Tab {
    let site = Site::of(&format!(
        "<!doctype html><title>Late</title><button id=go onclick='go()'>Go</button><p id=p>before</p><div id=box></div>
         <script>const say = words => p.textContent = words;\n{script}</script>"
    ));
    site.answer("/answer", slow(30, "fetched"));
    site.answer("/there", Answer::Html("<title>There</title><h1>Arrived</h1>".into()));
    open_site(&[], site)
}

fn slow(milliseconds: u64, text: &str) -> Answer {
    let answer = Answer::Body("text/plain", text.as_bytes().to_vec());
    Answer::Slow(std::time::Duration::from_millis(milliseconds), Box::new(answer))
}

/// The reply to the click has the effect.
#[track_caller]
fn shows(script: &str, words: &str) {
    let mut tab = late(script);
    tab.snapshot().ok();
    click(&mut tab, "#go").says(words).says_not("No change").says_not("Since the last reply");
}

#[test]
fn timers() {
    shows("const go = () => setTimeout(() => say('after'), 60)", "after");
    shows("const go = () => setTimeout(() => say('after'), 400)", "after");
}

#[test]
fn an_interval() {
    shows(
        "const go = () => { let n = 0; const i = setInterval(() => { if (++n == 3) { clearInterval(i); say('after') } }, 70) }",
        "after",
    );
}

#[test]
fn a_chain_of_animation_frames() {
    shows(
        "const go = () => { let n = 0; const step = () => { if (++n < 20) requestAnimationFrame(step); else say('after') }; step() }",
        "after",
    );
}

#[test]
fn an_idle_callback() {
    // Pages do without where there is none.
    let idle = "(window.requestIdleCallback ?? setTimeout)(() => say('after'))";
    shows(&format!("const go = () => setTimeout(() => {idle}, 80)"), "after");
}

/// Chromium reports the end of a response that may not be stored only when it was read.
#[test]
fn a_response_that_nobody_reads_holds_up_no_reply() {
    let mut tab = late("const go = () => fetch('/saved', { method: 'POST' }).then(() => say('after'))");
    let head = ["Content-Type: text/plain", "Cache-Control: no-store"].map(str::to_owned);
    tab.site.answer("/saved", Answer::Raw(200, head.into(), b"saved".to_vec()));
    tab.snapshot().ok();
    click(&mut tab, "#go").says("after").says("settled").says_not("still busy");
    let url = tab.site.url("/");
    tab.call("browser_navigate", json!({ "url": url })).says_not("still busy");
}

#[test]
fn an_idle_callback_on_a_still_page() {
    for _ in 0..3 {
        shows("const go = () => setTimeout(() => requestIdleCallback(() => say('after')), 250)", "after");
    }
}

#[test]
fn a_message_channel() {
    shows(
        "const go = () => { const c = new MessageChannel(); c.port1.onmessage = () => say('after'); setTimeout(() => c.port2.postMessage(0), 120) }",
        "after",
    );
}

#[test]
fn a_worker() {
    shows(
        "const code = 'onmessage = () => setTimeout(() => postMessage(1), 150)';
         const w = new Worker(URL.createObjectURL(new Blob([code]))); w.onmessage = () => say('after');
         const go = () => w.postMessage(0)",
        "after",
    );
}

#[test]
fn a_confirmation() {
    let mut tab = late("const go = () => setTimeout(() => say(confirm('Sure?') ? 'yes' : 'no'), 150)");
    click(&mut tab, "#go").says("a dialog holds the page").says("Sure?");
    tab.call("browser_handle_dialog", json!({ "accept": true })).says("yes");
}

#[test]
fn a_row_that_fades_away() {
    shows(
        "box.innerHTML = '<style>.out { opacity: 0; transition: opacity .25s }</style><article>Row</article>';
         const row = box.querySelector('article'); row.ontransitionend = () => row.remove();
         const go = () => row.classList.add('out')",
        "- article",
    );
}

#[test]
fn a_banner_that_a_transition_shows() {
    shows(
        "box.innerHTML = '<style>article { visibility: hidden; transition: visibility 0s .3s } .in article { visibility: visible }</style><article>Banner</article>';
         const go = () => box.classList.add('in')",
        "Banner",
    );
}

#[test]
fn a_view_transition() {
    shows(
        "const go = () => setTimeout(() => document.startViewTransition ? document.startViewTransition(() => say('after')) : say('after'), 200)",
        "after",
    );
}

#[test]
fn an_animation() {
    shows(
        "const go = () => box.animate([{ opacity: 0 }, { opacity: 1 }], 250).onfinish = () => say('after')",
        "after",
    );
}

#[test]
fn a_debounce_that_fetches() {
    shows(
        "const go = () => setTimeout(async () => say(await (await fetch('/answer')).text()), 300)",
        "fetched",
    );
}

#[test]
fn a_picture_and_a_script_that_load_late() {
    shows(
        "const go = () => setTimeout(() => { const i = new Image(); i.onload = () => say('after'); i.src = 'data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>' }, 100)",
        "after",
    );
    shows(
        "const go = () => setTimeout(() => { const s = document.createElement('script'); s.src = 'data:text/javascript,say(\"after\")'; document.head.append(s) }, 100)",
        "after",
    );
}

#[test]
fn a_view_that_is_rendered_after_its_url() {
    shows(
        "const go = () => { history.pushState(0, '', '/view'); document.title = 'View'; setTimeout(() => say('after'), 700) }",
        "after",
    );
}

#[test]
fn a_redirect() {
    let mut tab = late("const go = () => setTimeout(() => location = '/there', 350)");
    click(&mut tab, "#go").says("navigated").says("Arrived");
}

#[test]
fn a_list_that_grows_at_its_end() {
    let mut tab = late(
        "box.innerHTML = '<ul style=\"margin-top: 3000px\"><li>One</li></ul><i id=end>.</i>';
         new IntersectionObserver(seen => { if (seen[0].isIntersecting) setTimeout(() => document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Two</li>'), 150) }).observe(end);
         const go = () => 0",
    );
    tab.snapshot().ok();
    tab.call("browser_press_key", json!({ "key": "End" })).says("Two");
}

#[test]
fn a_frame_and_a_shadow_root() {
    let mut tab = late(
        "box.innerHTML = '<iframe srcdoc=\"<p id=q>inner</p>\"></iframe><x-y></x-y>';
         const root = box.querySelector('x-y').attachShadow({ mode: 'open' }); root.innerHTML = '<h2>Shadow</h2>';
         const inner = () => document.querySelector('iframe').contentDocument.querySelector('#q');
         let n = 0; const go = () => setTimeout(() => n++ ? root.querySelector('h2').textContent = 'Light' : inner().textContent = 'framed', 200)",
    );
    tab.snapshot().says("inner").says("Shadow");
    click(&mut tab, "#go").says("framed");
    click(&mut tab, "#go").says("Light");
}

#[test]
fn without_an_effect_the_reply_says_how_long_it_waited() {
    let mut tab = late("const go = () => setTimeout(() => say('much later'), 1500)");
    click(&mut tab, "#go").says("settled").says("No change within 0.5 s");
    let mut tab = open_site(&["--settle", "100ms"], Site::of("<button>Nothing</button>"));
    click(&mut tab, "button").says("No change within 0.1 s");
}

#[test]
fn signs_that_more_will_come_are_waited_for() {
    shows(
        "const go = () => { box.setAttribute('aria-busy', 'true'); setTimeout(() => { box.removeAttribute('aria-busy'); say('after') }, 750) }",
        "after",
    );
    shows(
        "box.innerHTML = '<form onsubmit=\"return false\"><button id=send>Send</button></form>'; const go = () => { send.disabled = true; setTimeout(() => { send.disabled = false; say('after') }, 750) }",
        "after",
    );
    shows(
        "const go = () => { box.innerHTML = '<div role=progressbar aria-label=Loading>…</div>'; setTimeout(() => { box.innerHTML = ''; say('after') }, 750) }",
        "after",
    );
}

#[test]
fn a_clock_is_no_effect() {
    let mut tab = late(
        "box.innerHTML = '<time></time>'; setInterval(() => document.querySelector('time').textContent = performance.now(), 40);
         const go = () => setTimeout(() => say('after'), 350)",
    );
    tab.snapshot().ok();
    tab.call("browser_wait_for", json!({ "time": 0.3 })).ok();
    // The client takes its time between two replies; that is when a clock is found to be one.
    std::thread::sleep(std::time::Duration::from_millis(300));
    click(&mut tab, "#go").says("after");
}

#[test]
fn a_fast_clock_is_no_effect_of_calls_that_follow_each_other() {
    let mut tab = late(
        "box.innerHTML = '<time></time>'; setInterval(() => document.querySelector('time').textContent = performance.now(), 100);
         let n = 0; const go = () => { n++; setTimeout(() => say('after ' + n), 300) }",
    );
    tab.snapshot().ok();
    // Each seems to change the clock, until it has ticked often enough and was watched once.
    for _ in 0..15 {
        click(&mut tab, "time").ok();
    }
    // On a busy machine it may tick irregularly, as an effect would.
    let is_told = |nth: &u32| click(&mut tab, "#go").text().contains(&format!("after {nth}"));
    let told = (1..=5).filter(is_told).count();
    assert!(told >= 2, "{told} of 5 effects were in the reply to their click");
}

/// Neither has a mutation or an event.
#[test]
fn states_and_rules_that_a_script_sets() {
    let site = "<button id=go onclick='setTimeout(go, 150)'>Go</button><input id=field aria-label=Field><input type=checkbox id=box aria-label=Box>
        <style id=sheet>p { display: none }</style><p>shown</p>";
    for (script, words) in [
        ("field.value = 'set'", "~ textbox \"Field\" [ref=e"),
        ("box.checked = true", "checkbox \"Box\" [checked]"),
        ("sheet.sheet.insertRule('p { display: block !important }')", "shown"),
        (
            "{ const s = new CSSStyleSheet(); s.replaceSync('p { display: block }'); document.adoptedStyleSheets = [s] }",
            "shown",
        ),
    ] {
        // The last look at the end of the wait finds them, too.
        let mut tab = open_site(
            &["--settle", "9s"],
            Site::of(&format!("{site}<script>const go = () => {script}</script>")),
        );
        tab.snapshot().ok();
        let began = std::time::Instant::now();
        click(&mut tab, "#go").says(words);
        assert!(began.elapsed().as_secs() < 7, "{script}: {:?}", began.elapsed());
    }
}

#[test]
fn a_moved_focus_is_an_effect() {
    let page = "<label>A <input></label> <label>B <textarea></textarea></label> <button id=c>C</button>";
    let mut tab = open(page);
    tab.snapshot().ok();
    click(&mut tab, "label:A").says("settled").says_not("change within");
    let key = json!({ "key": "Tab" });
    tab.call("browser_press_key", key.clone()).says("the focus is on textbox \"B\"").says_not("change");
    // A button takes the focus of its click: that is not what it is for.
    click(&mut tab, "#c").says("Clicked button \"C\"").says("No change within 0.5 s");
    let mut tab = agent::open(page);
    tab.call("snapshot", json!({})).ok();
    tab.call("press", key).says("Pressed Tab; the focus is on textbox \"A\" (@e").says_not("change");
}

#[test]
fn the_focus_of_a_field_that_promises_more_is_not_all() {
    let mut tab = open(
        "<input type=search aria-label=Find onfocus='setTimeout(() => out.textContent = \"recent\", 250)'><p id=out></p>",
    );
    tab.snapshot().ok();
    click(&mut tab, "label:Find").says("recent");
}

#[test]
fn what_came_after_a_reply_is_not_credited_to_the_next_action() {
    let mut tab = late(
        "let n = 0; const go = () => n++ ? box.textContent = 'mine' : setTimeout(() => say('late'), 900)",
    );
    tab.snapshot().ok();
    click(&mut tab, "#go").says("No change within");
    std::thread::sleep(std::time::Duration::from_millis(800));
    let reply = click(&mut tab, "#go");
    let text = reply.says("Since the last reply").says("late").says("mine").text();
    let (since, changes) = text.split_once("Changes (").unwrap();
    assert!(since.contains("late") && !since.contains("mine"), "{text}");
    assert!(changes.contains("mine") && !changes.contains("late"), "{text}");
    click(&mut tab, "#p").says_not("Since the last reply");
}

#[test]
fn a_document_that_came_after_a_reply_is_told_as_such() {
    let mut tab = late("const go = () => setTimeout(() => location = '/there', 2500)");
    tab.snapshot().ok();
    click(&mut tab, "#go").says("No change within");
    std::thread::sleep(std::time::Duration::from_millis(2600));
    let there = tab.site.url("/there");
    let reply = click(&mut tab, "h1");
    reply.says(&format!("Since the last reply: a new page\nPage: {there} \"There\"\n<page "));
    reply.says("- heading \"Arrived\"").says_not("- gone");
    click(&mut tab, "h1").says_not("Since the last reply").says_not("Page: ");
}

#[test]
fn an_error_says_that_the_page_is_another_one() {
    for rows in [1, 500] {
        let there = format!("<title>There</title><h1>Arrived</h1>{}", "<p>row</p>".repeat(rows));
        let site = Site::of("<button onclick=\"setTimeout(() => location = '/there', 1000)\">Go</button>");
        site.answer("/there", Answer::Html(there));
        let mut tab = open_site(&[], site);
        tab.snapshot().ok();
        click(&mut tab, "text:Go").ok();
        let url = tab.site.url("/there");
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let failed = click(&mut tab, "text:Nothing");
        failed.fails("not found");
        failed.fails(&format!("Page: {url} \"There\""));
        click(&mut tab, "h1").ok().says_not(&format!("Page: {url}"));
    }
}

#[test]
fn a_document_that_came_after_a_reply_is_told_to_programs_too() {
    let site = Site::of("<button onclick=\"setTimeout(() => location = '/there', 2500)\">Go</button>");
    site.answer("/there", Answer::Html("<title>There</title><h1>Arrived</h1>".into()));
    let mut tab = open_site(&agent::DIALECT, site);
    tab.call("snapshot", json!({})).ok();
    tab.call("click", json!({ "selector": "role:button" })).says("No change within");
    std::thread::sleep(std::time::Duration::from_millis(2600));
    let there = tab.site.url("/there");
    let reply = tab.call("click", json!({ "selector": "role:heading" }));
    reply.says(&format!("Since the last reply: a new page\nPage: {there} \"There\"")).says_not("- gone");
    let since = reply.facts()["data"]["since"].as_array().unwrap();
    assert_eq!(since[0], format!("Page: {there} \"There\""));
    assert_eq!(since[1], "Snapshot:");
}

#[test]
fn a_url_that_changed_after_a_reply_is_told_as_such() {
    let mut tab = late("const go = () => setTimeout(() => history.pushState(0, '', '/later'), 2500)");
    tab.snapshot().ok();
    click(&mut tab, "#go").says("No change within").says_not("Page: ");
    std::thread::sleep(std::time::Duration::from_millis(2600));
    let later = tab.site.url("/later");
    click(&mut tab, "#p").says(&format!("Since the last reply:\nPage: {later} \"Late\""));
    click(&mut tab, "#p").says_not("Page: ");
    tab.evaluate("setTimeout(() => { history.pushState(0, '', '/last'); p.textContent = 'last' })");
    let last = tab.site.url("/last");
    let reply = click(&mut tab, "#p");
    let text = reply.text();
    assert_eq!(text.matches(&format!("Page: {last}")).count(), 1, "{text}");
}

#[test]
fn live_regions_that_came_and_went_are_told_once() {
    let mut tab = late(
        "const go = () => { box.innerHTML = '<div role=status>Saved 3 files</div>'; setTimeout(() => box.innerHTML = '', 150);
         setTimeout(() => { box.innerHTML = '<div role=alert>Disk full</div>'; setTimeout(() => box.innerHTML = '', 60) }, 800) }",
    );
    tab.snapshot().ok();
    let first = click(&mut tab, "#go");
    first.says("Saved 3 files").says_not("Disk full");
    std::thread::sleep(std::time::Duration::from_millis(1200));
    let second = click(&mut tab, "#p");
    second.says("alert \"Disk full\" appeared and disappeared");
    click(&mut tab, "#p").says_not("Disk full");
}

#[test]
fn fields_that_promise_more_are_waited_for() {
    let page = "<label>Plain <input id=plain></label>
        <label>Find <input id=seek type=search></label>
        <label>City <input id=city list=cities></label><datalist id=cities></datalist>
        <ul id=out></ul><script>
        const show = field => setTimeout(() => out.innerHTML = '<li>for ' + field.value + '</li>', 250);
        seek.addEventListener('input', () => show(seek));
        city.oninput = () => show(city);
        </script>";
    let mut tab = open(page);
    tab.snapshot().ok();
    let mut type_into =
        |target: &str, text: &str| tab.call("browser_type", json!({ "ref": target, "text": text }));
    type_into("#plain", "x").says("textbox \"Plain\"").says_not("No change");
    type_into("#seek", "rust").says("for rust");
    type_into("#city", "Ulm").says("for Ulm");
}

#[test]
fn a_field_with_a_listener_of_its_own_is_waited_for() {
    let page = "<label>User <input id=user></label><ul id=out></ul><script>
        user.addEventListener('keyup', () => setTimeout(() => out.innerHTML = '<li>for ' + user.value + '</li>', 250));
        </script>";
    let mut tab = open(page);
    tab.snapshot().ok();
    tab.call("browser_type", json!({ "ref": "#user", "text": "ada" })).says("for ada");
}

#[test]
fn changes_before_an_action_that_fails_are_told_with_its_error() {
    let mut tab = late("const go = () => setTimeout(() => say('much later'), 1100)");
    tab.snapshot().ok();
    click(&mut tab, "#go").says("No change within");
    std::thread::sleep(std::time::Duration::from_millis(1300));
    let failed = click(&mut tab, "e999");
    failed.fails("ever gave out the ref e999").fails("Since the last reply").fails("much later");
    click(&mut tab, "#p").says_not("Since the last reply");
    // Errors are short: many changes wait for the next action that works.
    tab.evaluate("box.innerHTML = '<button>Some longer name of a button</button>'.repeat(30)");
    let failed = click(&mut tab, "e999");
    assert!(!failed.text().contains("Since the last reply"), "{}", failed.text());
    click(&mut tab, "#p").says("Since the last reply").says("Some longer name");
}

#[test]
fn a_list_that_grows_when_scrolled() {
    let page = "<ul style='margin-top: 3000px'><li>One</li></ul><i id=end>.</i><script>
        new IntersectionObserver(seen => { if (seen[0].isIntersecting) setTimeout(() => document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Two</li>'), 150) }).observe(end)
        </script>";
    let mut tab = open(page);
    tab.snapshot().ok();
    tab.call("browser_scroll_into_view", json!({ "ref": "#end" })).says("Two");
    let mut tab = agent::open(page);
    tab.call("snapshot", json!({})).ok();
    tab.call("scroll", json!({ "direction": "down", "amount": 5000 })).says("Two");
}
