use std::io;

use cicerone_relay::Trouble;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// Connecting failed.
    #[error("{0}")]
    Unreachable(Trouble),
    /// The context's proxy refused with this status.
    #[error("the proxy answered {0}")]
    Proxy(u16),
    /// The context's proxy cannot be reached.
    #[error("the proxy cannot be reached: {0}")]
    NoProxy(#[source] io::Error),
    /// TLS failed.
    #[error("TLS to {host} failed: {reason}")]
    Tls {
        host: String,
        /// The cause.
        reason: String,
    },
    /// Not an HTTP URL.
    #[error("{0} is not a valid http: or https: URL")]
    Url(String),
    /// An invalid header.
    #[error("{0} is not a valid header")]
    Header(String),
    /// An invalid method.
    #[error("{0} is not a valid method")]
    Method(String),
    /// The connection broke, or the response is not HTTP.
    #[error("the connection broke before the response was complete: {0}")]
    Broken(String),
    /// The system provides no random numbers.
    #[error("no random numbers from the system: {0}")]
    Random(#[source] getrandom::Error),
}

/// `hyper`'s message with its source, which has the reason.
pub(crate) fn broken(error: &dyn std::error::Error) -> HttpError {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        words = format!("{words}: {error}");
        cause = error.source();
    }
    HttpError::Broken(words)
}
