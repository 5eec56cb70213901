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
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .flat_map(|directory| ["firefox-esr", "firefox"].map(|name| directory.join(name)))
        .find(|program| program.exists())
        .ok_or(LaunchError::Missing { engine: "Firefox", looked: vec!["PATH".into()] })
}
