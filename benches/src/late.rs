//! Effects that come late: in how many replies they are, and how long after the effect the reply comes.

use std::time::{SystemTime, UNIX_EPOCH};

use cicerone_testkit::{Page, Site};
use serde_json::json;

use crate::{
    Failure, median,
    ours::Ours,
    table::{Limit, Table, Unit},
};

/// How often each mechanism is tried with each delay.
const ROUNDS: usize = 20;

/// After how many milliseconds the effect comes; 0 is at once.
const DELAYS: [u32; 8] = [0, 30, 100, 200, 300, 400, 500, 600];

/// Effects are waited for until so long after the action.
const WAITED_FOR: u32 = 500;

/// Of the replies to actions with an effect, so many percent have it.
const SHARE: f64 = 95.0;

/// Milliseconds from the effect to the reply, of 95 in 100.
const AFTER: f64 = 60.0;

/// What brings an effect about, and how: `D` is the delay, `done` shows the effect.
const MECHANISMS: [(&str, &str); 21] = [
    ("timer", "setTimeout(done, D)"),
    (
        "interval",
        "let n = 0; const i = setInterval(() => { if (++n == 5) { clearInterval(i); done() } }, D / 5)",
    ),
    (
        "animation frames",
        "const e = performance.now() + D; (function f() { performance.now() < e ? requestAnimationFrame(f) : done() })()",
    ),
    ("idle callback", "setTimeout(() => requestIdleCallback(done), D)"),
    (
        "message channel",
        "const c = new MessageChannel(); c.port1.onmessage = done; setTimeout(() => c.port2.postMessage(0), D)",
    ),
    ("worker", "worker.onmessage = done; worker.postMessage(D)"),
    (
        "observer",
        "const o = new ResizeObserver(() => { o.disconnect(); done() }); setTimeout(() => o.observe(box), D)",
    ),
    (
        "image",
        "setTimeout(() => { const i = new Image(); i.onload = done; i.src = 'data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\"/>' }, D)",
    ),
    (
        "script",
        "setTimeout(() => { const s = document.createElement('script'); s.src = 'data:text/javascript,done()'; document.head.append(s) }, D)",
    ),
    ("fetch", "setTimeout(() => fetch('/data').then(done), D)"),
    (
        "transition",
        "box.style.transition = `opacity ${D || 1}ms`; box.ontransitionend = done; box.style.opacity = box.style.opacity == '0' ? 1 : 0",
    ),
    ("animation", "box.animate([{ opacity: 0 }, { opacity: 1 }], D).onfinish = done"),
    (
        "view transition",
        "setTimeout(() => document.startViewTransition ? document.startViewTransition(done) : done(), D)",
    ),
    ("history", "history.pushState(0, '', '?' + Date.now()); setTimeout(done, D)"),
    ("value", "setTimeout(() => { field.value = 'after ' + Date.now() }, D)"),
    (
        "style rule",
        "setTimeout(() => sheet.insertRule(`#rule::before { content: 'after ${Date.now()}' }`, sheet.cssRules.length), D)",
    ),
    ("confirmation", "setTimeout(() => confirm('after ' + Date.now()), D)"),
    ("redirect", "setTimeout(() => { location.search = 'there' + Date.now() }, D)"),
    (TYPING, "let t; field.oninput = () => { clearTimeout(t); t = setTimeout(done, D) }"),
    (
        LIST_END,
        "new IntersectionObserver(([seen]) => seen.isIntersecting && setTimeout(done, D)).observe(end)",
    ),
    (
        "removal",
        "box.classList.toggle('out'); setTimeout(() => { box.querySelector('i')?.remove(); done() }, D)",
    ),
];

/// Text typed into a field that waits for a pause.
const TYPING: &str = "debounced typing";

/// The key `End` on a list that grows at its end.
const LIST_END: &str = "end of a list";

/// Mechanisms whose script runs when the page loads, not on a click.
const AT_LOAD: [&str; 2] = [TYPING, LIST_END];

