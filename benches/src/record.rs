//! What recording costs: clicks while it runs beside clicks without it, and how long the file takes at the end.

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    table::{Limit, Table},
};

/// How many frames a recording has when it is stopped.
const FRAMES: usize = 100;
/// How many clicks there are between two looks at the number of frames.
const CLICKS: usize = 25;
/// A recording that has too few frames after so many clicks will not have them.
const MOST_CLICKS: usize = 4_000;

/// By a server that has the tools of the `agent` dialect.
pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    ours.open(&site.url("/counter"))?;
    for mode in ["auto_capture", "fixed_fps"] {
        for format in ["gif", "webm"] {
            let without = median(clicks(ours, FRAMES)?);
            let start = json!({
                "action": "start", "mode": mode, "format": format, "fps": 10, "width": 800, "height": 600,
                "max_frames": 1_000, "max_duration": 600_000,
            });
            ours.call("record", &start)?;
            let with = median(until_enough_frames(ours)?);
            let mut frames = 0;
            let stop = timed(|| {
                frames = frames_in(&ours.call("record", &json!({ "action": "stop" }))?.text)?;
                Ok(())
            })?;
            let what = format!("click while recording, {format}, {mode}");
            table.milliseconds(&what, with, Some(without), Limit::TimesRaw(1.2));
            let what = format!("  its end, {frames} frames of 800x600");
            table.milliseconds(&what, stop, None, Limit::AtMost(2_000.0));
        }
    }
    Ok(())
}

fn clicks(ours: &mut Ours, count: usize) -> Result<Vec<f64>, Failure> {
    let click = json!({ "selector": "button" });
    (0..count).map(|_| timed(|| ours.call("click", &click).map(drop))).collect()
}

fn until_enough_frames(ours: &mut Ours) -> Result<Vec<f64>, Failure> {
    let mut times = Vec::new();
    while times.len() < MOST_CLICKS {
        times.extend(clicks(ours, CLICKS)?);
        if frames_in(&ours.call("record", &json!({ "action": "status" }))?.text)? >= FRAMES {
            return Ok(times);
        }
    }
    Err(format!("fewer than {FRAMES} frames after {MOST_CLICKS} clicks").into())
}

/// The number before the word in `Recording tab 1: 40 frames in 2.0 s`.
fn frames_in(told: &str) -> Result<usize, Failure> {
    let words: Vec<&str> = told.split_whitespace().collect();
    let pair = words.windows(2).find(|pair| pair[1].starts_with("frame"));
    let count = pair.and_then(|pair| pair[0].trim_start_matches('(').parse().ok());
    count.ok_or_else(|| format!("no number of frames: {told}").into())
}
