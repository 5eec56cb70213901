//! What the typed facts of a reply stand in.

use serde_json::{Map, Value, json};

use super::Verdict;
use crate::{
    Message, Output,
    message::Refs,
    output::{append, facts},
};

/// What the typed facts of a reply stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Envelope {
    /// The facts themselves, or `error`.
    Bare,
    /// `success`, and `data` or `error`.
    Unified,
}

impl Envelope {
    /// The facts that a listing names, with their schemas.
    pub(crate) fn facts_of<O: Output>(self) -> Map<String, Value> {
        match self {
            Self::Bare => O::schema(),
            Self::Unified => O::terse_schema(),
        }
    }

    /// The schema of what there may be, given that of the facts. What is the same for all tools is left out or said
    /// in a word, as every listing is paid for: bare ones leave out `error` (results that say that they failed are not
    /// held against it); unified ones only name the facts.
    pub(crate) fn schema(self, facts: Map<String, Value>) -> Map<String, Value> {
        let properties = match self {
            Self::Bare => facts,
            Self::Unified => {
                let facts: Map<String, Value> =
                    facts.into_iter().map(|(name, _)| (name, json!({}))).collect();
                facts! { "success" => json!({}), "data" => json!({ "properties": facts }), "error" => json!({}) }
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

    /// Adds lines to a fact of a reply, whether it worked or not.
    pub(crate) fn append<L: Into<Value>>(
        self,
        facts: &mut Map<String, Value>,
        name: &str,
        lines: impl IntoIterator<Item = L>,
    ) {
        if self == Self::Unified
            && let Some(Value::Object(data)) = facts.get_mut("data")
        {
            return append(data, name, lines);
        }
        append(facts, name, lines);
    }

    /// How errors write refs.
    pub(crate) fn refs(self) -> Refs {
        match self {
            Self::Bare => Refs { sign: "" },
            Self::Unified => Refs { sign: "@" },
        }
    }

    /// The facts of what went wrong.
    pub(crate) fn bad(self, message: &Message, verdict: &Verdict) -> Map<String, Value> {
        let (code, name, message) = (verdict.code, verdict.name, &message.text);
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
