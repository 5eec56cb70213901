//! The browser's engine: found, of which version, whether it starts, and how safely.

use std::{
    path::Path,
    process::Output,
    time::{Duration, Instant},
};

use cicerone_engine::{Error, LaunchError};
use cicerone_install::Engine;

use cicerone_tools::Message;

use super::{Finding, Patient};
use crate::{launchers::check_version, serve::try_browser};

/// How long the browser may take to tell its version.
const VERSION: Duration = Duration::from_secs(10);

/// How long it may take to start and end.
const START: Duration = Duration::from_secs(70);

/// How long one page may take without a client.
const PAGE: Duration = Duration::from_secs(20);

pub(super) fn found(patient: &Patient<'_>) -> Option<Finding> {
    Some(match patient.engine.as_ref()? {
        Ok(found) => Finding::fine(found.to_string()),
        Err(missing) => Finding::bad(missing.to_string(), missing.hint()),
    })
}

pub(super) fn version(patient: &Patient<'_>) -> Option<Finding> {
    // There the program opens a window instead of telling.
    if cfg!(windows) {
        return None;
    }
    let program = &patient.engine.as_ref()?.as_ref().ok()?.path;
    let told = patient.runtime.block_on(run(program, &["--version"], VERSION));
    let engine = patient.flags.browser;
    let fix = format!("name another program with --executable-path, or run `cicerone install {engine}`");
    Some(match told {
        Ok(output) if output.status.success() => {
            let reported = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            match check_version(engine, program, &reported) {
                Ok(()) => Finding::fine(reported),
                Err(too_old) => Finding::bad(too_old.to_string(), hint(too_old)),
            }
        }
        Ok(output) => Finding::bad(format!("--version ended with {}", output.status), fix),
        Err(problem) => Finding::bad(format!("--version {problem}"), fix),
    })
}

pub(super) fn starts(patient: &Patient<'_>) -> Option<Finding> {
    patient.engine.as_ref()?.as_ref().ok()?;
    let began = Instant::now();
    // Built inside: a limit needs the runtime's clock.
    let tried =
        patient.runtime.block_on(async { tokio::time::timeout(START, try_browser(patient.flags)).await });
    let fix = match patient.flags.browser {
        Engine::Chromium => {
            "run it by hand to see why: chromium --headless --no-sandbox --dump-dom about:blank"
        }
        Engine::Firefox => "run it by hand to see why: firefox --headless --screenshot about:blank",
        Engine::WebKit => "run `cicerone install webkit`, which gets what it needs of the system",
    };
    Some(match tried {
        Ok(Ok(version)) => {
            Finding::fine(format!("{version} started and ended in {} ms", began.elapsed().as_millis()))
        }
        Ok(Err(error @ LaunchError::TooOld { .. })) => Finding::bad(error.to_string(), hint(error)),
        Ok(Err(error)) => Finding::bad(error.to_string(), fix),
        Err(_) => Finding::bad(format!("it did not start and end within {START:?}"), fix),
    })
}

/// The hint of an error, as clients get it.
pub(super) fn hint(error: LaunchError) -> String {
    Message::of(&Error::Launch(error)).hint
}

/// Without its sandbox the browser works too, so this is never needed.
#[cfg(target_os = "linux")]
pub(super) fn sandbox(patient: &Patient<'_>) -> Option<Finding> {
    if patient.flags.browser != Engine::Chromium {
        return None;
    }
    let program = &patient.engine.as_ref()?.as_ref().ok()?.path;
    if rustix::process::geteuid().is_root() {
        return Some(Finding::weak(
            "off: the browser has no sandbox as root",
            "run cicerone as another user",
        ));
    }
    let profile = match tempfile::tempdir() {
        Ok(profile) => profile,
        Err(error) => return Some(Finding::weak(format!("not tried: {error}"), "see temporary files")),
    };
    let profile = format!("--user-data-dir={}", profile.path().display());
    let arguments = ["--headless", "--disable-gpu", "--no-first-run", &profile, "--dump-dom", "about:blank"];
    let fix = "allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu \
               kernel.apparmor_restrict_unprivileged_userns=0; in a container, allow clone and unshare";
    Some(match patient.runtime.block_on(run(program, &arguments, PAGE)) {
        Ok(output) if output.status.success() => Finding::fine("works"),
        Ok(output) => {
            let words = String::from_utf8_lossy(&output.stderr);
            let why = words.lines().find(|line| line.to_lowercase().contains("sandbox"));
            let why = why.map_or_else(|| output.status.to_string(), str::to_owned);
            Finding::weak(format!("off: the browser does not start with it ({why})"), fix)
        }
        Err(problem) => Finding::weak(format!("off: with it, the browser {problem}"), fix),
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn sandbox(_: &Patient<'_>) -> Option<Finding> {
    None
}

/// Why a program has no output.
#[derive(Debug, thiserror::Error)]
enum NotRun {
    #[error("cannot be run: {0}")]
    Io(#[from] std::io::Error),
    #[error("timed out after {0:?}")]
    TooLate(Duration),
}

/// What a program writes until it ends.
async fn run(program: &Path, arguments: &[&str], timeout: Duration) -> Result<Output, NotRun> {
    let mut command = tokio::process::Command::new(program);
    command.args(arguments).stdin(std::process::Stdio::null()).kill_on_drop(true);
    // A group of its own, so that what it started can be ended with it.
    #[cfg(unix)]
    command.process_group(0);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn()?;
    let id = child.id();
    match tokio::time::timeout(timeout, child.wait_with_output()).await {
        Ok(output) => Ok(output?),
        Err(_) => {
            end_group(id);
            Err(NotRun::TooLate(timeout))
        }
    }
}

#[cfg(unix)]
fn end_group(id: Option<u32>) {
    let group = id.and_then(|id| id.try_into().ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may have ended by now.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: Option<u32>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let runtime = crate::serve::runtime().unwrap();
        let timeout = Duration::from_millis(50);
        let began = Instant::now();
        let late = runtime.block_on(run(Path::new("sleep"), &["60"], timeout));
        assert!(matches!(late, Err(NotRun::TooLate(_))), "{late:?}");
        assert!(began.elapsed() < Duration::from_secs(10));
        let told = runtime.block_on(run(Path::new("echo"), &["here"], Duration::from_secs(10))).unwrap();
        assert_eq!(told.stdout, b"here\n");
    }
}
