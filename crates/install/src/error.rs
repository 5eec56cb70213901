//! An [`InstallError`] is why an install ended without a browser.

use std::io;
use std::path::{Path, PathBuf};

use crate::checksum::ChecksumError;
use crate::download::DownloadError;
use crate::engine::Engine;
use crate::find::Missing;
use crate::packages::PackageError;
use crate::progress::Cancelled;
use crate::unpack::UnpackError;

/// Why an install ended without a browser.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// The [`Progress`](crate::Progress) cancelled it.
    #[error("the install was cancelled")]
    Cancelled,
    /// The engine is unsupported, or a browser was named that cannot be run.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// There is no home directory to have a cache in.
    #[error("there is no directory for the cache: no home directory is known")]
    NoCache,
    /// The cache cannot be read or written.
    #[error("cannot {action} {}: {cause}", path.display())]
    Disk {
        /// What was attempted.
        action: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// The archive could be had, but not taken.
    #[error(transparent)]
    Download(#[from] DownloadError),
    /// The archive is not known to be what was published.
    #[error(transparent)]
    Checksum(#[from] ChecksumError),
    /// The archive cannot be unpacked.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// Neither the download nor the package manager could provide a browser.
    #[error("{download}; {packages}")]
    Unavailable {
        /// Why there was no download.
        download: DownloadError,
        /// Why there was no package.
        packages: Box<PackageError>,
    },
    /// There is no build of it to download, and the package manager could not provide one.
    #[error("there is no {engine} to download; {packages}")]
    NotPackaged {
        /// The engine.
        engine: Engine,
        /// Why there was no package.
        packages: Box<PackageError>,
    },
}

impl InstallError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            InstallError::Cancelled => "run the install again: the download goes on from where it was",
            InstallError::Missing(missing) => missing.hint(),
            InstallError::NoCache => "set CICERONE_CACHE_DIR to a directory that can be written",
            InstallError::Disk { .. } => {
                "check its permissions and the free space, or set CICERONE_CACHE_DIR to another directory"
            }
            InstallError::Download(error) => error.hint(),
            InstallError::Checksum(error) => error.hint(),
            InstallError::Unpack(error) => error.hint(),
            InstallError::Unavailable { packages, .. } => packages.hint(),
            InstallError::NotPackaged { .. } => {
                "install it the way your system does (on Debian, as root: `apt-get install firefox-esr`), or set \
                 CICERONE_EXECUTABLE_PATH to its executable"
            }
        }
    }

    /// For `map_err`: what was attempted, and on which path.
    pub(crate) fn disk(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| InstallError::Disk { action, path, cause }
    }
}

impl From<Cancelled> for InstallError {
    fn from(Cancelled: Cancelled) -> Self {
        InstallError::Cancelled
    }
}
