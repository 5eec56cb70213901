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
    /// The schema of what there may be, given that of the facts. Bare ones leave out `error`, as it is the same for all
    /// tools and every listing is paid for; results that say that they failed are not held against it.
    pub(crate) fn schema(self, facts: Map<String, Value>) -> Map<String, Value> {
        let properties = match self {
            Self::Bare => facts,
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
                let mut facts = facts;
                facts.iter_mut().for_each(|(name, fact)| with_at(name, fact));
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

/// Refs as this shape has them: `@e5`.
fn with_at(name: &str, fact: &mut Value) {
    if let ("ref" | "source" | "target", Value::String(reference)) = (name, fact)
        && !reference.starts_with('@')
    {
        reference.insert(0, '@');
    }
}
