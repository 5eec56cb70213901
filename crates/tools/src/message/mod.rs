//! The words of errors and news: one table per group, by variant. What a connection, a parser or a page reports below this
//! crate may be a sentence; it is quoted here as a fact, and gets its name and its hint here.
//!
//! A [`Message`] is what replies say of an error: its name, a sentence, a hint. [`ErrorName`] has the codes.

mod bookmark;
mod dialog;
mod download;
mod element;
mod emulation;
mod evaluate;
mod file;
mod launch;
mod media;
mod name;
mod navigation;
mod news;
mod request;
mod storage;
mod tab;
mod table;
mod target;
mod unsupported;
mod wait;

pub use name::ErrorName;
pub(crate) use {dialog::blocked_by, media::ended, news::news, target::bad_target, unsupported::unsupported};

use std::{fmt, time::Duration};

use cicerone_engine::{Element, Error};

/// What replies say of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub name: ErrorName,
    /// What happened.
    pub text: String,
    /// What to do next.
    pub hint: String,
}

impl Message {
    pub(crate) fn new(name: ErrorName, text: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { name, text: text.into(), hint: hint.into() }
    }

    /// For readers who write refs without a sign.
    pub fn of(error: &Error) -> Self {
        Self::with_refs(error, Refs { sign: "" })
    }
}

/// `message: hint` on two lines, for terminals.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nHint: {}", self.text, self.hint)
    }
}

/// How a dialect writes refs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Refs {
    /// Stands before each.
    pub(crate) sign: &'static str,
}

impl Refs {
    /// A ref.
    fn name(self, reference: impl fmt::Display) -> String {
        format!("{}{reference}", self.sign)
    }

    /// `button "Save" (e5)`.
    pub(crate) fn element(self, element: &Element) -> String {
        format!("{} ({})", element.kind(), self.name(element.reference))
    }

    /// The same for several.
    fn elements(self, elements: &[Element]) -> String {
        elements.iter().map(|element| self.element(element)).collect::<Vec<_>>().join(", ")
    }
}

/// `5 s`, `0.5 s`.
fn seconds(duration: Duration) -> String {
    format!("{} s", (duration.as_secs_f64() * 10.0).round() / 10.0)
}

/// Items separated by commas.
fn joined<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
