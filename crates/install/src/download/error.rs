//! A [`DownloadError`] is why an archive could not be downloaded, and what that means for the install.

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
        /// What was asked for.
        url: String,
        /// What the client said.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The connection was lost, or stood still for too long.
    #[error("lost the connection to {url}: {cause}")]
    Interrupted {
        /// What was asked for.
        url: String,
        /// What the client said.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The server answered with another status than a file's.
    #[error("{url} answered with status {status}")]
    Status {
        /// What was asked for.
        url: String,
        /// The answer's status.
        status: u16,
    },
    /// The server answered with another part of the file than was asked for.
    #[error("{url} answered with another part of the file than was asked for")]
    WrongRange {
        /// What was asked for.
        url: String,
    },
    /// The file is larger than a browser's archive can be.
    #[error("{url} is larger than {limit} bytes")]
    TooLarge {
        /// What was asked for.
        url: String,
        /// The bound that it crossed.
        limit: u64,
    },
}

impl DownloadError {
    /// Whether the archive cannot be had here at all, so that it is right to get a browser elsewhere.
    pub(crate) fn is_unavailable(&self) -> bool {
        !matches!(self, DownloadError::TooLarge { .. })
    }

    /// Whether another attempt may succeed.
    ///
    /// A server that cannot be reached at first is taken for absent; one that was reached before, for a
    /// network that recovers.
    pub(crate) fn may_pass(&self, attempt: u32) -> bool {
        match self {
            DownloadError::Interrupted { .. } | DownloadError::WrongRange { .. } => true,
            DownloadError::Unreachable { .. } => attempt > 1,
            DownloadError::Status { status, .. } => matches!(status, 408 | 429 | 500..),
            DownloadError::NoBuild | DownloadError::TooLarge { .. } => false,
        }
    }

    /// The error for a request without an answer.
    pub(crate) fn unanswered(url: &str, error: ureq::Error) -> Self {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        let dropped = [BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof];
        match error {
            ureq::Error::Io(error) if dropped.contains(&error.kind()) => Self::interrupted(url, error.into()),
            error => DownloadError::Unreachable { url: url.to_owned(), cause: error.into() },
        }
    }

    /// The error for an answer that ended too early.
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
            DownloadError::Interrupted { .. } => "run the install again: it goes on from where it was",
            DownloadError::Status { .. }
            | DownloadError::WrongRange { .. }
            | DownloadError::TooLarge { .. } => {
                "check that CICERONE_DOWNLOAD_BASE names a mirror of Chrome for Testing, or unset it"
            }
        }
    }
}
