//! The cases of every driver, on WebKit.
#![allow(clippy::unwrap_used, reason = "a test may fail so")]

use std::path::PathBuf;

use cicerone_driver::{Engine, LaunchError, Launcher};
use cicerone_driver_tests::Driver;
use cicerone_install::Search;
use cicerone_webkit::{LaunchOptions, WebKit};

const DRIVER: Driver = Driver { engine: Engine::WebKit, launcher, with_all_powers: launcher };

fn launcher() -> Box<dyn Launcher> {
    Box::new(WebKit::new(find, LaunchOptions::default()))
}

/// The host that the program itself would start: `CICERONE_EXECUTABLE_PATH`, or what `cargo xtask webkit-host` built.
fn find() -> Result<PathBuf, LaunchError> {
    let missing = |missing: cicerone_install::Missing| LaunchError::Missing {
        engine: "WebKit host",
        looked: vec![missing.to_string()],
    };
    cicerone_install::find(Engine::WebKit, &Search::of_process()).map(|found| found.path).map_err(missing)
}

cicerone_driver_tests::cases!(DRIVER);
