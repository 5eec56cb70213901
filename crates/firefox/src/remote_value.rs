//! Remote values as JSON.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::protocol::script::RemoteValue;

/// Why a value has no JSON form.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unwritable {
    #[error("the value contains itself")]
    Circular,
    #[error("a {0} has no JSON")]
    Kind(&'static str),
}

/// As JSON; `None` for `undefined`. Values without a JSON form are text at the top level, and `null` below.
pub(crate) fn to_json(value: RemoteValue) -> Result<Option<Value>, Unwritable> {
    match (value.kind.as_str(), &value.value) {
        ("undefined", _) => Ok(None),
        ("number", Some(Value::String(spelling))) => Ok(Some(Value::String(spelling.clone()))),
        ("bigint", Some(Value::String(digits))) => Ok(Some(Value::String(format!("{digits}n")))),
        _ => {
            let whole = Reference {
                kind: &value.kind,
                value: value.value.as_ref(),
                internal_id: value.internal_id.as_deref(),
            };
            Reader::default().read(&whole).map(Some)
        }
    }
}

/// A borrowed remote value.
struct Reference<'a> {
    kind: &'a str,
    value: Option<&'a Value>,
    /// A repeated object is serialised once and then referenced.
    internal_id: Option<&'a str>,
}

impl<'a> Reference<'a> {
    fn of(value: &'a Value) -> Self {
        Self {
            kind: value["type"].as_str().unwrap_or_default(),
            value: value.get("value"),
            internal_id: value["internalId"].as_str(),
        }
    }
}

#[derive(Default)]
struct Reader<'a> {
    /// Objects by id; `None` while being read.
    known: HashMap<&'a str, Option<Value>>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, reference: &Reference<'a>) -> Result<Value, Unwritable> {
        let Some(name) = reference.internal_id else { return self.plain(reference) };
        match self.known.get(name) {
            Some(Some(value)) => return Ok(value.clone()),
            Some(None) => return Err(Unwritable::Circular),
            None => {}
        }
        self.known.insert(name, None);
        let value = self.plain(reference)?;
        self.known.insert(name, Some(value.clone()));
        Ok(value)
    }

    fn plain(&mut self, reference: &Reference<'a>) -> Result<Value, Unwritable> {
        let list = || reference.value.and_then(Value::as_array).into_iter().flatten();
        Ok(match reference.kind {
            "string" | "boolean" => reference.value.cloned().unwrap_or_default(),
            // An invalid date has no JSON form.
            "date" => {
                let is_time = |date: &&Value| date.as_str().is_some_and(|date| date.ends_with('Z'));
                reference.value.filter(is_time).cloned().unwrap_or_default()
            }
            "number" => reference.value.filter(|value| value.is_number()).cloned().unwrap_or_default(),
            "bigint" => reference.value.cloned().unwrap_or_default(),
            "undefined" | "null" => Value::Null,
            "symbol" => return Err(Unwritable::Kind("symbol")),
            "window" => return Err(Unwritable::Kind("window")),
            "array" | "nodelist" | "htmlcollection" => {
                let items: Result<Vec<_>, _> = list().map(|item| self.read(&Reference::of(item))).collect();
                Value::Array(items?)
            }
            "object" => {
                let mut object = Map::new();
                for pair in list() {
                    let value = Reference::of(&pair[1]);
                    if let Some(key) = pair[0].as_str()
                        && value.kind != "undefined"
                    {
                        object.insert(key.to_owned(), self.read(&value)?);
                    }
                }
                Value::Object(object)
            }
            // Functions, nodes, maps and the like have no JSON form.
            _ => Value::Object(Map::new()),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Result<Option<Value>, Unwritable> {
        to_json(serde_json::from_value(value).unwrap())
    }

    #[test]
    fn values_become_json() {
        let object = json!({ "type": "object", "value": [
            ["a", { "type": "number", "value": 1 }],
            ["b", { "type": "array", "internalId": "x", "value": [{ "type": "null" }, { "type": "number", "value": "NaN" }] }],
            ["c", { "type": "array", "internalId": "x" }],
            ["d", { "type": "undefined" }],
        ] });
        assert_eq!(read(object).unwrap(), Some(json!({ "a": 1, "b": [null, null], "c": [null, null] })));
        assert_eq!(read(json!({ "type": "undefined" })).unwrap(), None);
        assert_eq!(read(json!({ "type": "number", "value": "-0" })).unwrap(), Some(json!("-0")));
        assert_eq!(read(json!({ "type": "bigint", "value": "10" })).unwrap(), Some(json!("10n")));
    }

    #[test]
    fn what_contains_itself_is_refused() {
        let circular = json!({ "type": "object", "internalId": "x", "value": [["me", { "type": "object", "internalId": "x" }]] });
        assert!(read(circular).is_err());
    }
}
