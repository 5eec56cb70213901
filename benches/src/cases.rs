//! What a running server does all day, each case by both sides in turn.

use std::time::Instant;

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure, median,
    ours::Ours,
    raw::{Raw, TWO_FRAMES},
    table::{Limit, Table},
};

/// How often a case is measured; the first ones warm both sides up and do not count.
const ROUNDS: usize = 15;
const WARM_UP: usize = 3;

/// What is typed: 30 characters.
const TYPED: &str = "thirty characters, no more, ok";

/// One side of a case.
pub(crate) type Doing<'a, Side> = &'a mut dyn FnMut(&mut Side) -> Result<(), Failure>;

/// Both sides, and where the results go.
pub(crate) struct Bench<'a, Raw> {
    pub(crate) table: &'a mut Table,
    pub(crate) ours: &'a mut Ours,
    pub(crate) raw: &'a mut Raw,
}

impl<Raw> Bench<'_, Raw> {
    /// Measures both sides of a case in turn.
    pub(crate) fn both(
        &mut self,
        what: &str,
        limit: Limit,
        by_us: Doing<'_, Ours>,
        by_raw: Doing<'_, Raw>,
    ) -> Result<(), Failure> {
        let (mut of_ours, mut of_raw) = (Vec::new(), Vec::new());
        for round in 0..WARM_UP + ROUNDS {
            let (ours, raw) = (timed(|| by_us(self.ours))?, timed(|| by_raw(self.raw))?);
            if round >= WARM_UP {
                of_ours.push(ours);
                of_raw.push(raw);
            }
        }
        self.table.milliseconds(what, median(of_ours), Some(median(of_raw)), limit);
        Ok(())
    }

    /// Measures what there is nothing raw to compare with.
    pub(crate) fn alone(&mut self, what: &str, limit: Limit, by_us: Doing<'_, Ours>) -> Result<(), Failure> {
        let mut times = Vec::new();
        for _ in 0..WARM_UP + ROUNDS {
            times.push(timed(|| by_us(self.ours))?);
        }
        self.table.milliseconds(what, median(times.split_off(WARM_UP)), None, limit);
        Ok(())
    }
}

impl Bench<'_, Raw> {
    /// Opens a page on both sides.
    fn open(&mut self, url: &str) -> Result<(), Failure> {
        self.ours.open(url)?;
        self.raw.open(url)
    }
}

/// Measures all of them.
pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours, raw: &mut Raw) -> Result<(), Failure> {
    let mut bench = Bench { table, ours, raw };
    let quiet = site.url("/quiet");
    bench.both(
        "navigate, snapshot in hand",
        Limit::AboveRaw(20.0),
        &mut |ours| ours.open(&quiet).map(drop),
        &mut |raw| raw.open(&quiet),
    )?;
    snapshots(&mut bench, site)?;
    clicks(&mut bench, site)?;
    bench.open(&site.url("/field"))?;
    bench.both(
        "type 30 characters",
        Limit::None,
        &mut |ours| ours.call("browser_type", &json!({ "ref": "input", "text": TYPED })).map(drop),
        &mut |raw| {
            raw.evaluate("document.querySelector('input').select()")?;
            raw.ask("Input.insertText", &json!({ "text": TYPED }))?;
            raw.two_frames()
        },
    )?;
    bench.open(&site.url("/echo"))?;
    // In turn, so that each round has an effect.
    let names = ["Ada", "Grace"];
    let (mut by_us, mut by_raw) = (names.iter().cycle(), names.iter().cycle());
    bench.both(
        "type, effect at once",
        Limit::AtMost(25.0),
        &mut |ours| ours.call("browser_type", &json!({ "ref": "input", "text": by_us.next() })).map(drop),
        &mut |raw| {
            raw.evaluate("document.querySelector('input').select()")?;
            raw.ask("Input.insertText", &json!({ "text": by_raw.next() }))?;
            raw.two_frames()
        },
    )?;
    bench.both(
        "evaluate",
        Limit::AboveRaw(1.0),
        &mut |ours| ours.call("browser_evaluate", &json!({ "function": "() => 1 + 1" })).map(drop),
        &mut |raw| raw.evaluate("1 + 1").map(drop),
    )?;
    bench.open(&site.url("/elements/100"))?;
    bench.both(
        "screenshot",
        Limit::None,
        &mut |ours| ours.call("browser_take_screenshot", &json!({ "filename": "bench.png" })).map(drop),
        &mut |raw| raw.ask("Page.captureScreenshot", &json!({ "format": "png" })).map(drop),
    )
}

