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

/// After how many milliseconds the effect comes.
const DELAYS: [u32; 6] = [30, 100, 200, 300, 400, 500];

/// What brings an effect about, and how: `D` is the delay, `done` shows the effect.
const MECHANISMS: [(&str, &str); 15] = [
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
        "box.style.transition = `opacity ${D}ms`; box.ontransitionend = done; box.style.opacity = box.style.opacity == '0' ? 1 : 0",
    ),
    ("animation", "box.animate([{ opacity: 0 }, { opacity: 1 }], D).onfinish = done"),
    (
        "view transition",
        "setTimeout(() => document.startViewTransition ? document.startViewTransition(done) : done(), D)",
    ),
    ("history", "history.pushState(0, '', '?' + Date.now()); setTimeout(done, D)"),
    (
        "removal",
        "box.classList.toggle('out'); setTimeout(() => { box.querySelector('i')?.remove(); done() }, D)",
    ),
];

/// The page of a mechanism and a delay: `/late/MECHANISM/DELAY`.
pub(crate) fn page(path: &str) -> Option<Page> {
    let mut parts = path.strip_prefix("/late/")?.split('/');
    let (_, script) = MECHANISMS.get(parts.next()?.parse::<usize>().ok()?)?;
    let delay: u32 = parts.next()?.parse().ok()?;
    Some(Page::html(format!(
        "<!doctype html><meta charset=utf-8><title>Late</title><button>Go</button><p id=p>before</p>\
         <div id=box><i>Part</i></div><script>const D = {delay};\
         const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = e => setTimeout(() => postMessage(0), e.data)'])));\
         globalThis.done = () => {{ document.getElementById('p').textContent = 'after ' + Date.now() }};\
         const box = document.getElementById('box');\
         document.querySelector('button').onclick = () => {{ {script} }}</script>"
    )))
}

pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    let mut after = Vec::new();
    for (number, (what, _)) in MECHANISMS.iter().enumerate() {
        let (mut told, mut tried) = (0_u32, 0_u32);
        for delay in DELAYS {
            ours.open(&site.url(&format!("/late/{number}/{delay}")))?;
            for _ in 0..ROUNDS {
                let reply = ours.call("browser_click", &json!({ "ref": "button" }))?;
                let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64() * 1_000.0;
                tried += 1;
                // What is told as of the time since the last reply is not told by this one.
                let own = reply.text.split("Changes (").nth(1).unwrap_or_default();
                let at = own
                    .split("after ")
                    .nth(1)
                    .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
                if let Some(at) = at.and_then(|at| at.parse::<f64>().ok()) {
                    told += 1;
                    after.push(now - at);
                }
            }
        }
        let share = f64::from(told) / f64::from(tried) * 100.0;
        table.measured(&format!("late effect told, {what}"), share, Unit::Percent, Limit::AtLeast(95.0));
    }
    after.sort_by(f64::total_cmp);
    let tail = after.get(after.len() * 95 / 100).copied().unwrap_or(f64::NAN);
    table.milliseconds("reply after a late effect", median(after), None, Limit::AtMost(60.0));
    table.milliseconds("the same, 95 of 100", tail, None, Limit::None);
    Ok(())
}
