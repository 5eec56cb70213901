//! The `launch` dialect: a sentence, as published.

use cicerone_engine::{ActionSnapshot, Query, Target};
use serde_json::{Map, Value};

use super::{Dialect, Failed, plainly, terse};
use crate::{
    Argument, BadArguments,
    argument::{choices, given, parse},
    face::{Required, Spec},
};

/// `browser_launch` and its like.
pub(crate) static LAUNCH: Dialect =
    Dialect { name: "launch", voice: terse, failure, shows: Some(ActionSnapshot::None), images_first: true };

fn failure(failed: &Failed<'_>) -> String {
    let Failed { doing: Some(doing), subject, failure } = failed else { return plainly(failed) };
    let (message, hint) = (&failure.message, &failure.hint);
    let subject = match subject {
        Some(("selector", selector)) => format!("\nSelector: {selector}"),
        _ => String::new(),
    };
    format!("Error {doing}: {message}{subject}\nHint: {hint}")
}

/// How a selector is to be understood.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SelectorType {
    Css,
    Text,
    Role,
    TestId,
    Label,
}

choices! {
    SelectorType {
        "css" => SelectorType::Css,
        "text" => SelectorType::Text,
        "role" => SelectorType::Role,
        "testId" => SelectorType::TestId,
        "label" => SelectorType::Label,
    }
}

/// The element that `selector`, `selectorType` and `options` name.
pub(crate) struct Selected {
    /// What the listing says of `selector`.
    pub(crate) about: &'static str,
    /// Whether labels are offered.
    pub(crate) labels: bool,
}

impl Required for Selected {
    type Values = Target;

    fn rows(&self) -> Vec<Spec> {
        let mut kinds = SelectorType::schema();
        if let Some(kinds) = kinds.as_object_mut() {
            kinds.insert("default".into(), "css".into());
            if let (Some(words), false) = (kinds.get_mut("enum").and_then(Value::as_array_mut), self.labels) {
                words.pop();
            }
        }
        vec![
            Spec { name: "selector", about: self.about, schema: String::schema(), required: true },
            Spec { name: "selectorType", about: "Type of selector", schema: kinds, required: false },
        ]
    }

    fn read(&self, arguments: &Map<String, Value>) -> Result<Target, BadArguments> {
        let selector = given(arguments, "selector").ok_or(BadArguments::Missing("selector"))?;
        let text: String = parse("selector", selector)?;
        let kind = given(arguments, "selectorType").map(|kind| parse("selectorType", kind)).transpose()?;
        let options = given(arguments, "options").and_then(Value::as_object);
        let exact = options.and_then(|options| options.get("exact")).and_then(Value::as_bool) == Some(true);
        let name = options.and_then(|options| options.get("name")).and_then(Value::as_str).map(str::to_owned);
        Ok(match kind.unwrap_or(SelectorType::Css) {
            // The whole language of targets, of which CSS is the bare form.
            SelectorType::Css => return parse("selector", selector),
            SelectorType::Text => Target::Query(Query::Text { text, exact }),
            SelectorType::Role => Target::Query(Query::Role { role: text, name, exact }),
            SelectorType::TestId => Target::Query(Query::TestId { testid: text }),
            SelectorType::Label => Target::Query(Query::Label { label: text, exact }),
        })
    }
}