/// Screenshots in the reply, by a server that sends them.
pub(crate) fn pictures(
    table: &mut Table,
    site: &Site,
    ours: &mut Ours,
    raw: &mut Raw,
) -> Result<(), Failure> {
    let mut bench = Bench { table, ours, raw };
    bench.open(&site.url("/elements/100"))?;
    bench.both(
        "screenshot, inline",
        Limit::TimesRaw(1.15),
        &mut |ours| ours.call("browser_take_screenshot", &json!({})).map(drop),
        &mut |raw| raw.ask("Page.captureScreenshot", &json!({ "format": "png" })).map(drop),
    )
}

/// A thousand keys, by a server that has a tool for that.
pub(crate) fn keys(table: &mut Table, site: &Site, ours: &mut Ours, raw: &mut Raw) -> Result<(), Failure> {
    let mut bench = Bench { table, ours, raw };
    bench.open(&site.url("/keys"))?;
    // In turn, so that each round leaves something else in the field than the one before.
    let texts = ["abcdefghij".repeat(100), "klmnopqrst".repeat(100)];
    let (mut by_us, mut by_raw) = (texts.iter().cycle(), texts.iter().cycle());
    bench.both(
        "type 1,000 keys",
        Limit::TimesRaw(1.3),
        &mut |ours| {
            let text = by_us.next().ok_or("no text")?;
            ours.call("type", &json!({ "selector": "input", "text": text, "delay": 0 })).map(drop)
        },
        &mut |raw| {
            raw.evaluate("document.querySelector('input').focus()")?;
            raw.type_keys(by_raw.next().ok_or("no text")?)
        },
    )
}

/// There is nothing raw to compare them with: the browser has no snapshots.
fn snapshots(bench: &mut Bench<'_, Raw>, site: &Site) -> Result<(), Failure> {
    let limits = [(100, Limit::None), (1_000, Limit::AtMost(20.0)), (10_000, Limit::AtMost(80.0))];
    for (count, limit) in limits {
        bench.ours.open(&site.url(&format!("/elements/{count}")))?;
        let what = format!("snapshot, {count} elements");
        bench.alone(&what, limit, &mut |ours| ours.call("browser_snapshot", &json!({})).map(drop))?;
    }
    Ok(())
}

fn clicks(bench: &mut Bench<'_, Raw>, site: &Site) -> Result<(), Failure> {
    let click_by_us = |target: &'static str| {
        move |ours: &mut Ours| ours.call("browser_click", &json!({ "ref": target })).map(drop)
    };
    bench.open(&site.url("/counter"))?;
    let button = bench.raw.centre("button")?;
    bench.both("click, effect at once", Limit::AtMost(25.0), &mut click_by_us("button"), &mut |raw| {
        raw.click(&button)?;
        raw.two_frames()
    })?;
    bench.ours.open(&site.url("/quiet"))?;
    bench.alone("click, no effect", Limit::AtMost(620.0), &mut click_by_us("button"))?;

    bench.open(&site.url("/there"))?;
    let link = bench.raw.centre("a")?;
    bench.both("click that navigates", Limit::None, &mut click_by_us("a"), &mut |raw| {
        raw.click(&link)?;
        raw.event("Page.loadEventFired")?;
        raw.two_frames()
    })?;

    bench.open(&site.url("/fetch"))?;
    let button = bench.raw.centre("button")?;
    bench.both("click that fetches", Limit::None, &mut click_by_us("button"), &mut |raw| {
        raw.click(&button)?;
        raw.evaluate(&format!("done.then(() => {TWO_FRAMES})")).map(drop)
    })
}

/// How many milliseconds it takes.
pub(crate) fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed().as_secs_f64() * 1_000.0)
}
