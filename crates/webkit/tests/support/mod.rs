//! The driver under test.

use std::path::PathBuf;

use cicerone_driver::{Engine, LaunchError, Launcher, Permission};
use cicerone_driver_tests::Driver;
use cicerone_install::Search;
use cicerone_webkit::{LaunchOptions, WebKit};

pub(crate) const DRIVER: Driver = Driver {
    engine: Engine::WebKit,
    launcher,
    with_all_powers: launcher,
    lacks_permissions: &[
        Permission::ClipboardWrite,
        Permission::Midi,
        Permission::PersistentStorage,
        Permission::Push,
    ],
    may_lack_permissions: &[],
};

fn launcher() -> Box<dyn Launcher> {
    Box::new(WebKit::new(find, LaunchOptions::default()))
}

/// The host that the program itself would start: `CICERONE_EXECUTABLE_PATH`, or what `cargo xtask webkit-host` built.
pub(crate) fn find() -> Result<PathBuf, LaunchError> {
    let missing = |missing: cicerone_install::Missing| LaunchError::Missing {
        engine: Engine::WebKit,
        program: "WebKit host",
        looked: vec![missing.to_string()],
    };
    cicerone_install::find(Engine::WebKit, &Search::of_process()).map(|found| found.path).map_err(missing)
}
