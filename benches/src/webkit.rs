//! WebKit: the server on it, and beside it the same host program without the server.

use std::{path::Path, time::Instant};

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure,
    cases::Bench,
    host::Host,
    median,
    ours::Ours,
    raw::TWO_FRAMES,
    table::{Limit, Table},
};

const FLAGS: [&str; 4] = ["--browser", "webkit", "--dialect", "browser,agent"];

/// Starting costs half a second, so there are fewer rounds.
const STARTS: usize = 9;

pub(crate) fn measure(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    let host = format!("{}-webkit", program.display());
    let mut ours = Ours::start_with(program, &FLAGS)?;
    let mut raw = Host::start(&host)?;
    cases(&mut Bench { table, ours: &mut ours, raw: &mut raw }, site)?;
    drop((ours, raw));
    starts(table, site, program, &host)
}

fn cases(bench: &mut Bench<'_, Host>, site: &Site) -> Result<(), Failure> {
    let quiet = site.url("/quiet");
    bench.both("WebKit: navigate", Limit::None, &mut |ours| ours.open(&quiet).map(drop), &mut |raw| {
        raw.open(&quiet)
    })?;
    let click = |ours: &mut Ours| ours.call("browser_click", &json!({ "ref": "button" })).map(drop);
    for (path, what) in
        [("/quiet", "WebKit: click, no effect"), ("/counter", "WebKit: click, effect at once")]
    {
        bench.ours.open(&site.url(path))?;
        bench.raw.open(&site.url(path))?;
        let centre = "(() => { const box = document.querySelector('button').getBoundingClientRect(); \
                      return (box.x + box.width / 2) + ' ' + (box.y + box.height / 2); })()";
        let centre = bench.raw.evaluate(centre)?;
        let (x, y) = centre.as_str().and_then(|at| at.split_once(' ')).ok_or("no button")?;
        let (x, y) = (x.parse::<f64>()?.floor(), y.parse::<f64>()?.floor());
        bench.both(what, Limit::AboveRaw(20.0), &mut { click }, &mut |raw| {
            raw.click(x, y)?;
            raw.evaluate(TWO_FRAMES).map(drop)
        })?;
    }
    bench.both(
        "WebKit: evaluate",
        Limit::AboveRaw(3.0),
        &mut |ours| ours.call("browser_evaluate", &json!({ "function": "() => 1 + 1" })).map(drop),
        &mut |raw| raw.evaluate("1 + 1").map(drop),
    )?;
    bench.ours.open(&site.url("/elements/1000"))?;
    bench.alone("WebKit: snapshot, 1000 elements", Limit::AtMost(60.0), &mut |ours| {
        ours.call("browser_snapshot", &json!({})).map(drop)
    })
}

fn starts(table: &mut Table, site: &Site, program: &Path, host: &str) -> Result<(), Failure> {
    let elapsed = |began: Instant| began.elapsed().as_secs_f64() * 1_000.0;
    let page = site.url("/elements/100");
    let (mut by_us, mut by_itself) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let began = Instant::now();
        let mut ours = Ours::start_with(program, &FLAGS)?;
        ours.open(&page)?;
        ours.call("browser_snapshot", &json!({}))?;
        by_us.push(elapsed(began));
        drop(ours);

        let began = Instant::now();
        let mut raw = Host::start(host)?;
        raw.open(&page)?;
        raw.evaluate("document.body.innerText.length")?;
        by_itself.push(elapsed(began));
    }
    let (ours, by_itself) = (median(by_us), median(by_itself));
    table.milliseconds("WebKit: start to first snapshot", ours, Some(by_itself), Limit::AboveRaw(300.0));
    Ok(())
}
