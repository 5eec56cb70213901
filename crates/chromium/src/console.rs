//! Console messages, formatted from the logged values.

use cicerone_driver::{ConsoleLevel, ConsoleMessage};

use crate::{
    evaluate::thrown,
    protocol::{
        log::Entry,
        runtime::{ConsoleApiCalled, ExceptionDetails, ObjectPreview, RemoteObject, StackTrace},
    },
};

pub(crate) fn from_api(call: &ConsoleApiCalled) -> Option<ConsoleMessage> {
    let level = match call.kind.as_str() {
        "debug" => ConsoleLevel::Debug,
        "warning" => ConsoleLevel::Warning,
        "error" | "assert" => ConsoleLevel::Error,
        "clear" | "endGroup" => return None,
        "info" => ConsoleLevel::Info,
        _ => ConsoleLevel::Log,
    };
    let text = call.args.iter().map(shown).collect::<Vec<_>>().join(" ");
    Some(ConsoleMessage::new(level, text, call.stack_trace.as_ref().and_then(place)))
}

pub(crate) fn from_exception(details: &ExceptionDetails) -> ConsoleMessage {
    // `text` says whether it was uncaught or an unhandled rejection.
    let text = format!("{} {}", details.text, thrown(details).message);
    let place = details.url.as_ref().map(|url| format!("{url}:{}", details.line_number + 1));
    ConsoleMessage::new(ConsoleLevel::Exception, text, place)
}

/// Messages about the favicon that the browser requests by itself are not the page's.
pub(crate) fn from_entry(entry: Entry) -> Option<ConsoleMessage> {
    if entry.url.as_ref().is_some_and(|url| url.ends_with("/favicon.ico")) {
        return None;
    }
    let level = match entry.level.as_str() {
        "verbose" => ConsoleLevel::Debug,
        "warning" => ConsoleLevel::Warning,
        "error" => ConsoleLevel::Error,
        _ => ConsoleLevel::Info,
    };
    let place = entry.url.map(|url| match entry.line_number {
        Some(line) => format!("{url}:{}", line + 1),
        None => url,
    });
    Some(ConsoleMessage::new(level, entry.text, place))
}

fn shown(object: &RemoteObject) -> String {
    if let Some(serde_json::Value::String(text)) = &object.value {
        return text.clone();
    }
    if let Some(preview) = &object.preview
        && object.subtype.as_deref() != Some("error")
    {
        return previewed(preview);
    }
    if let Some(description) = &object.description {
        return description.clone();
    }
    match (&object.value, &object.unserializable_value) {
        (Some(value), _) => value.to_string(),
        (None, Some(spelling)) => spelling.clone(),
        (None, None) => object.kind.clone(),
    }
}

fn previewed(preview: &ObjectPreview) -> String {
    let list = preview.subtype.as_deref() == Some("array");
    let mut parts: Vec<String> = preview
        .properties
        .iter()
        .map(|property| {
            let value = property.value.as_deref().unwrap_or(&property.kind);
            if list { value.to_owned() } else { format!("{}: {value}", property.name) }
        })
        .collect();
    if preview.overflow {
        parts.push("…".into());
    }
    let inner = parts.join(", ");
    if list { format!("[{inner}]") } else { format!("{{{inner}}}") }
}

fn place(stack: &StackTrace) -> Option<String> {
    let top = stack.call_frames.first()?;
    (!top.url.is_empty()).then(|| format!("{}:{}", top.url, top.line_number + 1))
}
