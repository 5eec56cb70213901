use serde::{Deserialize, Serialize};

use crate::{
    Acted, Deadline, Element, NewsItem, Result, Target,
    injected::Numbered,
    page::parts::Forms,
    ready::{Located, Needs},
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
    /// Its value.
    #[serde(default)]
    pub value: String,
    /// Its label.
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
        let changed = chosen.changed;
        let selected = Selected { element: located.element.clone(), selected: chosen.selected };
        let mut acted = self.page.actions().finish_action(selected, mark).await?;
        if changed && !self.shows_choice(&located, deadline).await {
            acted.outcome.news.push(NewsItem::ChoiceNotShown(located.element.reference));
        }
        Ok(acted)
    }

    /// Whether a person sees the choice. The page may have gone on to another document, or shows a dialog.
    async fn shows_choice(self, located: &Located, deadline: Deadline) -> bool {
        let args = Numbered { num: located.number };
        let shows =
            self.page.injected().ask(&located.frame, "showsChoice", &args, deadline.with_grace()).await;
        shows.unwrap_or(true)
    }
}
