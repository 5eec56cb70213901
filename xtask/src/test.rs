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
const CASES: [&str; 11] = [
    "bodies",
    "contexts",
    "cookies",
    "emulation",
    "interception",
    "media",
    "permissions",
    "pictures",
    "proxies",
    "throttling",
    "visits",
];

/// Those of Firefox alone.
const OF_FIREFOX: [&str; 2] = ["alone", "system"];

/// Suites, or single cases of them, that stand for all of them: some of every part, and no more than a few minutes of
/// them, since Firefox takes seconds to start.
const QUICK: [&str; 13] = [
    "smoke::",
    "forms::",
    "refs::",
    "tabs::",
    "connection::",
    "agent_act::",
    "contexts::a_context",
    "contexts::eight_contexts",
    "proxies::contexts_with_proxies",
    "proxies::hosts_on_the_bypass_list",
    "navigation::places_within_a_page",
    "navigation::redirects_error_pages",
    "profiles::a_profile_in_use",
];

/// `cargo xtask firefox`: the driver's cases and the suites on Firefox, which does what is expected of it: no less, and
/// no more.
pub(crate) fn firefox() -> Result<(), Failure> {
    let mut steps = Steps::default();
    let browser = steps.step("Firefox", || needs::browser(Engine::Firefox))?;
    let expected = Expectations::of("firefox")?.in_version(browser.major);
    let runs = &mut [driver_cases_on_firefox(), suites_on_firefox()];
    steps.step("the driver's cases and the suites on Firefox", || expected.compare(runs))?;
    steps.summarise();
    Ok(())
}

/// Some of it, for every change: all of the driver's cases, and the suites that are quick.
fn on_firefox(steps: &mut Steps) -> Result<(), Failure> {
    let browser = steps.step("Firefox", || needs::browser(Engine::Firefox))?;
    let expected = || Ok::<_, Failure>(Expectations::of("firefox")?.in_version(browser.major));
    let of_driver = expected()?.of_driver();
    steps.step("the driver's cases on Firefox", || of_driver.compare(&mut [driver_cases_on_firefox()]))?;
    let mut suites = suites_on_firefox();
    suites.args(QUICK);
    let of_suites = expected()?.only(&QUICK);
    steps.step("some suites on Firefox", || of_suites.compare(&mut [suites]))
}

fn driver_cases_on_firefox() -> std::process::Command {
    let mut driver = cargo(&["test", "--no-fail-fast", "--package", "cicerone-firefox"]);
    driver.args(CASES.iter().chain(&OF_FIREFOX).flat_map(|case| ["--test", case]));
    driver.args(["--", "--test-threads", "2"]);
    driver
}

fn suites_on_firefox() -> std::process::Command {
    let mut suites =
        cargo(&["test", "--package", "cicerone", "--test", "suites", "--", "--test-threads", "2"]);
    suites.env("SUITES_BROWSER", "firefox");
    suites
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
    steps.program("the agent's tests", npm(&["test", "--silent"]).env("CHROMIUM", browser.path))?;
    steps.program("unit tests and suites", &mut cargo(&["test", "--workspace"]))?;
    on_firefox(&mut steps)?;
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
