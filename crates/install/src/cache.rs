//! The [`Cache`] is the directory of downloads and unpacked builds:
//!
//! ```text
//! <cache>/install.lock                   held by the running install
//! <cache>/package-manager.log            output of the last package manager run or build
//! <cache>/downloads/….zip.part           an archive, complete or partial
//! <cache>/chromium-<version>.unpacking/  a build being unpacked
//! <cache>/chromium-<version>/            a complete build, moved here by one rename
//! <cache>/webkit/                        cicerone-webkit, and what it is built in
//! ```
//!
//! A killed install leaves at most a `.part`, which the next one resumes, and an `.unpacking`, which the next one
//! removes. A directory with a build's final name is complete.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::environment::Environment;
use crate::error::InstallError;
use crate::progress::{Progress, Step, tell};
use cicerone_driver::Engine;

/// Polling interval while another install holds the lock.
const LOCK_POLL: Duration = Duration::from_millis(100);

/// The directory of downloads and unpacked builds.
pub(crate) struct Cache {
    root: PathBuf,
}

/// Held by the running install; the operating system releases it when the process dies.
pub(crate) struct Lock {
    _file: File,
}

impl Cache {
    /// The cache directory: `CICERONE_CACHE_DIR`, or `cicerone` in the user's cache directory.
    pub(crate) fn directory(environment: &Environment) -> Option<PathBuf> {
        if let Some(own) = environment.path("CICERONE_CACHE_DIR") {
            return std::path::absolute(own).ok();
        }
        let base = if cfg!(windows) {
            environment.path("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            environment.home().map(|home| home.join("Library/Caches"))
        } else {
            // The XDG specification says to ignore relative paths.
            let xdg = environment.path("XDG_CACHE_HOME").filter(|path| path.is_absolute());
            xdg.or_else(|| environment.home().map(|home| home.join(".cache")))
        };
        base.map(|base| base.join("cicerone"))
    }

    /// The cache in this directory, which need not exist.
    pub(crate) fn at(root: &Path) -> Self {
        Cache { root: root.to_owned() }
    }

    /// The complete builds of an engine: the preferred version first, then newest first.
    ///
    /// Older ones count, like an older browser on `PATH`: an upgrade must not lose a working browser.
    pub(crate) fn builds(&self, engine: Engine, preferred: &str) -> Vec<PathBuf> {
        let prefix = format!("{engine}-");
        let version = |name: &str| numbers(name.strip_prefix(&prefix)?);
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut builds: Vec<_> =
            entries.filter_map(|entry| Some((version(entry.file_name().to_str()?)?, entry.path()))).collect();
        let preferred = numbers(preferred);
        builds.sort_by_key(|(version, _)| (preferred.as_ref() == Some(version), version.clone()));
        builds.into_iter().rev().map(|(_, path)| path).collect()
    }

    /// The directory of a complete build.
    pub(crate) fn build(&self, engine: Engine, version: &str) -> PathBuf {
        self.root.join(format!("{engine}-{version}"))
    }

    /// The log of the package manager.
    pub(crate) fn package_log(&self) -> PathBuf {
        self.root.join("package-manager.log")
    }

    /// Where a program of ours is built.
    pub(crate) fn host_build(&self) -> PathBuf {
        self.root.join("webkit").join("build")
    }

    /// The path of a partial archive; creates its directory.
    pub(crate) fn part(&self, name: &str) -> Result<PathBuf, InstallError> {
        let downloads = self.root.join("downloads");
        create(&downloads)?;
        Ok(downloads.join(format!("{name}.part")))
    }

    /// Takes the lock, waiting for another running install.
    pub(crate) fn lock(&self, progress: &dyn Progress) -> Result<Lock, InstallError> {
        create(&self.root)?;
        let path = self.root.join("install.lock");
        let file = File::create(&path).map_err(InstallError::disk("create", &path))?;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) => tell(progress, Step::Waiting)?,
                Err(TryLockError::Error(cause)) => return Err(InstallError::disk("lock", &path)(cause)),
            }
            std::thread::sleep(LOCK_POLL);
        }
    }

    /// Fills a staging directory and renames it to a complete build.
    pub(crate) fn fill_build(
        &self,
        engine: Engine,
        version: &str,
        fill: impl FnOnce(&Path) -> Result<(), InstallError>,
    ) -> Result<PathBuf, InstallError> {
        let staging = self.root.join(format!("{engine}-{version}.unpacking"));
        let build = self.build(engine, version);
        remove(&staging)?;
        create(&staging)?;
        if let Err(error) = fill(&staging) {
            // Report the first error; leftovers are removed next time.
            let _ = fs::remove_dir_all(&staging);
            return Err(error);
        }
        remove(&build)?;
        fs::rename(&staging, &build).map_err(InstallError::disk("move into place", &build))?;
        Ok(build)
    }
}

/// A version as comparable numbers; `None` if invalid.
fn numbers(version: &str) -> Option<Vec<u32>> {
    version.split('.').map(|number| number.parse().ok()).collect()
}

fn create(directory: &Path) -> Result<(), InstallError> {
    fs::create_dir_all(directory).map_err(InstallError::disk("create", directory))
}

fn remove(directory: &Path) -> Result<(), InstallError> {
    if !directory.exists() {
        return Ok(());
    }
    fs::remove_dir_all(directory).map_err(InstallError::disk("remove", directory))
}
