//! `cargo xtask firefox`, `webkit`, `engines`, `running`: the driver tests and the suites on an engine, compared with
//! what is expected of it.

use std::process::Command;

use cicerone_install::Engine;

use crate::{
    Failure,
    expectations::{Expectations, Outcome},
    needs,
    steps::{Steps, cargo},
    webkit_host,
};

/// Test binaries of a driver: the cases of every driver, and its own.
fn driver_tests(engine: Engine) -> &'static [&'static str] {
    match engine {
        Engine::Firefox => &["cases", "exclusive_session", "system"],
        Engine::WebKit => &["cases", "faults"],
        Engine::Chromium => &["cases"],
    }
}

/// Representative suites or cases: some of every part, limited to a few minutes.
const QUICK: [&str; 24] = [
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
    "attacks::local_files::",
    "attacks::preferences::",
    "host_policy::no_request",
    "vision::screenshots_come",
    "agent_request::redirects_are_followed_or_shown",
    "agent_capture::filters_choose_by_url_type_and_method",
    "agent_route::the_examples_of_the_document_work",
    "agent_media::each_action_is_a_frame_that_shows_what_it_did",
    "agent_devices::a_resized_device_stays_one",
    "agent_emulate::without_a_network_nothing_comes",
    "agent_browser_data::bookmarks_are_added_found_and_deleted",
];

/// All driver tests and all suites on one engine.
pub(crate) fn on(engine: Engine) -> Result<(), Failure> {
    Steps::all(|steps| run_all(engine, steps).1)
}

/// All of them on every engine, and where they differ.
pub(crate) fn engines() -> Result<(), Failure> {
    Steps::all(|steps| {
        let mut outcomes = Vec::new();
        let mut failures = Vec::new();
        for engine in Engine::ALL {
            // One that cannot be run keeps nothing from the others.
            let (outcome, as_expected) = run_all(engine, steps);
            outcomes.push((engine, outcome));
            failures.extend(as_expected.err().map(|error| error.to_string()));
        }
        print!("{}", side_by_side(&outcomes));
        if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
    })
}

/// What is shown for an engine that could not be run.
const NOT_RUN: &str = "not run";

/// What each test did on each engine, where that is not the same everywhere.
fn side_by_side(outcomes: &[(Engine, Option<Outcome>)]) -> String {
    let mut page = String::new();
    let mut line = |name: &str, cells: Vec<String>| {
        page.push_str(name);
        for cell in cells {
            page.push_str(&format!("\t{cell}"));
        }
        page.push('\n');
    };
    line("", outcomes.iter().map(|(engine, _)| engine.to_string()).collect());
    let names: std::collections::BTreeSet<&String> =
        outcomes.iter().flat_map(|(_, outcome)| outcome).flat_map(Outcome::names).collect();
    let cells = |cell: &dyn Fn(&Outcome) -> String| -> Vec<String> {
        let cell = |outcome: &Option<Outcome>| outcome.as_ref().map_or_else(|| NOT_RUN.to_owned(), cell);
        outcomes.iter().map(|(_, outcome)| cell(outcome)).collect()
    };
    for name in names {
        let cells = cells(&|outcome| outcome.word(name).to_owned());
        let mut run = cells.iter().filter(|cell| *cell != NOT_RUN);
        let first = run.next();
        if run.any(|cell| Some(cell) != first) {
            line(name, cells);
        }
    }
    line("passed", cells(&|outcome| outcome.passed.len().to_string()));
    line("failed", cells(&|outcome| outcome.failed.len().to_string()));
    page
}

/// Runs everything on an engine; what came of it if it could be run, and whether that was expected.
fn run_all(engine: Engine, steps: &mut Steps) -> (Option<Outcome>, Result<(), Failure>) {
    let mut outcome = None;
    let mut compare = || {
        let browser = steps.step(engine.name(), || available(engine))?;
        let expected = Expectations::of(engine.name())?.in_version(browser.major);
        let name = format!("the driver's cases and the suites on {engine}");
        steps.step(&name, || {
            let of_all =
                Outcome::of(&mut [driver_cases(engine), suites(engine), widgets(engine)], &expected)?;
            expected.compare(outcome.insert(of_all))
        })
    };
    let as_expected = compare();
    (outcome, as_expected)
}

/// The part that runs for every change: all driver tests, and some suites.
pub(crate) fn quick(engine: Engine, steps: &mut Steps) -> Result<(), Failure> {
    let browser = steps.step(engine.name(), || available(engine))?;
    let expected = || Ok::<_, Failure>(Expectations::of(engine.name())?.in_version(browser.major));
    let of_driver = expected()?.of_driver();
    steps.step(&format!("the driver's cases on {engine}"), || {
        of_driver.compare(&Outcome::of(&mut [driver_cases(engine)], &of_driver)?)
    })?;
    let mut suites = suites(engine);
    suites.args(QUICK);
    let of_suites = expected()?.only(&QUICK);
    steps.step(&format!("some suites on {engine}"), || {
        of_suites.compare(&Outcome::of(&mut [suites], &of_suites)?)
    })
}

