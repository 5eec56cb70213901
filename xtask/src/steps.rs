//! Steps: what a chore does, one after the other, each told with its time.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use crate::{Failure, root};

/// The steps that were taken so far.
#[derive(Default)]
pub(crate) struct Steps {
    taken: Vec<Step>,
}

enum Step {
    Done { name: &'static str, took: Duration },
    LeftOut { name: &'static str, why: &'static str },
}

impl Steps {
    /// Does a step.
    pub(crate) fn step<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        println!("── {name}");
        let began = Instant::now();
        let value = work().map_err(|error| format!("{name}: {error}"))?;
        let took = began.elapsed();
        println!("── {name}: ok, {:.1} s", took.as_secs_f64());
        self.taken.push(Step::Done { name, took });
        Ok(value)
    }

    /// Does a step that is one program.
    pub(crate) fn program(&mut self, name: &'static str, command: &mut Command) -> Result<(), Failure> {
        self.step(name, || run(command))
    }

    /// Leaves a step out, and says so.
    pub(crate) fn leave_out(&mut self, name: &'static str, why: &'static str) {
        println!("── {name}: left out, {why}");
        self.taken.push(Step::LeftOut { name, why });
    }

    /// What was done, in a table.
    pub(crate) fn summarise(&self) {
        println!("\nAll steps passed:");
        let mut all = Duration::ZERO;
        for step in &self.taken {
            match step {
                Step::Done { name, took } => {
                    println!("  {:>7.1} s  {name}", took.as_secs_f64());
                    all += *took;
                }
                Step::LeftOut { name, why } => println!("        -    {name}: left out, {why}"),
            }
        }
        println!("  {:>7.1} s  in all", all.as_secs_f64());
    }
}

/// Runs a program to its end; an error when it says that it failed.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let told = told(command);
    let status = command.status().map_err(|error| format!("{told} could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{told} failed ({status})").into()) }
}

/// Cargo, at the root of the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// The package manager of the agent, in its folder.
pub(crate) fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(arguments).current_dir(root().join("agent"));
    command
}

fn told(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
