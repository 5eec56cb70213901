//! An [`InstallError`] is why an install failed.

use std::io;
use std::path::{Path, PathBuf};

use crate::checksum::ChecksumError;
use crate::download::DownloadError;
use crate::find::{Missing, Source};
use crate::packages::PackageError;
use crate::progress::Cancelled;
use crate::unpack::UnpackError;
use cicerone_driver::Engine;

/// Why an install failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// The [`Progress`](crate::Progress) cancelled it.
    #[error("the install was cancelled")]
    Cancelled,
    /// The engine is unsupported, or the configured browser cannot be run.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// No home directory for a cache.
    #[error("no cache directory: the home directory is unknown")]
    NoCache,
    /// The cache cannot be read or written.
    #[error("cannot {action} {}: {cause}", path.display())]
    Disk {
        /// The operation.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// The download failed.
    #[error(transparent)]
    Download(#[from] DownloadError),
    /// The archive could not be verified.
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
    /// Packages of the system are missing.
    #[error("packages are missing: {packages}; {cause}")]
    PackagesMissing {
        /// Their names on Debian.
        packages: String,
        /// Why they were not installed.
        cause: Box<PackageError>,
    },
    /// A program of ours is missing, and this is not a source tree that it can be built in.
    #[error("{program} not found beside this program or in the cache, and its source is not here")]
    NoHost { program: &'static str },
    /// A program of ours is of another version, and this is not a source tree that it can be built in.
    #[error("version mismatch between {} and this program", path.display())]
    VersionMismatch {
        /// The program.
        path: PathBuf,
        /// What named it, or where it was found.
        by: Source,
    },
    /// A program of ours must be built, which whoever asks may not do.
    #[error(
        "{program} must be built from its source, which was not done: it takes minutes and downloads crates"
    )]
    BuildNotAllowed { program: &'static str },
    /// A program of ours could not be built.
    #[error("{program} was not built: {cause}")]
    NotBuilt {
        program: &'static str,
        /// Why not.
        cause: Box<PackageError>,
    },
    /// There is no build to download, and the package manager could not provide one.
    #[error("no {engine} download available; {packages}")]
    NotPackaged {
        engine: Engine,
        /// Why there was no package.
        packages: Box<PackageError>,
    },
}

impl InstallError {
    /// What to do next.
    pub fn hint(&self) -> String {
        let hint = match self {
            InstallError::Cancelled => "run the install again: the download resumes",
            InstallError::Missing(missing) => return missing.hint(),
            InstallError::NoCache => "set CICERONE_CACHE_DIR to a directory that can be written",
            InstallError::Disk { .. } => {
                "check its permissions and the free space, or set CICERONE_CACHE_DIR to another directory"
            }
            InstallError::Download(error) => error.hint(),
            InstallError::Checksum(error) => error.hint(),
            InstallError::Unpack(error) => error.hint(),
            InstallError::Unavailable { packages, .. } => packages.hint(),
            InstallError::PackagesMissing { .. } => {
                "run `cicerone install webkit` as root, or install them the way your system does"
            }
            InstallError::BuildNotAllowed { .. } => {
                "ask the person to run `cicerone install webkit` in a terminal"
            }
            InstallError::VersionMismatch { by: Source::Named, .. } => {
                "leave out --executable-path, or give the cicerone-webkit of this release there"
            }
            InstallError::VersionMismatch { by: Source::Variable(name), .. } => {
                return format!("unset {name}, or name the cicerone-webkit of this release there");
            }
            InstallError::NoHost { .. } | InstallError::VersionMismatch { .. } => {
                "put the cicerone-webkit of this release beside cicerone, or build it in the source tree: \
                 `cargo xtask webkit-host`"
            }
            InstallError::NotBuilt { .. } => {
                "see its output; `cargo xtask webkit-host` in the source tree builds it too"
            }
            InstallError::NotPackaged { .. } => {
                "install it the way your system does (on Debian, as root: `apt-get install firefox-esr`), or set \
                 CICERONE_EXECUTABLE_PATH to its executable"
            }
        };
        hint.to_owned()
    }

    /// For `map_err`: the operation and the path.
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
