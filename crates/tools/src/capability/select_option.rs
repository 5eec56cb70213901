//! Choosing options of a select.

use cicerone_engine::{Acted, Choice, Pick, Selected, Target, snapshot::quoted};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::OneOrMore,
    dialect::{AGENT, BROWSER, agent::named},
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct SelectOption {
    target: Target,
    picks: Vec<Pick>,
    /// These and no others.
    only: bool,
    /// Whether anything was said of what is wanted.
    told: bool,
}

impl Capability for SelectOption {
    type On = OnPage;
    type Output = Acted<Selected>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Selected>, Failure> {
        Ok(on.page.forms().select_option(&self.target, &self.picks, self.only).await?)
    }
}

impl Output for Selected {
    fn facts(&self) -> Map<String, Value> {
        facts! { "ref" => self.element.reference.to_string(), "selected" => self.names() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "ref" => of("string"), "selected" => of("array") }
    }
}

trait Names {
    /// What people call all that is selected.
    fn names(&self) -> Vec<String>;
}

impl Names for Selected {
    fn names(&self) -> Vec<String> {
        self.selected.iter().map(|choice| choice.name().to_owned()).collect()
    }
}

/// What is selected, in words.
fn now(selected: &Selected) -> String {
    let now: Vec<String> = selected.names().iter().map(|label| quoted(label, 100)).collect();
    if now.is_empty() { "nothing".into() } else { now.join(", ") }
}

impl SelectOption {
    fn choose(&mut self, picks: impl Iterator<Item = Pick>) {
        self.picks.extend(picks);
        self.told = true;
    }
}

pub(super) fn faces() -> [Face<SelectOption>; 2] {
    [
        BROWSER
            .tool("browser_select_option", "Select options of a dropdown, by value or label")
            .takes((must("ref", ""), must("values", "")), |(target, values): (_, Vec<String>)| {
                let picks = values.into_iter().map(Pick::Either).collect();
                SelectOption { target, picks, only: false, told: true }
            })
            .example(r#"{"ref": "label:Country", "values": ["France"]}"#)
            .described("element")
            .alias("target", "ref")
            .says(|out| format!("Selected in {}: {}", out.done.element, now(&out.done))),
        AGENT
            .tool("select", "Select options")
            .takes(must("selector", ""), |target| SelectOption {
                target,
                picks: Vec::new(),
                only: true,
                told: false,
            })
            .example(r#"{"selector": "label:Country", "label": "France"}"#)
            .opt("value", "", |select, OneOrMore(values)| select.choose(values.into_iter().map(Pick::Value)))
            .opt("label", "", |select, OneOrMore(labels)| select.choose(labels.into_iter().map(Pick::Label)))
            .opt("index", "", |select, OneOrMore(all)| select.choose(all.into_iter().map(Pick::Index)))
            .within("timeout", "", 5000)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .validate(|select| match select.told {
                true => Ok(()),
                false => Err(BadArguments::Together("Missing required argument: one of value, label, index")),
            })
            .rename_fact("selected", "label")
            .fact("value", "array", |out| {
                let value = |choice: &Choice| choice.value.clone();
                Some(out.done.selected.iter().map(value).collect())
            })
            .says(|out| format!("Selected in {}: {}", named(&out.done.element), now(&out.done))),
    ]
}
