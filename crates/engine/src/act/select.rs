use serde::{Deserialize, Serialize};

use crate::{
    Acted, Deadline, Element, NewsItem, Result, Target,
    injected::Numbered,
    news,
    page::parts::Forms,
    ready::{Located, Needs},
    settle::Mark,
};

/// The result of selecting options.
#[derive(Debug, Clone)]
pub struct Selected {
    /// The select element.
    pub element: Element,
    /// All options selected now.
    pub selected: Vec<Choice>,
}

/// An option of a select.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Choice {
    #[serde(default)]
    pub value: String,
    #[serde(default)]
    pub label: String,
}

impl Choice {
    /// The label, or the value if there is none.
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.value } else { &self.label }
    }
}

/// An option to select.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// By value.
    Value(String),
    /// By label.
    Label(String),
    /// By position, counted from 0.
    Index(u32),
    /// By value or by label.
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
    changed: bool,
    /// Whether the page shows something else in place of the select.
    unseen: bool,
}

impl Forms<'_> {
    /// Selects options of a native select: exactly these, or, unless `only`, in addition to the selected
    /// ones.
    pub async fn select_option(
        self,
        target: &Target,
        values: &[Pick],
        only: bool,
    ) -> Result<Acted<Selected>> {
        let mark = self.page.actions().begin_action().await?.with_effect();
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let located = self.page.locator().ready(target, Needs::CHOOSE, deadline).await?;
        let args = Select { num: located.number, values, only };
        let chosen: Chosen = self
            .page
            .injected()
            .ask(&located.frame, "select", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.page.locator().refused_by(&located, failure))?;
        let selected = Selected { element: located.element.clone(), selected: chosen.selected };
        let choice = (chosen.changed && chosen.unseen).then_some(located);
        self.page.actions().finish_action(selected, Mark { choice, ..mark }).await
    }

    /// Adds to the news that a person does not see a choice. The page may have gone on to another document.
    pub(crate) async fn note_unseen_choice(self, located: &Located, deadline: Deadline) {
        let args = Numbered { num: located.number };
        let shows =
            self.page.injected().ask(&located.frame, "showsChoice", &args, deadline.with_grace()).await;
        if !shows.unwrap_or(true) {
            let note = NewsItem::ChoiceNotShown(located.element.reference);
            news::add(&mut self.page.state().news, note);
        }
    }
}
