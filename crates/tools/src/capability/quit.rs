//! Ending the browser.

use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::LAUNCH,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct Quit;

/// Whether one ran.
pub(super) struct Ended(bool);

impl Capability for Quit {
    type On = OnSession;
    type Output = Ended;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Ended, Failure> {
        Ok(Ended(on.call.session.quit().await))
    }
}

impl Output for Ended {
    fn facts(&self) -> Map<String, Value> {
        facts! { "closed" => self.0 }
    }

    fn schema() -> Map<String, Value> {
        facts! { "closed" => of("boolean") }
    }
}

pub(super) fn faces() -> [Face<Quit>; 1] {
    [LAUNCH
        .tool("browser_quit", "Close the browser and release its resources")
        .takes((), |()| Quit)
        .example("{}")
        .says(|Ended(ran)| {
            if *ran { "Browser closed successfully" } else { "No browser was running" }.into()
        })]
}
