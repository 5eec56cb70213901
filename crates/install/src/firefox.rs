//! The facts of Firefox: the names and usual places of its releases. Builds of it are not downloaded: the package
//! manager has one.

use crate::engine::{Facts, Place};

pub(crate) static FACTS: Facts = Facts {
    names: &["firefox-esr", "firefox"],
    variable: None,
    places: if cfg!(windows) {
        WINDOWS
    } else if cfg!(target_os = "macos") {
        MACOS
    } else {
        LINUX
    },
    package: "firefox-esr",
    release: None,
};

const LINUX: &[Place] = &[
    Place::Root("usr/bin/firefox-esr"),
    Place::Root("usr/bin/firefox"),
    Place::Root("usr/lib/firefox-esr/firefox-esr"),
    Place::Root("usr/lib/firefox/firefox"),
    Place::Root("opt/firefox/firefox"),
    Place::Root("snap/bin/firefox"),
];

const MACOS: &[Place] = &[
    Place::Root("Applications/Firefox.app/Contents/MacOS/firefox"),
    Place::Root("Applications/Firefox ESR.app/Contents/MacOS/firefox"),
    Place::Home("Applications/Firefox.app/Contents/MacOS/firefox"),
];

const WINDOWS: &[Place] = &[
    Place::Variable("ProgramFiles", "Mozilla Firefox/firefox.exe"),
    Place::Variable("ProgramFiles", "Mozilla Firefox ESR/firefox.exe"),
    Place::Variable("ProgramFiles(x86)", "Mozilla Firefox/firefox.exe"),
    Place::Variable("LOCALAPPDATA", "Mozilla Firefox/firefox.exe"),
];
