use serde::{Deserialize, Serialize};

use crate::{Acted, Deadline, Element, Page, Result, Target, ready::Needs};

/// A choice that was made.
#[derive(Debug, Clone)]
pub struct Selected {
    /// The field.
    pub element: Element,
    /// Whether its ref followed a replaced element.
    pub healed: bool,
    /// All that is selected now.
    pub selected: Vec<Choice>,
}

/// An option of a select.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Choice {
    /// Its value.
    #[serde(default)]
    pub value: String,
    /// Its label.
    #[serde(default)]
    pub label: String,
}

impl Choice {
    /// What a person calls it.
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.value } else { &self.label }
    }
}

/// An option that is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// By value.
    Value(String),
    /// By label.
    Label(String),
    /// By position, counted from 0.
    Index(u32),
    /// By value or label, whichever there is.
    #[serde(untagged)]
    Either(String),
}

#[derive(Serialize)]
struct Select<'a> {
    num: u32,
    values: &'a [Pick],
    only: bool,
}

#[derive(Deserialize)]
struct Chosen {
    selected: Vec<Choice>,
}

impl Page {
    /// Chooses options of a native select: these and no others, or these too where several can be.
    pub async fn select_option(
        &self,
        target: &Target,
        values: &[Pick],
        only: bool,
    ) -> Result<Acted<Selected>> {
        let mark = self.before_acting().await?.with_effect();
        let deadline = Deadline::after(self.action_timeout());
        let located = self.ready(target, Needs::CHOOSE, deadline).await?;
        let args = Select { num: located.number, values, only };
        let chosen: Chosen = self
            .ask(&located.frame, "select", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.refused_by(&located, failure))?;
        let (element, healed) = super::acted_on(&located);
        self.told(Selected { element, healed, selected: chosen.selected }, mark).await
    }
}
