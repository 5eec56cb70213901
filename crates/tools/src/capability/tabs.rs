//! Listing, opening, selecting and closing tabs.

use std::fmt::Write;

use cicerone_engine::{
    Address, TabInfo,
    snapshot::{plain, quoted},
};
use serde_json::{Map, Value, json};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::BROWSER,
    face::must,
    reply::Failure,
    scope::OnSession,
};

pub(super) struct Tabs {
    action: Action,
    index: Option<i64>,
    url: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    List,
    New,
    Close,
    Select,
}

choices! {
    Action {
        "list" => Action::List,
        "new" => Action::New,
        "close" => Action::Close,
        "select" => Action::Select,
    }
}

/// What was done, and the tabs after it.
pub(super) struct Done {
    action: Action,
    index: Option<usize>,
    tabs: Vec<TabInfo>,
}

impl Capability for Tabs {
    type On = OnSession;
    type Output = Done;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Done, Failure> {
        let session = &on.call.session;
        let context = on.call.context()?;
        let index = match self.action {
            Action::List => None,
            Action::New => {
                let address =
                    self.url.as_deref().map(|url| Address::read(url, session.files())).transpose()?;
                let page = context.open_page().await?;
                if let Some(address) = address {
                    let _turn = page.turn().await;
                    page.navigate(address.as_str()).await?;
                }
                None
            }
            Action::Select => {
                let index = self.index.unwrap_or_default();
                context.select(&context.tab_at(index)?).await?;
                usize::try_from(index).ok()
            }
            Action::Close => {
                let page = match self.index {
                    Some(index) => context.tab_at(index)?,
                    None => match context.active() {
                        Some(page) => page,
                        None => context.tab_at(0)?,
                    },
                };
                let index =
                    context.list().await.iter().find(|tab| tab.tab_id == page.id()).map(|tab| tab.index);
                context.close(&page).await?;
                index
            }
        };
        Ok(Done { action: self.action, index, tabs: context.list().await })
    }
}

impl Output for Done {
    fn facts(&self) -> Map<String, Value> {
        Map::from_iter([("tabs".to_owned(), json!(self.tabs))])
    }

    fn schema() -> Map<String, Value> {
        Map::from_iter([("tabs".to_owned(), json!({ "type": "array", "items": { "type": "object" } }))])
    }
}

fn told(done: &Done) -> String {
    let mut text = match (done.action, done.index) {
        (Action::List, _) => String::new(),
        (Action::New, _) => "Opened a tab.\n".into(),
        (Action::Select, Some(index)) => format!("Tab {index} is active.\n"),
        (Action::Close, Some(index)) => format!("Closed tab {index}.\n"),
        (Action::Select | Action::Close, None) => String::new(),
    };
    if done.tabs.is_empty() {
        text.push_str("No tabs are open");
    }
    for tab in &done.tabs {
        let active = if tab.active { " (active)" } else { "" };
        let crashed = if tab.crashed { " (crashed)" } else { "" };
        let _ = writeln!(
            text,
            "- {}:{active}{crashed} {} {}",
            tab.index,
            quoted(&tab.title, 100),
            plain(&tab.url, 300)
        );
    }
    text.truncate(text.trim_end().len());
    text
}

pub(super) fn faces() -> [Face<Tabs>; 1] {
    [BROWSER
        .tool("browser_tabs", "List, open, close or select tabs")
        .takes(must("action", ""), |action| Tabs { action, index: None, url: None })
        .example(r#"{"action": "list"}"#)
        .opt("index", "For close and select", |tabs, index| tabs.index = Some(index))
        .quietly("url", |tabs, url| tabs.url = Some(url))
        .provided(|tabs| match tabs {
            Tabs { action: Action::Select, index: None, .. } => Err(BadArguments::Missing("index")),
            _ => Ok(()),
        })
        .says(told)]
}
