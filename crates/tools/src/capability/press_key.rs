//! Pressing a key.

use cicerone_engine::{Acted, KeyChord, Pressed};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::{BROWSER, COMPANION, companion::TAB},
    face::must,
    reply::Failure,
    scope::OnPage,
};

pub(super) struct PressKey {
    chord: KeyChord,
}

impl Capability for PressKey {
    type On = OnPage;
    type Output = Acted<Pressed>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Pressed>, Failure> {
        Ok(on.page.press(&self.chord).await?)
    }
}

impl Output for Pressed {
    fn facts(&self) -> Map<String, Value> {
        Map::new()
    }

    fn schema() -> Map<String, Value> {
        Map::new()
    }
}

pub(super) fn faces() -> [Face<PressKey>; 2] {
    let press = |chord| PressKey { chord };
    [
        BROWSER
            .tool("browser_press_key", "Press a key on the focused element")
            .takes(must("key", "Enter, ArrowDown, a, Control+A …"), press)
            .example(r#"{"key": "Control+A"}"#)
            .says(|out| format!("Pressed {}", out.done.key)),
        COMPANION
            .tool("browser_press_key", "Press a key on the keyboard")
            .takes(
                must(
                    "key",
                    "Name of the key to press or a character to generate, such as `ArrowLeft` or `a`",
                ),
                press,
            )
            .example(r#"{"key": "ArrowDown"}"#)
            .on_tab("tabId", TAB)
            .says(|out| format!("Successfully pressed key: {}", out.done.key)),
    ]
}
