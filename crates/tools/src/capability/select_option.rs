//! Choosing options of a select.

use cicerone_engine::{Acted, Selected, Target, snapshot::quoted};
use serde_json::{Map, Value};

use super::click::healed;
use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct SelectOption {
    target: Target,
    values: Vec<String>,
}

impl Capability for SelectOption {
    type On = OnPage;
    type Output = Acted<Selected>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Selected>, Failure> {
        Ok(on.page.select_option(&self.target, &self.values).await?)
    }
}

impl Output for Selected {
    fn facts(&self) -> Map<String, Value> {
        facts! { "ref" => self.element.reference.to_string(), "selected" => self.selected.clone() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "ref" => of("string"), "selected" => of("array") }
    }
}

pub(super) fn faces() -> [Face<SelectOption>; 1] {
    [BROWSER
        .tool("browser_select_option", "Select options of a dropdown, by value or label")
        .takes((must("ref", ""), must("values", "")), |(target, values)| SelectOption { target, values })
        .example(r#"{"ref": "label:Country", "values": ["France"]}"#)
        .described("element")
        .says(|out| {
            let now: Vec<String> = out.done.selected.iter().map(|label| quoted(label, 100)).collect();
            let now = if now.is_empty() { "nothing".into() } else { now.join(", ") };
            format!("Selected in {}: {now}{}", out.done.element, healed(out.done.healed))
        })]
}
