//! What is said of the bodies of a captured request, in words and as facts.

use std::fmt::Write;

use cicerone_engine::{RequestSummary, ShownBody};
use serde_json::{Map, Value};

use super::summary::cut;

/// How many characters of a body are shown in words.
const IN_WORDS: usize = 500;

/// Names of facts: the text of a body, whether it is truncated, and why there is none.
struct Names {
    text: &'static str,
    truncated: &'static str,
    note: &'static str,
}

const SENT: Names = Names { text: "post_data", truncated: "post_data_truncated", note: "post_data_note" };
const RECEIVED: Names = Names { text: "body", truncated: "body_truncated", note: "body_note" };

pub(super) fn facts(request: &RequestSummary) -> Map<String, Value> {
    let mut told = Map::new();
    for (names, body) in [(SENT, &request.post_data), (RECEIVED, &request.body)] {
        let Some(body) = body else { continue };
        if let ShownBody::Text(text, _) = body {
            told.insert(names.text.into(), text.clone().into());
        }
        if is_cut(body) {
            told.insert(names.truncated.into(), true.into());
        }
        if let Some(note) = note(body) {
            told.insert(names.note.into(), note.into());
        }
    }
    told
}

fn note(body: &ShownBody) -> Option<String> {
    match body {
        ShownBody::Text(..) => None,
        ShownBody::Binary(bytes) => Some(format!("binary, {bytes} bytes")),
        ShownBody::TooLarge => Some("not captured: too large".into()),
        ShownBody::Missing => Some("the browser no longer had it".into()),
    }
}

/// Whether there is more of it than the facts have.
pub(super) fn is_cut(body: &ShownBody) -> bool {
    match body {
        ShownBody::Text(text, length) => text.chars().count() < *length,
        ShownBody::Binary(_) | ShownBody::TooLarge | ShownBody::Missing => false,
    }
}

pub(super) fn words(text: &mut String, request: &RequestSummary) {
    for (what, body) in [("sent", &request.post_data), ("body", &request.body)] {
        match body {
            Some(ShownBody::Text(body, length)) if *length > 0 => {
                let _ = write!(text, "\n    {what}: {}", on_a_line(body));
                if *length > IN_WORDS {
                    let _ = write!(text, " (truncated, {length} characters in total)");
                }
            }
            Some(ShownBody::TooLarge) => {
                let _ = write!(text, "\n    {what}: not captured, too large");
            }
            Some(ShownBody::Missing) => {
                let _ = write!(text, "\n    {what}: the browser no longer had it");
            }
            Some(ShownBody::Text(..) | ShownBody::Binary(_)) | None => {}
        }
    }
}

/// The begin of a body, on one line.
fn on_a_line(body: &str) -> String {
    cut(body, IN_WORDS).replace(char::is_control, " ")
}
