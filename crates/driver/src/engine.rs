//! The browser engines.

use std::fmt;

/// A browser engine. Above the driver this is a name to pass on, never something to branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Engine {
    /// Chromium, Chrome, Chrome for Testing and Edge.
    #[default]
    Chromium,
    /// Firefox, ESR and regular releases.
    Firefox,
    /// WebKitGTK, run by `cicerone-webkit`.
    WebKit,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::WebKit];

    /// Its name in options, on the command line and in the cache.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Chromium => "chromium",
            Engine::Firefox => "firefox",
            Engine::WebKit => "webkit",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
