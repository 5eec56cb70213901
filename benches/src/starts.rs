//! From the start of the process.

use std::{path::Path, time::Instant};

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure, median,
    ours::Ours,
    raw::Raw,
    table::{Limit, Table},
};

/// Starting costs most of a second, so there are fewer rounds with a browser.
const ROUNDS: usize = 15;
const ROUNDS_WITH_BROWSER: usize = 5;

pub(crate) fn measure(
    table: &mut Table,
    site: &Site,
    program: &Path,
    command_line: &[String],
) -> Result<(), Failure> {
    let elapsed = |began: Instant| began.elapsed().as_secs_f64() * 1_000.0;
    let mut greeted = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let ours = Ours::start(program)?;
        greeted.push(elapsed(began));
        drop(ours);
    }
    table.milliseconds("start to initialize", median(greeted), None, Limit::AtMost(20.0));

    let page = site.url("/elements/100");
    let (mut by_us, mut by_raw) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS_WITH_BROWSER {
        let began = Instant::now();
        let mut ours = Ours::start(program)?;
        ours.open(&page)?;
        ours.call("browser_snapshot", &json!({}))?;
        by_us.push(elapsed(began));
        drop(ours);

        let began = Instant::now();
        let mut raw = Raw::start(command_line)?;
        raw.open(&page)?;
        raw.evaluate("document.body.innerText.length")?;
        by_raw.push(elapsed(began));
    }
    table.milliseconds("start to first snapshot", median(by_us), Some(median(by_raw)), Limit::None);
    Ok(())
}
