//! `server.json` in the extension's directory: which servers run, where, and with which token. Chrome serves the file to the
//! extension alone, and only this user can read it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::Installation;

const FILE: &str = "server.json";
const LOCK: &str = "server.lock";

/// How long a port on loopback may take to answer. It answers at once, or nobody listens.
const PROBE: Duration = Duration::from_millis(200);

/// A server that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Another one for each server.
    pub(crate) id: String,
    pub(crate) port: u16,
    pub(crate) token: String,
    /// The client that it serves.
    pub(crate) name: String,
}

/// Our entry, which goes with this.
#[derive(Debug)]
pub(crate) struct Registration {
    directory: PathBuf,
    id: String,
}

impl Registration {
    /// Adds an entry, and removes those of servers that are gone.
    pub(crate) fn add(installation: &Installation, entry: Entry) -> io::Result<Self> {
        let registration = Self { directory: installation.directory().to_owned(), id: entry.id.clone() };
        registration.change(|entries| entries.push(entry))?;
        Ok(registration)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Entry>)) -> io::Result<()> {
        let _locked = locked(&self.directory)?;
        let mut entries = read(&self.directory);
        // A server that was killed could not remove its entry.
        entries.retain(|entry| entry.id != self.id && is_listening(entry.port));
        change(&mut entries);
        write(&self.directory, &entries)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Err(error) = self.change(|_| {}) {
            tracing::debug!(%error, "our entry stays; the next server removes it");
        }
    }
}

/// The entries that there are. What cannot be read is written anew.
fn read(directory: &Path) -> Vec<Entry> {
    let text = fs::read(directory.join(FILE)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Others see the old file or the new one, and never one that is open to other users.
fn write(directory: &Path, entries: &[Entry]) -> io::Result<()> {
    let new = directory.join(format!("{FILE}.new"));
    // Only the owner of the lock writes it, so one that is there is left over.
    let _ = fs::remove_file(&new);
    let mut file = private(&new)?;
    file.write_all(&serde_json::to_vec(entries)?)?;
    file.sync_all()?;
    fs::rename(new, directory.join(FILE))
}

#[cfg(unix)]
fn private(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Other servers of this user change the file too. They hold this for a moment only.
fn locked(directory: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(directory.join(LOCK))?;
    file.lock()?;
    Ok(file)
}

fn is_listening(port: u16) -> bool {
    TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), PROBE).is_ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn entry(id: &str, port: u16) -> Entry {
        Entry { id: id.into(), port, token: "t".into(), name: "n".into() }
    }

    #[test]
    fn servers_come_and_go_and_killed_ones_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let installation = Installation::at(directory.path());
        let ids = || read(directory.path()).into_iter().map(|entry| entry.id).collect::<Vec<_>>();
        let listening = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listening.local_addr().unwrap().port();
        let one = Registration::add(&installation, entry("one", port)).unwrap();
        let two = Registration::add(&installation, entry("two", port)).unwrap();
        assert_eq!(ids(), ["one", "two"]);
        drop(one);
        assert_eq!(ids(), ["two"]);
        std::mem::forget(two);
        drop(listening);
        let _three = Registration::add(&installation, entry("three", port)).unwrap();
        assert_eq!(ids(), ["three"]);
    }

    #[test]
    fn a_damaged_file_is_written_anew() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(FILE), "{").unwrap();
        let _one = Registration::add(&Installation::at(directory.path()), entry("one", 1)).unwrap();
        assert_eq!(read(directory.path()), [entry("one", 1)]);
    }

    #[cfg(unix)]
    #[test]
    fn only_this_user_can_read_the_token() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let _one = Registration::add(&Installation::at(directory.path()), entry("one", 1)).unwrap();
        let mode = fs::metadata(directory.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
