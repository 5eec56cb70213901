//! Forms, with files.

use std::path::PathBuf;

use cicerone_engine::{Content, FormValue, UploadFile};
use serde_json::{Value, json};

use crate::argument::{Argument, object};

/// The fields of a form: texts, numbers, truths, files, and lists of these.
pub(super) struct Form(pub(super) Vec<(String, FormValue)>);

impl Argument for Form {
    fn schema() -> Value {
        json!({ "type": "object" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let fields = value.as_object().ok_or("an object of fields")?;
        let mut form = Vec::new();
        for (name, value) in fields {
            let values = match value {
                Value::Array(values) => values.as_slice(),
                one => std::slice::from_ref(one),
            };
            for value in values {
                let read =
                    field(value).map_err(|expected| format!("an object whose {name} is {expected}"))?;
                form.push((name.clone(), read));
            }
        }
        Ok(Self(form))
    }
}

fn field(value: &Value) -> Result<FormValue, String> {
    match value {
        Value::String(text) => Ok(FormValue::Text(text.clone())),
        Value::Number(_) | Value::Bool(_) => Ok(FormValue::Text(value.to_string())),
        Value::Object(_) => file(value).map(FormValue::File),
        Value::Null | Value::Array(_) => {
            Err("a string, a number, true, false, or a file: {path} or {name, mimeType, base64}".into())
        }
    }
}

#[derive(Default)]
struct FileParts {
    path: Option<PathBuf>,
    base64: Option<String>,
    name: Option<String>,
    mime: Option<String>,
}

object! {
    FileParts {
        "path" => path: PathBuf,
        "base64" => base64: String,
        "name" => name: String,
        "mimeType" => mime: String,
        "mime_type" => mime: String,
    }
}

fn file(value: &Value) -> Result<UploadFile, String> {
    const EXPECTED: &str = "a file: an object with path, or with base64, name and mimeType";
    let FileParts { path, base64, name, mime } = FileParts::parse(value)?;
    let content = match (path, base64) {
        (Some(path), None) => Content::Path(path),
        (None, Some(text)) => {
            Content::Bytes(super::super::file_upload::decoded(&text).ok_or("a file with valid base64")?)
        }
        _ => return Err(EXPECTED.into()),
    };
    Ok(UploadFile { content, name, mime })
}
