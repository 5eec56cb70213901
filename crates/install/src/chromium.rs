//! Chromium: names and usual paths of Chromium, Chrome and Edge, and the pinned Chrome for Testing [`RELEASE`].
//!
//! The publisher provides no checksums: these were computed independently by several parties. A version update needs
//! all four again.

use crate::engine::{Facts, KnownPath, Release};
use crate::platform::Platform;

/// The Chrome for Testing version that [`install`](crate::install()) downloads.
pub const VERSION: &str = "153.0.8010.52";

pub(crate) static FACTS: Facts = Facts {
    names: &[
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
        "microsoft-edge",
        "microsoft-edge-stable",
        "msedge",
    ],
    variable: Some("CHROME_PATH"),
    places: if cfg!(windows) {
        WINDOWS
    } else if cfg!(target_os = "macos") {
        MACOS
    } else {
        LINUX
    },
    package: "chromium",
    release: Some(&RELEASE),
};

/// The archive's SHA-256 in lower-case hexadecimal.
pub(crate) fn sha256(platform: Platform) -> &'static str {
    match platform {
        Platform::Linux64 => "e66f66d4802a46d4a022667e668aa950e277cadbfbed4b3777915b47413a0ef9",
        Platform::MacArm64 => "6f67faa4b34dd551b53abb6fee24edeae470ab695b0b100ddc4885ff0be6724a",
        Platform::MacX64 => "01130a136cb492ff32a7253b2b8db9577bd3f7543574e2d7ce1a83ed1cbed3fd",
        Platform::Win64 => "df4854428c509fcf2f790ac448bca3f994151bcff22008236fa7c4587294fbe1",
    }
}

static RELEASE: Release = Release {
    version: VERSION,
    archive: |platform| {
        let name = platform.name();
        format!("{VERSION}/{name}/chrome-{name}.zip")
    },
    sha256,
    executable: |platform| match platform {
        Platform::Linux64 => "chrome-linux64/chrome",
        Platform::MacArm64 => {
            "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
        }
        Platform::MacX64 => {
            "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
        }
        Platform::Win64 => "chrome-win64/chrome.exe",
    },
};

/// Includes what is usually on `PATH`: a server started by a desktop program may have a short `PATH`.
const LINUX: &[KnownPath] = &[
    KnownPath::Root("usr/bin/chromium"),
    KnownPath::Root("usr/bin/chromium-browser"),
    KnownPath::Root("snap/bin/chromium"),
    KnownPath::Root("usr/bin/google-chrome-stable"),
    KnownPath::Root("opt/google/chrome/chrome"),
    KnownPath::Root("usr/bin/microsoft-edge-stable"),
    KnownPath::Root("opt/microsoft/msedge/msedge"),
];

const MACOS: &[KnownPath] = &[
    KnownPath::Root("Applications/Chromium.app/Contents/MacOS/Chromium"),
    KnownPath::Root("Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    KnownPath::Root("Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
    KnownPath::Home("Applications/Chromium.app/Contents/MacOS/Chromium"),
    KnownPath::Home("Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    KnownPath::Home("Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
];

const WINDOWS: &[KnownPath] = &[
    KnownPath::Variable("LOCALAPPDATA", "Chromium/Application/chrome.exe"),
    KnownPath::Variable("ProgramFiles", "Chromium/Application/chrome.exe"),
    KnownPath::Variable("ProgramFiles", "Google/Chrome/Application/chrome.exe"),
    KnownPath::Variable("ProgramFiles(x86)", "Google/Chrome/Application/chrome.exe"),
    KnownPath::Variable("LOCALAPPDATA", "Google/Chrome/Application/chrome.exe"),
    KnownPath::Variable("ProgramFiles(x86)", "Microsoft/Edge/Application/msedge.exe"),
    KnownPath::Variable("ProgramFiles", "Microsoft/Edge/Application/msedge.exe"),
    KnownPath::Variable("LOCALAPPDATA", "Microsoft/Edge/Application/msedge.exe"),
];
