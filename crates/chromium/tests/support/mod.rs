//! The driver under test, and browsers with options of this driver.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each test uses a part; a test may fail so"
)]

use std::path::PathBuf;

use cicerone_chromium::{Chromium, LaunchOptions};
use cicerone_driver::{Engine, LaunchError};
use cicerone_driver_tests::{Driver, Trial};
use cicerone_install::Search;

pub(crate) const DRIVER: Driver = Driver {
    engine: Engine::Chromium,
    launcher: || Box::new(Chromium::new(find, LaunchOptions::default())),
    with_all_powers: || Box::new(Chromium::new(find, all_powers())),
    lacks_permissions: &[],
    may_lack_permissions: &[],
};

/// This one has none that must be asked for before it starts.
pub(crate) fn all_powers() -> LaunchOptions {
    LaunchOptions::default()
}

pub(crate) async fn start() -> Trial {
    Trial::start(&DRIVER).await
}

pub(crate) async fn with(options: LaunchOptions) -> Trial {
    try_with(options).await.unwrap_or_else(|error| panic!("no browser: {error}"))
}

pub(crate) async fn try_with(options: LaunchOptions) -> Result<Trial, LaunchError> {
    Trial::launch(&Chromium::new(find, options), DRIVER.engine, None).await
}

/// The one that the program itself would start: `CICERONE_EXECUTABLE_PATH`, or the first on `PATH`.
pub(crate) fn find() -> Result<PathBuf, LaunchError> {
    let missing = |missing: cicerone_install::Missing| LaunchError::Missing {
        engine: Engine::Chromium,
        program: "Chromium",
        looked: vec![missing.to_string()],
    };
    cicerone_install::find(Engine::Chromium, &Search::of_process()).map(|found| found.path).map_err(missing)
}
