//! `cargo xtask bench`: both sides are built for release, then measured in one run.

use crate::{
    Failure,
    steps::{self, cargo},
    webkit_host,
};

pub(crate) fn run() -> Result<(), Failure> {
    steps::run(&mut cargo(&[
        "build",
        "--release",
        "--quiet",
        "--package",
        "cicerone",
        "--package",
        "cicerone-benches",
    ]))?;
    let mut measure = cargo(&["run", "--release", "--quiet", "--package", "cicerone-benches", "--"]);
    let only: Vec<_> = std::env::args().skip(2).collect();
    if only.first().is_some_and(|part| part == "webkit") {
        webkit_host::build(webkit_host::Profile::Release)?;
    }
    steps::run(measure.args(&only))?;
    if !only.is_empty() {
        return Ok(());
    }
    // The relay is measured without a browser, which would hide what it costs.
    let relay = ["run", "--release", "--quiet", "--package", "cicerone-relay", "--example", "measure"];
    steps::run(&mut cargo(&relay))
}
