use std::{sync::Arc, time::Duration};

use cicerone_http::HttpError;

/// Why a request without a page got no response.
#[derive(Debug, Clone)]
pub enum RequestError {
    /// It failed.
    Failed {
        method: String,
        url: String,
        /// The cause.
        reason: Arc<HttpError>,
    },
    /// It timed out.
    Timeout {
        method: String,
        url: String,
        /// The time limit.
        after: Duration,
    },
    TooManyRedirects {
        method: String,
        url: String,
        /// The limit.
        most: usize,
    },
    /// The form could not be encoded.
    Form(Arc<HttpError>),
}
