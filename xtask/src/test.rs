//! `cargo xtask test`: everything that must hold before a change is taken. Stops at the first step that fails.

use cicerone_install::Engine;

use crate::{
    Failure, agent,
    expectations::Expectations,
    needs,
    steps::{Steps, cargo, npm},
};

const LINTS: [&str; 6] = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];

/// The driver's cases that are written once for all drivers.
const CASES: [&str; 4] = ["contexts", "cookies", "proxies", "visits"];

/// `cargo xtask firefox`: only what runs on Firefox.
pub(crate) fn firefox() -> Result<(), Failure> {
    let mut steps = Steps::default();
    on_firefox(&mut steps)?;
    steps.summarise();
    Ok(())
}

/// All suites once more on Firefox, which does what is expected of it: no less, and no more.
fn on_firefox(steps: &mut Steps) -> Result<(), Failure> {
    steps.step("Firefox", || needs::browser(Engine::Firefox))?;
    let expected = Expectations::of("firefox")?;
    let mut driver = cargo(&["test", "--no-fail-fast", "--package", "cicerone-firefox"]);
    driver.args(CASES.iter().flat_map(|case| ["--test", case]));
    driver.args(["--", "--test-threads", "2"]);
    let mut suites =
        cargo(&["test", "--package", "cicerone", "--test", "suites", "--", "--test-threads", "2"]);
    suites.env("SUITES_BROWSER", "firefox");
    steps.step("the driver's cases and the suites on Firefox", || expected.compare(&mut [driver, suites]))
}

/// Runs all of it and tells the times.
pub(crate) fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    steps.program("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    let browser = steps.step("a browser", || needs::browser(Engine::Chromium))?;
    steps.step("node", needs::node)?;
    steps.program("lints", &mut cargo(&LINTS))?;
    steps.step("the agent's packages", agent::packages)?;
    steps.program("the agent's types", &mut npm(&["run", "--silent", "check"]))?;
    steps.step("the agent's bundle", agent::rebuilt_unchanged)?;
    steps.program("the agent's tests", npm(&["test", "--silent"]).env("CHROMIUM", browser))?;
    steps.program("unit tests and suites", &mut cargo(&["test", "--workspace"]))?;
    on_firefox(&mut steps)?;
    match needs::has_cargo_deny() {
        true => steps.program("licences and advisories", &mut cargo(&["deny", "check"]))?,
        false => steps.leave_out("licences and advisories", "cargo-deny is not installed"),
    }
    steps.summarise();
    Ok(())
}
