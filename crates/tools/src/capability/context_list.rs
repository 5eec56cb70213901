//! Listing the contexts.

use cicerone_engine::{
    ContextInfo,
    snapshot::{plain, quoted},
};
use serde_json::{Map, Value, json};

use crate::{Capability, Effect, Face, Output, dialect::BROWSER, reply::Failure, scope::OnSession};

pub(super) struct ContextList;

/// All contexts.
pub(super) struct Listed(Vec<ContextInfo>);

impl Capability for ContextList {
    type On = OnSession;
    type Output = Listed;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnSession) -> Result<Listed, Failure> {
        Ok(Listed(on.call.session.list_contexts()))
    }
}

impl Output for Listed {
    fn facts(&self) -> Map<String, Value> {
        Map::from_iter([("contexts".to_owned(), json!(self.0))])
    }

    fn schema() -> Map<String, Value> {
        Map::from_iter([("contexts".to_owned(), json!({ "type": "array", "items": { "type": "object" } }))])
    }
}

fn line(context: &ContextInfo) -> String {
    let ContextInfo { name, is_active, page_count, current_url, proxy } = context;
    let active = if *is_active { " (active)" } else { "" };
    let tabs = match page_count {
        0 => "no tabs".to_owned(),
        1 => "1 tab".to_owned(),
        count => format!("{count} tabs"),
    };
    let at = current_url.as_ref().map(|url| format!(", at {}", plain(url, 300))).unwrap_or_default();
    let proxy = proxy.as_ref().map(|proxy| format!(", through {proxy}")).unwrap_or_default();
    format!("- {}{active}: {tabs}{at}{proxy}", quoted(name, 100))
}

pub(super) fn faces() -> [Face<ContextList>; 1] {
    [BROWSER
        .tool("browser_context_list", "List the contexts")
        .takes((), |()| ContextList)
        .example("{}")
        .says(|Listed(contexts)| contexts.iter().map(line).collect::<Vec<_>>().join("\n"))]
}
