//! `cargo xtask test`: everything that must pass before a merge. Stops at the first failing step.

use cicerone_install::Engine;

use crate::{
    Failure, clients, extension, injected, needs,
    steps::{Steps, cargo, npm},
    suites, webkit_host,
};

const LINTS: [&str; 6] = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];

/// Runs all steps and prints their times.
pub(crate) fn run() -> Result<(), Failure> {
    Steps::all(all)
}

fn all(steps: &mut Steps) -> Result<(), Failure> {
    steps.program("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    let browser = steps.step("Chromium", || needs::browser(Engine::Chromium))?;
    steps.step("Firefox", || needs::browser(Engine::Firefox))?;
    steps.step("node", needs::node)?;
    steps.step("a display", needs::display)?;
    steps.program("lints", &mut cargo(&LINTS))?;
    steps.step("injected: packages", injected::packages)?;
    steps.program("injected: types", &mut npm(&["run", "--silent", "check"]))?;
    steps.step("injected: bundle", injected::rebuilt_unchanged)?;
    steps.step("extension: types", extension::check)?;
    steps.step("extension: files", extension::rebuilt_unchanged)?;
    steps.program("injected: tests", npm(&["test", "--silent"]).env("CHROMIUM", browser.path))?;
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    // The suite of the widgets skips itself where npm cannot install them; where it can, that would be a failure unseen.
    if needs::has_npm_registry() {
        tests.env("WIDGETS_REQUIRED", "1");
    } else {
        steps.leave_out("widgets", "npm reaches no registry, unless they are installed already");
    }
    steps.program("unit tests and suites", &mut tests)?;
    suites::in_running_browsers(steps)?;
    clients::add_to(steps)?;
    suites::quick(Engine::Firefox, steps)?;
    match needs::webkit() {
        Ok(()) => steps.step("WebKit's host: formatting, lints and unit tests", webkit_host::check)?,
        Err(_) => steps
            .leave_out("WebKit's host", "the headers of WebKitGTK 2.40 or newer, or Xvfb, are not installed"),
    }
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
    Ok(())
}
