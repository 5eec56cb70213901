//! Parses arguments typed in a shell.

use serde_json::{Map, Value};

/// An invalid argument.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum BadArgument {
    #[error("{} neither key=value nor a JSON object{}", listed(.stray), meant(.stray, .required))]
    Stray { stray: Vec<String>, required: Option<String> },
    #[error("the arguments are not a JSON object: {0}")]
    NoObject(String),
    #[error("arguments are either key=value or one JSON object, not both; unexpected: {}", quoted(.0))]
    Both(Vec<String>),
    #[error("`{0}` is given twice, and takes one value")]
    Twice(String),
}

/// Reads them; the schema of the tool's arguments decides what a value is.
pub(super) fn read(given: &[String], schema: Option<&Value>) -> Result<Map<String, Value>, BadArgument> {
    if let Some(object) = given.iter().find(|argument| is_object(argument)) {
        let others: Vec<String> =
            given.iter().filter(|other| !std::ptr::eq(*other, object)).cloned().collect();
        if !others.is_empty() {
            return Err(BadArgument::Both(others));
        }
        return serde_json::from_str(object).map_err(|error| BadArgument::NoObject(error.to_string()));
    }
    let stray: Vec<String> = given.iter().filter(|argument| pair(argument).is_none()).cloned().collect();
    if !stray.is_empty() {
        let required = schema.and_then(|schema| schema["required"][0].as_str()).map(str::to_owned);
        return Err(BadArgument::Stray { stray, required });
    }
    let mut arguments = Map::new();
    for (key, text) in given.iter().filter_map(|argument| pair(argument)) {
        let wanted = schema.map_or(&Value::Null, |schema| &schema["properties"][key]);
        match arguments.get_mut(key) {
            None => {
                arguments.insert(key.to_owned(), value(text, wanted));
            }
            Some(Value::Array(items)) if takes(wanted, "array") => match value(text, wanted) {
                Value::Array(more) => items.extend(more),
                one => items.push(one),
            },
            Some(_) => return Err(BadArgument::Twice(key.to_owned())),
        }
    }
    Ok(arguments)
}

/// A key, and the text of its value.
fn pair(argument: &str) -> Option<(&str, &str)> {
    let is_key =
        |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    argument.split_once('=').filter(|(key, _)| is_key(key))
}

fn quoted(arguments: &[String]) -> String {
    let quoted: Vec<String> = arguments.iter().map(|argument| format!("`{argument}`")).collect();
    quoted.join(", ")
}

fn listed(stray: &[String]) -> String {
    format!("{} {}", quoted(stray), if stray.len() == 1 { "is" } else { "are" })
}

/// What was perhaps meant by a value without its key.
fn meant(stray: &[String], required: &Option<String>) -> String {
    match (stray, required) {
        ([stray], Some(required)) => format!("; did you mean {required}={stray}?"),
        _ => String::new(),
    }
}

fn is_object(argument: &str) -> bool {
    argument.trim_start().starts_with('{')
}

/// What a text means where this is wanted. What does not fit stays a text, and the server says what it wants.
fn value(text: &str, wanted: &Value) -> Value {
    let parsed = || serde_json::from_str::<Value>(text).ok();
    let as_text = || Value::String(text.to_owned());
    let choices = wanted["enum"].as_array().is_some_and(|choices| choices.iter().any(Value::is_string));
    if takes(wanted, "string") || choices {
        return as_text();
    }
    if takes(wanted, "array") {
        return match parsed() {
            Some(list @ Value::Array(_)) => list,
            _ => Value::Array(vec![value(text, &wanted["items"])]),
        };
    }
    parsed().unwrap_or_else(as_text)
}

/// Whether a schema takes values of this type.
fn takes(wanted: &Value, kind: &str) -> bool {
    match &wanted["type"] {
        Value::String(one) => one == kind,
        Value::Array(several) => several.iter().any(|one| one == kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn typed(given: &[&str]) -> Result<Value, BadArgument> {
        let schema = json!({ "properties": {
            "text": { "type": "string" },
            "count": { "type": "integer" },
            "submit": { "type": "boolean" },
            "button": { "enum": ["left", "right"] },
            "values": { "type": "array", "items": { "type": "string" } },
            "fields": { "type": "array", "items": { "type": "object" } },
            "anything": {},
        } });
        let given: Vec<String> = given.iter().map(|argument| (*argument).to_owned()).collect();
        read(&given, Some(&schema)).map(Value::Object)
    }

    #[test]
    fn the_schema_decides_what_a_value_is() {
        assert_eq!(typed(&["text=123", "count=3"]).unwrap(), json!({ "text": "123", "count": 3 }));
        assert_eq!(typed(&["text=a=b", "submit=true"]).unwrap(), json!({ "text": "a=b", "submit": true }));
        assert_eq!(typed(&["text=", "button=left"]).unwrap(), json!({ "text": "", "button": "left" }));
        assert_eq!(typed(&["text={\"a\":1}"]).unwrap(), json!({ "text": "{\"a\":1}" }));
        assert_eq!(typed(&["count=many"]).unwrap(), json!({ "count": "many" }));
    }

    #[test]
    fn lists_are_json_or_one_item_after_the_other() {
        assert_eq!(typed(&["values=1", "values=two"]).unwrap(), json!({ "values": ["1", "two"] }));
        assert_eq!(typed(&["values=[\"a\",\"b\"]"]).unwrap(), json!({ "values": ["a", "b"] }));
        assert_eq!(typed(&["fields={\"ref\":\"e1\"}"]).unwrap(), json!({ "fields": [{ "ref": "e1" }] }));
        assert_eq!(typed(&["text=a", "text=b"]), Err(BadArgument::Twice("text".into())));
    }

    #[test]
    fn what_the_schema_does_not_know_is_json_where_it_can_be() {
        let given = ["anything=1.5", "other=null", "word=hello", "quoted=\"1\""];
        let expected = json!({ "anything": 1.5, "other": null, "word": "hello", "quoted": "1" });
        assert_eq!(typed(&given).unwrap(), expected);
    }

    #[test]
    fn one_object_holds_all_of_them() {
        assert_eq!(typed(&[" {\"text\": \"x\"}"]).unwrap(), json!({ "text": "x" }));
        assert_eq!(typed(&[]).unwrap(), json!({}));
        assert_eq!(typed(&["{}", "text=x"]), Err(BadArgument::Both(vec!["text=x".into()])));
        assert!(matches!(typed(&["{text}"]), Err(BadArgument::NoObject(_))));
        let stray = |stray: &[&str]| {
            let stray = stray.iter().map(|&argument| argument.to_owned()).collect();
            Err(BadArgument::Stray { stray, required: None })
        };
        assert_eq!(typed(&["text"]), stray(&["text"]));
        assert_eq!(typed(&["=x", "text=a", "http://x/?a=b"]), stray(&["=x", "http://x/?a=b"]));
    }
}
