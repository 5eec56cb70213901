//! A snapshot as a listing: `- @e4: button "Save" (disabled)`. Every element has its ref, before its role.

use std::fmt::Write;

use url::Url;

use super::{
    line::{NAME, Told, URL},
    outline::Outlining,
    text::{in_lines, plain, quoted},
    tree::{Form, Look, Marks, Node, Tree},
};
use crate::refs::Document;

impl Tree {
    /// The lines of one document (its name, and its frame's number), without its frames.
    pub(crate) fn of_listing(
        look: &Look<'_>,
        (document, frame): (Document, u32),
        outlining: Outlining,
        base: Option<&Url>,
    ) -> Self {
        let mut nodes = Vec::new();
        // The depths of the listed ancestors.
        let mut around: Vec<u32> = Vec::new();
        let mut at = 0;
        while let Some(told) = look.nodes.get(at) {
            while around.last().is_some_and(|depth| *depth >= told.0) {
                around.pop();
            }
            let text = only_text(&look.nodes, at).filter(|_| outlining.text);
            if outlining.keeps(&look.nodes, at) {
                let depth = u32::try_from(around.len()).unwrap_or(u32::MAX);
                around.push(told.0);
                let before = named(told, text);
                let mut marks = Marks::of(&look.nodes, at);
                marks.truncated |= text.is_some_and(Told::can_be_full);
                nodes.push(Node {
                    depth,
                    key: (told.1 != 0).then_some((document, told.1)),
                    frame,
                    shows_ref: !told.is_text() && !told.4.native,
                    active: told.4.active,
                    bounds: None,
                    marks,
                    named: if told.is_text() { 0 } else { before.len() },
                    before: before.into(),
                    after: details(told, base).into(),
                });
            }
            at += if text.is_some() { 2 } else { 1 };
        }
        let (title, more) = (look.title.clone(), look.more as usize);
        Self { title, nodes, more, form: Form::Listing, ..Self::default() }
    }
}

/// The only text of an unnamed element.
fn only_text<'a, 't>(all: &'a [Told<'t>], at: usize) -> Option<&'a Told<'t>> {
    let below = |n: usize| all.get(at + n).filter(|next| next.0 > all[at].0);
    let text = below(1).filter(|next| next.is_text() && below(2).is_none())?;
    (!all[at].is_text() && all[at].3.is_empty()).then_some(text)
}

/// Role and name, or else the only text.
fn named(told: &Told<'_>, text: Option<&Told<'_>>) -> String {
    match text {
        _ if told.is_text() => format!(
            "text {}{}{}",
            quoted(&told.3, told.most_text()),
            told.truncation_mark(),
            if told.4.aria_hidden { " (aria-hidden)" } else { "" }
        ),
        Some(text) => {
            format!("{} {}{}", plain(&told.2, 40), quoted(&text.3, text.most_text()), text.truncation_mark())
        }
        None => told.named(),
    }
}

/// ` (level: 1, disabled) → url`.
fn details(told: &Told<'_>, base: Option<&Url>) -> String {
    let props = &told.4;
    let mut words: Vec<String> = Vec::new();
    for state in told.state_list() {
        words.push(match state.value {
            Some(value) => format!("{}: {value}", state.name),
            None => state.name.into_owned(),
        });
    }
    if props.active {
        words.push("focused".into());
    }
    let mut worded = |name: &str, text: Option<&String>, most: usize| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            words.push(format!("{name}: {}", quoted(text, most)));
        }
    };
    let value = props.value.as_ref().filter(|value| !value.is_empty());
    // Visible only without a value, as in lines.
    worded("placeholder", props.placeholder.as_ref().filter(|_| value.is_none()), 200);
    worded("description", props.description.as_ref(), 200);
    if let Some(value) = value {
        words.push(format!("value: \"{}\"", in_lines(value, NAME, true)));
    }
    let mut line = told.hint();
    // Writing to a string cannot fail.
    if !words.is_empty() {
        let _ = write!(line, " ({})", words.join(", "));
    }
    if let Some(url) = &props.url {
        let absolute = base.and_then(|base| base.join(url).ok()).map(String::from);
        let _ = write!(line, " → {}", plain(absolute.as_ref().unwrap_or(url), URL));
    }
    line
}
