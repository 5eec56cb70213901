//! Pressing a key.

use std::time::Duration;

use cicerone_engine::{Acted, Press, Pressed};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::Milliseconds,
    dialect::{AGENT, BROWSER, COMPANION, agent::named, companion::TAB},
    face::must,
    reply::Failure,
    scope::OnPage,
};

impl Capability for Press {
    type On = OnPage;
    type Output = Acted<Pressed>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Pressed>, Failure> {
        Ok(on.page.keyboard().press(&self).await?)
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

/// Longer pauses are more likely a mistake in the unit than meant.
pub(super) fn patient(delay: Duration, strokes: u32) -> Result<(), BadArguments> {
    match delay.checked_mul(strokes) {
        Some(all) if all <= Duration::from_secs(600) => Ok(()),
        _ => Err(BadArguments::Together("Invalid argument delay: all pauses together must be at most 600 s")),
    }
}

pub(super) fn faces() -> [Face<Press>; 3] {
    [
        BROWSER
            .tool("browser_press_key", "Press a key on the focused element")
            .takes(must("key", "Enter, ArrowDown, a, Control+A …"), Press::once)
            .example(r#"{"key": "Control+A"}"#)
            .says(|Acted { done: Pressed { key, .. }, outcome }| match &outcome.focus {
                Some(focus) => format!("Pressed {key}; the focus is on {focus}"),
                None => format!("Pressed {key}"),
            }),
        COMPANION
            .tool("browser_press_key", "Press a key on the keyboard")
            .takes(
                must(
                    "key",
                    "Name of the key to press or a character to generate, such as `ArrowLeft` or `a`",
                ),
                Press::once,
            )
            .example(r#"{"key": "ArrowDown"}"#)
            .on_tab("tabId", TAB)
            .says(|out| format!("Successfully pressed key: {}", out.done.key)),
        AGENT
            .tool("press", "Press a key or combination")
            .takes(must("key", "Enter, a, F5, Control+Shift+p …"), Press::once)
            .example(r#"{"key": "Control+a"}"#)
            .opt("selector", "Else the focused one", |press, on| press.on = Some(on))
            .opt("repeat", "", |press, repeat| press.repeat = repeat)
            .default(1)
            .opt("delay", "", |press, delay: Milliseconds| press.delay = delay.into())
            .default(0)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .validate(|press| match press.repeat {
                0 | 1001.. => Err(BadArguments::Together("Invalid argument repeat: it must be 1 to 1000")),
                repeat => patient(press.delay, repeat),
            })
            .fact("ref", "string", |out| Some(out.done.element.as_ref()?.reference.to_string().into()))
            .fact("key", "string", |out| Some(out.done.key.clone().into()))
            .fact("count", "integer", |out| Some(out.done.count.into()))
            .says(|Acted { done, outcome }| {
                let times = if done.count == 1 { String::new() } else { format!(" {} times", done.count) };
                let on = done.element.as_ref().map(|element| format!(" on {}", named(element)));
                let focus = outcome.focus.as_ref().map(|focus| format!("; the focus is on {focus}"));
                let [on, focus] = [on, focus].map(Option::unwrap_or_default);
                format!("Pressed {}{times}{on}{focus}", done.key)
            }),
    ]
}
