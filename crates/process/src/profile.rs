//! The profile of a browser, and its janitor.
//!
//! A temporary profile must be deleted even if this program is killed. So a second, small process watches: it holds one
//! end of a pipe to us. When the pipe breaks it waits for the browser to exit, kills it if it does not, and deletes the
//! profile. A persistent profile has such a temporary directory next to it, and only that is deleted. The janitor is
//! this same program, started with the arguments that lead to [`janitor`].

use std::{
    io::Read,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use cicerone_driver::LaunchError;
use tempfile::TempDir;

use crate::{
    copy::copy_profile,
    environment::inherit_little,
    io, private,
    profile_lock::{Acquired, LockFile, acquire},
    user_js::remove_preferences,
};

/// Initial preferences of a new profile: no connections before a page makes a request.
const PREFERENCES: &str = r#"{"net":{"network_prediction_options":2}}"#;

/// Prefix of our temporary directories.
const PREFIX: &str = "cicerone-profile-";

/// In the temporary directory, a link to the persistent profile: the janitor has to clean up there as well.
const STAYS: &str = "stays";

/// Time for a browser to exit.
const GRACE: Duration = Duration::from_secs(2);

/// What to do if another process uses the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProfileLock {
    /// Use a temporary copy.
    #[default]
    Copy,
    Fail,
}

/// A profile for one browser, with a temporary directory that is deleted on drop: the profile itself, or the directory
/// next to a persistent profile.
pub struct Profile {
    directory: Option<TempDir>,
    /// A persistent profile with our lock.
    lasting: Option<(PathBuf, LockFile)>,
    remark: Option<String>,
    /// Its standard input is the pipe that breaks when we exit.
    janitor: Option<std::process::Child>,
}

impl Profile {
    /// Creates a temporary profile, watched by `janitor` (a program and its first arguments) if given.
    pub fn temporary(janitor: Option<&[PathBuf]>) -> Result<Self, LaunchError> {
        let directory = private::temporary(PREFIX).map_err(io("making a temporary directory"))?;
        let janitor = match janitor {
            Some([program, arguments @ ..]) => {
                let mut command = std::process::Command::new(program);
                inherit_little(&mut command).args(arguments).arg(directory.path());
                command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
                // Its own process group: signals to ours must not reach it.
                #[cfg(unix)]
                std::os::unix::process::CommandExt::process_group(&mut command, 0);
                Some(command.spawn().map_err(io("starting the janitor process"))?)
            }
            _ => None,
        };
        let profile = Self { directory: Some(directory), lasting: None, remark: None, janitor };
        begin(profile.beside()).map_err(io("making a temporary profile"))?;
        Ok(profile)
    }

    /// Opens a persistent profile, created if missing; or a copy of it if it is in use.
    pub fn lasting(path: &Path, lock: ProfileLock, janitor: Option<&[PathBuf]>) -> Result<Self, LaunchError> {
        private::make(path).map_err(io("making the profile's directory"))?;
        if private::others_can_enter(path).map_err(io("looking at the profile's directory"))? {
            return Err(LaunchError::ProfileExposed { path: path.to_owned() });
        }
        // The browser may have another working directory.
        let path = std::path::absolute(path).map_err(io("finding the profile"))?;
        match (acquire(&path).map_err(io("locking the profile"))?, lock) {
            (Acquired::Ours(lock_file), _) => {
                begin(&path).map_err(io("making the profile"))?;
                let mut profile = Self::temporary(janitor)?;
                #[cfg(unix)]
                std::os::unix::fs::symlink(&path, profile.beside().join(STAYS))
                    .map_err(io("telling the janitor process"))?;
                profile.lasting = Some((path, lock_file));
                Ok(profile)
            }
            (Acquired::Theirs(pid), ProfileLock::Fail) => Err(LaunchError::ProfileInUse { path, pid }),
            (Acquired::Theirs(pid), ProfileLock::Copy) => {
                let mut copy = Self::temporary(janitor)?;
                copy_profile(&path, copy.beside()).map_err(io("copying the profile"))?;
                let user = pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"));
                copy.remark = Some(format!(
                    "The profile {} is in use by {user}, so this browser works on a temporary copy of it. What \
                     was written last may be missing from the copy, and nothing is written back.",
                    path.display()
                ));
                Ok(copy)
            }
        }
    }

