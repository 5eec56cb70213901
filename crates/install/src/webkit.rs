//! WebKit: the system's libraries, a display server, and `cicerone-webkit`, the program of ours that shows its pages.
//! [`install`] gets the packages from the package manager. The program is beside this one or in the cache; in a source
//! tree it is built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Cache;
use cicerone_driver::Engine;

use crate::engine::{Facts, KnownPath};
use crate::error::InstallError;
use crate::executable::on_path;
use crate::find::{Found, Missing, Search, Source, find};
use crate::install::{InstallOptions, Installed};
use crate::packages::{PackageError, PackageManager, run_logged};
use crate::progress::{Progress, Step, tell};
use crate::version::reported_version;

const PROGRAM: &str = "cicerone-webkit";

/// Where an install puts it, below the cache.
const IN_CACHE: &str = "webkit/cicerone-webkit";

/// The version of the protocol that the program and this one speak with each other.
pub const PROTOCOL: &str = include_str!("../../webkit-host/PROTOCOL").trim_ascii();

pub(crate) static FACTS: Facts = Facts {
    // Not on `PATH`: what is there may be of another release.
    names: &[],
    variable: None,
    places: &[KnownPath::Beside(PROGRAM), KnownPath::Cache(IN_CACHE)],
    package: "libwebkit2gtk-4.1-0",
    release: None,
};

/// Something of the system, and the Debian package that has it.
struct Requirement {
    kind: Kind,
    package: &'static str,
}

