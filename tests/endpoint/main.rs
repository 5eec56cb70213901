//! A browser that runs already, at `--endpoint`: started here as somebody else would start it, and looked into beside the server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "tests, with a support module that has more than any one of them needs"
)]
#![cfg(target_os = "linux")]

#[path = "../support/mod.rs"]
mod support;

mod chromium;
mod firefox;
mod gate;
mod unreachable;

use std::process::{Command, Stdio};

/// What `cicerone doctor` says of an endpoint, and whether that is fine.
fn doctor(flags: &[&str]) -> (bool, String) {
    doctor_with(flags, &[])
}

/// The same with variables.
fn doctor_with(flags: &[&str], variables: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    let command = command.arg("doctor").args(flags).envs(variables.iter().copied());
    let done = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let line = text.lines().skip_while(|line| !line.contains("endpoint")).take(1).collect::<String>();
    (line.contains('✓'), line)
}
