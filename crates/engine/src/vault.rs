//! Named states of contexts in the user's data directory, encrypted with a key that only the user can read.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

/// Where named states are kept.
#[derive(Debug, Clone)]
pub struct Vault {
    directory: PathBuf,
}

/// Why a named state cannot be had.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// Nothing has this name.
    #[error("there is no saved state {name:?}{}", listed(.known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The name cannot be one.
    #[error("{0:?} is no name for a state: use letters, digits, dots, dashes and underscores, at most 64")]
    BadName(String),
    /// It was written with another key, or changed since.
    #[error("the saved state {0:?} cannot be decrypted: it was written with another key, or changed since")]
    Unreadable(String),
    /// A file cannot be used.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: Arc<io::Error>,
    },
    /// There is no directory for the user's data.
    #[error("there is no directory for saved states: HOME is not set")]
    Homeless,
    /// The system gives no randomness.
    #[error("the system gives no random numbers")]
    NoRandomness,
}

const KEY_LEN: usize = 32;
const SUFFIX: &str = ".state";

impl Vault {
    /// A vault in this directory, which need not exist yet.
    pub fn at(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Keeps bytes under a name, in place of what was there.
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

    /// What is kept under a name.
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

    /// The names that there are.
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

    /// Removes what is kept under a name.
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

    /// The key; made where there is none and one may be made.
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
                    // Another process was first: its key is the one.
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

/// Whole or not at all, and readable by nobody else.
fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_and(path, bytes, |half| std::fs::rename(half, path))
}

/// The same, where there is none yet.
fn write_new_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_and(path, bytes, |half| {
        std::fs::hard_link(half, path)?;
        std::fs::remove_file(half)
    })
}

/// Writes it beside, and then puts it there.
fn write_and(path: &Path, bytes: &[u8], put: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    // Another process may write the same.
    let half = path.with_extension(format!("{}.part", std::process::id()));
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
        // The first error is the one that says what is wrong.
        let _ = std::fs::remove_file(&half);
    })
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "; none was saved".into() } else { format!("; there is {}", names.join(", ")) }
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
