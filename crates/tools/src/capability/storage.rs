//! Reading and changing what a page keeps.

use cicerone_engine::{StorageKind, snapshot::quoted};
use serde_json::{Map, Value, json};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Storage {
    action: StorageAction,
    kind: StorageKind,
    key: Option<String>,
    value: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StorageAction {
    Get,
    Set,
    Remove,
    Clear,
    Keys,
    Entries,
    Length,
}

choices! {
    StorageAction {
        "get" => StorageAction::Get,
        "set" => StorageAction::Set,
        "remove" => StorageAction::Remove,
        "clear" => StorageAction::Clear,
        "keys" => StorageAction::Keys,
        "entries" => StorageAction::Entries,
        "length" => StorageAction::Length,
    }
    StorageKind {
        "local" => StorageKind::Local,
        "session" => StorageKind::Session,
    }
}

/// What was found or done.
pub(super) enum StorageResult {
    Value(String, Option<String>),
    Set(String, String),
    Removed(String),
    Cleared,
    Keys(Vec<String>),
    Entries(Vec<(String, String)>),
    Length(usize),
}

impl Capability for Storage {
    type On = OnPage;
    type Output = StorageResult;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<StorageResult, Failure> {
        let (page, kind) = (on.page, self.kind);
        let key = self.key.unwrap_or_default();
        Ok(match self.action {
            StorageAction::Get => {
                let found =
                    page.web_storage().storage(kind).await?.into_iter().find(|(known, _)| *known == key);
                StorageResult::Value(key, found.map(|(_, value)| value))
            }
            StorageAction::Set => {
                let value = self.value.unwrap_or_default();
                page.web_storage().set_stored(kind, &key, &value).await?;
                StorageResult::Set(key, value)
            }
            StorageAction::Remove => {
                page.web_storage().remove_stored(kind, Some(&key)).await?;
                StorageResult::Removed(key)
            }
            StorageAction::Clear => {
                page.web_storage().remove_stored(kind, None).await?;
                StorageResult::Cleared
            }
            StorageAction::Keys => StorageResult::Keys(
                page.web_storage().storage(kind).await?.into_iter().map(|(key, _)| key).collect(),
            ),
            StorageAction::Entries => StorageResult::Entries(page.web_storage().storage(kind).await?),
            StorageAction::Length => StorageResult::Length(page.web_storage().storage(kind).await?.len()),
        })
    }
}

impl Output for StorageResult {
    fn facts(&self) -> Map<String, Value> {
        match self {
            Self::Value(key, value) => facts! { "key" => key.clone(), "value" => value.clone() },
            Self::Set(key, value) => facts! { "key" => key.clone(), "value" => value.clone() },
            Self::Removed(key) => facts! { "key" => key.clone() },
            Self::Cleared => Map::new(),
            Self::Keys(keys) => facts! { "keys" => keys.clone(), "count" => keys.len() },
            Self::Entries(entries) => {
                let all: Map<String, Value> =
                    entries.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
                facts! { "entries" => all, "count" => entries.len() }
            }
            Self::Length(length) => facts! { "length" => *length, "count" => *length },
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "key" => of("string"), "value" => json!({ "type": ["string", "null"] }), "keys" => of("array"),
            "entries" => of("object"), "count" => of("integer"), "length" => of("integer"),
        }
    }
}

fn words(done: &StorageResult) -> String {
    match done {
        StorageResult::Value(key, Some(value)) => format!("{key} = {}", quoted(value, 2_000)),
        StorageResult::Value(key, None) => format!("{key} is not there"),
        StorageResult::Set(key, _) => format!("Set {key}"),
        StorageResult::Removed(key) => format!("Removed {key}"),
        StorageResult::Cleared => "Cleared".into(),
        StorageResult::Keys(keys) if keys.is_empty() => "No keys".into(),
        StorageResult::Keys(keys) => format!("{} keys: {}", keys.len(), keys.join(", ")),
        StorageResult::Entries(entries) => {
            let line = |(key, value): &(String, String)| format!("\n- {key} = {}", quoted(value, 200));
            format!("{} entries{}", entries.len(), entries.iter().take(100).map(line).collect::<String>())
        }
        StorageResult::Length(length) => format!("{length} entries"),
    }
}

pub(super) fn faces() -> [Face<Storage>; 1] {
    [AGENT
        .tool("storage", "Get, set or clear local or session storage")
        .takes(must("action", ""), |action| Storage {
            action,
            kind: StorageKind::Local,
            key: None,
            value: None,
        })
        .example(r#"{"action": "set", "key": "theme", "value": "dark"}"#)
        .opt("type", "", |storage, kind| storage.kind = kind)
        .default("local")
        .opt("key", "", |storage, key| storage.key = Some(key))
        .opt("value", "", |storage, value| storage.value = Some(value))
        .on_tab("tabId", "")
        .validate(|storage| match storage {
            Storage {
                action: StorageAction::Get | StorageAction::Set | StorageAction::Remove,
                key: None,
                ..
            } => Err(BadArguments::Missing("key")),
            Storage { action: StorageAction::Set, value: None, .. } => Err(BadArguments::Missing("value")),
            _ => Ok(()),
        })
        .says(words)]
}
