//! The steps of a task, each reported with its time.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use crate::{Failure, root};

/// The steps so far.
#[derive(Default)]
pub(crate) struct Steps {
    taken: Vec<Step>,
}

enum Step {
    Done { name: String, took: Duration },
    Failed { name: String },
    LeftOut { name: String, why: &'static str },
}

impl Steps {
    /// Runs the steps of a task, and prints a summary table, whether they pass or not.
    pub(crate) fn all(work: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut steps = Self::default();
        let done = work(&mut steps);
        steps.summarise(done.is_ok());
        done
    }

    /// Runs a step.
    pub(crate) fn step<T>(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        println!("── {name}");
        let began = Instant::now();
        let value = work().map_err(|error| {
            self.taken.push(Step::Failed { name: name.to_owned() });
            format!("{name}: {error}")
        })?;
        let took = began.elapsed();
        println!("── {name}: ok, {:.1} s", took.as_secs_f64());
        self.taken.push(Step::Done { name: name.to_owned(), took });
        Ok(value)
    }

    /// Runs a step that is one program.
    pub(crate) fn program(&mut self, name: &str, command: &mut Command) -> Result<(), Failure> {
        self.step(name, || run(command))
    }

    /// Skips a step, and says so.
    pub(crate) fn leave_out(&mut self, name: &str, why: &'static str) {
        println!("── {name}: left out, {why}");
        self.taken.push(Step::LeftOut { name: name.to_owned(), why });
    }

    fn summarise(&self, passed: bool) {
        println!("\n{}:", if passed { "All steps passed" } else { "Not all steps passed" });
        let mut all = Duration::ZERO;
        for step in &self.taken {
            match step {
                Step::Done { name, took } => {
                    println!("  {:>7.1} s  {name}", took.as_secs_f64());
                    all += *took;
                }
                Step::Failed { name } => println!("        -    {name}: failed"),
                Step::LeftOut { name, why } => println!("        -    {name}: left out, {why}"),
            }
        }
        println!("  {:>7.1} s  in all", all.as_secs_f64());
    }
}

/// Runs a program; an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let told = command_line(command);
    let status = command.status().map_err(|error| format!("{told} could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{told} failed ({status})").into()) }
}

/// Cargo, at the root of the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// npm, in the folder of the injected script.
pub(crate) fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(arguments).current_dir(root().join("injected"));
    command
}

fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
