//! Named states of contexts in the user's data directory, encrypted with a key that only the user can read.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

/// The store of named states.
#[derive(Debug, Clone)]
pub struct Vault {
    directory: PathBuf,
}

/// Why a named state is unavailable.
#[derive(Debug, Clone)]
pub enum VaultError {
    /// No state has this name.
    Unknown {
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// The name is invalid.
    BadName(String),
    /// It was written with another key, or was changed.
    Unreadable(String),
    /// A file cannot be used.
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: Arc<io::Error>,
    },
    /// No data directory.
    NoDataDir,
    /// The system provides no random numbers.
    NoRandomness,
}

const KEY_LEN: usize = 32;
const SUFFIX: &str = ".state";

impl Vault {
    /// A vault in this directory, which need not exist.
    pub fn at(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Stores bytes under a name, replacing what was there.
    pub fn save(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, VaultError> {
        let path = self.path(name)?;
        let key = self.key(true)?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| VaultError::NoRandomness)?;
        let mut sealed = bytes.to_vec();
        let used = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(used, Aad::from(name.as_bytes()), &mut sealed)
            .map_err(|_| VaultError::Unreadable(name.to_owned()))?;
        write_private(&path, &[nonce.as_slice(), &sealed].concat()).map_err(at(&path))?;
        Ok(path)
    }

    /// Reads the bytes stored under a name.
    pub fn load(&self, name: &str) -> Result<Vec<u8>, VaultError> {
        let path = self.path(name)?;
        let mut bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(self.unknown(name)),
            Err(error) => return Err(at(&path)(error)),
        };
        let unreadable = || VaultError::Unreadable(name.to_owned());
        if bytes.len() < NONCE_LEN {
            return Err(unreadable());
        }
        let mut sealed = bytes.split_off(NONCE_LEN);
        let nonce = Nonce::try_assume_unique_for_key(&bytes).map_err(|_| unreadable())?;
        let open =
            self.key(false)?.open_in_place(nonce, Aad::from(name.as_bytes()), &mut sealed).map(|it| it.len());
        sealed.truncate(open.map_err(|_| unreadable())?);
        Ok(sealed)
    }

    /// The existing names.
    pub fn list(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let named = |entry: std::fs::DirEntry| {
            Some(entry.file_name().to_str()?.strip_suffix(SUFFIX)?.to_owned())
                .filter(|name| !name.starts_with('.'))
        };
        let mut names: Vec<String> = entries.filter_map(named).collect();
        names.sort();
        names
    }

    /// Removes the state of a name.
    pub fn delete(&self, name: &str) -> Result<(), VaultError> {
        let path = self.path(name)?;
        std::fs::remove_file(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.unknown(name),
            _ => at(&path)(error),
        })
    }

    fn unknown(&self, name: &str) -> VaultError {
        VaultError::Unknown { name: name.to_owned(), known: self.list() }
    }

    fn path(&self, name: &str) -> Result<PathBuf, VaultError> {
        let fine = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.chars().all(fine) {
            return Err(VaultError::BadName(name.to_owned()));
        }
        Ok(self.directory.join(format!("{name}{SUFFIX}")))
    }

    /// The key; created if allowed and there is none.
    fn key(&self, make: bool) -> Result<LessSafeKey, VaultError> {
        let path = self.directory.join("key");
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound && make => {
                let mut key = [0; KEY_LEN];
                getrandom::fill(&mut key).map_err(|_| VaultError::NoRandomness)?;
                make_private(&self.directory).map_err(at(&self.directory))?;
                match write_new_private(&path, &key) {
                    Ok(()) => key.to_vec(),
                    // Another process created it first.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        std::fs::read(&path).map_err(at(&path))?
                    }
                    Err(error) => return Err(at(&path)(error)),
                }
            }
            Err(error) => return Err(at(&path)(error)),
        };
        let wrong = |_| at(&path)(io::ErrorKind::InvalidData.into());
        UnboundKey::new(&CHACHA20_POLY1305, &bytes).map(LessSafeKey::new).map_err(wrong)
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> VaultError {
    let path = path.to_owned();
    move |error| VaultError::Io { path: path.clone(), reason: Arc::new(error) }
}

fn make_private(directory: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Writes a file atomically, readable only by the user.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_and(path, bytes, |half| std::fs::rename(half, path))
}

/// The same, if the file does not exist.
fn write_new_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_and(path, bytes, |half| {
        std::fs::hard_link(half, path)?;
        std::fs::remove_file(half)
    })
}

/// Writes a temporary file, then renames it.
fn write_and(path: &Path, bytes: &[u8], put: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    // Another process or thread may write the same.
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let nth = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let half = path.with_extension(format!("{}-{nth}.part", std::process::id()));
    match std::fs::remove_file(&half) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&half).and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| put(&half)).inspect_err(|_| {
        // The first error is the cause.
        let _ = std::fs::remove_file(&half);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault(name: &str) -> Vault {
        let directory = std::env::temp_dir().join(format!("cicerone-vault-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&directory);
        Vault::at(directory)
    }

    #[test]
    fn what_is_saved_comes_back_and_is_no_plain_text() {
        let vault = vault("round");
        let path = vault.save("login", b"session=hunter2").unwrap();
        assert!(!std::fs::read(&path).unwrap().windows(7).any(|window| window == b"hunter2"));
        assert_eq!(vault.load("login").unwrap(), b"session=hunter2");
        assert_eq!(vault.list(), ["login"]);
        vault.delete("login").unwrap();
        assert!(matches!(vault.load("login"), Err(VaultError::Unknown { .. })));
        assert!(matches!(vault.delete("login"), Err(VaultError::Unknown { .. })));
        std::fs::remove_dir_all(&vault.directory).unwrap();
    }

    #[test]
    fn what_was_changed_is_not_believed() {
        let vault = vault("changed");
        let path = vault.save("login", b"session=hunter2").unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[NONCE_LEN] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(vault.load("login"), Err(VaultError::Unreadable(_))));
        assert!(matches!(vault.load("../login"), Err(VaultError::BadName(_))));
        std::fs::remove_dir_all(&vault.directory).unwrap();
    }

    /// Each would be unreadable if the key that it was written with were replaced.
    #[test]
    fn two_first_saves_at_once_have_the_same_key() {
        const WRITERS: usize = 8;
        for round in 0..50 {
            let vault = vault(&format!("race-{round}"));
            let start = std::sync::Barrier::new(WRITERS);
            std::thread::scope(|scope| {
                for writer in 0..WRITERS {
                    let (vault, start) = (&vault, &start);
                    scope.spawn(move || {
                        start.wait();
                        // Half of them under the same name.
                        vault.save(&format!("login{}", writer / 2), &[b'x'; 64]).unwrap();
                    });
                }
            });
            assert_eq!(vault.list().len(), WRITERS / 2);
            for name in vault.list() {
                assert_eq!(vault.load(&name).unwrap(), [b'x'; 64], "{name} in round {round}");
            }
            let left = std::fs::read_dir(&vault.directory).unwrap().count();
            assert_eq!(left, WRITERS / 2 + 1, "states and one key");
            std::fs::remove_dir_all(&vault.directory).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_it() {
        use std::os::unix::fs::MetadataExt;
        let vault = vault("mode");
        let path = vault.save("login", b"x").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(
            [mode(&path), mode(&vault.directory.join("key")), mode(&vault.directory)],
            [0o600, 0o600, 0o700]
        );
        std::fs::remove_dir_all(&vault.directory).unwrap();
    }
}
