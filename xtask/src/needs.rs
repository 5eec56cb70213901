//! What the tests need besides Rust: a browser, and Node for the injected script's tests. Each is found, or installed
//! if allowed.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cicerone_install::{Bar, Engine, InstallOptions, Search, install};

use crate::{
    Failure,
    steps::{npm, run},
};

/// The oldest Node that runs the injected script's tests.
const NODE: u32 = 18;

/// A browser for the tests.
pub(crate) struct TestBrowser {
    pub(crate) path: PathBuf,
    /// Its major version.
    pub(crate) major: u32,
}

/// A browser, installed if missing.
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

/// Node and npm, installed if missing and the system's package manager may be used.
pub(crate) fn node() -> Result<(), Failure> {
    if node_version().is_none() && may_use_apt() {
        install_packages(&["nodejs", "npm"])?;
    }
    match node_version() {
        Some(version) if version >= NODE => Ok(()),
        Some(version) => {
            Err(format!("Node {version} is too old: the injected script's tests need Node {NODE} or newer")
                .into())
        }
        None => Err(format!("node and npm are not on PATH: install Node {NODE} or newer").into()),
    }
}

/// A display server, for browsers with windows.
pub(crate) fn display() -> Result<(), Failure> {
    if !has_xvfb() && may_use_apt() {
        install_packages(&["xvfb"])?;
    }
    if has_xvfb() { Ok(()) } else { Err("Xvfb is not on PATH: install xvfb".into()) }
}

fn has_xvfb() -> bool {
    answers(Command::new("sh").args(["-c", "command -v Xvfb"])).is_some()
}

/// What the WebKit host is built with and runs on: the headers of WebKitGTK, and a display server.
pub(crate) fn webkit() -> Result<(), Failure> {
    let has_headers =
        || answers(Command::new("pkg-config").args(["--atleast-version=2.40", "webkit2gtk-4.1"])).is_some();
    let has_display = has_xvfb;
    if !(has_headers() && has_display()) && may_use_apt() {
        install_packages(&["libwebkit2gtk-4.1-dev", "pkg-config", "xvfb"])?;
    }
    match (has_headers(), has_display()) {
        (true, true) => Ok(()),
        (false, _) => {
            Err("the headers of WebKitGTK 2.40 or newer are not installed: libwebkit2gtk-4.1-dev on Debian"
                .into())
        }
        (true, false) => Err("Xvfb is not on PATH: install xvfb".into()),
    }
}

fn install_packages(packages: &[&str]) -> Result<(), Failure> {
    run(Command::new("apt-get").args(["update", "--quiet"]))?;
    run(Command::new("apt-get").args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// Whether `cargo deny` is installed. Building it takes minutes, so it is not installed here.
pub(crate) fn has_cargo_deny() -> bool {
    answers(Command::new("cargo-deny").arg("--version")).is_some()
}

/// Whether npm can install packages: it answers for one that every registry has.
pub(crate) fn has_npm_registry() -> bool {
    answers(&mut npm(&["view", "--fetch-retries=1", "--fetch-timeout=20000", "typescript", "version"]))
        .is_some()
}

/// Whether this Python's pip can install packages: it lists the versions of one that every registry has.
pub(crate) fn has_pip_registry(python: &Path) -> bool {
    let list = ["-m", "pip", "index", "versions", "--retries=1", "--timeout=20", "pip"];
    answers(Command::new(python).args(list)).is_some()
}

/// Whether the advisory database can be fetched.
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

/// The output of a program, if it exists and succeeds.
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
