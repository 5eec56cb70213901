//! What starts the browsers of all kinds.

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use cicerone_chromium::Chromium;
use cicerone_driver::{Browser, Kind, Launch, LaunchError, Launcher, Sink};
use cicerone_firefox::Firefox;
use cicerone_install::{Engine, Missing, Search, find};
use cicerone_process::ProfileLock;

use crate::{config::Flags, serve::search};

/// One launcher for each kind.
pub(crate) struct Launchers {
    all: Vec<Box<dyn Launcher>>,
}

impl Launchers {
    pub(crate) fn new(flags: &Flags, keeper: Option<Vec<PathBuf>>) -> Self {
        let (user_data_dir, profile_lock) = (None, ProfileLock::Copy);
        let chromium = Chromium::new(
            finding(Engine::Chromium, "Chromium", Kind::Chromium, flags),
            cicerone_chromium::LaunchOptions {
                user_data_dir: user_data_dir.clone(),
                profile_lock,
                keeper: keeper.clone(),
            },
        );
        let firefox = Firefox::new(
            finding(Engine::Firefox, "Firefox", Kind::Firefox, flags),
            cicerone_firefox::LaunchOptions { user_data_dir, profile_lock, keeper },
        );
        Self { all: vec![Box::new(chromium), Box::new(firefox)] }
    }
}

#[async_trait]
impl Launcher for Launchers {
    fn can(&self, kind: Kind) -> bool {
        self.all.iter().any(|launcher| launcher.can(kind))
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        match self.all.iter().find(|launcher| launcher.can(wanted.kind)) {
            Some(launcher) => launcher.launch(wanted, sink).await,
            None => Err(LaunchError::NoSuchKind(wanted.kind)),
        }
    }
}

/// How the program of an engine is found. A program that was named is of the engine that was named with it.
fn finding(
    engine: Engine,
    name: &'static str,
    kind: Kind,
    flags: &Flags,
) -> impl Fn() -> Result<PathBuf, LaunchError> + Send + Sync + 'static {
    let mut search: Search = search(flags);
    if flags.kind() != kind {
        search.named = None;
    }
    move || find(engine, &search).map(|found| found.path).map_err(|missing| not_found(name, missing))
}

fn not_found(engine: &'static str, missing: Missing) -> LaunchError {
    match missing {
        Missing::Unusable { path, problem, .. } => {
            LaunchError::BadExecutable { path, reason: problem.to_string() }
        }
        other => LaunchError::Missing { engine, looked: vec![other.to_string()] },
    }
}
