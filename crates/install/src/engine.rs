//! The [`Facts`] of an [`Engine`] are one table: names and usual paths of executables, and the build and package that
//! provide one.

use cicerone_driver::Engine;

use crate::platform::Platform;
use crate::{chromium, firefox, webkit};

/// How to find and install an engine.
pub(crate) struct Facts {
    /// Names of its executables on `PATH`, preferred ones first, without `.exe`.
    pub names: &'static [&'static str],
    /// A further variable that names its executable.
    pub variable: Option<&'static str>,
    /// Usual paths of its executables on this operating system.
    pub places: &'static [KnownPath],
    /// Its package name on Debian and derivatives.
    pub package: &'static str,
    /// The build to download, if there is one.
    pub release: Option<&'static Release>,
}

/// A usual path of an executable.
pub(crate) enum KnownPath {
    /// Below the root of the file system.
    Root(&'static str),
    /// Below the user's home directory.
    Home(&'static str),
    /// Below the directory in an environment variable.
    Variable(&'static str, &'static str),
    /// Beside this program.
    Beside(&'static str),
    /// Below the cache directory.
    Cache(&'static str),
}

/// A pinned build: one version, one archive per platform.
pub(crate) struct Release {
    pub version: &'static str,
    /// The archive's path below the mirror's base.
    pub archive: fn(Platform) -> String,
    /// The archive's SHA-256 in lower-case hexadecimal.
    pub sha256: fn(Platform) -> &'static str,
    /// The executable's path inside the archive.
    pub executable: fn(Platform) -> &'static str,
}

impl Facts {
    pub(crate) fn of(engine: Engine) -> &'static Self {
        match engine {
            Engine::Chromium => &chromium::FACTS,
            Engine::Firefox => &firefox::FACTS,
            Engine::WebKit => &webkit::FACTS,
        }
    }
}
