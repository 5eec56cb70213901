//! Tasks of this repository; `cargo xtask` lists them.
//!
//! A task is a list of *steps*: programs that run at the root of the repository, each reported with its time. The
//! *tidy* rules are tests of this crate, so that `cargo test` enforces them.

#![expect(clippy::print_stdout, reason = "a task reports to a terminal")]

mod bench;
mod clients;
mod docs;
mod engines;
mod expectations;
mod extension;
mod injected;
mod needs;
#[cfg(test)]
mod promises;
mod steps;
mod suites;
mod test;
#[cfg(test)]
mod tidy;
mod webkit_host;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use cicerone_install::Engine;

const USAGE: &str = "\
cargo xtask <task>

  test      install what the tests need, and run formatting, lints, the injected script's tests, unit tests and suites
  injected  build the injected script's bundle, injected/dist
  extension build the Chrome extension, extension/dist
  docs      write docs/tools, docs/configuration.md, docs/engines.md and the golden listings
  firefox   run the driver tests and all suites on Firefox; `test` runs some of them
  webkit    the same on WebKit
  engines   the same on every engine, and what runs where, side by side
  running   run the suites of the dialects browser and companion in browsers that run already; `test` runs some of them;
            `running extension`, `running endpoint` or `running endpoint-firefox` only in that way
  webkit-host
            build cicerone-webkit, which shows WebKit's pages, beside the programs of both profiles
  clients   run the public conformance suite, the SDKs and the Inspector against the server
  bench     measure the server next to a bare connection to the browser; `bench firefox` or `bench webkit` only on that one, `bench late` late effects, `bench http` many clients, `bench record` and `bench routes` those";

/// Ends a task with a message.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let task = std::env::args().nth(1).unwrap_or_default();
    let done = match task.as_str() {
        "test" => test::run(),
        "injected" => injected::build(),
        "extension" => extension::build(),
        "docs" => docs::write(),
        "firefox" => suites::on(Engine::Firefox),
        "webkit" => suites::on(Engine::WebKit),
        "engines" => suites::engines(),
        "running" => suites::running(std::env::args().nth(2).as_deref()),
        "webkit-host" => webkit_host::build_all(),
        "bench" => bench::run(),
        "clients" => clients::run_alone(),
        _ => {
            println!("{USAGE}");
            let asked = matches!(task.as_str(), "help" | "--help" | "-h");
            return if asked { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask {task}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The repository root, from cargo's environment at run time, not from the build.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = here.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    here.parent().map_or(here.clone(), Path::to_owned)
}
