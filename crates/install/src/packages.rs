//! The package manager: the alternative if there is no download. A [`PackageError`] is why it was not used, or failed.
//!
//! Only `apt-get` is run, and only as root: otherwise the user is told what to run, never asked for a password.

use std::ffi::OsStr;
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

/// Timeout of one command: a package manager may wait for another's lock forever.
const TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// Time for a cancelled command to exit.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(10);

const POLL: Duration = Duration::from_millis(50);

/// Why no package was installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackageError {
    /// Not root, or not wanted.
    #[error("the package manager was not run: it needs root, in a terminal")]
    NotAllowed,
    /// No known package manager.
    #[error("apt-get not found on PATH")]
    NoManager,
    /// It could not be started.
    #[error("`{command}` could not be run: {cause}")]
    NotRun {
        command: String,
        /// The system's error.
        cause: io::Error,
    },
    /// It timed out and was killed.
    #[error("`{command}` timed out after {} minutes (output in {})", TIMEOUT.as_secs() / 60, log.display())]
    TimedOut {
        command: String,
        /// The log file.
        log: PathBuf,
    },
    /// It failed.
    #[error("`{command}` failed, {status}: {last_line} (output in {})", log.display())]
    Failed {
        command: String,
        /// The exit status.
        status: ExitStatus,
        /// The last line of output.
        last_line: String,
        /// The log file.
        log: PathBuf,
    },
    /// It succeeded, but there is still no browser.
    #[error("`{command}` succeeded, but {missing}")]
    StillMissing {
        command: String,
        /// Where the browser was searched.
        missing: Missing,
    },
}

/// The system's package manager.
pub(crate) struct PackageManager<'a> {
    program: PathBuf,
    environment: &'a Environment,
    log: PathBuf,
}

/// The outer error cancels the install; the inner one is the command's.
type Outcome<T> = Result<Result<T, PackageError>, Cancelled>;

impl<'a> PackageManager<'a> {
    /// The package manager on this environment's `PATH`, with a log file.
    pub(crate) fn find(environment: &'a Environment, log: PathBuf) -> Result<Self, PackageError> {
        let program = on_path(environment, MANAGER).ok_or(PackageError::NoManager)?;
        Ok(PackageManager { program, environment, log })
    }

    /// Updates the package list, to get the newest version, and installs packages. Returns the command.
    pub(crate) fn install(&self, packages: &[&str], progress: &dyn Progress) -> Outcome<String> {
        if let Err(error) = self.run(&["update"], progress)? {
            tell(progress, Step::Warning(Warning::StalePackageList(&error)))?;
        }
        self.run(&[&["install", "-y"], packages].concat(), progress)
    }

    fn run(&self, arguments: &[&str], progress: &dyn Progress) -> Outcome<String> {
        let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        run_logged(&self.program, &arguments, self.environment, &self.log, progress)
    }
}

/// Runs a program without input; its output goes to the log. Returns the command.
pub(crate) fn run_logged(
    program: &Path,
    arguments: &[&OsStr],
    environment: &Environment,
    log: &Path,
    progress: &dyn Progress,
) -> Outcome<String> {
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<_> = std::iter::once(&name).chain(arguments).map(|word| word.to_string_lossy()).collect();
    let command = words.join(" ");
    let step = Step::PackageManager { command: &command };
    tell(progress, step)?;
    let mut child = match spawn(program, arguments, environment, log) {
        Ok(child) => child,
        Err(cause) => return Ok(Err(PackageError::NotRun { command, cause })),
    };
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(None) if started.elapsed() > TIMEOUT => {
                end(&mut child);
                return Ok(Err(PackageError::TimedOut { command, log: log.to_owned() }));
            }
            Ok(None) => {}
            Ok(Some(status)) if status.success() => return Ok(Ok(command)),
            Ok(Some(status)) => {
                let (last_line, log) = (last_line(log), log.to_owned());
                return Ok(Err(PackageError::Failed { command, status, last_line, log }));
            }
            Err(cause) => return Ok(Err(PackageError::NotRun { command, cause })),
        }
        tell(progress, step).inspect_err(|_| end(&mut child))?;
        thread::sleep(POLL);
    }
}

fn spawn(program: &Path, arguments: &[&OsStr], environment: &Environment, log: &Path) -> io::Result<Child> {
    let log = File::create(log)?;
    let mut command = Command::new(program);
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    if let Some(path) = environment.get("PATH") {
        command.env("PATH", path);
    }
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
}

/// Whether this process may install packages.
pub(crate) fn is_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    return false;
}

/// Stops a command, first with SIGTERM: a killed one may leave packages half configured.
fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        let process = rustix::process::Pid::from_child(child);
        // It may have exited just now; it is awaited below anyway.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(POLL);
        }
    }
    // Both fail only if the child is gone already.
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
