//! Contexts: how soon one can be used, and how well many of them share one connection.

use std::time::{Duration, Instant};

use cicerone_testkit::Site;
use serde_json::{Value, json};

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    raw::Raw,
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

/// How long a client thinks before it wants another context. Those that think for seconds find the same.
const THOUGHT: Duration = Duration::from_millis(500);

pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours, raw: &mut Raw) -> Result<(), Failure> {
    let (mut after_thought, mut at_once, mut by_raw) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..WARM_UP + ROUNDS {
        std::thread::sleep(THOUGHT);
        after_thought.push(second(ours)?);
        at_once.push(second(ours)?);
        let mut made = Value::Null;
        by_raw.push(timed(|| raw.context().map(|context| made = context))?);
        raw.dispose(&made)?;
    }
    let [after_thought, at_once, by_raw] =
        [after_thought, at_once, by_raw].map(|mut times| median(times.split_off(WARM_UP)));
    table.milliseconds("a second context's first page", after_thought, Some(by_raw), Limit::AtMost(60.0));
    table.milliseconds("another one at once", at_once, Some(by_raw), Limit::None);

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

/// Makes a context, uses its first page, and closes it; the milliseconds of the first two.
fn second(ours: &mut Ours) -> Result<f64, Failure> {
    let took = timed(|| {
        ours.call("browser_context_create", &json!({ "name": "second" }))?;
        ours.call("browser_evaluate", &json!({ "function": "() => 1 + 1" })).map(drop)
    })?;
    ours.call("browser_context_close", &json!({ "name": "second" }))?;
    Ok(took)
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
