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
    if needs::has_cargo_deny() {
        steps
            .program("licences and sources", &mut cargo(&["deny", "check", "bans", "licenses", "sources"]))?;
        match needs::has_advisories() {
            true => steps.program("advisories", &mut cargo(&["deny", "check", "advisories"]))?,
            false => steps.leave_out("advisories", "their database cannot be fetched"),
        }
    } else {
        steps.leave_out("licences, sources and advisories", "cargo-deny is not installed");
    }
    steps.summarise();
    Ok(())
}
