//! An [`Engine`] is a browser family with one driver. Its [`Facts`] are one table: names and usual paths of
//! executables, and the build and package that provide one.

use std::fmt;
use std::str::FromStr;

use crate::platform::Platform;
use crate::{chromium, firefox, webkit};

/// A browser family with one driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Chromium, Chrome, Chrome for Testing and Edge.
    Chromium,
    /// Firefox, ESR and regular releases.
    Firefox,
    /// WebKitGTK, run by `cicerone-webkit`.
    WebKit,
}

/// An engine that this crate can neither find nor install.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this version can neither find nor install {engine}")]
pub struct Unsupported {
    /// The requested engine.
    pub engine: Engine,
}

/// An unknown engine name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown engine {name:?}")]
pub struct UnknownEngine {
    /// The given name.
    pub name: String,
}

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

impl Engine {
    /// Every engine that has a name.
    pub const ALL: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::WebKit];

    /// The name on the command line and in the cache.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
            Engine::WebKit => "webkit",
        }
    }

    pub(crate) fn facts(self) -> Result<&'static Facts, Unsupported> {
        match self {
            Engine::Chromium => Ok(&chromium::FACTS),
            Engine::Firefox => Ok(&firefox::FACTS),
            Engine::WebKit => Ok(&webkit::FACTS),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        Engine::ALL
            .into_iter()
            .find(|engine| engine.name() == name)
            .ok_or_else(|| UnknownEngine { name: name.to_owned() })
    }
}

impl Unsupported {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        "use chromium or firefox"
    }
}

impl UnknownEngine {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        "the engines are chromium, firefox and webkit"
    }
}
