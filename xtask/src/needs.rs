//! What the tests need beside Rust: a browser, and Node for the agent's own tests. Each is found, or installed where
//! that may be done.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

use cicerone_install::{Bar, Engine, InstallOptions, Search, install};

use crate::{
    Failure,
    steps::{npm, run},
};

/// The oldest Node that runs the agent's tests.
const NODE: u32 = 20;

/// A browser for the tests.
pub(crate) struct TestBrowser {
    pub(crate) path: PathBuf,
    /// Its major version.
    pub(crate) major: u32,
}

/// A browser, installed if it is missing.
pub(crate) fn browser(engine: Engine) -> Result<TestBrowser, Failure> {
    let installed = install(engine, &InstallOptions::new(Search::of_process()), &Bar::on_stderr())
        .map_err(|error| format!("{error}\nHint: {}", error.hint()))?;
    let version = installed.reported_version().unwrap_or_default();
    println!("{installed}, {version}");
    let major = major(&version).ok_or_else(|| format!("{version:?} has no version number"))?;
    Ok(TestBrowser { path: installed.found().path.clone(), major })
}

/// The major version in the output of `--version`.
fn major(reported: &str) -> Option<u32> {
    reported.split_whitespace().find_map(|word| word.split_once('.')?.0.parse().ok())
}

/// Node and npm, installed if they are missing and the system's package manager may be used.
pub(crate) fn node() -> Result<(), Failure> {
    if node_version().is_none() && may_use_apt() {
        run(Command::new("apt-get").args(["update", "--quiet"]))?;
        run(Command::new("apt-get").args(["install", "--yes", "--no-install-recommends", "nodejs", "npm"]))?;
    }
    match node_version() {
        Some(version) if version >= NODE => Ok(()),
        Some(version) => {
            Err(format!("Node {version} is too old: the agent's tests need Node {NODE} or newer").into())
        }
        None => Err(format!("node and npm are not on PATH: install Node {NODE} or newer").into()),
    }
}

/// Whether `cargo deny` is there. Building it takes minutes, so it is not installed on the way.
pub(crate) fn has_cargo_deny() -> bool {
    answers(Command::new("cargo-deny").arg("--version")).is_some()
}

/// Whether the database of advisories can be had.
pub(crate) fn has_advisories() -> bool {
    answers(Command::new("cargo").args(["deny", "fetch", "db"])).is_some()
}

fn node_version() -> Option<u32> {
    answers(&mut npm(&["--version"]))?;
    let version = answers(Command::new("node").arg("--version"))?;
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn may_use_apt() -> bool {
    let root = answers(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    root && answers(Command::new("apt-get").arg("--version")).is_some()
}

/// What a program writes, if it is there and succeeds.
fn answers(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn versions_are_read_from_what_browsers_print() {
        assert_eq!(major("Mozilla Firefox 140.12.0esr"), Some(140));
        assert_eq!(major("Chromium 156.0.8123.4 built on Debian GNU/Linux 13"), Some(156));
        assert_eq!(major(""), None);
    }
}
