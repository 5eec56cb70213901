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

/// As many clicks as a recording has frames.
const FRAMES: usize = 100;

/// By a server that has the tools of the `agent` dialect.
pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours) -> Result<(), Failure> {
    ours.open(&site.url("/counter"))?;
    for (mode, format) in [("auto_capture", "gif"), ("auto_capture", "webm"), ("fixed_fps", "webm")] {
        let without = clicks(ours)?;
        let start = json!({
            "action": "start", "mode": mode, "format": format, "fps": 10, "max_frames": FRAMES, "max_duration": 600_000,
        });
        ours.call("record", &start)?;
        let with = clicks(ours)?;
        let stop = timed(|| ours.call("record", &json!({ "action": "stop" })).map(drop))?;
        let what = format!("click while recording, {format}, {mode}");
        table.milliseconds(&what, with, Some(without), Limit::TimesRaw(1.2));
        table.milliseconds("  its end, up to 100 frames", stop, None, Limit::AtMost(2_000.0));
    }
    Ok(())
}

fn clicks(ours: &mut Ours) -> Result<f64, Failure> {
    let mut times = Vec::new();
    for _ in 0..FRAMES {
        times.push(timed(|| ours.call("click", &json!({ "selector": "button" })).map(drop))?);
    }
    Ok(median(times))
}
