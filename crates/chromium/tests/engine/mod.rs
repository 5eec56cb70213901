use std::path::PathBuf;

pub(crate) use cicerone_chromium::LaunchOptions;
use cicerone_chromium::Chromium;
use cicerone_driver::{Kind, LaunchError};

pub(crate) const KIND: Kind = Kind::Chromium;

pub(crate) fn launcher(options: LaunchOptions) -> Chromium {
    Chromium::new(find, options)
}

/// With all powers that have to be asked for before the browser starts: this one has none.
pub(crate) fn with_all_powers() -> LaunchOptions {
    LaunchOptions::default()
}

pub(crate) fn find() -> Result<PathBuf, LaunchError> {
    let usual = ["chromium", "chromium-browser", "google-chrome"].map(|name| PathBuf::from("/usr/bin").join(name));
    let given = std::env::var_os("CICERONE_EXECUTABLE_PATH").map(PathBuf::from);
    given
        .into_iter()
        .chain(usual)
        .find(|path| path.exists())
        .ok_or(LaunchError::Missing { engine: "Chromium", looked: vec!["/usr/bin".into()] })
}
