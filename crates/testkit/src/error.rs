use std::{io, time::Duration};

/// Why a server could not be tested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// The server could not be started, or its pipes broke.
    #[error("{action}: {source}")]
    Io {
        /// The failed operation.
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The server exited before answering.
    #[error("the server exited before answering {0}")]
    Ended(String),
    /// The request timed out.
    #[error("{method} timed out after {limit:?}")]
    Silent {
        /// The request.
        method: String,
        /// The timeout.
        limit: Duration,
    },
    /// A JSON-RPC error.
    #[error("{method} was refused: {message} ({code})")]
    Refused {
        /// The request.
        method: String,
        /// The protocol's error code.
        code: i64,
        /// The server's message.
        message: String,
    },
    /// Not a valid message.
    #[error("the server wrote an invalid message: {0}")]
    Malformed(#[from] serde_json::Error),
}

/// For `map_err`: the failed operation.
pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> TrialError {
    move |source| TrialError::Io { action, source }
}
