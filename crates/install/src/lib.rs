//! Finds an installed browser engine, or makes one available.
//!
//! An [`Engine`] is a family of browsers. A [`Search`] says where to look for one; [`find`] answers with
//! the [`Found`] executable or with what is [`Missing`]. [`install()`] finds first and does nothing where
//! there is something to find; otherwise it downloads the pinned build into the cache, or asks the
//! system's package manager. A [`Progress`] is told of every [`Step`] and can cancel at each.
//!
//! Everything here blocks: an asynchronous caller wraps it in a blocking task. Nothing here prints,
//! except [`Bar`], which is there to be passed as the `Progress` of a command line.
//!
//! Every error has a `hint()`: one sentence on what to do next. Its `Display` names its causes, so there
//! is no chain of sources to walk.

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

pub use bar::Bar;
pub use checksum::ChecksumError;
pub use chromium::VERSION as CHROMIUM_VERSION;
pub use download::DownloadError;
pub use engine::{Engine, UnknownEngine, Unsupported};
pub use environment::Environment;
pub use error::InstallError;
pub use executable::Problem;
pub use find::{Found, Looked, Missing, Search, Source, find};
pub use install::{InstallOptions, Installed, install};
pub use packages::PackageError;
pub use platform::Platform;
pub use progress::{Cancelled, Progress, Step, Warning};
pub use unpack::UnpackError;
