use std::path::PathBuf;

pub(crate) use cicerone_firefox::LaunchOptions;
use cicerone_firefox::Firefox;
use cicerone_driver::{Kind, LaunchError};
use cicerone_install::{Engine, Search};

pub(crate) const KIND: Kind = Kind::Firefox;

pub(crate) fn launcher(options: LaunchOptions) -> Firefox {
    Firefox::new(find, options)
}

/// With all powers that have to be asked for before the browser starts.
pub(crate) fn with_all_powers() -> LaunchOptions {
    LaunchOptions { system_access: true, ..LaunchOptions::default() }
}

/// The one that the program itself would start: `CICERONE_EXECUTABLE_PATH`, or the first on `PATH`.
pub(crate) fn find() -> Result<PathBuf, LaunchError> {
    let missing = |missing: cicerone_install::Missing| LaunchError::Missing {
        engine: "Firefox",
        looked: vec![missing.to_string()],
    };
    cicerone_install::find(Engine::Firefox, &Search::of_process()).map(|found| found.path).map_err(missing)
}
