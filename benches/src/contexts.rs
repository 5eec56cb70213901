//! Contexts: how soon one can be used, and how well many of them share one connection.

use std::time::{Duration, Instant};

use cicerone_trial::Site;
use serde_json::{Value, json};

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    table::{Limit, Table, Unit},
};

const ROUNDS: usize = 15;
const WARM_UP: usize = 3;

/// How many contexts are driven at once.
const MANY: usize = 8;

/// How many calls each of them gets.
const CALLS: usize = 12;

/// Work that is waiting: for an answer, a timer, a person.
const WAITING: &str = "() => new Promise((done) => setTimeout(done, 50))";

pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    let mut times = Vec::new();
    for _ in 0..WARM_UP + ROUNDS {
        times.push(timed(|| {
            ours.call("browser_context_create", &json!({ "name": "second" }))?;
            ours.call("browser_evaluate", &json!({ "function": "() => 1 + 1" })).map(drop)
        })?);
        ours.call("browser_context_close", &json!({ "name": "second" }))?;
    }
    let times = times.split_off(WARM_UP);
    table.milliseconds("a second context's first page", median(times), None, Limit::AtMost(60.0));

    let names: Vec<String> = (0..MANY).map(|nth| format!("context {nth}")).collect();
    for name in &names {
        ours.call("browser_context_create", &json!({ "name": name }))?;
        ours.open(&site.url("/quiet"))?;
    }
    let one = rate(ours, &names[..1])?;
    let many = rate(ours, &names)?;
    table.measured("one context, waiting", one, Unit::CallsASecond, Limit::None);
    table.measured("8 contexts at once, waiting", many, Unit::CallsASecond, Limit::None);
    table.measured("8 contexts against one", many / one, Unit::Times, Limit::AtLeast(4.0));
    for name in &names {
        ours.call("browser_context_close", &json!({ "name": name }))?;
    }
    Ok(())
}

/// How many calls a second these contexts do, all asked for at once over one connection.
fn rate(ours: &mut Ours, names: &[String]) -> Result<f64, Failure> {
    let mut rates = Vec::new();
    for _ in 0..5 {
        let mut calls: Vec<(&str, Value)> = Vec::new();
        for _ in 0..CALLS {
            for name in names {
                calls.push(("browser_context_switch", json!({ "name": name })));
                calls.push(("browser_evaluate", json!({ "function": WAITING })));
            }
        }
        let began = Instant::now();
        ours.client.call_all(&calls)?;
        let waited = u32::try_from(CALLS * names.len())?;
        rates.push(f64::from(waited) / began.elapsed().max(Duration::from_millis(1)).as_secs_f64());
    }
    Ok(median(rates))
}
