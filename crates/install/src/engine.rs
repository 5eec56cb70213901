//! An [`Engine`] is a family of browsers that are driven alike. Its [`Facts`] are one table: what its
//! executables are called, where they usually are, and which build and package provide one.

use std::fmt;
use std::str::FromStr;

use crate::platform::Platform;
use crate::{chromium, firefox};

/// A family of browsers that are driven alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// Chromium, Chrome, Chrome for Testing and Edge.
    Chromium,
    /// Firefox, of the long-term and of the ordinary releases.
    Firefox,
    /// WebKit: named here, and not yet found or installed.
    WebKit,
}

/// An engine that this crate can neither find nor install yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{engine} can be neither found nor installed by this version")]
pub struct Unsupported {
    /// The engine that was asked for.
    pub engine: Engine,
}

/// A name that is no engine's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine called {name:?}")]
pub struct UnknownEngine {
    /// The name that was given.
    pub name: String,
}

/// What there is to know of an engine in order to find or install it.
pub(crate) struct Facts {
    /// What its executables are called on `PATH`, the preferred ones first, without `.exe`.
    pub names: &'static [&'static str],
    /// The variable beside our own that names its executable.
    pub variable: Option<&'static str>,
    /// Where its executables usually are on this operating system.
    pub places: &'static [Place],
    /// What Debian and its descendants call the package.
    pub package: &'static str,
    /// The build that is downloaded, where one is.
    pub release: Option<&'static Release>,
}

/// A usual path of an executable.
pub(crate) enum Place {
    /// Below the root of the file system.
    Root(&'static str),
    /// Below the person's home.
    Home(&'static str),
    /// Below the directory that an environment variable names.
    Variable(&'static str, &'static str),
}

/// A pinned build: one version, one archive for each platform.
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
            Engine::WebKit => Err(Unsupported { engine: self }),
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
