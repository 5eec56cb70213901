use std::path::PathBuf;

pub(crate) use cicerone_firefox::LaunchOptions;
use cicerone_firefox::Firefox;
use cicerone_driver::{Kind, LaunchError};

pub(crate) const KIND: Kind = Kind::Firefox;

pub(crate) fn launcher(options: LaunchOptions) -> Firefox {
    Firefox::new(find, options)
}

/// With all powers that have to be asked for before the browser starts.
pub(crate) fn with_all_powers() -> LaunchOptions {
    LaunchOptions { system_access: true, ..LaunchOptions::default() }
}

pub(crate) fn find() -> Result<PathBuf, LaunchError> {
    let usual = ["firefox-esr", "firefox"].map(|name| PathBuf::from("/usr/bin").join(name));
    usual
        .into_iter()
        .find(|path| path.exists())
        .ok_or(LaunchError::Missing { engine: "Firefox", looked: vec!["/usr/bin".into()] })
}
