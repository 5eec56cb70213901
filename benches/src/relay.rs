//! What the relay leaves of a download's speed, in the browser: contexts with and without one take turns.

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    table::{Limit, Table, Unit},
};

/// Two contexts.
const WAYS: [&str; 2] = ["direct", "relayed"];

const ROUNDS: usize = 9;
const WARM_UP: usize = 1;

/// Where nobody listens. All that the bypass list has goes through the relay, and past this.
const NO_PROXY: &str = "http://127.0.0.1:1";

/// Reads all of it as it comes; the milliseconds that it took after the head.
const READING: &str = "async () => {
  const answer = await fetch('/large');
  const [began, reader] = [performance.now(), answer.body.getReader()];
  while (!(await reader.read()).done);
  return performance.now() - began;
}";

/// A link that is saved when it is clicked.
const SAVING: &str =
    "() => Object.assign(document.createElement('a'), { href: '/large', download: 'large' }).click()";

/// The milliseconds that a download takes.
type Download = fn(&mut Ours) -> Result<f64, Failure>;

pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    let relayed = json!({ "server": NO_PROXY, "bypass": "127.0.0.1" });
    for context in [json!({ "name": WAYS[0] }), json!({ "name": WAYS[1], "proxy": relayed })] {
        ours.call("browser_context_create", &context)?;
        ours.open(&site.url("/quiet"))?;
    }
    let rows: [(&str, Download); 2] =
        [("100 MB read by a page, relayed", read), ("100 MB saved, relayed", saved)];
    for (what, download) in rows {
        let mut ratios = Vec::new();
        for _ in 0..WARM_UP + ROUNDS {
            let mut took = [0.0; 2];
            for (way, took) in WAYS.iter().zip(&mut took) {
                ours.call("browser_context_switch", &json!({ "name": way }))?;
                *took = download(ours)?;
            }
            ratios.push(took[0] / took[1]);
        }
        // How much of the direct throughput is kept.
        table.measured(what, median(ratios.split_off(WARM_UP)), Unit::Times, Limit::AtLeast(0.8));
    }
    for way in WAYS {
        ours.call("browser_context_close", &json!({ "name": way }))?;
    }
    Ok(())
}

fn read(ours: &mut Ours) -> Result<f64, Failure> {
    let reply = ours.call("browser_evaluate", &json!({ "function": READING }))?;
    let told = reply.text.lines().find_map(|line| line.trim().parse().ok());
    told.ok_or_else(|| format!("no time is told: {}", reply.text).into())
}

fn saved(ours: &mut Ours) -> Result<f64, Failure> {
    timed(|| {
        ours.call("browser_evaluate", &json!({ "function": SAVING }))?;
        ours.call("wait", &json!({ "for": "download" })).map(drop)
    })
}
