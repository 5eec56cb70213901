//! Profile locks. Two browsers on one profile corrupt it, so a profile is locked before use: against other browsers by
//! checking the browser's own lock, against concurrent servers by a lock of our own.

use std::{
    fs::{File, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
};

/// Our lock in a profile. The system releases it when we exit, for whatever reason.
pub(crate) const OUR_LOCK: &str = "cicerone.lock";

/// Lock files of a running browser.
#[cfg(unix)]
const THEIR_LOCKS: [&str; 3] = ["SingletonLock", "SingletonCookie", "SingletonSocket"];

/// The lock of a profile, held while this exists.
pub(crate) struct LockFile {
    _lock: File,
}

/// The result of locking a profile.
pub(crate) enum Acquired {
    Ours(LockFile),
    /// In use by this process, if known.
    Theirs(Option<u32>),
}

/// Locks an existing profile. Stale locks of browsers are removed.
pub(crate) fn acquire(profile: &Path) -> std::io::Result<Acquired> {
    let mut lock =
        File::options().read(true).write(true).create(true).truncate(false).open(profile.join(OUR_LOCK))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Acquired::Theirs(holder(&mut lock))),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    if let Some(pid) = browser_in(profile)? {
        return Ok(Acquired::Theirs(pid));
    }
    // So that others can report who holds it.
    lock.set_len(0)?;
    write!(lock, "{}", std::process::id())?;
    Ok(Acquired::Ours(LockFile { _lock: lock }))
}

/// The process id in our lock. With mandatory locking it may not be readable.
fn holder(lock: &mut File) -> Option<u32> {
    let mut name = String::new();
    lock.rewind().and_then(|()| lock.read_to_string(&mut name)).ok()?;
    name.trim().parse().ok()
}

/// Whether a browser uses the profile, and which process, if known.
#[cfg(unix)]
fn browser_in(profile: &Path) -> std::io::Result<Option<Option<u32>>> {
    match firefox_in(profile) {
        Some(pid) => Ok(Some(Some(pid))),
        None => chromium_in(profile),
    }
}

/// Firefox leaves a link to `address:+pid`, and detects stale ones itself.
#[cfg(unix)]
fn firefox_in(profile: &Path) -> Option<u32> {
    let owner = std::fs::read_link(profile.join("lock")).ok()?;
    let (_, pid) = owner.to_str()?.rsplit_once(":+")?;
    pid.parse().ok().filter(|pid| is_running(*pid))
}

#[cfg(unix)]
fn chromium_in(profile: &Path) -> std::io::Result<Option<Option<u32>>> {
    let lock = match std::fs::read_link(profile.join(THEIR_LOCKS[0])) {
        Ok(lock) => lock,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        // Not a link: not made by a browser, and a browser does not start with it.
        Err(_) => return Ok(Some(None)),
    };
    // It points to `host-pid`.
    let owner = lock.to_string_lossy().into_owned();
    let Some((host, pid)) = owner.rsplit_once('-') else { return Ok(Some(None)) };
    let Ok(pid) = pid.parse::<u32>() else { return Ok(Some(None)) };
    if host != rustix::system::uname().nodename().to_string_lossy() {
        // Another host: we cannot know whether it is running.
        return Ok(Some(None));
    }
    if is_running(pid) {
        return Ok(Some(Some(pid)));
    }
    for name in THEIR_LOCKS {
        match std::fs::remove_file(profile.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(None)
}

#[cfg(unix)]
fn is_running(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    // Another user's process cannot be signalled, but exists.
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// A running browser holds its lock file open, so that it cannot be deleted; a stale one can.
#[cfg(not(unix))]
fn browser_in(profile: &Path) -> std::io::Result<Option<Option<u32>>> {
    match std::fs::remove_file(profile.join("lockfile")) {
        Ok(()) => Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(_) => Ok(Some(None)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_profile_that_firefox_runs_on_is_theirs_until_it_ends() {
        let profile = tempfile::tempdir().expect("a directory");
        let link = profile.path().join("lock");
        symlink(format!("127.0.1.1:+{}", std::process::id()), &link).expect("a link");
        assert!(
            matches!(acquire(profile.path()), Ok(Acquired::Theirs(Some(pid))) if pid == std::process::id())
        );
        std::fs::remove_file(&link).expect("it is there");
        symlink("127.0.1.1:+2147483000", &link).expect("a link");
        assert!(matches!(acquire(profile.path()), Ok(Acquired::Ours(_))));
    }
}
