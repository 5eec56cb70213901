//! What starts the browsers of all engines.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use cicerone_bridge::ExtensionLauncher;
use cicerone_chromium::Chromium;
use cicerone_driver::{Browser, Engine, Launch, LaunchError, Launcher, Sink};
use cicerone_firefox::Firefox;
use cicerone_install::{Missing, Search, find};
use cicerone_webkit::WebKit;

use crate::{
    config::{Flags, installation},
    serve::search,
};

/// What starts the browser that the options ask for, or attaches to it.
pub(crate) fn launcher(flags: &Flags) -> Arc<dyn Launcher> {
    let own = installation().filter(|_| flags.uses_extension());
    match (own, flags.attacher()) {
        (Some(own), _) => Arc::new(ExtensionLauncher::new(own)),
        (None, Some(attacher)) => Arc::new(attacher),
        (None, None) => Arc::new(Launchers::new(flags, flags.user_data_dir.clone())),
    }
}

/// One launcher for each engine.
pub(crate) struct Launchers {
    chromium: Chromium,
    firefox: Firefox,
    webkit: WebKit,
}

impl Launchers {
    pub(crate) fn new(flags: &Flags, user_data_dir: Option<PathBuf>) -> Self {
        let janitor = std::env::current_exe().ok().map(|program| vec![program, PathBuf::from("janitor")]);
        let profile_lock = flags.profile_lock();
        // A profile is of the engine that was named with it.
        let of = |engine| user_data_dir.clone().filter(|_| flags.browser == engine);
        let chromium = Chromium::new(
            finding(Engine::Chromium, "Chromium", flags),
            cicerone_chromium::LaunchOptions {
                user_data_dir: of(Engine::Chromium),
                profile_lock,
                janitor: janitor.clone(),
                max_download: Some(flags.engine_options().max_download),
            },
        );
        let firefox = Firefox::new(
            finding(Engine::Firefox, "Firefox", flags),
            cicerone_firefox::LaunchOptions {
                user_data_dir: of(Engine::Firefox),
                profile_lock,
                janitor: janitor.clone(),
                system_access: flags.system_access,
            },
        );
        let webkit = WebKit::new(
            finding(Engine::WebKit, "WebKit host", flags),
            cicerone_webkit::LaunchOptions { user_data_dir: of(Engine::WebKit), profile_lock, janitor },
        );
        Self { chromium, firefox, webkit }
    }

    fn of(&self, engine: Engine) -> &dyn Launcher {
        match engine {
            Engine::Chromium => &self.chromium,
            Engine::Firefox => &self.firefox,
            Engine::WebKit => &self.webkit,
        }
    }
}

#[async_trait]
impl Launcher for Launchers {
    fn check(&self, wanted: &Launch) -> Result<(), LaunchError> {
        self.of(wanted.engine).check(wanted)
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        self.of(wanted.engine).launch(wanted, sink).await
    }
}

/// Checks a version that a program reports against the oldest one that its driver supports.
pub(crate) fn check_version(engine: Engine, program: &Path, reported: &str) -> Result<(), LaunchError> {
    match engine {
        Engine::Chromium => cicerone_chromium::OLDEST.check(program, reported),
        Engine::Firefox => cicerone_firefox::OLDEST.check(program, reported),
        Engine::WebKit => cicerone_webkit::OLDEST.check(program, reported),
    }
}

/// How the program of an engine is found. A program that was named is of the engine that was named with it.
fn finding(
    engine: Engine,
    program: &'static str,
    flags: &Flags,
) -> impl Fn() -> Result<PathBuf, LaunchError> + Send + Sync + 'static {
    let mut search: Search = search(flags);
    if flags.browser != engine {
        search.named = None;
    }
    move || {
        find(engine, &search).map(|found| found.path).map_err(|missing| not_found(engine, program, missing))
    }
}

fn not_found(engine: Engine, program: &'static str, missing: Missing) -> LaunchError {
    match missing {
        Missing::Unusable { path, problem, .. } => {
            LaunchError::BadExecutable { path, reason: problem.to_string() }
        }
        other => LaunchError::Missing { engine, program, looked: vec![other.to_string()] },
    }
}
