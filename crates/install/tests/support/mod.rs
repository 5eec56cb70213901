//! A [`World`] is the machine of one test: an empty root, home, `PATH` and cache in a temporary directory. A
//! [`TestMirror`] is a server on loopback with a small [`Build`].

#![allow(dead_code, reason = "each test binary uses its own part of this")]

pub(crate) mod build;
pub(crate) mod mirror;

use std::cell::RefCell;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cicerone_install::{
    Engine, Environment, InstallError, InstallOptions, Installed, Platform, Search, Step, install,
};
use tempfile::TempDir;

pub(crate) struct World {
    directory: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = World { directory: tempfile::tempdir().unwrap() };
        for name in ["root", "home", "bin"] {
            fs::create_dir(world.at(name)).unwrap();
        }
        world
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.at("cache")
    }

    /// Creates an executable script.
    pub(crate) fn script(&self, path: &str, body: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A search in this world only, with additional variables.
    pub(crate) fn search_with<const N: usize>(&self, variables: [(&str, PathBuf); N]) -> Search {
        let own = [("PATH", self.at("bin")), ("HOME", self.at("home")), ("CICERONE_CACHE_DIR", self.cache())];
        let mut search = Search::new(Environment::given(own.into_iter().chain(variables)));
        search.root = self.at("root");
        search.platform = Some(Platform::Linux64);
        // Where these tests are, a program of ours may have been built.
        search.beside = None;
        search
    }

    pub(crate) fn search(&self) -> Search {
        self.search_with([])
    }

    /// Options that download from this base and run no package manager.
    pub(crate) fn options(&self, base: &str) -> InstallOptions {
        let mut options = InstallOptions::new(self.search());
        options.download_base = Some(base.to_owned());
        options.timeout = Duration::from_secs(5);
        options.may_install_packages = false;
        options
    }

    /// Partial archives in the cache.
    pub(crate) fn parts(&self) -> Vec<PathBuf> {
        list(&self.cache().join("downloads"))
    }

    /// All builds in the cache, complete or not.
    pub(crate) fn builds(&self) -> Vec<PathBuf> {
        list(&self.cache()).into_iter().filter(|path| path.to_string_lossy().contains("/chromium-")).collect()
    }
}

fn list(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

/// Installs Chromium, ignoring progress.
pub(crate) fn run(options: &InstallOptions) -> Result<Installed, InstallError> {
    install(Engine::Chromium, options, &|_: Step<'_>| ControlFlow::Continue(()))
}

/// Installs Chromium, and records all warnings and package commands.
pub(crate) fn run_noting(options: &InstallOptions) -> (Result<Installed, InstallError>, Vec<String>) {
    let notes = RefCell::new(Vec::new());
    let outcome = install(Engine::Chromium, options, &|step: Step<'_>| {
        if matches!(step, Step::Warning(_) | Step::PackageManager { .. }) {
            let note = step.to_string();
            if notes.borrow().last() != Some(&note) {
                notes.borrow_mut().push(note);
            }
        }
        ControlFlow::Continue(())
    });
    (outcome, notes.into_inner())
}
