//! What the host policy costs page loads: a server with one and a server without take turns.

use std::path::Path;

use cicerone_testkit::Site;

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    table::{Limit, Table, Unit},
};

const ROUNDS: usize = 25;
const WARM_UP: usize = 3;

/// Pages, and what they stand for.
const PAGES: [(&str, &str); 3] =
    [("/quiet", "a small page"), ("/elements/1000", "1000 elements"), ("/many", "200 requests")];

/// The host of the measured site.
const POLICY: [&str; 2] = ["--allowed-hosts", "127.0.0.1"];

/// Measures it on one engine.
pub(crate) fn measure(table: &mut Table, site: &Site, program: &Path, engine: &str) -> Result<(), Failure> {
    let browser = ["--browser", engine];
    let mut without = Ours::start_with(program, &browser)?;
    let mut with = Ours::start_with(program, &[browser, POLICY].concat())?;
    for (path, what) in PAGES {
        let url = site.url(path);
        let mut ratios = Vec::new();
        for round in 0..WARM_UP + ROUNDS {
            // The second of two is faster or slower for reasons of its own.
            let (plain, policed) = if round % 2 == 0 {
                let plain = timed(|| without.open(&url).map(drop))?;
                (plain, timed(|| with.open(&url).map(drop))?)
            } else {
                let policed = timed(|| with.open(&url).map(drop))?;
                (timed(|| without.open(&url).map(drop))?, policed)
            };
            ratios.push(policed / plain);
        }
        let ratio = median(ratios.split_off(WARM_UP));
        table.measured(&format!("{engine}: {what}, host policy"), ratio, Unit::Times, Limit::AtMost(1.1));
    }
    Ok(())
}
