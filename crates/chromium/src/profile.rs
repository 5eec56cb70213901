//! The temporary profile of a browser, and its keeper.
//!
//! The profile must go even when this program is killed. So a second, tiny process keeps watch: it holds one
//! end of a pipe to us, and when that breaks it waits for the browser to end, ends it if it does not, and
//! removes the profile. The keeper is this same program, started with the arguments that [`keep`] is called for.

use std::{
    io::{BufRead, Read},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// How long a browser may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// A profile directory of our own; it goes when this is dropped.
pub(crate) struct Profile {
    directory: Option<TempDir>,
    /// Its standard input is the pipe that breaks when we end.
    keeper: Option<std::process::Child>,
}

impl Profile {
    /// Makes a profile, watched by `keeper` (a program and its first arguments) where there is one.
    pub(crate) fn temporary(keeper: Option<&[PathBuf]>) -> std::io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("cicerone-profile-").tempdir()?;
        let keeper = match keeper {
            Some([program, arguments @ ..]) => {
                let mut command = std::process::Command::new(program);
                command.args(arguments).arg(directory.path());
                command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
                // Its own group: what is sent to ours must not reach it.
                #[cfg(unix)]
                std::os::unix::process::CommandExt::process_group(&mut command, 0);
                Some(command.spawn()?)
            }
            _ => None,
        };
        Ok(Self { directory: Some(directory), keeper })
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.as_ref().map_or(Path::new(""), TempDir::path)
    }

    /// Tells the keeper which process the profile is in use by.
    pub(crate) fn used_by(&mut self, pid: u32) -> std::io::Result<()> {
        match self.keeper.as_mut().and_then(|keeper| keeper.stdin.as_mut()) {
            Some(pipe) => std::io::Write::write_all(pipe, format!("{pid}\n").as_bytes()),
            None => Ok(()),
        }
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
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

/// The keeper's whole life: reads the browser's process id, waits for the pipe to break, cleans up.
pub fn keep(profile: &Path) {
    let mut pipe = std::io::BufReader::new(std::io::stdin());
    let mut line = String::new();
    // A pipe that broke before the browser was started leaves only the directory.
    let _ = pipe.read_line(&mut line);
    let _ = pipe.read_to_end(&mut Vec::new());
    if !profile.exists() {
        return;
    }
    #[cfg(unix)]
    if let Some(pid) = line.trim().parse().ok().and_then(rustix::process::Pid::from_raw) {
        // The browser ends by itself when its own pipe breaks; one that hangs is ended.
        wait_for_end(pid, GRACE);
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        wait_for_end(pid, GRACE);
    }
    remove(profile);
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
