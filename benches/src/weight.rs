//! What replies weigh, and what the server does.

use std::path::Path;

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure,
    ours::Ours,
    table::{Limit, Table, Unit},
};

/// The whole answers, as they go over the wire.
pub(crate) fn replies(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    let (_, listing) = ours.client.ask("tools/list", &json!({}))?;
    table.amount("tools/list", listing, Unit::Bytes, Limit::AtMost(12.0 * 1024.0));

    ours.open(&site.url("/counter"))?;
    let click = ours.call("browser_click", &json!({ "ref": "button" }))?;
    table.amount("click reply, little changed", click.bytes, Unit::Bytes, Limit::AtMost(600.0));

    ours.open(&site.url("/elements/10000"))?;
    let snapshot = ours.call("browser_snapshot", &json!({}))?;
    let characters = snapshot.text.chars().count();
    table.amount("snapshot text, 10000 elements", characters, Unit::Characters, Limit::AtMost(50_000.0));
    Ok(())
}

/// Memory after many rounds of typical calls.
pub(crate) fn memory(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    let mut ours = Ours::start(program)?;
    let mut calls = 0;
    for (until, limit) in [(100, Limit::None), (500, Limit::AtMost(40.0))] {
        while calls < until {
            ours.open(&site.url("/elements/1000"))?;
            for _ in 0..3 {
                ours.call("browser_snapshot", &json!({}))?;
                ours.call("browser_click", &json!({ "ref": "role:button[name=\"Keep 7\"]" }))?;
                ours.call("browser_evaluate", &json!({ "function": "() => document.title" }))?;
            }
            calls += 10;
        }
        table.measured(&format!("memory after {until} calls"), ours.memory()?, Unit::Megabytes, limit);
    }
    for _ in 0..5 {
        ours.open(&site.url("/elements/10000"))?;
        ours.call("browser_snapshot", &json!({}))?;
    }
    ours.open(&site.url("/quiet"))?;
    table.measured("memory after large pages", ours.memory()?, Unit::Megabytes, Limit::AtMost(20.0));
    Ok(())
}

/// The size of the binary.
pub(crate) fn program(table: &mut Table, program: &Path) -> Result<(), Failure> {
    #[expect(clippy::cast_precision_loss, reason = "no program has 2^52 bytes")]
    let megabytes = std::fs::metadata(program)?.len() as f64 / 1e6;
    table.measured("the binary", megabytes, Unit::Megabytes, Limit::AtMost(12.0));
    Ok(())
}
