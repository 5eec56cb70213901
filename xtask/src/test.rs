//! `cargo xtask test`: everything that must hold before a change is taken. Stops at the first step that fails.

use crate::{
    Failure, agent, needs,
    steps::{Steps, cargo, npm},
};

const LINTS: [&str; 6] = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];

/// Runs all of it and tells the times.
pub(crate) fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    steps.program("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    let browser = steps.step("a browser", needs::chromium)?;
    steps.step("node", needs::node)?;
    steps.program("lints", &mut cargo(&LINTS))?;
    steps.step("the agent's packages", agent::packages)?;
    steps.program("the agent's types", &mut npm(&["run", "--silent", "check"]))?;
    steps.step("the agent's bundle", agent::rebuilt_unchanged)?;
    steps.program("the agent's tests", npm(&["test", "--silent"]).env("CHROMIUM", browser))?;
    steps.program("unit tests and suites", &mut cargo(&["test", "--workspace"]))?;
    match needs::has_cargo_deny() {
        true => steps.program("licences and advisories", &mut cargo(&["deny", "check"]))?,
        false => steps.leave_out("licences and advisories", "cargo-deny is not installed"),
    }
    steps.summarise();
    Ok(())
}