    /// The browser's data directory.
    pub fn path(&self) -> &Path {
        self.lasting.as_ref().map_or_else(|| self.beside(), |(path, _)| path)
    }

    /// The directory for temporary files.
    pub fn beside(&self) -> &Path {
        self.directory.as_ref().map_or(Path::new(""), TempDir::path)
    }

    /// A note for the client.
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Tells the janitor which process uses the profile.
    pub fn used_by(&mut self, pid: u32) -> std::io::Result<()> {
        match self.janitor.as_mut().and_then(|janitor| janitor.stdin.as_mut()) {
            Some(pipe) => std::io::Write::write_all(pipe, format!("{pid}\n").as_bytes()),
            None => Ok(()),
        }
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        if let Some((path, _)) = &self.lasting {
            give_back(path);
        }
        if let Some(directory) = self.directory.take() {
            remove(directory.path());
            // The janitor tries again to delete what is left.
            let _ = directory.keep();
        }
        if let Some(mut janitor) = self.janitor.take() {
            drop(janitor.stdin.take());
            // It exits at once, since nothing is left to do; without waiting it would stay a zombie.
            let _ = janitor.wait();
        }
    }
}

/// Initializes a new profile.
fn begin(profile: &Path) -> std::io::Result<()> {
    let preferences = profile.join("Default").join("Preferences");
    if preferences.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(profile.join("Default"))?;
    std::fs::write(preferences, PREFERENCES)
}

/// Whether this is a directory made by [`Profile::temporary`], and not a link: the janitor deletes nothing else.
fn is_ours(directory: &Path) -> bool {
    let named = directory.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
    let Ok(found) = directory.symlink_metadata() else { return false };
    #[cfg(unix)]
    let owned = std::os::unix::fs::MetadataExt::uid(&found) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let owned = true;
    named && owned && found.is_dir()
}

/// Restores the preferences of a persistent profile.
fn give_back(profile: &Path) {
    if let Err(error) = remove_preferences(profile) {
        tracing::warn!(%error, profile = %profile.display(), "the profile keeps the preferences of this browser");
    }
}

/// The main function of the janitor for one directory: reads the browsers' process ids, waits for the pipe to break,
/// cleans up.
pub fn janitor(profile: &Path) {
    let mut lines = String::new();
    // If the pipe broke before the browser started, there is only the directory. If there were several browsers, one after
    // the other, the last one counts.
    let _ = std::io::stdin().read_to_string(&mut lines);
    if !is_ours(profile) {
        return;
    }
    #[cfg(unix)]
    if let Some(pid) = lines
        .lines()
        .last()
        .and_then(|line| line.trim().parse().ok())
        .and_then(rustix::process::Pid::from_raw)
    {
        // The browser exits when its own pipe breaks; a hanging one is killed.
        wait_for_end(pid, GRACE);
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        wait_for_end(pid, GRACE);
    }
    if let Ok(lasting) = std::fs::read_link(profile.join(STAYS)) {
        give_back_when_free(&lasting);
    }
    remove(profile);
}

/// Restores the preferences of a profile that a browser has just used. If another process uses it by now, that one has
/// restored them.
fn give_back_when_free(profile: &Path) {
    // On a busy machine the processes of a browser take a while to exit.
    let until = Instant::now() + 5 * GRACE;
    while Instant::now() < until {
        if let Ok(Acquired::Ours(_lock_file)) = acquire(profile) {
            return give_back(profile);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits for the exit of a process that is not our child, which only polling can detect.
#[cfg(unix)]
fn wait_for_end(pid: rustix::process::Pid, timeout: Duration) {
    let until = Instant::now() + timeout;
    while rustix::process::test_kill_process_group(pid).is_ok() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Deletes a directory while an exiting browser may still write into it.
fn remove(directory: &Path) {
    let until = Instant::now() + GRACE;
    while std::fs::remove_dir_all(directory).is_err() && directory.exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}
