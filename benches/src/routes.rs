//! What a route costs a page with many requests: it is loaded with one and without, in turn.

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    raw::Raw,
    table::{Limit, Table, Unit},
};

const ROUNDS: usize = 15;
const WARM_UP: usize = 2;

/// One of the 200 that the page asks for.
const ROUTED: &str = "**/part/100";

/// Patterns of the two kinds that match nothing.
const UNMATCHED: [(&str, &str); 2] = [("glob", "**/nothing/*.json"), ("/regex/", "/nothing\\.json$/")];

/// Measures how much longer the page takes to load.
pub(crate) fn measure(
    table: &mut Table,
    site: &Site,
    ours: &mut Ours,
    what: &str,
    limit: Limit,
) -> Result<(), Failure> {
    with_and_without(table, site, ours, what, ROUTED, limit)
}

/// The same with routes that match nothing, which are to cost nothing.
pub(crate) fn measure_unmatched(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    for (kind, pattern) in UNMATCHED {
        let what = format!("200 requests, no match by {kind}");
        with_and_without(table, site, ours, &what, pattern, Limit::AtMost(1.05))?;
    }
    Ok(())
}

fn with_and_without(
    table: &mut Table,
    site: &Site,
    ours: &mut Ours,
    what: &str,
    pattern: &str,
    limit: Limit,
) -> Result<(), Failure> {
    let url = site.url("/many");
    let route = json!({
        "action": "add", "url_pattern": pattern, "handler": "fulfill", "response": { "body": "ours" },
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

/// The same by the browser alone, with a pattern that matches nothing: what its interception costs.
pub(crate) fn measure_raw(table: &mut Table, site: &Site, raw: &mut Raw) -> Result<(), Failure> {
    let url = site.url("/many");
    let mut ratios = Vec::new();
    for _ in 0..WARM_UP + ROUNDS {
        let without = timed(|| raw.open(&url))?;
        raw.ask("Fetch.enable", &json!({ "patterns": [{ "urlPattern": "*/nothing" }] }))?;
        let with = timed(|| raw.open(&url))?;
        raw.ask("Fetch.disable", &json!({}))?;
        ratios.push(with / without);
    }
    let ratio = median(ratios.split_off(WARM_UP));
    table.measured("  the browser's own interception", ratio, Unit::Times, Limit::None);
    Ok(())
}