/// The page of a mechanism and a delay: `/late/MECHANISM/DELAY`.
pub(crate) fn page(path: &str) -> Option<Page> {
    let mut parts = path.strip_prefix("/late/")?.split(['/', '?']);
    let (what, script) = MECHANISMS.get(parts.next()?.parse::<usize>().ok()?)?;
    let delay: u32 = parts.next()?.parse().ok()?;
    let run = match AT_LOAD.contains(what) {
        true => format!("{{ {script} }}"),
        false => format!("document.querySelector('button').onclick = () => {{ {script} }}"),
    };
    let tall = if *what == LIST_END { 4_000 } else { 0 };
    Some(Page::html(format!(
        "<!doctype html><meta charset=utf-8><title>Late</title><style id=style></style><button>Go</button><p id=p>before</p>\
         <div id=box><i>Part</i></div><input id=field type=search aria-label=Field><p id=rule></p>\
         <div style='height:{tall}px'></div><i id=end>.</i><script>const D = {delay}, {{ sheet }} = document.getElementById('style');\
         const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = e => setTimeout(() => postMessage(0), e.data)'])));\
         globalThis.done = () => {{ p.textContent = 'after ' + Date.now() }};\
         if (location.search.startsWith('?there')) done();\
         {run}</script>"
    )))
}

/// Does what leads to the effect.
fn act(what: &str, round: usize, ours: &mut Ours) -> Result<String, Failure> {
    let reply = match what {
        TYPING => {
            let text = format!("text {round}");
            ours.call("browser_type", &json!({ "ref": "#field", "text": text }))?
        }
        LIST_END => ours.call("browser_press_key", &json!({ "key": "End" }))?,
        _ => ours.call("browser_click", &json!({ "ref": "button" }))?,
    };
    Ok(reply.text)
}

/// When the effect came, if the reply has it as the action's: what is told as of the time since the last reply does not count.
fn effect_in(reply: &str) -> Option<f64> {
    let (before, since) = reply.split_once("Since the last reply").unwrap_or((reply, ""));
    let own = since.split_once("\nChanges (").or_else(|| since.split_once("\nSnapshot:"));
    let at =
        [before, own.map_or("", |(_, own)| own)].into_iter().find_map(|text| text.split("after ").nth(1))?;
    at.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Counts of one row.
#[derive(Default, Clone, Copy)]
struct Told {
    told: u32,
    tried: u32,
}

impl Told {
    fn add(&mut self, told: bool) {
        self.tried += 1;
        self.told += u32::from(told);
    }

    fn share(self) -> f64 {
        f64::from(self.told) / f64::from(self.tried) * 100.0
    }
}

pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    let mut after = [const { Vec::new() }; DELAYS.len()];
    let mut by_delay = [Told::default(); DELAYS.len()];
    for (number, (what, _)) in MECHANISMS.iter().enumerate() {
        let mut told = Told::default();
        for (nth, delay) in DELAYS.into_iter().enumerate() {
            let url = site.url(&format!("/late/{number}/{delay}"));
            ours.open(&url)?;
            for round in 0..ROUNDS {
                let reply = act(what, round, ours)?;
                let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64() * 1_000.0;
                let at = effect_in(&reply);
                by_delay[nth].add(at.is_some());
                if delay <= WAITED_FOR {
                    told.add(at.is_some());
                }
                after[nth].extend(at.map(|at| now - at));
                match *what {
                    "confirmation" => {
                        drop(ours.client.call("browser_handle_dialog", &json!({ "accept": true }))?)
                    }
                    "redirect" | LIST_END => drop(ours.open(&url)?),
                    _ => {}
                }
            }
        }
        let limit = Limit::AtLeast(SHARE);
        table.measured(&format!("late effect told, {what}"), told.share(), Unit::Percent, limit);
    }
    for ((delay, told), after) in DELAYS.into_iter().zip(by_delay).zip(&mut after) {
        let (share, tail) = match delay <= WAITED_FOR {
            true => (Limit::AtLeast(SHARE), Limit::AtMost(AFTER)),
            false => (Limit::None, Limit::None),
        };
        table.measured(&format!("effect told, after {delay} ms"), told.share(), Unit::Percent, share);
        let what = format!("reply after an effect of {delay} ms");
        after.sort_by(f64::total_cmp);
        let slowest = after.get(after.len() * 95 / 100).copied().unwrap_or(f64::NAN);
        table.milliseconds(&what, median(after.clone()), None, Limit::None);
        table.milliseconds(&format!("{what}, 95 of 100"), slowest, None, tail);
    }
    Ok(())
}