/// The suites of the dialects `browser` and `companion`.
const IN_RUNNING: [&str; 19] = [
    "changes::",
    "companion::",
    "contexts::",
    "effects::",
    "elements::",
    "faults::",
    "files::",
    "forms::",
    "hits::",
    "inspect::",
    "looking::",
    "names::",
    "navigation::",
    "news::",
    "pages::",
    "refs::",
    "smoke::",
    "storage_state::",
    "tabs::",
];

/// Those of them that run for every change.
const QUICK_IN_RUNNING: [&str; 3] = ["smoke::", "companion::", "tabs::"];

/// Suites whose names end like one of those.
const NOT_IN_RUNNING: [&str; 4] = ["agent_", "attacks::", "http_", "profiles::"];

/// A way to a browser that runs already.
struct Way {
    /// Its heading in `tests/expectations.toml`.
    heading: &'static str,
    /// What the tests call it.
    through: &'static str,
    engine: Engine,
    name: &'static str,
}

const WAYS: [Way; 3] = [
    Way {
        heading: "extension",
        through: "extension",
        engine: Engine::Chromium,
        name: "through the extension",
    },
    Way { heading: "endpoint", through: "endpoint", engine: Engine::Chromium, name: "in a running Chromium" },
    Way {
        heading: "endpoint-firefox",
        through: "endpoint",
        engine: Engine::Firefox,
        name: "in a running Firefox",
    },
];

/// All suites of the dialects `browser` and `companion` in a browser that runs already, reached in each way or in one.
pub(crate) fn running(heading: Option<&str>) -> Result<(), Failure> {
    let ways: Vec<_> = WAYS.iter().filter(|way| heading.is_none_or(|wanted| wanted == way.heading)).collect();
    if ways.is_empty() {
        return Err(format!("unknown way; known: {}", WAYS.map(|way| way.heading).join(", ")).into());
    }
    Steps::all(|steps| {
        let mut verdict = Ok(());
        for way in ways {
            let as_expected = in_running(way, &IN_RUNNING, steps);
            verdict = verdict.and(as_expected.map_err(|error| format!("{}: {error}", way.heading).into()));
        }
        verdict
    })
}

/// The part that runs for every change.
pub(crate) fn in_running_browsers(steps: &mut Steps) -> Result<(), Failure> {
    WAYS.iter().try_for_each(|way| in_running(way, &QUICK_IN_RUNNING, steps))
}

fn in_running(way: &Way, modules: &[&str], steps: &mut Steps) -> Result<(), Failure> {
    let mut expected = Expectations::of(way.heading)?.only(modules);
    if way.engine == Engine::Firefox {
        let browser = steps.step(way.engine.name(), || available(way.engine))?;
        let too = Expectations::of(way.engine.name())?.in_version(browser.major).only(modules);
        expected.gaps.extend(too.gaps);
    }
    let mut suites = suites(way.engine);
    suites.args(modules).env("SUITES_THROUGH", way.through);
    suites.args(NOT_IN_RUNNING.iter().flat_map(|other| ["--skip", other]));
    let name = format!("suites {}", way.name);
    steps.step(&name, || expected.compare(&Outcome::of(&mut [suites], &expected)?))
}

/// The engine's browser, installed or built if missing.
fn available(engine: Engine) -> Result<needs::TestBrowser, Failure> {
    if engine == Engine::WebKit {
        webkit_host::build(webkit_host::Profile::Debug)?;
    }
    needs::browser(engine)
}

/// Chosen from the workspace, as all tests are: one package alone takes other features of its dependencies, which
/// would all be built again.
fn driver_cases(engine: Engine) -> Command {
    let mut driver = cargo(&["test", "--no-fail-fast", "--workspace"]);
    for other in Engine::ALL.into_iter().filter(|other| *other != engine) {
        driver.arg(format!("--exclude=cicerone-{other}"));
    }
    driver.args(driver_tests(engine).iter().flat_map(|case| ["--test", case]));
    driver.args(["--", "--test-threads", "2"]);
    driver
}

fn suites(engine: Engine) -> Command {
    through_the_front_door(engine, "suites")
}

/// A test binary of its own, which skips itself where npm cannot install them.
fn widgets(engine: Engine) -> Command {
    through_the_front_door(engine, "widgets")
}

fn through_the_front_door(engine: Engine, binary: &str) -> Command {
    let mut suites = cargo(&["test", "--workspace", "--test", binary, "--", "--test-threads", "2"]);
    // Chromium is the default, which the tests expect without a name.
    if engine != Engine::Chromium {
        suites.env("SUITES_BROWSER", engine.name());
    }
    suites
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_only_tests_that_differ() {
        let outcome = |passed: &[&str], failed: &[&str]| Outcome {
            passed: passed.iter().map(|name| (*name).to_owned()).collect(),
            failed: failed.iter().map(|name| (*name).to_owned()).collect(),
        };
        let outcomes = [
            (Engine::Chromium, Some(outcome(&["a", "b"], &[]))),
            (Engine::Firefox, Some(outcome(&["a"], &["b"]))),
            (Engine::WebKit, None),
        ];
        let table = side_by_side(&outcomes);
        assert_eq!(
            table,
            "\tchromium\tfirefox\twebkit\nb\tpassed\tfailed\tnot run\npassed\t2\t1\tnot run\nfailed\t0\t1\tnot run\n"
        );
    }
}
