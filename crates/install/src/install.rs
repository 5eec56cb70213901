//! [`install()`] makes an engine available and says how: it was [`Installed`] already, was downloaded, or
//! came as a package.

use std::fmt;
use std::time::Duration;

use crate::cache::Cache;
use crate::checksum::{expected, verify};
use crate::download::{Download, DownloadError, discard};
use crate::engine::{Engine, Release};
use crate::error::InstallError;
use crate::executable::runs;
use crate::find::{Found, Missing, Search, Source, find};
use crate::mirror::Mirror;
use crate::packages::{PackageError, PackageManager, is_root};
use crate::progress::{Progress, Step, Warning, tell};
use crate::transfer::Client;
use crate::unpack::{UnpackError, unpack};
use crate::version::reported_version;

const MEBIBYTE: u64 = 1024 * 1024;

/// How an engine is installed.
#[derive(Debug, Clone)]
pub struct InstallOptions {
    /// Where to look first, and which cache and environment to use.
    pub search: Search,
    /// The mirror to download from; `CICERONE_DOWNLOAD_BASE` or the publisher where it is `None`.
    pub download_base: Option<String>,
    /// How large an archive may be, in bytes: 1 GiB.
    pub archive_limit: u64,
    /// How large its files may be together, in bytes: 4 GiB.
    pub unpacked_limit: u64,
    /// For how long a server may say nothing: 30 s.
    pub patience: Duration,
    /// Whether the system's package manager may be run: where this process is root's.
    pub may_install_packages: bool,
}

/// How an engine came to be available.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Installed {
    /// It was there before; nothing was done.
    Already(Found),
    /// The pinned build was downloaded into the cache.
    Downloaded {
        /// The executable.
        found: Found,
        /// The build's version.
        version: &'static str,
    },
    /// The system's package manager installed it.
    Packaged {
        /// The executable.
        found: Found,
        /// The command that was run.
        command: String,
    },
}

/// Makes an engine available; does nothing where it is there already.
///
/// Several at once are fine, in one process or in many: one installs and the others wait for it.
pub fn install(
    engine: Engine,
    options: &InstallOptions,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    tell(progress, Step::Looking)?;
    if let Some(found) = look(engine, &options.search)? {
        return Ok(Installed::Already(found));
    }
    let cache = Cache::at(options.search.cache.as_deref().ok_or(InstallError::NoCache)?);
    let _lock = cache.lock(progress)?;
    // Another install may have ended while this one waited for the lock.
    if let Some(found) = look(engine, &options.search)? {
        return Ok(Installed::Already(found));
    }
    let Some(release) = engine.facts().map_err(Missing::from)?.release else {
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

/// What there is already; an error where a person named what cannot be used.
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
    let client = Client::new(&mirror, options.patience);
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
        // Unpacked, it is of no more use; unusable, it would be found unusable again.
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
    let package = engine.facts().map_err(Missing::from)?.package;
    let command = match manager.install(package, progress)? {
        Ok(command) => command,
        Err(error) => return Ok(Err(error)),
    };
    Ok(match find(engine, &options.search) {
        Ok(found) => Ok(Installed::Packaged { found, command }),
        Err(missing) => Err(PackageError::StillMissing { command, missing }),
    })
}

impl InstallOptions {
    /// The usual options for this search.
    pub fn new(search: Search) -> Self {
        InstallOptions {
            search,
            download_base: None,
            archive_limit: 1024 * MEBIBYTE,
            unpacked_limit: 4096 * MEBIBYTE,
            patience: Duration::from_secs(30),
            may_install_packages: is_root(),
        }
    }
}

impl Installed {
    /// The executable, however it came.
    pub fn found(&self) -> &Found {
        match self {
            Installed::Already(found)
            | Installed::Downloaded { found, .. }
            | Installed::Packaged { found, .. } => found,
        }
    }

    /// The version that the executable reports: it is run with `--version`.
    pub fn reported_version(&self) -> Option<String> {
        reported_version(&self.found().path)
    }
}

impl fmt::Display for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Installed::Already(found) => write!(f, "Installed already: {found}"),
            Installed::Downloaded { found, version } => write!(f, "Downloaded {version}: {found}"),
            Installed::Packaged { found, command } => write!(f, "Installed by `{command}`: {found}"),
        }
    }
}
