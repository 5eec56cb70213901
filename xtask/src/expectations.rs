//! Known gaps of a browser: `tests/expectations.toml`, a table per browser with the test's name, the reason, the affected
//! tools, and other tests that fail for that reason. A run passes if exactly these tests fail.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use crate::{Failure, root};

/// The gaps of one browser, by test.
pub(crate) struct Expectations {
    pub(crate) gaps: BTreeMap<String, Gap>,
}

/// A missing feature of a browser.
#[derive(Clone, serde::Deserialize)]
pub(crate) struct Gap {
    pub(crate) reason: String,
    /// The affected tools.
    pub(crate) tools: Vec<String>,
    /// Other tests that fail for it.
    #[serde(default)]
    also: Vec<String>,
    /// The first major version without this gap.
    #[serde(default)]
    pub(crate) before: Option<u32>,
}

/// The results of a run.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) passed: BTreeSet<String>,
    pub(crate) failed: BTreeSet<String>,
}

impl Expectations {
    /// The gaps of a browser.
    pub(crate) fn of(browser: &str) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(root().join("tests/expectations.toml"))?;
        let mut all: BTreeMap<String, BTreeMap<String, Gap>> = toml::from_str(&text)?;
        let mut gaps = all.remove(browser).unwrap_or_default();
        for gap in gaps.clone().into_values() {
            for test in &gap.also {
                if gaps.insert(test.clone(), gap.clone()).is_some() {
                    return Err(format!("tests/expectations.toml names {test} twice").into());
                }
            }
        }
        Ok(Self { gaps })
    }

    /// The gaps of one version.
    pub(crate) fn in_version(mut self, major: u32) -> Self {
        self.gaps.retain(|_, gap| gap.before.is_none_or(|before| major < before));
        self
    }

    /// The gaps in some modules.
    pub(crate) fn only(mut self, modules: &[&str]) -> Self {
        self.gaps.retain(|name, _| modules.iter().any(|module| name.starts_with(module)));
        self
    }

    /// The gaps in the driver tests: suites have a module prefix.
    pub(crate) fn of_driver(mut self) -> Self {
        self.gaps.retain(|name, _| !name.contains("::"));
        self
    }

    /// An error if an unexpected test failed or an expected one passed.
    pub(crate) fn compare(&self, outcome: &Outcome) -> Result<(), Failure> {
        let expected = |name: &&String| self.gaps.contains_key(*name);
        let broken: Vec<_> = outcome.failed.iter().filter(|name| !expected(name)).collect();
        // Between the versions that were tried, nobody knows when a gap was closed.
        let (old, closed): (Vec<_>, Vec<_>) =
            outcome.passed.iter().filter(expected).partition(|name| self.gaps[*name].before.is_some());
        if !old.is_empty() {
            println!("pass already in this version: {old:#?}");
        }
        let all: BTreeSet<_> = outcome.passed.union(&outcome.failed).collect();
        let unknown: Vec<_> = self.gaps.keys().filter(|name| !all.contains(name)).collect();
        println!(
            "{} passed, {} failed as expected",
            outcome.passed.len(),
            outcome.failed.len() - broken.len()
        );
        match (broken.is_empty(), closed.is_empty(), unknown.is_empty()) {
            (true, true, true) => Ok(()),
            (false, ..) => Err(format!("these failed: {broken:#?}").into()),
            (true, false, _) => {
                Err(format!("these pass now, and go from tests/expectations.toml: {closed:#?}").into())
            }
            (true, true, false) => Err(format!("tests/expectations.toml names no test: {unknown:#?}").into()),
        }
    }
}

impl Outcome {
    /// Runs tests. Their output is shown, but for the details of those that fail as expected.
    pub(crate) fn of(runs: &mut [Command], expected: &Expectations) -> Result<Self, Failure> {
        let mut outcome = Self::default();
        for run in runs {
            outcome.add(run, expected)?;
        }
        Ok(outcome)
    }

    /// All tests that ran.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.passed.union(&self.failed)
    }

    /// What a test did.
    pub(crate) fn word(&self, name: &str) -> &'static str {
        match (self.passed.contains(name), self.failed.contains(name)) {
            (_, true) => "failed",
            (true, false) => "passed",
            (false, false) => "-",
        }
    }

    /// Runs one command and collects its test results.
    fn add(&mut self, command: &mut Command, expected: &Expectations) -> Result<(), Failure> {
        let mut run = command.stdout(Stdio::piped()).spawn()?;
        let before = self.passed.len() + self.failed.len();
        let mut output = Output { expected, hidden: false };
        if let Some(stdout) = run.stdout.take() {
            for line in BufReader::new(stdout).lines() {
                let line = line?;
                if let Some(shown) = output.shown(&line) {
                    println!("{shown}");
                }
                self.read(&line);
            }
        }
        let status = run.wait()?;
        if before == self.passed.len() + self.failed.len() {
            return Err(format!("no test was run ({status})").into());
        }
        Ok(())
    }

    fn read(&mut self, line: &str) {
        let Some((name, end)) = line.strip_prefix("test ").and_then(|told| told.split_once(" ... ")) else {
            return;
        };
        match end {
            "ok" => self.passed.insert(name.to_owned()),
            "FAILED" => self.failed.insert(name.to_owned()),
            _ => false,
        };
    }
}

