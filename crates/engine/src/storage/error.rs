//! What can be wrong with a saved state.

use std::{sync::Arc, time::Duration};

use cicerone_driver::DriverError;

use crate::snapshot::quoted;

/// How large a saved state may be.
pub(super) const MOST_BYTES: u64 = 256 << 20;

/// Why a saved state cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// It is no JSON, or says something else.
    #[error("this is no storage state: {0}")]
    Malformed(Arc<serde_json::Error>),
    /// It is JSON, but has neither cookies nor origins.
    #[error("this is no storage state: it has neither cookies nor origins")]
    Foreign,
    /// An origin is none.
    #[error("{0} is no origin such as https://example.com")]
    BadOrigin(String),
    /// A cookie has no home.
    #[error("the cookie {0} has neither a domain nor a url")]
    Homeless(String),
    /// It is too large.
    #[error("it has {0} MB, and at most {max} are read", max = MOST_BYTES >> 20)]
    TooLarge(u64),
    /// The browser did not take a cookie.
    #[error("the cookie {} of {} was not taken: {reason}", quoted(.name, 100), quoted(.domain, 100))]
    Cookie {
        /// Its name.
        name: String,
        /// Its domain.
        domain: String,
        /// The browser's words.
        reason: DriverError,
    },
    /// An origin did not take what it is to keep.
    #[error("what {origin} is to keep was not taken: {reason}")]
    Origin {
        /// The origin.
        origin: String,
        /// The browser's words.
        reason: DriverError,
    },
    /// An origin took too long.
    #[error("what {origin} is to keep was not written within {} s", after.as_secs_f32())]
    Late {
        /// The origin.
        origin: String,
        /// How long it was waited for.
        after: Duration,
    },
}

impl StorageError {
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Cookie { .. } => "mend that cookie in the file, or take it out",
            Self::Origin { .. } | Self::Late { .. } => {
                "take that origin out of the file, or some of what it keeps"
            }
            _ => "give a file that was saved as a storage state: {\"cookies\": […], \"origins\": […]}",
        }
    }
}
