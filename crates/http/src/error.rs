use std::io;

use cicerone_relay::Trouble;

/// Why there is no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// No connection could be made.
    #[error("{0}")]
    Unreachable(Trouble),
    /// The proxy that the context's traffic takes refused, with this status.
    #[error("the proxy answered {0}")]
    Proxy(u16),
    /// That proxy cannot be reached.
    #[error("the proxy cannot be reached: {0}")]
    NoProxy(#[source] io::Error),
    /// There is no secure connection.
    #[error("no secure connection to {host}: {reason}")]
    Tls {
        /// To whom.
        host: String,
        /// Why not.
        reason: String,
    },
    /// The URL is not one of HTTP.
    #[error("{0} is not a valid http: or https: URL")]
    Url(String),
    /// A header cannot be sent.
    #[error("{0} is not a valid header")]
    Header(String),
    /// The method cannot be sent.
    #[error("{0} is not a valid method")]
    Method(String),
    /// The connection broke, or what came is no HTTP.
    #[error("the connection broke before the response was complete: {0}")]
    Broken(String),
    /// The system has no random numbers.
    #[error("the system gave no random numbers: {0}")]
    Random(#[source] getrandom::Error),
}

/// What `hyper` says, with its cause: it is there that the reason is.
pub(crate) fn broken(error: &dyn std::error::Error) -> HttpError {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    HttpError::Broken(words)
}
