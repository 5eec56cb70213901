//! The chores of this repository: `cargo xtask test`, `firefox`, `agent`, `docs`, `bench`.
//!
//! A chore is a list of *steps*: programs that are run at the root of the repository, each told with its time. The *tidy*
//! rules are tests of this crate, so that `cargo test` keeps them.

#![expect(clippy::print_stdout, reason = "a chore tells a person in a terminal what it does")]

mod agent;
mod bench;
mod docs;
mod engines;
mod expectations;
mod needs;
mod steps;
mod test;
#[cfg(test)]
mod tidy;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const USAGE: &str = "\
cargo xtask <chore>

  test    install what the tests need, and run all of them: formatting, lints, the agent's, unit tests, suites
  agent   build the in-page agent's bundle, agent/dist
  docs    write docs/tools, docs/configuration.md, docs/engines.md and the golden listings
  firefox run the driver's cases and all suites on Firefox; `test` runs some of them
  bench   measure the server beside a bare connection to the browser; `bench firefox` only on that one, `bench late` late effects";

/// What ends a chore with a message.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let chore = std::env::args().nth(1).unwrap_or_default();
    let done = match chore.as_str() {
        "test" => test::run(),
        "agent" => agent::build(),
        "docs" => docs::write(),
        "firefox" => test::firefox(),
        "bench" => bench::run(),
        _ => {
            println!("{USAGE}");
            let asked = matches!(chore.as_str(), "help" | "--help" | "-h");
            return if asked { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask {chore}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The repository: where cargo says that this crate is now, not where it was when it was built.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = here.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    here.parent().map_or(here.clone(), Path::to_owned)
}
