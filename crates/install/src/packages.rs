//! The package manager: another way to a browser, where there is no download. A [`PackageError`] is why
//! it was not used, or failed.
//!
//! Only `apt-get` is run, and only by root: a person is told what to run, never asked for a password.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

use crate::environment::Environment;
use crate::executable::on_path;
use crate::find::Missing;
use crate::progress::{Cancelled, Progress, Step, Warning, tell};

const MANAGER: &str = "apt-get";

/// How long one command may take: a package manager that waits for another's lock waits for ever.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// How long a cancelled command has for ending in order.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(10);

const POLL: Duration = Duration::from_millis(50);

/// Why no package was installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackageError {
    /// Installing packages is for root, or is not wanted.
    #[error("the package manager was not run: that is for root, in a terminal")]
    NotAllowed,
    /// There is none that this crate knows.
    #[error("there is no apt-get on PATH")]
    NoManager,
    /// It could not be run.
    #[error("`{command}` could not be run: {cause}")]
    NotRun {
        /// The command.
        command: String,
        /// What the operating system said.
        cause: io::Error,
    },
    /// It took too long and was ended.
    #[error("`{command}` did not end within {} minutes (its output is in {})", PATIENCE.as_secs() / 60, log.display())]
    TimedOut {
        /// The command.
        command: String,
        /// The file with all that it said.
        log: PathBuf,
    },
    /// It failed.
    #[error("`{command}` failed, {status}: {last_line} (its output is in {})", log.display())]
    Failed {
        /// The command.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// The last that it said.
        last_line: String,
        /// The file with all that it said.
        log: PathBuf,
    },
    /// It succeeded, and yet there is no browser.
    #[error("`{command}` succeeded, and yet: {missing}")]
    StillMissing {
        /// The command.
        command: String,
        /// Where the browser was looked for.
        missing: Missing,
    },
}

/// The system's package manager.
pub(crate) struct PackageManager<'a> {
    program: PathBuf,
    environment: &'a Environment,
    log: PathBuf,
}

/// How one command ended: the outer error cancels the install, the inner one is the command's.
type Outcome<T> = Result<Result<T, PackageError>, Cancelled>;

impl<'a> PackageManager<'a> {
    /// The package manager on this environment's `PATH`, which writes to the file `log`.
    pub(crate) fn find(environment: &'a Environment, log: PathBuf) -> Result<Self, PackageError> {
        let program = on_path(environment, MANAGER).ok_or(PackageError::NoManager)?;
        Ok(PackageManager { program, environment, log })
    }

    /// Refreshes the package list, so that the newest version is installed, and installs a package. Answers with the
    /// command.
    pub(crate) fn install(&self, package: &str, progress: &dyn Progress) -> Outcome<String> {
        if let Err(error) = self.run(&["update"], progress)? {
            tell(progress, Step::Warning(Warning::StalePackageList(&error)))?;
        }
        self.run(&["install", "-y", package], progress)
    }

    fn run(&self, arguments: &[&str], progress: &dyn Progress) -> Outcome<String> {
        let command = format!("{MANAGER} {}", arguments.join(" "));
        let step = Step::PackageManager { command: &command };
        tell(progress, step)?;
        let mut child = match self.spawn(arguments) {
            Ok(child) => child,
            Err(cause) => return Ok(Err(PackageError::NotRun { command, cause })),
        };
        let started = Instant::now();
        loop {
            match child.try_wait() {
                Ok(None) if started.elapsed() > PATIENCE => {
                    end(&mut child);
                    return Ok(Err(PackageError::TimedOut { command, log: self.log.clone() }));
                }
                Ok(None) => {}
                Ok(Some(status)) if status.success() => return Ok(Ok(command)),
                Ok(Some(status)) => return Ok(Err(self.failed(command, status))),
                Err(cause) => return Ok(Err(PackageError::NotRun { command, cause })),
            }
            tell(progress, step).inspect_err(|_| end(&mut child))?;
            thread::sleep(POLL);
        }
    }

    fn spawn(&self, arguments: &[&str]) -> io::Result<Child> {
        let log = File::create(&self.log)?;
        let mut command = Command::new(&self.program);
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        if let Some(path) = self.environment.get("PATH") {
            command.env("PATH", path);
        }
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
    }

    fn failed(&self, command: String, status: ExitStatus) -> PackageError {
        PackageError::Failed { command, status, last_line: last_line(&self.log), log: self.log.clone() }
    }
}

/// Whether this process may install packages.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    return false;
}

/// Ends a command: first by a request, as one that is killed may leave packages half configured.
fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        let process = rustix::process::Pid::from_child(child);
        // It may have ended by itself just now, and is waited for below in any case.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(POLL);
        }
    }
    // Neither fails but where the child is gone, which is what is wanted.
    let _ = child.kill();
    let _ = child.wait();
}

fn last_line(log: &Path) -> String {
    let output = fs::read(log).unwrap_or_default();
    let output = String::from_utf8_lossy(&output);
    output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no output").trim().to_owned()
}

impl PackageError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            PackageError::NotAllowed => {
                "run `sudo cicerone install` in a terminal, or install the package of your system, or set CICERONE_DOWNLOAD_BASE \
                 to a mirror that can be reached"
            }
            PackageError::NoManager => {
                "install Chromium, Chrome or Edge the way your system does, or set CICERONE_DOWNLOAD_BASE \
                 to a mirror that can be reached"
            }
            PackageError::NotRun { .. } | PackageError::TimedOut { .. } | PackageError::Failed { .. } => {
                "run that command yourself and see what it asks for, or set CICERONE_DOWNLOAD_BASE to a \
                 mirror that can be reached"
            }
            PackageError::StillMissing { .. } => {
                "set CICERONE_EXECUTABLE_PATH to the executable that the package brought"
            }
        }
    }
}
