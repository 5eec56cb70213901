//! Firefox: the server on it, and beside it a bare socket to another one.

use std::{path::Path, time::Instant};

use cicerone_testkit::Site;
use serde_json::{Value, json};

use crate::{
    Failure,
    bidi::Bidi,
    cases::Bench,
    median,
    ours::Ours,
    raw::TWO_FRAMES,
    routes,
    table::{Limit, Table},
};

const FLAGS: [&str; 4] = ["--browser", "firefox", "--dialect", "browser,agent"];

/// Starting costs seconds, so there are fewer rounds.
const STARTS: usize = 9;

pub(crate) fn measure(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    let mut ours = Ours::start_with(program, &FLAGS)?;
    let quiet = site.url("/quiet");
    ours.open(&quiet)?;
    let command_line = ours.browser_command_line()?;
    let profile = command_line.iter().skip_while(|argument| *argument != "--profile").nth(1);
    let kept = tempfile::tempdir()?;
    let preferences = kept.path().join("user.js");
    std::fs::copy(Path::new(profile.ok_or("no profile")?).join("user.js"), &preferences)?;
    let mut raw = Bidi::start(&command_line, Some(&preferences))?;
    cases(&mut Bench { table, ours: &mut ours, raw: &mut raw }, site)?;
    // Firefox has no wildcards: it holds every request of a page until it is let go on.
    routes::measure(table, site, &mut ours, "Firefox: 200 requests, one route", Limit::AtMost(1.15))?;
    drop((ours, raw));
    starts(table, site, program, &command_line, &preferences)
}

fn cases(bench: &mut Bench<'_, Bidi>, site: &Site) -> Result<(), Failure> {
    let quiet = site.url("/quiet");
    bench.both("Firefox: navigate", Limit::None, &mut |ours| ours.open(&quiet).map(drop), &mut |raw| {
        raw.open(&quiet)
    })?;
    let counter = site.url("/counter");
    bench.ours.open(&counter)?;
    bench.raw.open(&counter)?;
    let centre = "(() => { const box = document.querySelector('button').getBoundingClientRect(); \
                  return (box.x + box.width / 2) + ' ' + (box.y + box.height / 2); })()";
    let centre = bench.raw.evaluate(centre)?;
    let (x, y) = centre.as_str().and_then(|at| at.split_once(' ')).ok_or("no button")?;
    let (x, y) = (x.parse::<f64>()?.floor(), y.parse::<f64>()?.floor());
    bench.both(
        "Firefox: click, effect at once",
        Limit::AboveRaw(15.0),
        &mut |ours| ours.call("browser_click", &json!({ "ref": "button" })).map(drop),
        &mut |raw| {
            raw.click(x, y)?;
            raw.evaluate(TWO_FRAMES).map(drop)
        },
    )?;
    bench.both(
        "Firefox: evaluate",
        Limit::None,
        &mut |ours| ours.call("browser_evaluate", &json!({ "function": "() => 1 + 1" })).map(drop),
        &mut |raw| raw.evaluate("1 + 1").map(drop),
    )?;
    bench.ours.open(&site.url("/elements/1000"))?;
    let snapshot =
        |ours: &mut Ours| ours.call("browser_snapshot", &Value::Object(Default::default())).map(drop);
    bench.alone("Firefox: snapshot, 1000 elements", Limit::AtMost(40.0), &mut |ours| snapshot(ours))
}

fn starts(
    table: &mut Table,
    site: &Site,
    program: &Path,
    command_line: &[String],
    preferences: &Path,
) -> Result<(), Failure> {
    let elapsed = |began: Instant| began.elapsed().as_secs_f64() * 1_000.0;
    let page = site.url("/elements/100");
    let (mut by_us, mut by_itself, mut prepared) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let began = Instant::now();
        let mut ours = Ours::start_with(program, &FLAGS)?;
        ours.open(&page)?;
        ours.call("browser_snapshot", &json!({}))?;
        by_us.push(elapsed(began));
        drop(ours);

        for (preferences, times) in [(None, &mut by_itself), (Some(preferences), &mut prepared)] {
            let began = Instant::now();
            let mut raw = Bidi::start(command_line, preferences)?;
            raw.open(&page)?;
            raw.evaluate("document.body.innerText.length")?;
            times.push(elapsed(began));
        }
    }
    let (ours, by_itself, prepared) = (median(by_us), median(by_itself), median(prepared));
    // The same browser, prepared in the same way, is what the limit is about.
    table.milliseconds("Firefox: start to first snapshot", ours, Some(prepared), Limit::AboveRaw(300.0));
    table.milliseconds("  beside one as it comes", ours, Some(by_itself), Limit::None);
    Ok(())
}
