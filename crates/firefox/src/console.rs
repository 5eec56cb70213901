//! Console messages, formatted from the logged values.

use cicerone_driver::{ConsoleLevel, ConsoleMessage};
use serde_json::Value;

use crate::protocol::{
    log::EntryAdded,
    script::{RemoteValue, StackTrace},
};

/// How many properties of an object are shown.
const PROPERTIES: usize = 5;

pub(crate) fn line(entry: &EntryAdded) -> Option<ConsoleMessage> {
    let level = match (entry.level.as_str(), entry.kind.as_str(), entry.method.as_deref()) {
        ("error", "javascript", _) => ConsoleLevel::Exception,
        ("debug", _, method) if method != Some("trace") => ConsoleLevel::Debug,
        ("warn", ..) => ConsoleLevel::Warning,
        ("error", ..) => ConsoleLevel::Error,
        (_, "javascript", _) | (_, _, Some("info")) => ConsoleLevel::Info,
        _ => ConsoleLevel::Log,
    };
    let words = || entry.text.clone().unwrap_or_default();
    let text = match (entry.kind.as_str(), entry.method.as_deref()) {
        ("console", Some("clear" | "groupEnd")) => return None,
        ("console", _) if !entry.args.is_empty() => {
            entry.args.iter().map(argument).collect::<Vec<_>>().join(" ")
        }
        ("javascript", _) if level == ConsoleLevel::Exception => format!("Uncaught {}", words()),
        _ => words(),
    };
    Some(ConsoleMessage::new(level, text, entry.stack_trace.as_ref().and_then(place)))
}

fn argument(argument: &RemoteValue) -> String {
    shown(&argument.kind, argument.value.as_ref(), true)
}

fn shown(kind: &str, value: Option<&Value>, outermost: bool) -> String {
    let list = || value.and_then(Value::as_array).into_iter().flatten();
    let inner = |value: &Value| shown(value["type"].as_str().unwrap_or_default(), value.get("value"), false);
    let joined = |mut parts: Vec<String>, all: usize| {
        if all > parts.len() {
            parts.push("…".into());
        }
        parts.join(", ")
    };
    match (kind, value) {
        ("string", Some(Value::String(text))) if outermost => text.clone(),
        ("number" | "date", Some(Value::String(text))) => text.clone(),
        ("bigint", Some(Value::String(digits))) => format!("{digits}n"),
        ("array", Some(_)) => {
            let parts = list().take(100).map(inner).collect();
            format!("[{}]", joined(parts, list().count()))
        }
        ("object", Some(_)) => {
            let part =
                |pair: &Value| format!("{}: {}", pair[0].as_str().unwrap_or_default(), inner(&pair[1]));
            let parts = list().take(PROPERTIES).map(part).collect();
            format!("{{{}}}", joined(parts, list().count()))
        }
        ("node", Some(node)) => node["localName"].as_str().unwrap_or("node").to_owned(),
        ("string" | "boolean" | "number", Some(value)) => value.to_string(),
        (other, _) => other.to_owned(),
    }
}

fn place(stack: &StackTrace) -> Option<String> {
    let top = stack.call_frames.first()?;
    (!top.url.is_empty()).then(|| format!("{}:{}", top.url, top.line_number + 1))
}
