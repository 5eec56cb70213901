//! `cicerone`: a browser-automation server for AI agents.
//!
//! [`config`] declares the options, [`serve`] wires the parts together. [`call`] makes one call from a shell, [`tools`]
//! and [`reference`] list the tools, [`doctor`] checks the environment, [`install`] installs a browser, [`extension`]
//! the extension for the person's Chrome, and [`demo`] runs a demonstration.

mod call;
mod completions;
mod config;
mod demo;
mod doctor;
mod extension;
mod install;
mod launchers;
mod logging;
mod memory;

mod print;
mod reference;
mod secrets;
mod serve;
mod serve_http;
mod stop;
mod tools;
mod workspace;

use std::process::ExitCode;

use config::{BadConfiguration, Cli, Command, Flags};
use print::print;

fn main() -> ExitCode {
    memory::return_freed();
    let cli = match Cli::read() {
        Ok(cli) => cli,
        // It knows best how to tell what is wrong with a flag.
        Err(BadConfiguration::Flags(error)) => error.exit(),
        Err(error) => return failed(&error),
    };
    match run(cli.command, &cli.options) {
        Ok(code) => code,
        Err(error) => failed(&*error),
    }
}

fn run(command: Option<Command>, options: &Flags) -> Result<ExitCode, Failure> {
    let done = |()| ExitCode::SUCCESS;
    match command {
        // The janitor must be there as soon as possible, and do nothing but wait.
        Some(Command::Janitor { profile }) => {
            cicerone_process::janitor(&profile);
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Install { engine }) => install::run(engine, options).map(done),
        Some(Command::Doctor { format }) => doctor::run(format, options),
        Some(Command::Tools { format }) => tools::run(format, options).map(done),
        Some(Command::Extension { command }) => extension::run(&command).map(done),
        Some(Command::Serve) => serve_http::run(options).map(done),
        Some(Command::Call(call)) => Ok(call::run(&call, options)),
        Some(Command::CallServer { socket }) => call::serve(&socket).map(done),
        Some(Command::Completions { shell }) => completions::run(shell).map(done),
        Some(Command::Complete { words }) => completions::complete(&words, options).map(done),
        Some(Command::Help { command }) => help(command.as_deref()).map(done),
        Some(Command::Reference) => reference::run().map(done),
        Some(Command::Demo) => demo::run(options).map(done),
        None => serve::stdio(options).map(done),
    }
}

/// Prints the short help, as `--help` does.
fn help(command: Option<&str>) -> Result<(), Failure> {
    let mut declared = Cli::declared();
    declared.build();
    let visible = declared.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<String> = visible.map(|command| command.get_name().to_owned()).collect();
    let text = match command {
        None => declared.render_help(),
        Some(name) => {
            match declared.find_subcommand_mut(name).filter(|_| names.iter().any(|known| known == name)) {
                Some(command) => command.render_help(),
                None => return Err(format!("unknown command `{name}`; known: {}", names.join(", ")).into()),
            }
        }
    };
    Ok(print(text.to_string())?)
}

fn failed(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("cicerone: {error}");
    ExitCode::FAILURE
}

/// What ends the program with a message.
type Failure = Box<dyn std::error::Error>;
