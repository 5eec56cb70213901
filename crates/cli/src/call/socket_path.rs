//! Where the server of some calls is found: in a directory that only its user can enter, under a name that follows
//! from the working directory and the options.

use std::{
    fs::{DirBuilder, File, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::mpsc,
    time::Duration,
};

use sha2::{Digest, Sha256};

use crate::config::Flags;

/// Why there is no place for a server.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPlace {
    #[error("{action} {}: {source}", .path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "{} is not private: {why}\nHint: remove it, or set XDG_RUNTIME_DIR to a directory of your own",
        .path.display()
    )]
    NotPrivate { path: PathBuf, why: &'static str },
    #[error("{} is held by another process for too long", .path.display())]
    Held { path: PathBuf },
    #[error("the working directory is not known: {0}")]
    NoWorkingDirectory(io::Error),
}

/// A socket, its lock and its log.
pub(crate) struct SocketPath {
    pub(super) socket: PathBuf,
}

impl SocketPath {
    /// The place for calls with these options from this directory.
    pub(super) fn of(flags: &Flags) -> Result<Self, NoPlace> {
        let working = std::env::current_dir().map_err(NoPlace::NoWorkingDirectory)?;
        let mut hash = Sha256::new();
        let parts = [env!("CARGO_PKG_VERSION").as_ref(), working.as_os_str()];
        for part in parts.into_iter().chain(flags.resolved.iter().map(AsRef::as_ref)) {
            hash.update(part.as_encoded_bytes());
            hash.update([0]);
        }
        let name: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { socket: private_directory()?.join(format!("{name}.sock")) })
    }

    /// The place of a socket.
    pub(super) fn at(socket: &Path) -> Self {
        Self { socket: socket.to_owned() }
    }

    /// What the server wrote to its standard error. The server holds a shared lock on it as long as it lives.
    pub(super) fn log(&self) -> PathBuf {
        self.socket.with_extension("log")
    }

    /// Takes the lock for starting a server.
    pub(super) fn turn_to_start(&self, timeout: Duration) -> Result<File, NoPlace> {
        let path = self.socket.with_file_name("start.lock");
        let file = open(&path, false)?;
        locked(file, path, timeout)
    }

    /// An empty log.
    pub(super) fn fresh_log(&self) -> Result<File, NoPlace> {
        open(&self.log(), true)
    }

    /// Waits until a server whose log this is has ended.
    pub(super) fn wait_for_end(&self, log: File, timeout: Duration) -> Result<(), NoPlace> {
        locked(log, self.log(), timeout).map(drop)
    }
}

fn open(path: &Path, truncate: bool) -> Result<File, NoPlace> {
    let mut options = File::options();
    options.create(true).write(true).truncate(truncate).mode(0o600);
    options.open(path).map_err(io_error("opening", path))
}

/// The lock of a file, waited for in a thread, because the wait itself knows no limit.
fn locked(file: File, path: PathBuf, timeout: Duration) -> Result<File, NoPlace> {
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::Error(source)) => return Err(io_error("locking", &path)(source)),
        Err(TryLockError::WouldBlock) => {}
    }
    let (tell, done) = mpsc::channel();
    std::thread::spawn(move || tell.send(file.lock().map(|()| file)));
    match done.recv_timeout(timeout) {
        Ok(locked) => locked.map_err(io_error("locking", &path)),
        Err(_) => Err(NoPlace::Held { path }),
    }
}

/// Our directory, made where it is missing and refused where others can get at it.
pub(super) fn private_directory() -> Result<PathBuf, NoPlace> {
    let user = rustix::process::getuid().as_raw();
    // With `sudo` or `su` it may be another user's, or be gone.
    let usable = |path: &PathBuf| {
        path.is_absolute() && path.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user)
    };
    let of_session = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(usable);
    let path = match of_session {
        Some(directory) => directory.join("cicerone"),
        None => std::env::temp_dir().join(format!("cicerone-{user}")),
    };
    make_private(&path, user)?;
    Ok(path)
}

fn make_private(path: &Path, user: u32) -> Result<(), NoPlace> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(io_error("making", path)(error));
        }
        _ => {}
    }
    // Do not follow a link: another user may have created it.
    let found = path.symlink_metadata().map_err(io_error("looking at", path))?;
    let refused = |why| Err(NoPlace::NotPrivate { path: path.to_owned(), why });
    if !found.is_dir() {
        refused("it is not a directory")
    } else if found.uid() != user {
        refused("it belongs to another user")
    } else if found.mode() & 0o077 != 0 {
        refused("others may use it")
    } else {
        Ok(())
    }
}

fn io_error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> NoPlace {
    move |source| NoPlace::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::{fs::Permissions, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn only_a_directory_of_our_own_is_used() {
        let directory = tempfile::tempdir().unwrap();
        let user = rustix::process::getuid().as_raw();
        let path = directory.path().join("ours");
        make_private(&path, user).unwrap();
        make_private(&path, user).unwrap();
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o700);

        let why = |path: &Path, user| match make_private(path, user) {
            Err(NoPlace::NotPrivate { why, .. }) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(why(&path, user + 1), "it belongs to another user");
        std::fs::set_permissions(&path, Permissions::from_mode(0o770)).unwrap();
        assert_eq!(why(&path, user), "others may use it");
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(directory.path(), &link).unwrap();
        assert_eq!(why(&link, user), "it is not a directory");
    }

    #[test]
    fn a_lock_is_waited_for_only_so_long() {
        let directory = tempfile::tempdir().unwrap();
        let place = SocketPath::at(&directory.path().join("x.sock"));
        let held = place.turn_to_start(Duration::from_secs(1)).unwrap();
        let refused = place.turn_to_start(Duration::from_millis(20));
        assert!(matches!(refused, Err(NoPlace::Held { .. })));
        let waiting = std::thread::spawn(move || place.turn_to_start(Duration::from_secs(10)).is_ok());
        drop(held);
        assert!(waiting.join().unwrap());
    }
}
