//! Typing key by key, after what is there.

use std::time::Duration;

use cicerone_engine::{Acted, Typed, Typing, snapshot::quoted_value};
use serde_json::{Map, Value};

use super::press_key::patient;
use crate::{
    Capability, Effect, Face, Output,
    argument::Milliseconds,
    dialect::{AGENT, agent::named},
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

impl Capability for Typing {
    type On = OnPage;
    type Output = Acted<Typed>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(mut self, on: OnPage) -> Result<Acted<Typed>, Failure> {
        self.text = on.call.revealed(self.text, &on.page, self.on.as_ref()).await?;
        Ok(on.page.keyboard().type_keys(&self).await?)
    }
}

impl Output for Typed {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = self.element.as_ref().map(Output::facts).unwrap_or_default();
        facts.insert("count".into(), self.count.into());
        if let Some(value) = &self.value {
            facts.insert("value".into(), value.clone().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "ref" => of("string"), "count" => of("integer"), "value" => of("string") }
    }
}

fn sentence(typed: &Typed) -> String {
    let characters =
        if typed.count == 1 { "1 character".into() } else { format!("{} characters", typed.count) };
    let into = match &typed.element {
        Some(element) => format!(" into {}", named(element)),
        None => String::new(),
    };
    let held = typed.value.as_ref().map(|value| format!(", which now holds {}", quoted_value(value, 100)));
    let left = match typed.left {
        0 => String::new(),
        left => format!("; {left} were left, because the page was held or went away"),
    };
    format!("Typed {characters}{into}{}{left}", held.unwrap_or_default())
}

/// As a person types.
const USUAL: Duration = Duration::from_millis(50);

pub(super) fn faces() -> [Face<Typing>; 1] {
    [AGENT
        .tool("type", "Type text key by key")
        .takes(must("text", ""), |text| Typing { on: None, text, delay: USUAL })
        .example(r#"{"selector": "label:Email", "text": "ada@example.com", "delay": 0}"#)
        .types_secrets()
        .opt("selector", "Else the focused one", |typing, on| typing.on = Some(on))
        .opt("delay", "", |typing, delay: Milliseconds| typing.delay = delay.into())
        .default(50)
        .on_tab("tabId", "")
        .in_frame("frameId")
        .validate(|typing| {
            patient(typing.delay, u32::try_from(typing.text.chars().count()).unwrap_or(u32::MAX))
        })
        .says(|out| sentence(&out.done))]
}
