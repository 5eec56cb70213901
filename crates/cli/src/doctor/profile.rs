//! The profile that was asked for, and who uses it.
//!
//! Chromium marks a profile in use with a link, `SingletonLock`, that leads to `host-pid`.

use std::path::Path;

use super::{Finding, Patient};
use crate::config::ProfileLock;

pub(super) fn lock(patient: &Patient<'_>) -> Option<Finding> {
    let profile = patient.flags.user_data_dir.as_deref()?;
    if !profile.exists() {
        return Some(Finding::fine(format!("{} is made when it is needed", profile.display())));
    }
    if !profile.is_dir() {
        let says = format!("{} is not a directory", profile.display());
        return Some(Finding::bad(says, "name a directory with --user-data-dir"));
    }
    if cicerone_process::others_can_enter(profile).unwrap_or_default() {
        let says = format!("other users can enter {}, so it is not used", profile.display());
        return Some(Finding::bad(says, format!("chmod 700 {}", profile.display())));
    }
    let Some(holder) = holder(profile) else {
        return Some(Finding::fine(format!("{} is free", profile.display())));
    };
    let says = format!("{} is in use by {holder}", profile.display());
    Some(match patient.flags.profile_lock {
        ProfileLock::Copy => Finding::weak(
            format!("{says}; a temporary copy will be used"),
            "close that browser to use the profile itself",
        ),
        ProfileLock::Fail => Finding::bad(says, "close that browser, or use --profile-lock copy"),
    })
}

/// Who uses a profile, in words.
fn holder(profile: &Path) -> Option<String> {
    let mark = std::fs::read_link(profile.join("SingletonLock")).ok()?;
    let mark = mark.to_string_lossy();
    let (host, process) = mark.rsplit_once('-')?;
    if host != this_host() {
        return Some(format!("process {process} on {host}"));
    }
    // A mark whose process has ended is left over, and the browser takes no heed of it.
    let process: u32 = process.parse().ok()?;
    is_alive(process).then(|| format!("{} (process {process})", name(process)))
}

#[cfg(unix)]
fn this_host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(unix)]
fn is_alive(process: u32) -> bool {
    let process = process.try_into().ok().and_then(rustix::process::Pid::from_raw);
    process.is_some_and(|process| {
        // Somebody else's process cannot be signalled, but is there.
        !matches!(rustix::process::test_kill_process(process), Err(rustix::io::Errno::SRCH))
    })
}

#[cfg(not(unix))]
fn this_host() -> String {
    String::new()
}

#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    false
}

/// The name of a process, if the system reports it.
fn name(process: u32) -> String {
    let told = std::fs::read_to_string(format!("/proc/{process}/comm"));
    told.map_or_else(|_| "another program".into(), |name| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn profile_held_by(mark: &str) -> Option<String> {
        let profile = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(mark, profile.path().join("SingletonLock")).unwrap();
        holder(profile.path())
    }

    #[cfg(unix)]
    #[test]
    fn a_profile_is_held_by_a_process_that_lives() {
        let ours = std::process::id();
        let held = profile_held_by(&format!("{}-{ours}", this_host())).unwrap();
        assert!(held.ends_with(&format!("(process {ours})")), "{held}");
        assert_eq!(profile_held_by("elsewhere-12"), Some("process 12 on elsewhere".into()));
        assert_eq!(profile_held_by(&format!("{}-{}", this_host(), i32::MAX)), None);
    }

    #[test]
    fn a_profile_without_a_mark_is_free() {
        assert_eq!(holder(tempfile::tempdir().unwrap().path()), None);
    }
}
