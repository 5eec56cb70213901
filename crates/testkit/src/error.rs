use std::{io, time::Duration};

/// Why a server could not be tried.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// The server could not be started, or its pipes broke.
    #[error("{action}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The server ended before it answered.
    #[error("the server ended before it answered {0}")]
    Ended(String),
    /// No answer in time.
    #[error("no answer to {method} within {limit:?}")]
    Silent {
        /// What was asked.
        method: String,
        /// How long it was waited for.
        limit: Duration,
    },
    /// The answer is an error of the protocol.
    #[error("{method} was refused: {message} ({code})")]
    Refused {
        /// What was asked.
        method: String,
        /// The protocol's error code.
        code: i64,
        /// The server's words.
        message: String,
    },
    /// The server wrote something that is no message.
    #[error("the server wrote what is no message: {0}")]
    Malformed(#[from] serde_json::Error),
}

/// Names what was tried when the system refused.
pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> TrialError {
    move |source| TrialError::Io { action, source }
}
