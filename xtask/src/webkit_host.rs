//! `cargo xtask webkit-host`: builds the program that shows WebKit's pages. It is a workspace of its own, since only it
//! needs the headers of GTK and WebKitGTK.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Failure, needs, root,
    steps::{cargo, run},
};

const PROGRAM: &str = "cicerone-webkit";

/// Its source, below the root.
const MANIFEST: &str = "crates/webkit-host/Cargo.toml";

/// How it is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For the tests.
    Debug,
    /// For the benchmarks.
    Release,
}

/// Builds the host of both profiles.
pub(crate) fn build_all() -> Result<(), Failure> {
    build(Profile::Debug)?;
    build(Profile::Release)
}

/// Builds the host and puts it beside the programs of its profile, where they look for it.
pub(crate) fn build(profile: Profile) -> Result<(), Failure> {
    needs::webkit()?;
    let target = target_directory()?;
    let mut build = in_its_workspace(&["build"])?;
    let name = match profile {
        Profile::Debug => "debug",
        Profile::Release => {
            build.arg("--release");
            "release"
        }
    };
    run(&mut build)?;
    let directory = target.join(name);
    fs::create_dir_all(&directory)?;
    let program = directory.join(PROGRAM);
    replace(&own_target(&target).join(name).join(PROGRAM), &program)?;
    println!("{}", program.display());
    Ok(())
}

/// Formatting, lints and unit tests of the host.
pub(crate) fn check() -> Result<(), Failure> {
    run(&mut cargo(&["fmt", "--manifest-path", MANIFEST, "--check"]))?;
    run(in_its_workspace(&["clippy", "--all-targets"])?.args(["--", "-D", "warnings"]))?;
    run(&mut in_its_workspace(&["test"])?)
}

/// A task of cargo in the host's own workspace.
fn in_its_workspace(arguments: &[&str]) -> Result<Command, Failure> {
    let mut task = cargo(arguments);
    task.args(["--locked", "--manifest-path", MANIFEST]);
    task.arg("--target-dir").arg(own_target(&target_directory()?));
    Ok(task)
}

/// Where it is built.
fn own_target(target: &Path) -> PathBuf {
    target.join("webkit-host")
}

/// Copies a program over one that may be running.
fn replace(from: &Path, to: &Path) -> Result<(), Failure> {
    let fresh = to.with_extension("new");
    fs::copy(from, &fresh)?;
    fs::rename(&fresh, to)?;
    Ok(())
}

/// Where cargo builds: this program is in `debug` there.
fn target_directory() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?;
    match program.parent().and_then(Path::parent) {
        Some(target) => Ok(target.to_owned()),
        None => Ok(root().join("target")),
    }
}
