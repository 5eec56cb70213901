//! What can be wrong with a saved state.

use std::{sync::Arc, time::Duration};

use cicerone_driver::DriverError;

/// The size limit of a storage state, in bytes.
pub(super) const MOST_BYTES: u64 = 256 << 20;

/// Why a storage state cannot be used.
#[derive(Debug, Clone)]
pub enum StorageError {
    /// Not JSON of this shape.
    Malformed(Arc<serde_json::Error>),
    /// JSON without cookies and origins.
    Foreign,
    /// Not an origin.
    BadOrigin(String),
    /// A cookie without a domain and a URL.
    NoDomain(String),
    /// It is too large.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// The browser rejected a cookie.
    Cookie {
        name: String,
        domain: String,
        /// The browser's message.
        reason: DriverError,
    },
    /// The data of an origin could not be written.
    Origin {
        origin: String,
        /// The browser's message.
        reason: DriverError,
    },
    /// Writing the data of an origin timed out.
    Late {
        origin: String,
        /// The time limit.
        after: Duration,
    },
}
