//! Whose a profile is. Two browsers on one profile ruin it, so a profile is claimed before it is used: against
//! other browsers by the lock that the browser itself leaves there, against servers that start at the same
//! moment by a lock of our own.

use std::{
    fs::{File, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
};

/// Our own lock in a profile. The system releases it when we end, however that comes about.
pub(crate) const OUR_LOCK: &str = "cicerone.lock";

/// What a browser leaves in a profile while it runs.
#[cfg(unix)]
const THEIR_LOCKS: [&str; 3] = ["SingletonLock", "SingletonCookie", "SingletonSocket"];

/// A profile that is ours to use for as long as this lives.
pub(crate) struct Claim {
    _lock: File,
}

/// What came of claiming a profile.
pub(crate) enum Claimed {
    Ours(Claim),
    /// Somebody else uses it: this process, where known.
    Theirs(Option<u32>),
}

/// Claims a profile that exists. What a browser left that is no more is removed.
pub(crate) fn claim(profile: &Path) -> std::io::Result<Claimed> {
    let mut lock =
        File::options().read(true).write(true).create(true).truncate(false).open(profile.join(OUR_LOCK))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Claimed::Theirs(holder(&mut lock))),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    if let Some(pid) = browser_in(profile)? {
        return Ok(Claimed::Theirs(pid));
    }
    // Whoever finds it locked can say by whom.
    lock.set_len(0)?;
    write!(lock, "{}", std::process::id())?;
    Ok(Claimed::Ours(Claim { _lock: lock }))
}

/// Who wrote its name into our lock. It may not be readable where locks are mandatory, and says less then.
fn holder(lock: &mut File) -> Option<u32> {
    let mut name = String::new();
    lock.rewind().and_then(|()| lock.read_to_string(&mut name)).ok()?;
    name.trim().parse().ok()
}

/// Whether a browser uses the profile, and which process it is where known.
#[cfg(unix)]
fn browser_in(profile: &Path) -> std::io::Result<Option<Option<u32>>> {
    match firefox_in(profile) {
        Some(pid) => Ok(Some(Some(pid))),
        None => chromium_in(profile),
    }
}

/// Firefox leaves a link to `address:+pid`, and finds out by itself when it is of the past.
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
        // No link: nothing that a browser made, and a browser does not start with it.
        Err(_) => return Ok(Some(None)),
    };
    // It points to `host-pid`.
    let owner = lock.to_string_lossy().into_owned();
    let Some((host, pid)) = owner.rsplit_once('-') else { return Ok(Some(None)) };
    let Ok(pid) = pid.parse::<u32>() else { return Ok(Some(None)) };
    if host != rustix::system::uname().nodename().to_string_lossy() {
        // Nobody can tell from here whether it still runs.
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
    // A process of somebody else may not be signalled, but is there.
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

/// A browser holds its lock file open, which then cannot be removed; one that was left can.
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
        assert!(matches!(claim(profile.path()), Ok(Claimed::Theirs(Some(pid))) if pid == std::process::id()));
        std::fs::remove_file(&link).expect("it is there");
        symlink("127.0.1.1:+2147483000", &link).expect("a link");
        assert!(matches!(claim(profile.path()), Ok(Claimed::Ours(_))));
    }
}
