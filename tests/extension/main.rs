//! The person's own Chrome, through the extension: a real one, which the tests start as a person would, and look into through
//! its debugging port.

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

mod commands;
mod controls;
mod during_calls;
mod headed;
mod lasting;
mod own;
mod pages;
mod pairing;
mod serving;
mod sleeping;
mod using;
