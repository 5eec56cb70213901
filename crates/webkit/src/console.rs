//! Console lines, from the values that the page logged.

use cicerone_driver::{ConsoleLevel, ConsoleMessage};
use serde_json::Value;

use crate::protocol::{console, runtime::RemoteObject};

pub(crate) fn line(message: &console::ConsoleMessage) -> Option<ConsoleMessage> {
    let of_page = message.source == "console-api";
    if of_page && matches!(message.kind.as_str(), "clear" | "endGroup") {
        return None;
    }
    let level = match (message.level.as_str(), message.source.as_str()) {
        ("error", "javascript") => ConsoleLevel::Exception,
        ("error", _) => ConsoleLevel::Error,
        ("warning", _) => ConsoleLevel::Warning,
        ("info", _) => ConsoleLevel::Info,
        ("debug", _) => ConsoleLevel::Debug,
        _ => ConsoleLevel::Log,
    };
    let text = if of_page && !message.parameters.is_empty() {
        message.parameters.iter().map(argument).collect::<Vec<_>>().join(" ")
    } else if level == ConsoleLevel::Exception && !message.text.starts_with("Unhandled") {
        format!("Uncaught {}", message.text)
    } else {
        message.text.clone()
    };
    let place = (!message.url.is_empty()).then(|| format!("{}:{}", message.url, message.line));
    Some(ConsoleMessage::new(level, text, place))
}

fn argument(argument: &RemoteObject) -> String {
    match (&argument.value, &argument.preview) {
        (Some(Value::String(text)), _) => text.clone(),
        (Some(value), _) if !value.is_null() => value.to_string(),
        (_, Some(preview)) if argument.subtype.is_none() || argument.subtype.as_deref() == Some("array") => {
            let is_list = argument.subtype.is_some();
            let mut parts: Vec<String> = preview
                .properties
                .iter()
                .map(|property| {
                    let value = match property.kind.as_str() {
                        "string" => Value::from(property.value.as_str()).to_string(),
                        _ if property.value.is_empty() => property.kind.clone(),
                        _ => property.value.clone(),
                    };
                    if is_list { value } else { format!("{}: {value}", property.name) }
                })
                .collect();
            if preview.overflow {
                parts.push("…".into());
            }
            let joined = parts.join(", ");
            if is_list { format!("[{joined}]") } else { format!("{{{joined}}}") }
        }
        _ => argument
            .description
            .clone()
            .or_else(|| argument.subtype.clone())
            .unwrap_or_else(|| argument.kind.clone()),
    }
}
