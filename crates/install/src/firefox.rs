//! Firefox: names and usual paths of its releases. Builds are not downloaded: the package manager has one.

use crate::engine::{Facts, KnownPath};

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

const LINUX: &[KnownPath] = &[
    KnownPath::Root("usr/bin/firefox-esr"),
    KnownPath::Root("usr/bin/firefox"),
    KnownPath::Root("usr/lib/firefox-esr/firefox-esr"),
    KnownPath::Root("usr/lib/firefox/firefox"),
    KnownPath::Root("opt/firefox/firefox"),
    KnownPath::Root("snap/bin/firefox"),
];

const MACOS: &[KnownPath] = &[
    KnownPath::Root("Applications/Firefox.app/Contents/MacOS/firefox"),
    KnownPath::Root("Applications/Firefox ESR.app/Contents/MacOS/firefox"),
    KnownPath::Home("Applications/Firefox.app/Contents/MacOS/firefox"),
];

const WINDOWS: &[KnownPath] = &[
    KnownPath::Variable("ProgramFiles", "Mozilla Firefox/firefox.exe"),
    KnownPath::Variable("ProgramFiles", "Mozilla Firefox ESR/firefox.exe"),
    KnownPath::Variable("ProgramFiles(x86)", "Mozilla Firefox/firefox.exe"),
    KnownPath::Variable("LOCALAPPDATA", "Mozilla Firefox/firefox.exe"),
];
