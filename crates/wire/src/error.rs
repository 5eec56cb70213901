use std::sync::Arc;

/// Why a request got no good reply.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The transport ended: the browser is gone.
    #[error("the connection to the browser is closed")]
    Closed,
    /// The session that the request was addressed to is gone, as when its renderer crashed.
    #[error("the target of {method} is gone")]
    Lost {
        /// The request's wire name.
        method: &'static str,
    },
    /// The transport broke and was made again: whether the browser got the request is not known.
    #[error("the connection to the browser broke during {method}")]
    Interrupted {
        /// The request's wire name.
        method: &'static str,
    },
    /// The browser answered with an error.
    #[error("{method} was refused: {message} ({kind}{code})")]
    Refused {
        /// The request's wire name.
        method: &'static str,
        /// The protocol's error code, 0 where it has none.
        code: i64,
        /// The protocol's name for this kind of error, empty where it has none.
        kind: String,
        /// The browser's words.
        message: String,
    },
    /// The reply did not have the expected shape.
    #[error("the reply to {method} could not be understood: {source}")]
    Malformed {
        /// The request's wire name.
        method: &'static str,
        /// What the parser found.
        source: Arc<serde_json::Error>,
    },
}
