//! A [`Progress`] receives each [`Step`] of an install, and can cancel it.

use std::fmt;
use std::ops::ControlFlow;

use crate::download::DownloadError;
use crate::packages::PackageError;

/// Observes an install and can cancel it.
///
/// Steps are repeated several times a second, even without progress: each is a chance to cancel.
pub trait Progress {
    /// Called for each step; `Break` cancels the install.
    fn update(&self, step: Step<'_>) -> ControlFlow<()>;
}

impl<F: Fn(Step<'_>) -> ControlFlow<()>> Progress for F {
    fn update(&self, step: Step<'_>) -> ControlFlow<()> {
        self(step)
    }
}

/// The current step of an install.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Step<'a> {
    /// Searching for an installed browser.
    Looking,
    /// Waiting for another install.
    Waiting,
    /// Waiting before a retry.
    Pausing,
    /// Downloading the archive.
    Downloading {
        /// Bytes received.
        done: u64,
        /// Total bytes, once known.
        total: Option<u64>,
    },
    /// Computing the checksum.
    Verifying,
    /// Unpacking the archive.
    Unpacking,
    /// Running the system's package manager.
    PackageManager {
        /// The command line.
        command: &'a str,
    },
    /// Continuing, with a warning for the user.
    Warning(Warning<'a>),
}

/// A warning for the user while the install continues.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Warning<'a> {
    /// The connection was lost; the download resumes.
    Retrying {
        error: &'a DownloadError,
        /// The next attempt, from 2.
        attempt: u32,
        /// Maximum number of attempts.
        attempts: u32,
    },
    /// The mirror declares another archive than the pinned one.
    OtherBuild {
        /// The archive.
        url: &'a str,
    },
    /// No download available; the package manager is tried next, if allowed.
    NoDownload(&'a DownloadError),
    /// The package list could not be updated; an older version may be installed.
    StalePackageList(&'a PackageError),
}

/// The [`Progress`] answered `Break`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A step that is reported repeatedly while it lasts.
#[derive(Clone, Copy)]
pub(crate) struct Pulse<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) step: Step<'a>,
}

impl Pulse<'_> {
    /// Reports the step again; `Err` if cancelled.
    pub(crate) fn beat(self) -> Result<(), Cancelled> {
        tell(self.progress, self.step)
    }
}

/// Reports a step; `Err` if cancelled.
pub(crate) fn tell(progress: &dyn Progress, step: Step<'_>) -> Result<(), Cancelled> {
    match progress.update(step) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Cancelled),
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Looking => f.write_str("Looking for an installed browser"),
            Step::Waiting => f.write_str("Waiting for another install to end"),
            Step::Pausing => f.write_str("Pausing before another attempt"),
            Step::Downloading { .. } => f.write_str("Downloading"),
            Step::Verifying => f.write_str("Verifying the checksum"),
            Step::Unpacking => f.write_str("Unpacking"),
            Step::PackageManager { command } => write!(f, "Running {command}"),
            Step::Warning(warning) => write!(f, "Warning: {warning}"),
        }
    }
}

impl fmt::Display for Warning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Retrying { error, attempt, attempts } => {
                write!(f, "{error}; attempt {attempt} of {attempts} follows")
            }
            Warning::OtherBuild { url } => {
                write!(f, "{url}.sha256 is not the pinned checksum; the mirror's own build is taken")
            }
            Warning::NoDownload(error) => write!(f, "the download failed: {error}"),
            Warning::StalePackageList(error) => {
                write!(
                    f,
                    "the package list could not be refreshed, an older version may be installed: {error}"
                )
            }
        }
    }
}