enum Kind {
    /// On `PATH`.
    Program(&'static str),
    /// A file in a directory of libraries, or in a directory of one.
    Library(&'static str),
}

const TO_RUN: [Requirement; 2] = [
    Requirement { kind: Kind::Library("libwebkit2gtk-4.1.so.0"), package: "libwebkit2gtk-4.1-0" },
    Requirement { kind: Kind::Program("Xvfb"), package: "xvfb" },
];

const TO_BUILD: [Requirement; 2] = [
    Requirement { kind: Kind::Library("pkgconfig/webkit2gtk-4.1.pc"), package: "libwebkit2gtk-4.1-dev" },
    Requirement { kind: Kind::Program("pkg-config"), package: "pkg-config" },
];

/// Makes WebKit available; does nothing if it is.
pub(crate) fn install(options: &InstallOptions, progress: &dyn Progress) -> Result<Installed, InstallError> {
    tell(progress, Step::Looking)?;
    let search = &options.search;
    if let (Some(found), []) = (look(search)?, &missing(search, &TO_RUN)[..])
        && is_current(&found)
    {
        return Ok(Installed::Already(found));
    }
    let cache = Cache::at(search.cache.as_deref().ok_or(InstallError::NoCache)?);
    let _lock = cache.lock(progress)?;
    let command = get(&TO_RUN, options, &cache, progress)?;
    let stale = match (look(search)?, command) {
        (Some(found), Some(command)) if is_current(&found) => {
            return Ok(Installed::Packaged { found, command });
        }
        (Some(found), None) if is_current(&found) => return Ok(Installed::Already(found)),
        (stale, _) => stale,
    };
    let source = match (source_tree(search), &stale) {
        // One that a person named is never replaced.
        (Some(source), None | Some(Found { source: Source::UsualPlace, .. })) => source,
        (_, Some(stale)) => {
            return Err(InstallError::VersionMismatch { path: stale.path.clone(), by: stale.source });
        }
        (None, None) => return Err(InstallError::NoHost { program: PROGRAM }),
    };
    if !options.may_build {
        return Err(InstallError::BuildNotAllowed { program: PROGRAM });
    }
    get(&TO_BUILD, options, &cache, progress)?;
    let path = match stale {
        Some(stale) => stale.path,
        None => search.cache.as_deref().ok_or(InstallError::NoCache)?.join(IN_CACHE),
    };
    build(&source, path, search, &cache, progress)
}

/// Whether it speaks the protocol of this program.
fn is_current(found: &Found) -> bool {
    reported_version(&found.path).is_some_and(|version| version.ends_with(&format!("(protocol {PROTOCOL})")))
}

fn look(search: &Search) -> Result<Option<Found>, Missing> {
    match find(Engine::WebKit, search) {
        Ok(found) => Ok(Some(found)),
        Err(Missing::Nowhere { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

/// The packages of what is not there.
fn missing(search: &Search, required: &[Requirement]) -> Vec<&'static str> {
    let is_missing = |required: &&Requirement| match required.kind {
        Kind::Program(name) => on_path(&search.environment, name).is_none(),
        Kind::Library(file) => !has_library(&search.root, file),
    };
    required.iter().filter(is_missing).map(|required| required.package).collect()
}

/// Libraries are in `lib`, in `lib64`, or in a directory of their architecture.
fn has_library(root: &Path, file: &str) -> bool {
    let bases = ["usr/lib", "usr/lib64", "usr/local/lib"].map(|base| root.join(base));
    let architectures = fs::read_dir(&bases[0]).into_iter().flatten().flatten();
    let nested = architectures.map(|entry| entry.path()).filter(|path| path.is_dir());
    bases.iter().cloned().chain(nested).any(|base| base.join(file).exists())
}

/// Installs the packages of what is missing; the command that did, if any was.
fn get(
    required: &[Requirement],
    options: &InstallOptions,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Option<String>, InstallError> {
    let packages = missing(&options.search, required);
    if packages.is_empty() {
        return Ok(None);
    }
    let failed = |cause: PackageError| InstallError::PackagesMissing {
        packages: packages.join(", "),
        cause: cause.into(),
    };
    if !options.may_install_packages {
        return Err(failed(PackageError::NotAllowed));
    }
    let manager = PackageManager::find(&options.search.environment, cache.package_log()).map_err(failed)?;
    manager.install(&packages, progress)?.map(Some).map_err(failed)
}

/// The source of the program, if this one was built in its source tree: it is two directories below the root then.
fn source_tree(search: &Search) -> Option<PathBuf> {
    let source = search.beside.as_deref()?.parent()?.parent()?.join("crates/webkit-host/Cargo.toml");
    source.is_file().then_some(source)
}

/// Builds the program and puts it at `path`.
fn build(
    source: &Path,
    path: PathBuf,
    search: &Search,
    cache: &Cache,
    progress: &dyn Progress,
) -> Result<Installed, InstallError> {
    let directory = cache.host_build();
    let cargo = on_path(&search.environment, "cargo").ok_or(InstallError::NoHost { program: PROGRAM })?;
    let arguments = [
        "build".as_ref(),
        "--release".as_ref(),
        "--locked".as_ref(),
        "--manifest-path".as_ref(),
        source.as_os_str(),
        "--target-dir".as_ref(),
        directory.as_os_str(),
    ];
    run_logged(&cargo, &arguments, &search.environment, &cache.package_log(), progress)?
        .map_err(|cause| InstallError::NotBuilt { program: PROGRAM, cause: cause.into() })?;
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory).map_err(InstallError::disk("create", directory))?;
    }
    // One that runs cannot be written, but can be replaced.
    let fresh = path.with_extension("new");
    let built = directory.join("release").join(PROGRAM);
    fs::copy(&built, &fresh).map_err(InstallError::disk("copy", &built))?;
    fs::rename(&fresh, &path).map_err(InstallError::disk("move into place", &path))?;
    Ok(Installed::Built(Found { path, source: Source::UsualPlace }))
}

/// Where this program is. Tests are one directory below the programs that they are built with.
pub(crate) fn directory_of_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let directory = program.parent()?;
    if directory.ends_with("deps") {
        directory.parent().map(Path::to_owned)
    } else {
        Some(directory.to_owned())
    }
}
