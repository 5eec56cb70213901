use serde::{Deserialize, Serialize};

use crate::{Acted, Deadline, Element, Page, Result, Target, ready::Needs};

/// A choice that was made.
#[derive(Debug, Clone)]
pub struct Selected {
    /// The field.
    pub element: Element,
    /// Whether its ref followed a replaced element.
    pub healed: bool,
    /// The labels of all that is selected now.
    pub selected: Vec<String>,
}

#[derive(Serialize)]
struct Select<'a> {
    num: u32,
    values: &'a [String],
}

#[derive(Deserialize)]
struct Chosen {
    selected: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    value: String,
    #[serde(default)]
    label: String,
}

impl Page {
    /// Chooses options of a native select, by value or label.
    pub async fn select_option(&self, target: &Target, values: &[String]) -> Result<Acted<Selected>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        let located = self.ready(target, Needs::CHOOSE, deadline).await?;
        let args = Select { num: located.number, values };
        let chosen: Chosen = self
            .ask(&located.frame, "select", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.refused_by(&located, failure))?;
        let told = |choice: Choice| if choice.label.is_empty() { choice.value } else { choice.label };
        let selected = chosen.selected.into_iter().map(told).collect();
        let (element, healed) = super::acted_on(&located);
        self.told(Selected { element, healed, selected }, mark).await
    }
}
