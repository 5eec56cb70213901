//! Finds an installed browser engine, or installs one.
//!
//! An [`Engine`] is a browser family. A [`Search`] says where to look for one; [`find`] returns the [`Found`]
//! executable or what is [`Missing`]. [`install()`] does nothing if an engine is found; otherwise it downloads the
//! pinned build into the cache, or runs the system's package manager. A [`Progress`] receives every [`Step`] and can
//! cancel at each.
//!
//! Everything here blocks: asynchronous callers use a blocking task. Nothing prints, except [`Bar`], the `Progress` of
//! the command line.
//!
//! Every error has a `hint()`: one sentence on what to do next. Its `Display` includes its causes, so there is no
//! source chain to walk.

#![forbid(unsafe_code)]

mod bar;
mod cache;
mod checksum;
mod chromium;
mod download;
mod engine;
mod environment;
mod error;
mod executable;
mod find;
mod firefox;
mod install;
mod mirror;
mod packages;
mod platform;
mod progress;
mod retry;
mod transfer;
mod unpack;
mod version;
mod webkit;

pub use bar::Bar;
pub use checksum::ChecksumError;
pub use chromium::VERSION as CHROMIUM_VERSION;
pub use cicerone_driver::Engine;
pub use download::DownloadError;
pub use environment::Environment;
pub use error::InstallError;
pub use executable::Problem;
pub use find::{Found, Looked, Missing, Search, Source, find};
pub use install::{InstallOptions, Installed, install};
pub use packages::PackageError;
pub use platform::Platform;
pub use progress::{Cancelled, Progress, Step, Warning};
pub use unpack::UnpackError;
pub use webkit::PROTOCOL as WEBKIT_HOST_PROTOCOL;