/// What of the output of a test binary is shown: a failure that nobody expects must not drown among the others.
struct Output<'a> {
    expected: &'a Expectations,
    /// Whether the lines belong to a test that failed as expected.
    hidden: bool,
}

impl Output<'_> {
    fn shown(&mut self, line: &str) -> Option<String> {
        let expected = |name: &str| self.expected.gaps.contains_key(name);
        if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
            return Some(if expected(name) {
                format!("test {name} ... fails as expected")
            } else {
                line.to_owned()
            });
        }
        if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            self.hidden = expected(name);
        } else if line == "failures:" {
            self.hidden = false;
        }
        let in_list = line.strip_prefix("    ").is_some_and(expected);
        (!self.hidden && !in_list).then(|| line.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All tables of the file.
    const HEADINGS: [&str; 5] = ["firefox", "webkit", "extension", "endpoint", "endpoint-firefox"];

    #[test]
    fn details_are_shown_of_what_nobody_expects() {
        let gap = Gap { reason: String::new(), tools: Vec::new(), also: Vec::new(), before: None };
        let expected = Expectations { gaps: BTreeMap::from([("a::old".to_owned(), gap)]) };
        let mut output = Output { expected: &expected, hidden: false };
        let lines = [
            "test a::old ... FAILED",
            "test b ... FAILED",
            "failures:",
            "---- a::old stdout ----",
            "panicked",
            "---- b stdout ----",
            "broken",
            "failures:",
            "    a::old",
            "    b",
        ];
        let shown: Vec<_> = lines.iter().filter_map(|line| output.shown(line)).collect();
        let all = [
            "test a::old ... fails as expected",
            "test b ... FAILED",
            "failures:",
            "---- b stdout ----",
            "broken",
            "failures:",
            "    b",
        ];
        assert_eq!(shown, all);
    }

    #[test]
    fn a_run_is_read_line_by_line() {
        let mut outcome = Outcome::default();
        for line in
            ["running 2 tests", "test a::b ... ok", "test c ... FAILED", "test result: FAILED. 1 passed"]
        {
            outcome.read(line);
        }
        assert!(outcome.passed.contains("a::b") && outcome.failed.contains("c"));
        assert_eq!((outcome.passed.len(), outcome.failed.len()), (1, 1));
    }

    #[test]
    fn every_gap_has_a_reason() {
        for browser in HEADINGS {
            for (test, Gap { reason, .. }) in Expectations::of(browser).unwrap().gaps {
                assert!(reason.len() > 20, "{test}: {reason}");
            }
        }
    }

    /// Where the source of a test is: the end of its file's name.
    fn source_of(name: &str) -> (String, &str) {
        match name.rsplit_once("::") {
            Some((module, test)) => (format!("/{}.rs", module.replace("::", "/")), test),
            // A driver's test, which may be in any file.
            None => (".rs".to_owned(), name),
        }
    }

    #[test]
    fn every_gap_is_of_a_test_that_exists() {
        let folders = ["tests", "crates"].map(|folder| crate::tidy::files(&root().join(folder)));
        let rust =
            folders.into_iter().flatten().filter(|path| path.extension().is_some_and(|kind| kind == "rs"));
        let sources: Vec<_> = rust
            .map(|path| {
                let text = std::fs::read_to_string(&path).unwrap();
                (path.to_string_lossy().replace('\\', "/"), text)
            })
            .collect();
        let mut unknown = Vec::new();
        for browser in HEADINGS {
            for name in Expectations::of(browser).unwrap().gaps.into_keys() {
                let (file, test) = source_of(&name);
                let declaration = format!("fn {test}(");
                let mut places = sources.iter().filter(|(path, _)| path.ends_with(&file));
                if !places.any(|(_, text)| text.contains(&declaration)) {
                    unknown.push(format!("{browser}: {name}"));
                }
            }
        }
        assert!(unknown.is_empty(), "tests/expectations.toml names no test: {unknown:#?}");
    }

    #[test]
    fn webkit_has_few_gaps() {
        let gaps = Expectations::of("webkit").unwrap().gaps;
        let reasons: BTreeSet<_> = gaps.values().map(|gap| &gap.reason).collect();
        assert!(reasons.len() <= 15, "{reasons:#?}");
    }

    #[test]
    fn gaps_of_older_versions_end_with_them() {
        let gap = |before| Gap { reason: String::new(), tools: Vec::new(), also: Vec::new(), before };
        let left = |major| {
            let gaps = BTreeMap::from([("all".to_owned(), gap(None)), ("old".to_owned(), gap(Some(150)))]);
            Expectations { gaps }.in_version(major).gaps.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(left(149), ["all", "old"]);
        assert_eq!(left(150), ["all"]);
    }

    #[test]
    fn a_gap_may_be_closed_before_the_version_that_was_tried() {
        let gap = |before| Gap { reason: String::new(), tools: Vec::new(), also: Vec::new(), before };
        let passes = |before| {
            let gaps = BTreeMap::from([("a".to_owned(), gap(before))]);
            let outcome = Outcome { passed: BTreeSet::from(["a".to_owned()]), ..Outcome::default() };
            Expectations { gaps }.compare(&outcome).is_ok()
        };
        assert!(passes(Some(150)));
        assert!(!passes(None));
    }
}
