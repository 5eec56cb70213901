//! A [`DownloadError`] is why an archive could not be downloaded.

use std::io;

/// Why an archive could not be downloaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DownloadError {
    /// No build is published for this operating system and processor.
    #[error("no build is published for this platform")]
    NoBuild,
    /// The server cannot be reached.
    #[error("cannot reach {url}: {cause}")]
    Unreachable {
        /// The requested URL.
        url: String,
        /// The client's error.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The connection was lost or timed out.
    #[error("lost the connection to {url}: {cause}")]
    Interrupted {
        /// The requested URL.
        url: String,
        /// The client's error.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An unexpected status.
    #[error("{url} answered with status {status}")]
    Status {
        /// The requested URL.
        url: String,
        status: u16,
    },
    /// The server sent another range than requested.
    #[error("{url} returned another range than requested")]
    WrongRange {
        /// The requested URL.
        url: String,
    },
    /// Larger than any browser archive.
    #[error("{url} is larger than {limit} bytes")]
    TooLarge {
        /// The requested URL.
        url: String,
        limit: u64,
    },
}

impl DownloadError {
    /// Whether the archive is unavailable from here, so that another source should be tried.
    pub(crate) fn is_unavailable(&self) -> bool {
        !matches!(self, DownloadError::TooLarge { .. })
    }

    /// Whether a retry may succeed.
    ///
    /// A server that is unreachable at first is considered unavailable; one that was reached before may recover.
    pub(crate) fn may_pass(&self, attempt: u32) -> bool {
        match self {
            DownloadError::Interrupted { .. } | DownloadError::WrongRange { .. } => true,
            DownloadError::Unreachable { .. } => attempt > 1,
            DownloadError::Status { status, .. } => matches!(status, 408 | 429 | 500..),
            DownloadError::NoBuild | DownloadError::TooLarge { .. } => false,
        }
    }

    /// A request without a response.
    pub(crate) fn unanswered(url: &str, error: ureq::Error) -> Self {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        let dropped = [BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof];
        match error {
            ureq::Error::Io(error) if dropped.contains(&error.kind()) => Self::interrupted(url, error.into()),
            error => DownloadError::Unreachable { url: url.to_owned(), cause: error.into() },
        }
    }

    /// A response that ended early.
    pub(crate) fn interrupted(url: &str, error: ureq::Error) -> Self {
        DownloadError::Interrupted { url: url.to_owned(), cause: error.into() }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            DownloadError::NoBuild => {
                "install a Chromium yourself and set CICERONE_EXECUTABLE_PATH where it is not found"
            }
            DownloadError::Unreachable { .. } => {
                "check the network and HTTPS_PROXY, or set CICERONE_DOWNLOAD_BASE to a mirror"
            }
            DownloadError::Interrupted { .. } => "run the install again: it resumes",
            DownloadError::Status { .. }
            | DownloadError::WrongRange { .. }
            | DownloadError::TooLarge { .. } => {
                "check that CICERONE_DOWNLOAD_BASE names a mirror of Chrome for Testing, or unset it"
            }
        }
    }
}
