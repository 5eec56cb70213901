use std::{collections::HashMap, sync::LazyLock};

use cicerone_tools::{Cap, Dialect, Listing, Toolbox};
use serde_json::Value;

/// The schemas of what all tools of all dialects put out, by name.
static OUTPUTS: LazyLock<HashMap<&'static str, Value>> = LazyLock::new(|| {
    let toolbox = Toolbox::new(&Dialect::ALL, &Cap::ALL);
    let output = |listing: &Listing| (listing.name, Value::Object((*listing.output).clone()));
    toolbox.list().iter().map(output).collect()
});

/// What is wrong with the facts of a reply, by what the tool's listing says of them. Names that no tool has are left
/// to their tests.
pub fn misfits_of(tool: &str, facts: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(schema) = OUTPUTS.get(tool) {
        misfits(schema, facts, tool, &mut wrong);
    }
    wrong
}

/// What an action may tell beside its state. A terse listing names only that.
const OUTCOME: [&str; 6] = ["pending", "url", "title", "since", "snapshot", "changes"];

/// What every reply may tell, and no listing repeats.
const NEWS: &str = "news";

/// What is wrong with a value by a schema: types, known properties, required ones, items, enums.
fn misfits(schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    let fits = match schema["type"].as_str() {
        None => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some(other) => panic!("type {other} of {at}"),
    };
    if !fits || schema["enum"].as_array().is_some_and(|choices| !choices.contains(value)) {
        wrong.push(format!("{at}: {value} does not match {schema}"));
    }
    for required in schema["required"].as_array().into_iter().flatten() {
        if value.get(required.as_str().unwrap()).is_none() {
            wrong.push(format!("{at}: {required} is missing"));
        }
    }
    if let (Some(known), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, field) in fields {
            match known.get(name) {
                Some(schema) => misfits(schema, field, &format!("{at}.{name}"), wrong),
                None if name == NEWS && field.is_array() => {}
                None if known.contains_key("state") && OUTCOME.contains(&name.as_str()) => {}
                None => wrong.push(format!("{at}.{name} is not in the schema")),
            }
        }
    }
    for item in value.as_array().into_iter().flatten() {
        misfits(&schema["items"], item, &format!("{at}[]"), wrong);
    }
}
