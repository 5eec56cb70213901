//! Where a page is, and what it is called.

use cicerone_engine::snapshot::plain;
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::AGENT,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

/// Asks where a page is, or also what it is called.
pub(super) struct PageInfo {
    title: bool,
}

/// Where it is, and what it is called where that was asked.
pub(super) struct PageInfoResult {
    url: String,
    title: Option<String>,
}

impl Capability for PageInfo {
    type On = BesidePage;
    type Output = PageInfoResult;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<PageInfoResult, Failure> {
        let title = if self.title { Some(on.page.title().await) } else { None };
        Ok(PageInfoResult { url: on.page.shown_url(), title })
    }
}

impl Output for PageInfoResult {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = facts! { "url" => self.url.clone() };
        if let Some(title) = &self.title {
            facts.insert("title".into(), title.clone().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "url" => of("string"), "title" => of("string") }
    }
}

pub(super) fn faces() -> [Face<PageInfo>; 2] {
    [
        AGENT
            .tool("url", "The page's URL")
            .takes((), |()| PageInfo { title: false })
            .example("{}")
            .on_tab("tabId", "")
            .only_facts(&["url"])
            .says(|out| out.url.clone()),
        AGENT
            .tool("title", "The page's title")
            .takes((), |()| PageInfo { title: true })
            .example("{}")
            .on_tab("tabId", "")
            .says(|out| plain(out.title.as_deref().unwrap_or_default(), 1_000)),
    ]
}
