//! Filling several fields at once.

use cicerone_engine::{Acted, Field, Filled, Target};
use serde_json::{Map, Value, json};

use super::type_text::sentence;
use crate::{
    Argument, Capability, Effect, Face, Output,
    argument::{given, unknown_field},
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct FillForm {
    fields: Vec<Field>,
}

/// The fields that were filled.
pub(super) struct FilledForm(Vec<Filled>);

impl Capability for FillForm {
    type On = OnPage;
    type Output = Acted<FilledForm>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(mut self, on: OnPage) -> Result<Acted<FilledForm>, Failure> {
        for field in &mut self.fields {
            field.value =
                on.call.revealed(std::mem::take(&mut field.value), &on.page, Some(&field.target)).await?;
        }
        match on.page.forms().fill_form(&self.fields).await {
            Ok(acted) => Ok(acted.map(FilledForm)),
            Err((filled, error)) if filled.is_empty() => Err(error.into()),
            Err((filled, error)) => {
                Err(Failure::from(error).after(format!("Filled before the error: {}", list(&filled))))
            }
        }
    }
}

impl Output for FilledForm {
    fn facts(&self) -> Map<String, Value> {
        facts! { "filled" => self.0.len() }
    }

    fn schema() -> Map<String, Value> {
        facts! { "filled" => of("integer") }
    }
}

impl Argument for Field {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "ref": { "type": "string" },
                "value": { "type": "string", "description": "true or false for a checkbox" },
                "name": { "type": "string" },
                "type": { "type": "string" },
            },
            "required": ["ref", "value"],
        })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let field = value.as_object().ok_or("an object with ref and value")?;
        let target = given(field, "ref").or(given(field, "target")).ok_or("an object with a ref")?;
        let target =
            Target::parse(target).map_err(|expected| format!("an object whose ref is {expected}"))?;
        let value = match given(field, "value").ok_or("an object with a value")? {
            Value::String(text) => text.clone(),
            Value::Bool(on) => on.to_string(),
            Value::Number(number) => number.to_string(),
            _ => return Err("an object whose value is a string".into()),
        };
        match field
            .keys()
            .find(|key| !["ref", "target", "value", "name", "type", "element"].contains(&key.as_str()))
        {
            Some(unknown) => Err(unknown_field(unknown, &["ref", "value", "name", "type"])),
            None => Ok(Self { target, value, append: false, force: false }),
        }
    }
}

fn list(filled: &[Filled]) -> String {
    filled.iter().map(sentence).collect::<Vec<_>>().join("; ")
}

pub(super) fn faces() -> [Face<FillForm>; 1] {
    [BROWSER
        .tool("browser_fill_form", "Fill several fields")
        .takes(must("fields", ""), |fields| FillForm { fields }).example(r#"{"fields": [{"ref": "label:Email", "value": "ada@example.com"}, {"ref": "label:News", "value": "true"}]}"#)
        .types_secrets()
        .says(|out| format!("Filled {}: {}", out.done.0.len(), list(&out.done.0)))]
}
