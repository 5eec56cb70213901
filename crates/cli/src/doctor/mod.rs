//! `cicerone doctor`: checks the environment of the server.
//!
//! A [`Check`] examines the [`Patient`] and returns a [`Finding`]; this module prints them all.

mod display;
mod endpoint;
mod engine;
mod extension;
mod files;
mod profile;
mod serving;

use std::{fmt::Write, process::ExitCode};

use cicerone_install::{Found, Missing, find};
use serde_json::json;

use crate::{
    Failure,
    config::{Flags, ReportFormat},
    print::print,
    serve::{runtime, search},
};

/// What the checks examine.
struct Patient<'a> {
    flags: &'a Flags,
    /// `None` if the browser is already running.
    engine: Option<Result<Found, Missing>>,
    runtime: tokio::runtime::Runtime,
}

/// One check.
struct Check {
    name: &'static str,
    /// Returns `None` if the options do not need this check.
    look: fn(&Patient<'_>) -> Option<Finding>,
}

/// The result of a check.
#[derive(Debug)]
struct Finding {
    verdict: Verdict,
    says: String,
    /// What to do about it.
    fix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    /// It works, with less than it could.
    Weak,
    /// What was asked for will not work.
    Bad,
}

impl Finding {
    fn fine(says: impl Into<String>) -> Self {
        Self { verdict: Verdict::Fine, says: says.into(), fix: None }
    }

    fn weak(says: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { verdict: Verdict::Weak, says: says.into(), fix: Some(fix.into()) }
    }

    fn bad(says: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { verdict: Verdict::Bad, says: says.into(), fix: Some(fix.into()) }
    }
}

impl Verdict {
    fn mark(self) -> char {
        match self {
            Self::Fine => '✓',
            Self::Weak => '!',
            Self::Bad => '✗',
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Weak => "weak",
            Self::Bad => "bad",
        }
    }
}

/// All checks, in the order of the report.
const CHECKS: [Check; 14] = [
    Check { name: "configuration", look: files::configuration },
    Check { name: "endpoint", look: endpoint::found },
    Check { name: "extension", look: extension::found },
    Check { name: "engine", look: engine::found },
    Check { name: "version", look: engine::version },
    Check { name: "start", look: engine::starts },
    Check { name: "sandbox", look: engine::sandbox },
    Check { name: "display", look: display::display },
    Check { name: "profile", look: profile::lock },
    Check { name: "screenshots", look: files::screenshots },
    Check { name: "temporary files", look: files::temporary },
    Check { name: "secrets", look: files::secrets },
    Check { name: "port", look: serving::port },
    Check { name: "token", look: serving::token },
];

/// Runs all checks and prints the report; fails if something required is missing.
pub(crate) fn run(format: ReportFormat, flags: &Flags) -> Result<ExitCode, Failure> {
    let engine =
        (flags.attacher().is_none() && !flags.uses_extension()).then(|| find(flags.browser, &search(flags)));
    let patient = Patient { flags, engine, runtime: runtime()? };
    let findings: Vec<(&str, Finding)> =
        CHECKS.iter().filter_map(|check| Some((check.name, (check.look)(&patient)?))).collect();
    print(match format {
        ReportFormat::Text => text(&findings),
        ReportFormat::Json => json(&findings),
    })?;
    let bad = findings.iter().any(|(_, finding)| finding.verdict == Verdict::Bad);
    Ok(if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn text(findings: &[(&str, Finding)]) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = String::new();
    for (name, finding) in findings {
        // Writing to a string cannot fail.
        let _ = write!(lines, "{} {name}: {}", finding.verdict.mark(), one_line(&finding.says));
        if let Some(fix) = &finding.fix {
            let _ = write!(lines, ". Fix: {}", one_line(fix));
        }
        lines.push('\n');
    }
    lines
}

fn json(findings: &[(&str, Finding)]) -> String {
    let told = findings.iter().map(|(name, finding)| {
        json!({
            "check": name,
            "verdict": finding.verdict.word(),
            "says": finding.says,
            "fix": finding.fix,
        })
    });
    format!("{:#}\n", serde_json::Value::from_iter(told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_finding_is_one_line_with_its_fix() {
        let findings = [("a", Finding::fine("all\nright")), ("b", Finding::bad("no", "do it"))];
        assert_eq!(text(&findings), "✓ a: all right\n✗ b: no. Fix: do it\n");
        let told: serde_json::Value = serde_json::from_str(&json(&findings)).unwrap();
        assert_eq!(told[1], json!({ "check": "b", "verdict": "bad", "says": "no", "fix": "do it" }));
        assert_eq!(told[0]["fix"], serde_json::Value::Null);
    }
}
