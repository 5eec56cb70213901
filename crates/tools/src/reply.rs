use cicerone_engine::{Error, Session};
use serde_json::{Map, Value};

use crate::{
    BadArguments, ErrorName, InstallFailed, Message, call::UnknownSecret, message::Refs, question::NoAnswer,
};

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
    pub bytes: Vec<u8>,
    /// Its media type.
    pub mime: &'static str,
}

/// Why a capability failed.
pub struct Failure {
    /// What was done before.
    before: Option<String>,
    cause: Cause,
}

/// What failed.
enum Cause {
    Engine(Box<Error>),
    Arguments(BadArguments),
    Secret(UnknownSecret),
    Question(NoAnswer),
    Install(InstallFailed),
    Panicked,
}

impl Failure {
    /// The call panicked.
    pub(crate) fn panicked() -> Self {
        Cause::Panicked.into()
    }

    /// The same, after something was done.
    pub(crate) fn after(mut self, done: String) -> Self {
        self.before = Some(done);
        self
    }

    /// The engine's error, if it is one.
    pub(crate) fn error(&self) -> Option<&Error> {
        match &self.cause {
            Cause::Engine(error) => Some(error),
            Cause::Arguments(_)
            | Cause::Secret(_)
            | Cause::Question(_)
            | Cause::Install(_)
            | Cause::Panicked => None,
        }
    }

    /// What replies say of it, with refs as a dialect writes them.
    pub(crate) fn message(&self, refs: Refs) -> Message {
        match &self.cause {
            Cause::Engine(error) => Message::with_refs(error, refs),
            Cause::Arguments(bad) => {
                let hint = "call it again with other arguments";
                Message::new(ErrorName::BadArguments, bad.to_string(), hint)
            }
            Cause::Secret(unknown) => {
                let hint = "use a known name; a text that only begins with $ is typed as it is";
                Message::new(ErrorName::UnknownSecret, unknown.to_string(), hint)
            }
            Cause::Question(none) => Message::new(ErrorName::NoAnswer, none.to_string(), none.hint()),
            Cause::Install(failed) => Message::new(ErrorName::InstallFailed, &failed.message, &failed.hint),
            Cause::Panicked => {
                let hint = "take a snapshot to see whether it took effect, then continue";
                Message::new(
                    ErrorName::InternalError,
                    "the tool failed unexpectedly: a bug in the server",
                    hint,
                )
            }
        }
    }

    /// Marks this as reported to the session's client.
    pub(crate) fn told_to(&self, session: &Session) {
        if let Some(error) = self.error() {
            session.mark_reported(error);
        }
    }

    /// These words, after what was done before.
    pub(crate) fn in_words(&self, words: String) -> String {
        match &self.before {
            Some(before) => format!("{before}\n{words}"),
            None => words,
        }
    }
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self { before: None, cause }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Cause::Engine(Box::new(error)).into()
    }
}

impl From<BadArguments> for Failure {
    fn from(bad: BadArguments) -> Self {
        Cause::Arguments(bad).into()
    }
}

impl From<UnknownSecret> for Failure {
    fn from(unknown: UnknownSecret) -> Self {
        Cause::Secret(unknown).into()
    }
}

impl From<NoAnswer> for Failure {
    fn from(none: NoAnswer) -> Self {
        Cause::Question(none).into()
    }
}

impl From<InstallFailed> for Failure {
    fn from(failed: InstallFailed) -> Self {
        Cause::Install(failed).into()
    }
}
