//! [`install()`] makes an engine available and reports how: it was [`Installed`] already, was downloaded, or came as a
//! package.

use std::fmt;
use std::time::Duration;

use crate::cache::Cache;
use crate::checksum::{expected, verify};
use crate::download::{Download, DownloadError, discard};
use cicerone_driver::Engine;

use crate::engine::{Facts, Release};
use crate::error::InstallError;
use crate::executable::runs;
use crate::find::{Found, Missing, Search, Source, find};
use crate::mirror::Mirror;
use crate::packages::{PackageError, PackageManager, is_root};
use crate::progress::{Progress, Step, Warning, tell};
use crate::transfer::Client;
use crate::unpack::{UnpackError, unpack};
use crate::version::reported_version;
use crate::webkit;

const MEBIBYTE: u64 = 1024 * 1024;

/// Options of an install.
#[derive(Debug, Clone)]
pub struct InstallOptions {
    /// Where to look first, and which cache and environment to use.
    pub search: Search,
    /// The mirror; `None` for `CICERONE_DOWNLOAD_BASE` or the publisher.
    pub download_base: Option<String>,
    /// Maximum archive size in bytes: 1 GiB.
    pub archive_limit: u64,
    /// Maximum unpacked size in bytes: 4 GiB.
    pub unpacked_limit: u64,
    /// Maximum silence of a server: 30 s.
    pub timeout: Duration,
    /// Whether the system's package manager may be run: by default if this process runs as root.
    pub may_install_packages: bool,
    /// Whether a program of ours may be built from its source, which takes minutes and downloads crates: by default it may.
    pub may_build: bool,
}

/// How an engine became available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installed {
    /// It was installed already.
    Already(Found),
    /// The pinned build was downloaded into the cache.
    Downloaded {
        /// The executable.
        found: Found,
        /// The build's version.
        version: &'static str,
    },
    /// It was built from its source, into the cache.
    Built(Found),
    /// The system's package manager installed it.
    Packaged {
        /// The executable.
        found: Found,
        /// The command that was run.
        command: String,
    },
}

/// Makes an engine available; does nothing if it is installed.
///
/// Concurrent calls, in one process or several, are safe: one installs and the others wait.
pub fn install(
    engine: Engine,
    options: &InstallOptions,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    if engine == Engine::WebKit {
        return webkit::install(options, progress);
    }
    tell(progress, Step::Looking)?;
    if let Some(found) = look(engine, &options.search)? {
        return Ok(Installed::Already(found));
    }
    let cache = Cache::at(options.search.cache.as_deref().ok_or(InstallError::NoCache)?);
    let _lock = cache.lock(progress)?;
    // Another install may have finished while this one waited for the lock.
    if let Some(found) = look(engine, &options.search)? {
        return Ok(Installed::Already(found));
    }
    let Some(release) = Facts::of(engine).release else {
        let packaged = from_packages(engine, options, &cache, progress)?;
        return packaged.map_err(|packages| InstallError::NotPackaged { engine, packages: packages.into() });
    };
    match from_mirror(engine, release, options, &cache, progress) {
        Err(InstallError::Download(error)) if error.is_unavailable() => {
            tell(progress, Step::Warning(Warning::NoDownload(&error)))?;
            let packaged = from_packages(engine, options, &cache, progress)?;
            packaged
                .map_err(|packages| InstallError::Unavailable { download: error, packages: packages.into() })
        }
        outcome => outcome,
    }
}

/// The installed executable, if any; an error if a named one cannot be used.
fn look(engine: Engine, search: &Search) -> Result<Option<Found>, Missing> {
    match find(engine, search) {
        Ok(found) => Ok(Some(found)),
        Err(Missing::Nowhere { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

fn from_mirror(
    engine: Engine,
    release: &Release,
    options: &InstallOptions,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    let platform = options.search.platform.ok_or(DownloadError::NoBuild)?;
    let mirror = Mirror::choose(options.download_base.as_deref(), &options.search.environment);
    let client = Client::new(&mirror, options.timeout);
    let archive = mirror.archive(release, platform);
    let part = cache.part(&archive.cache_name)?;
    let expected = expected(&archive, &client, progress)?;
    let limit = options.archive_limit;
    Download { client: &client, url: &archive.url, part: &part, limit, progress }.run()?;
    verify(&archive, &expected, &part, progress)?;

    let executable = (release.executable)(platform);
    let unpacked = cache.fill_build(engine, release.version, |directory| {
        unpack(&part, directory, options.unpacked_limit, progress)?;
        match runs(&directory.join(executable)) {
            true => Ok(()),
            false => Err(UnpackError::NoExecutable { path: executable }.into()),
        }
    });
    if !matches!(unpacked, Err(InstallError::Cancelled | InstallError::Disk { .. })) {
        // After unpacking it is no longer needed; an invalid archive would only fail again.
        discard(&part)?;
    }
    let found = Found { path: unpacked?.join(executable), source: Source::Cache };
    Ok(Installed::Downloaded { found, version: release.version })
}

fn from_packages(
    engine: Engine,
    options: &InstallOptions,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Result<Installed, PackageError>, InstallError> {
    if !options.may_install_packages {
        return Ok(Err(PackageError::NotAllowed));
    }
    let manager = match PackageManager::find(&options.search.environment, cache.package_log()) {
        Ok(manager) => manager,
        Err(error) => return Ok(Err(error)),
    };
    let package = Facts::of(engine).package;
    let command = match manager.install(&[package], progress)? {
        Ok(command) => command,
        Err(error) => return Ok(Err(error)),
    };
    Ok(match find(engine, &options.search) {
        Ok(found) => Ok(Installed::Packaged { found, command }),
        Err(missing) => Err(PackageError::StillMissing { command, missing }),
    })
}

impl InstallOptions {
    /// Default options for this search.
    pub fn new(search: Search) -> Self {
        InstallOptions {
            search,
            download_base: None,
            archive_limit: 1024 * MEBIBYTE,
            unpacked_limit: 4096 * MEBIBYTE,
            timeout: Duration::from_secs(30),
            may_install_packages: is_root(),
            may_build: true,
        }
    }
}

impl Installed {
    /// The executable, however it was installed.
    pub fn found(&self) -> &Found {
        match self {
            Installed::Already(found)
            | Installed::Built(found)
            | Installed::Downloaded { found, .. }
            | Installed::Packaged { found, .. } => found,
        }
    }

    /// The version reported by `--version`.
    pub fn reported_version(&self) -> Option<String> {
        reported_version(&self.found().path)
    }
}

impl fmt::Display for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Installed::Already(found) => write!(f, "Installed already: {found}"),
            Installed::Built(found) => write!(f, "Built from source: {found}"),
            Installed::Downloaded { found, version } => write!(f, "Downloaded {version}: {found}"),
            Installed::Packaged { found, command } => write!(f, "Installed by `{command}`: {found}"),
        }
    }
}
