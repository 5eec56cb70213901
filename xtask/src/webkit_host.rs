//! `cargo xtask webkit-host`: builds the program that shows WebKit's pages. It is a workspace of its own, since only it
//! needs the headers of GTK and WebKitGTK.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    Failure, needs, root,
    steps::{cargo, run},
};

const PROGRAM: &str = "cicerone-webkit";

/// Its source, below the root.
const MANIFEST: &str = "crates/webkit-host/Cargo.toml";

/// Builds the host and puts it beside the programs of both profiles, where they look for it.
pub(crate) fn build() -> Result<(), Failure> {
    needs::webkit()?;
    let target = target_directory()?;
    let own = target.join("webkit-host");
    let mut build = cargo(&["build", "--locked", "--manifest-path", MANIFEST]);
    run(build.arg("--target-dir").arg(&own))?;
    for profile in ["debug", "release"] {
        let directory = target.join(profile);
        fs::create_dir_all(&directory)?;
        replace(&own.join("debug").join(PROGRAM), &directory.join(PROGRAM))?;
    }
    println!("{}", target.join("debug").join(PROGRAM).display());
    Ok(())
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
