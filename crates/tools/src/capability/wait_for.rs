//! Waiting for time or text.

use std::time::Duration;

use cicerone_engine::{Acted, WaitFor, snapshot::quoted};
use serde_json::{Map, Value, json};

use crate::{
    Argument, BadArguments, Capability, Effect, Face, Output,
    dialect::{BROWSER, COMPANION},
    face::must,
    reply::Failure,
    scope::OnPage,
};

/// What was waited for.
#[derive(Default)]
pub(super) struct Waited(WaitFor);

impl Capability for Waited {
    type On = OnPage;
    type Output = Acted<Waited>;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<Acted<Waited>, Failure> {
        on.call.progress.tell(0.0, None, "waiting");
        let acted = on.page.waits().wait_for(&self.0).await?;
        Ok(acted.map(|()| self))
    }
}

impl Output for Waited {
    fn facts(&self) -> Map<String, Value> {
        Map::new()
    }

    fn schema() -> Map<String, Value> {
        Map::new()
    }
}

fn sentence(waited: &WaitFor) -> String {
    let mut parts = Vec::new();
    if let (Some(time), None, None) = (waited.time, &waited.gone, &waited.text) {
        parts.push(format!("{} s passed", time.as_secs_f64()));
    }
    if let Some(gone) = &waited.gone {
        parts.push(format!("{} is gone", quoted(gone, 100)));
    }
    if let Some(text) = &waited.text {
        parts.push(format!("{} is there", quoted(text, 100)));
    }
    format!("Waited: {}", parts.join(", "))
}

/// Longer waits are more likely a mistake in the unit than meant.
const LONGEST: Duration = Duration::from_secs(600);

/// A while that is neither nothing nor long.
struct AWhile(Duration);

impl Argument for AWhile {
    fn schema() -> Value {
        json!({ "type": "number", "minimum": 0.1, "maximum": 30 })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let while_ = Duration::parse(value).ok().filter(|time| (0.1..=30.0).contains(&time.as_secs_f64()));
        while_.map(Self).ok_or_else(|| "a number of seconds from 0.1 to 30".into())
    }
}

pub(super) fn faces() -> [Face<Waited>; 2] {
    [
        BROWSER
            .tool("browser_wait_for", "Wait for text to appear or go, or for some seconds")
            .takes((), |()| Waited::default())
            .example(r#"{"text": "Welcome"}"#)
            .opt("text", "", |Waited(wait), text| wait.text = Some(text))
            .opt("textGone", "", |Waited(wait), gone| wait.gone = Some(gone))
            .opt("time", "Seconds; with a text, at most", |Waited(wait), time| wait.time = Some(time))
            .unlisted("timeout", |Waited(wait), timeout| wait.timeout = Some(timeout))
            .validate(|Waited(wait)| match wait {
                WaitFor { time: None, text: None, gone: None, .. } => {
                    Err(BadArguments::Together("Missing required argument: one of text, textGone, time"))
                }
                WaitFor { time: Some(time), .. } if *time > LONGEST => {
                    Err(BadArguments::Together("Invalid argument time: it must be at most 600 seconds"))
                }
                _ => Ok(()),
            })
            .says(|out| sentence(&out.done.0)),
        COMPANION
            .tool("browser_wait", "Wait for a specified time in seconds")
            .takes(must("time", "The time to wait in seconds"), |AWhile(time)| {
                Waited(WaitFor { time: Some(time), ..WaitFor::default() })
            })
            .example(r#"{"time": 0.5}"#)
            .says(|out| {
                let seconds = out.done.0.time.unwrap_or_default().as_secs_f64();
                format!("Waited for {seconds} seconds")
            }),
    ]
}
