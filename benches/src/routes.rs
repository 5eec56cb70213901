//! What a route costs a page with many requests: it is loaded with one and without, in turn.

use cicerone_trial::Site;
use serde_json::json;

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    table::{Limit, Table, Unit},
};

const ROUNDS: usize = 15;
const WARM_UP: usize = 2;

/// One of the 200 that the page asks for.
const ROUTED: &str = "**/part/100";

/// Measures how much longer the page takes to load.
pub(crate) fn measure(
    table: &mut Table,
    site: &Site,
    ours: &mut Ours,
    what: &str,
    limit: Limit,
) -> Result<(), Failure> {
    let url = site.url("/many");
    let route = json!({
        "action": "add", "url_pattern": ROUTED, "handler": "fulfill", "response": { "body": "ours" },
    });
    let mut ratios = Vec::new();
    for _ in 0..WARM_UP + ROUNDS {
        let without = timed(|| ours.open(&url).map(drop))?;
        ours.call("route", &route)?;
        let with = timed(|| ours.open(&url).map(drop))?;
        ours.call("route", &json!({ "action": "clear" }))?;
        ratios.push(with / without);
    }
    table.measured(what, median(ratios.split_off(WARM_UP)), Unit::Times, limit);
    Ok(())
}
