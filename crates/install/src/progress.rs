//! A [`Progress`] is told of each [`Step`] of an install, and answers whether to go on.

use std::fmt;
use std::ops::ControlFlow;

use crate::download::DownloadError;
use crate::packages::PackageError;

/// Who is told how an install goes, and can cancel it.
///
/// Steps are repeated several times a second, also while nothing moves: each is a chance to cancel.
pub trait Progress {
    /// Hears of a step; `Break` cancels the install.
    fn update(&self, step: Step<'_>) -> ControlFlow<()>;
}

impl<F: Fn(Step<'_>) -> ControlFlow<()>> Progress for F {
    fn update(&self, step: Step<'_>) -> ControlFlow<()> {
        self(step)
    }
}

/// What an install is doing.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Step<'a> {
    /// Looks for an installed browser.
    Looking,
    /// Waits for another install to end.
    Waiting,
    /// Lets the network recover before another attempt.
    Pausing,
    /// Downloads the archive.
    Downloading {
        /// How many bytes there are.
        done: u64,
        /// How many there will be, once the server has said so.
        total: Option<u64>,
    },
    /// Computes the archive's checksum.
    Verifying,
    /// Unpacks the archive.
    Unpacking,
    /// Runs the system's package manager.
    PackageManager {
        /// The command, as a person would type it.
        command: &'a str,
    },
    /// Goes on, and the person should know of this.
    Warning(Warning<'a>),
}

/// What a person should know although the install goes on.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Warning<'a> {
    /// The connection was lost; the download goes on from where it was.
    Retrying {
        /// What happened.
        error: &'a DownloadError,
        /// Which attempt comes next, from 2.
        attempt: u32,
        /// How many attempts there are.
        attempts: u32,
    },
    /// The mirror says of its archive that it is another one than the pinned.
    OtherBuild {
        /// The archive.
        url: &'a str,
    },
    /// The download cannot be had; the package manager is tried instead, where it may be.
    NoDownload(&'a DownloadError),
    /// The package list could not be refreshed; an older version may be installed.
    StalePackageList(&'a PackageError),
}

/// The [`Progress`] answered `Break`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A step that is told again and again while it lasts.
#[derive(Clone, Copy)]
pub(crate) struct Pulse<'a> {
    pub(crate) progress: &'a dyn Progress,
    pub(crate) step: Step<'a>,
}

impl Pulse<'_> {
    /// Tells of the step once more; `Err` where that cancels.
    pub(crate) fn beat(self) -> Result<(), Cancelled> {
        tell(self.progress, self.step)
    }
}

/// Tells `progress` of a step; `Err` where it cancels.
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
            Warning::NoDownload(error) => write!(f, "the download cannot be had: {error}"),
            Warning::StalePackageList(error) => {
                write!(
                    f,
                    "the package list could not be refreshed, an older version may be installed: {error}"
                )
            }
        }
    }
}
