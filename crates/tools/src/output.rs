//! The output of capabilities: facts with a schema, and the outcome of an action.

use cicerone_engine::{Acted, Element, NewsItem, Outcome, Settled};
use serde_json::{Map, Value, json};

/// The output of a capability.
pub trait Output: Send + 'static {
    /// The facts by name; the keys of [`Output::schema`].
    fn facts(&self) -> Map<String, Value>;
    /// The JSON schema of each fact.
    fn schema() -> Map<String, Value>;
    /// The schema without the facts that every action may have besides its state, to keep listings short.
    fn terse_schema() -> Map<String, Value> {
        Self::schema()
    }
    /// The outcome of an action.
    fn outcome(&self) -> Option<&Outcome> {
        None
    }
    /// News, for outputs without an outcome.
    fn news(&self) -> &[NewsItem] {
        &[]
    }
}

/// `facts! { "url" => json, … }` as a map.
macro_rules! facts {
    ($($name:literal => $value:expr),* $(,)?) => {
        serde_json::Map::from_iter([$(($name.to_owned(), serde_json::Value::from($value))),*])
    };
}
pub(crate) use facts;

/// Adds lines to a fact that is a list of them; none leaves it out.
pub(crate) fn append<L: Into<Value>>(
    facts: &mut Map<String, Value>,
    name: &str,
    lines: impl IntoIterator<Item = L>,
) {
    let mut lines = lines.into_iter().map(Into::into).peekable();
    if lines.peek().is_none() {
        return;
    }
    if let Value::Array(told) = facts.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
        told.extend(lines);
    }
}

/// A number as people write it: a whole one has no fraction.
pub(crate) fn number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
    let whole = (value.fract() == 0.0 && value.abs() < 1e15).then_some(value as i64);
    whole.map_or_else(|| value.into(), Value::from)
}

/// A schema that says only the type.
pub(crate) fn of(kind: &str) -> Value {
    json!({ "type": kind })
}

impl<T: Output> Output for Acted<T> {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = self.done.facts();
        let outcome = &self.outcome;
        let (state, pending) = match outcome.settled {
            Settled::Settled => ("settled", None),
            Settled::Navigated => ("navigated", None),
            Settled::Busy(requests) => ("busy", Some(requests)),
            Settled::Held => ("dialog", None),
            Settled::Unawaited => ("unawaited", None),
        };
        facts.insert("state".into(), state.into());
        if let Some(pending) = pending {
            facts.insert("pending".into(), pending.into());
        }
        if let Some(place) = &outcome.moved {
            facts.insert("url".into(), place.url.clone().into());
            facts.insert("title".into(), place.title.clone().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        let mut schema = T::schema();
        schema.extend(facts! {
            "state" => of("string"), "pending" => of("integer"), "url" => of("string"), "title" => of("string"),
            "news" => of("array"),
        });
        schema
    }

    fn terse_schema() -> Map<String, Value> {
        let mut schema = T::terse_schema();
        schema.insert("state".into(), of("string"));
        schema
    }

    fn outcome(&self) -> Option<&Outcome> {
        Some(&self.outcome)
    }
}

/// Nothing but what came of it.
impl Output for () {
    fn facts(&self) -> Map<String, Value> {
        Map::new()
    }

    fn schema() -> Map<String, Value> {
        Map::new()
    }
}

/// The element that was acted on.
impl Output for Element {
    fn facts(&self) -> Map<String, Value> {
        facts! { "ref" => self.reference.to_string() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "ref" => of("string") }
    }
}
