//! `cargo xtask bench`: both sides are built for release, then measured in one run.

use crate::{
    Failure,
    steps::{self, cargo},
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
    steps::run(&mut cargo(&["run", "--release", "--quiet", "--package", "cicerone-benches"]))?;
    // The relay is measured without a browser, which would hide what it costs.
    let relay = ["run", "--release", "--quiet", "--package", "cicerone-relay", "--example", "measure"];
    steps::run(&mut cargo(&relay))
}
