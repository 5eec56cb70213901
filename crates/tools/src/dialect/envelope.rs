//! What the typed facts of a reply stand in.

use serde_json::{Map, Value, json};

use crate::reply::Failure;

/// What the typed facts of a reply stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Envelope {
    /// The facts themselves, or `error`.
    Bare,
    /// `success`, and `data` or `error`.
    Unified,
}

impl Envelope {
    /// The schema of what there may be, given that of the facts.
    pub(crate) fn schema(self, facts: Map<String, Value>) -> Map<String, Value> {
        let properties = match self {
            Self::Bare => {
                let mut facts = facts;
                facts.insert("error".into(), json!({ "type": "object" }));
                facts
            }
            Self::Unified => {
                let data = if facts.is_empty() {
                    json!({ "type": "object" })
                } else {
                    json!({ "type": "object", "properties": facts })
                };
                Map::from_iter([
                    ("success".to_owned(), json!({ "type": "boolean" })),
                    ("data".to_owned(), data),
                    ("error".to_owned(), json!({ "type": "string" })),
                ])
            }
        };
        Map::from_iter([("type".to_owned(), json!("object")), ("properties".to_owned(), properties.into())])
    }

    /// The facts of what was done.
    pub(crate) fn good(self, facts: Map<String, Value>) -> Map<String, Value> {
        match self {
            Self::Bare => facts,
            Self::Unified => {
                Map::from_iter([("success".to_owned(), true.into()), ("data".to_owned(), facts.into())])
            }
        }
    }

    /// The facts of what went wrong.
    pub(crate) fn bad(self, failure: &Failure) -> Map<String, Value> {
        let (code, name, message) = (failure.code(), failure.name(), &failure.message);
        let facts = match self {
            Self::Bare => json!({ "error": { "code": code, "name": name, "message": message } }),
            Self::Unified => json!({ "success": false, "error": message, "code": code, "name": name }),
        };
        facts.as_object().cloned().unwrap_or_default()
    }
}
