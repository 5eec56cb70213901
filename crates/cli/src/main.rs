//! `cicerone`: a browser-automation server for AI agents.
//!
//! [`config`] says what can be told to it, [`serve`] wires the parts together, [`install`] makes a browser
//! available, [`demo`] shows all of it at work.

mod config;
mod demo;
mod install;
mod launchers;
mod serve;
mod stop;

use std::process::ExitCode;

use clap::Parser;
use config::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        // Before anything else is set up: the keeper must be there as soon as possible, and do nothing but wait.
        Some(Command::Keep { profile }) => {
            cicerone_process::keep(&profile);
            return ExitCode::SUCCESS;
        }
        Some(Command::Install { engine }) => install::run(engine, &cli.options),
        Some(Command::Demo) => demo::run(&cli.options),
        None => serve::stdio(&cli.options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cicerone: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What ends the program with a message.
type Failure = Box<dyn std::error::Error>;
