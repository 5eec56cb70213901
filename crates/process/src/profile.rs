//! The profile of a browser, and its keeper.
//!
//! A temporary profile must go even when this program is killed. So a second, tiny process keeps watch: it holds one
//! end of a pipe to us, and when that breaks it waits for the browser to end, ends it if it does not, and
//! removes the profile. A profile that stays has such a directory beside it, which is what goes. The keeper is this same program, started with the arguments that [`keep`] is called for.

use std::{
    io::{BufRead, Read},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use cicerone_driver::LaunchError;
use tempfile::TempDir;

use crate::{
    claim::{Claim, Claimed, claim},
    copy::copy_profile,
    environment::inherit_little,
    io, private,
    user_js::remove_preferences,
};

/// What a new profile begins with: the browser connects to nobody before a page asks it to.
const PREFERENCES: &str = r#"{"net":{"network_prediction_options":2}}"#;

/// What the names of our temporary directories begin with.
const PREFIX: &str = "cicerone-profile-";

/// In the directory that goes, a link to the profile that stays: for the keeper, which has to clean up there as well.
const STAYS: &str = "stays";

/// How long a browser may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// What is done when somebody else uses the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProfileLock {
    /// The browser works on a temporary copy.
    #[default]
    Copy,
    /// It is not started.
    Fail,
}

/// A profile for one browser, with a directory of our own that goes when this is dropped: it is the profile
/// itself, or what a browser writes beside a profile that stays.
pub struct Profile {
    directory: Option<TempDir>,
    /// A profile that stays, and our claim to it.
    lasting: Option<(PathBuf, Claim)>,
    remark: Option<String>,
    /// Its standard input is the pipe that breaks when we end.
    keeper: Option<std::process::Child>,
}

impl Profile {
    /// Makes a temporary profile, watched by `keeper` (a program and its first arguments) where there is one.
    pub fn temporary(keeper: Option<&[PathBuf]>) -> Result<Self, LaunchError> {
        let directory = private::temporary(PREFIX).map_err(io("making a temporary directory"))?;
        let keeper = match keeper {
            Some([program, arguments @ ..]) => {
                let mut command = std::process::Command::new(program);
                inherit_little(&mut command).args(arguments).arg(directory.path());
                command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
                // Its own group: what is sent to ours must not reach it.
                #[cfg(unix)]
                std::os::unix::process::CommandExt::process_group(&mut command, 0);
                Some(command.spawn().map_err(io("starting the keeper"))?)
            }
            _ => None,
        };
        let profile = Self { directory: Some(directory), lasting: None, remark: None, keeper };
        begin(profile.beside()).map_err(io("making a temporary profile"))?;
        Ok(profile)
    }

    /// Takes a profile that stays, made if it is missing; or a copy of it where it is in use.
    pub fn lasting(path: &Path, lock: ProfileLock, keeper: Option<&[PathBuf]>) -> Result<Self, LaunchError> {
        private::make(path).map_err(io("making the profile's directory"))?;
        if private::others_can_enter(path).map_err(io("looking at the profile's directory"))? {
            return Err(LaunchError::ProfileExposed { path: path.to_owned() });
        }
        // The browser may have another working directory than we.
        let path = std::path::absolute(path).map_err(io("finding the profile"))?;
        match (claim(&path).map_err(io("claiming the profile"))?, lock) {
            (Claimed::Ours(claim), _) => {
                begin(&path).map_err(io("making the profile"))?;
                let mut profile = Self::temporary(keeper)?;
                #[cfg(unix)]
                std::os::unix::fs::symlink(&path, profile.beside().join(STAYS))
                    .map_err(io("telling the keeper"))?;
                profile.lasting = Some((path, claim));
                Ok(profile)
            }
            (Claimed::Theirs(pid), ProfileLock::Fail) => Err(LaunchError::ProfileInUse { path, pid }),
            (Claimed::Theirs(pid), ProfileLock::Copy) => {
                let mut copy = Self::temporary(keeper)?;
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

    /// Where the browser keeps its data.
    pub fn path(&self) -> &Path {
        self.lasting.as_ref().map_or_else(|| self.beside(), |(path, _)| path)
    }

    /// Where it may write what nobody needs afterwards.
    pub fn beside(&self) -> &Path {
        self.directory.as_ref().map_or(Path::new(""), TempDir::path)
    }

    /// What a client should know of it.
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Tells the keeper which process the profile is in use by.
    pub fn used_by(&mut self, pid: u32) -> std::io::Result<()> {
        match self.keeper.as_mut().and_then(|keeper| keeper.stdin.as_mut()) {
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
            // What could not be removed is left to the keeper, which tries again.
            let _ = directory.keep();
        }
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.stdin.take());
            // It ends at once, since nothing is left to do; unwaited it would stay as a zombie.
            let _ = keeper.wait();
        }
    }
}

/// Gives a profile that is new what it begins with.
fn begin(profile: &Path) -> std::io::Result<()> {
    let preferences = profile.join("Default").join("Preferences");
    if preferences.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(profile.join("Default"))?;
    std::fs::write(preferences, PREFERENCES)
}

/// Whether this is a directory that [`Profile::temporary`] made, and no link: the keeper removes nothing else.
fn is_ours(directory: &Path) -> bool {
    let named = directory.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
    let Ok(found) = directory.symlink_metadata() else { return false };
    #[cfg(unix)]
    let owned = std::os::unix::fs::MetadataExt::uid(&found) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let owned = true;
    named && owned && found.is_dir()
}

/// Gives a profile that stays its own preferences back.
fn give_back(profile: &Path) {
    if let Err(error) = remove_preferences(profile) {
        tracing::warn!(%error, profile = %profile.display(), "the profile keeps the preferences of this browser");
    }
}

/// The keeper's whole life, for one directory: reads the browser's process id, waits for the pipe to break, cleans up.
pub fn keep(profile: &Path) {
    let mut pipe = std::io::BufReader::new(std::io::stdin());
    let mut line = String::new();
    // A pipe that broke before the browser was started leaves only the directory.
    let _ = pipe.read_line(&mut line);
    let _ = pipe.read_to_end(&mut Vec::new());
    if !is_ours(profile) {
        return;
    }
    #[cfg(unix)]
    if let Some(pid) = line.trim().parse().ok().and_then(rustix::process::Pid::from_raw) {
        // The browser ends by itself when its own pipe breaks; one that hangs is ended.
        wait_for_end(pid, GRACE);
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        wait_for_end(pid, GRACE);
    }
    if let Ok(lasting) = std::fs::read_link(profile.join(STAYS)) {
        give_back_when_free(&lasting);
    }
    remove(profile);
}

/// The same for one that a browser has used until now. Somebody else who has begun to use it since has done this by then.
fn give_back_when_free(profile: &Path) {
    // On a busy machine the processes of a browser take a while to end.
    let until = Instant::now() + 5 * GRACE;
    while Instant::now() < until {
        if let Ok(Claimed::Ours(_claim)) = claim(profile) {
            return give_back(profile);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a process that is not our child has ended. Only polling can tell for a process group.
#[cfg(unix)]
fn wait_for_end(pid: rustix::process::Pid, patience: Duration) {
    let until = Instant::now() + patience;
    while rustix::process::test_kill_process_group(pid).is_ok() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Removes a directory into which a dying browser may still be writing.
fn remove(directory: &Path) {
    let until = Instant::now() + GRACE;
    while std::fs::remove_dir_all(directory).is_err() && directory.exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}
