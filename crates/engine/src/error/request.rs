use std::{sync::Arc, time::Duration};

use cicerone_http::HttpError;

use super::seconds;

/// Why a request that was made beside the page got no response.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// It could not be made.
    #[error("{method} {url} failed: {reason}")]
    Failed {
        /// Its method.
        method: String,
        /// Where to.
        url: String,
        /// Why.
        reason: Arc<HttpError>,
    },
    /// There was no response in time.
    #[error("{method} {url} timed out after {}", seconds(.after))]
    Timeout {
        /// Its method.
        method: String,
        /// Where to.
        url: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// It was redirected again and again.
    #[error("{method} {url} failed: more than {most} redirects")]
    TooManyRedirects {
        /// Its method.
        method: String,
        /// Where to.
        url: String,
        /// How many are followed.
        most: usize,
    },
    /// Its form could not be encoded.
    #[error("the form could not be encoded: {0}")]
    Form(Arc<HttpError>),
}

impl RequestError {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Timeout { .. } => "Timeout",
            _ => "RequestFailed",
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Failed { reason, .. } => match &**reason {
                HttpError::Header(_) => "give header names and values as HTTP allows them",
                HttpError::Tls { .. } => "its certificate must be trusted by this system; or use http:",
                _ => "check the URL, and that the server can be reached from here",
            },
            Self::Timeout { .. } => "check that the server answers, or allow more time",
            Self::TooManyRedirects { .. } => "request it without following redirects to see where it leads",
            Self::Form(_) => "try again",
        }
    }
}
