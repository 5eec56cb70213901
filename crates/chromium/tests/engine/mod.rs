use std::path::PathBuf;

pub(crate) use cicerone_chromium::LaunchOptions;
use cicerone_chromium::Chromium;
use cicerone_driver::{Kind, LaunchError};
use cicerone_install::{Engine, Search};

pub(crate) const KIND: Kind = Kind::Chromium;

pub(crate) fn launcher(options: LaunchOptions) -> Chromium {
    Chromium::new(find, options)
}

/// With all powers that have to be asked for before the browser starts: this one has none.
pub(crate) fn with_all_powers() -> LaunchOptions {
    LaunchOptions::default()
}

/// The one that the program itself would start: `CICERONE_EXECUTABLE_PATH`, or the first on `PATH`.
pub(crate) fn find() -> Result<PathBuf, LaunchError> {
    let missing = |missing: cicerone_install::Missing| LaunchError::Missing {
        engine: "Chromium",
        looked: vec![missing.to_string()],
    };
    cicerone_install::find(Engine::Chromium, &Search::of_process()).map(|found| found.path).map_err(missing)
}
