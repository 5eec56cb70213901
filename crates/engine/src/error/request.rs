use std::{sync::Arc, time::Duration};

use cicerone_http::HttpError;

/// Why a request without a page got no response.
#[derive(Debug, Clone)]
pub enum RequestError {
    /// It failed.
    Failed {
        /// Its method.
        method: String,
        /// Its URL.
        url: String,
        /// The cause.
        reason: Arc<HttpError>,
    },
    /// It timed out.
    Timeout {
        /// Its method.
        method: String,
        /// Its URL.
        url: String,
        /// The time limit.
        after: Duration,
    },
    /// Too many redirects.
    TooManyRedirects {
        /// Its method.
        method: String,
        /// Its URL.
        url: String,
        /// The limit.
        most: usize,
    },
    /// The form could not be encoded.
    Form(Arc<HttpError>),
}
