use std::{sync::Arc, time::Duration};

use cicerone_relay::{Refusal, Trouble};

/// Why a navigation failed.
#[derive(Debug, Clone)]
pub enum NavigationError {
    /// The URL cannot be opened.
    BadUrl {
        url: String,
        /// Why not.
        reason: BadUrl,
        /// A URL that was perhaps meant.
        meant: Option<String>,
    },
    /// The browser could not load the page.
    Failed {
        url: String,
        /// The browser's message.
        reason: String,
    },
    /// The proxy or the connection to the host failed.
    Relay {
        url: String,
        /// What failed.
        trouble: Trouble,
    },
    /// The host policy refuses the host.
    HostRefused(Refusal),
    /// The context's relay could not be started.
    NoRelay(Arc<cicerone_relay::StartError>),
    /// The page did not load in time.
    Timeout {
        url: String,
        /// The time limit.
        after: Duration,
    },
    /// The page's `beforeunload` dialog was dismissed.
    Stayed { url: String },
    /// The history has no entry in this direction.
    NoHistory(HistoryDirection),
}

/// Why a URL cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadUrl {
    /// It has no scheme.
    NoScheme,
    /// It cannot be parsed.
    Unparsable,
    /// It has no host.
    NoHost,
    /// A `file:` URL that is not a file path.
    NoFilePath,
    /// Its scheme is not allowed.
    SchemeRefused,
    /// Its scheme cannot be fetched for an upload.
    NotFetchable,
    /// Its scheme cannot be requested without a page.
    NotRequestable,
    /// A downloaded document that is too large to open.
    DownloadTooLarge {
        /// The limit in bytes.
        most: usize,
    },
}

/// A direction in the session history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryDirection {
    /// To an older entry.
    Back,
    /// To a newer entry.
    Forward,
}

impl NavigationError {
    /// The error for a failed connection to a URL.
    pub(crate) fn from_trouble(url: &str, trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(refusal) => Self::HostRefused(refusal),
            trouble => Self::Relay { url: url.to_owned(), trouble },
        }
    }
}
