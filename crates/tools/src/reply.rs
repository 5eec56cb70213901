use cicerone_engine::{Error, Session};
use serde_json::{Map, Value};

use crate::{BadArguments, InstallFailed, call::UnknownSecret};

/// What a tool answers.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    /// In words.
    pub text: String,
    /// In pictures.
    pub images: Vec<Image>,
    /// Whether those come first.
    pub images_first: bool,
    /// The same facts, typed.
    pub facts: Map<String, Value>,
    /// Whether what was asked for did not happen.
    pub failed: bool,
    /// The code and the name of what is an error of the protocol, not a result.
    pub refused: Option<(i32, &'static str)>,
}

/// A picture.
#[derive(Debug, Clone)]
pub struct Image {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub mime: &'static str,
}

/// Why a capability did not do what it was asked to.
pub struct Failure {
    /// What had been done before.
    before: Option<String>,
    /// The engine's own error, where it was one.
    pub(crate) error: Option<Box<Error>>,
    name: &'static str,
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl Failure {
    /// The same, after something had been done.
    pub(crate) fn after(mut self, done: String) -> Self {
        self.before = Some(done);
        self
    }

    /// The same, with its refs as `@e5`.
    pub(crate) fn with_at(mut self) -> Self {
        let references = self.error.as_ref().map(|error| error.references()).unwrap_or_default();
        for reference in references {
            self.message = at(&self.message, &reference);
        }
        self
    }

    /// Lets the session know that its client hears of this.
    pub(crate) fn told_to(&self, session: &Session) {
        if let Some(error) = &self.error {
            session.told(error);
        }
    }

    /// These words, after what had been done before.
    pub(crate) fn in_words(&self, words: String) -> String {
        match &self.before {
            Some(before) => format!("{before}\n{words}"),
            None => words,
        }
    }

    /// A short name that does not change with the wording.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// A number, for clients that want numbers.
    pub(crate) fn code(&self) -> i32 {
        code(self.name)
    }
}

/// A text with a mark before every mention of a ref.
fn at(text: &str, reference: &str) -> String {
    let mut marked = String::with_capacity(text.len() + 1);
    let mut rest = text;
    while let Some(found) = rest.find(reference) {
        let (before, after) = (&rest[..found], &rest[found + reference.len()..]);
        let inside = |c: char| c.is_alphanumeric() || c == '@';
        // What was passed already ends where this begins.
        let whole = !before.chars().next_back().or(marked.chars().next_back()).is_some_and(inside)
            && !after.chars().next().is_some_and(inside);
        marked.push_str(before);
        marked.push_str(if whole { "@" } else { "" });
        marked.push_str(reference);
        rest = after;
    }
    marked + rest
}

/// A number for each name, for clients that want numbers: timeouts, missing things, refusals, the rest.
fn code(name: &str) -> i32 {
    match name {
        "Timeout" => -32003,
        "NotFound" | "StaleRef" | "UnknownRef" | "ForeignRef" | "NoTab" | "NoFrame" | "NoWindow"
        | "NoContext" => -32004,
        "Forbidden" | "BadUrl" => -32002,
        _ => -32005,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (name, message, hint) = (error.name(), error.to_string(), error.hint());
        Self { before: None, error: Some(Box::new(error)), name, message, hint }
    }
}

impl From<BadArguments> for Failure {
    fn from(bad: BadArguments) -> Self {
        let hint = "call it again with other arguments".to_owned();
        Self { before: None, error: None, name: "BadArguments", message: bad.to_string(), hint }
    }
}

impl From<UnknownSecret> for Failure {
    fn from(unknown: UnknownSecret) -> Self {
        let hint = "use a known name; a text that only begins with $ is typed as it is".to_owned();
        Self { before: None, error: None, name: "UnknownSecret", message: unknown.to_string(), hint }
    }
}

impl From<InstallFailed> for Failure {
    fn from(failed: InstallFailed) -> Self {
        Self { before: None, error: None, name: "InstallFailed", message: failed.message, hint: failed.hint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_are_marked_where_they_stand_alone() {
        assert_eq!(
            at("e1: button (e1), e12, @e1, f2e1, e1e1", "e1"),
            "@e1: button (@e1), e12, @e1, f2e1, e1e1"
        );
        assert_eq!(at("f2e1 is stale", "f2e1"), "@f2e1 is stale");
    }
}
