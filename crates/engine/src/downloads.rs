//! Downloads: saved to the output directory under the page's suggested name.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tracing::Instrument;

pub(crate) use self::quota::DownloadQuota;
use crate::{Context, Error, FileError, NewsItem, Session, news};

mod quota;
mod wait;

/// A finished download.
#[derive(Debug, Clone)]
pub(crate) struct Download {
    pub(crate) name: String,
    /// The saved file, or why there is none.
    pub(crate) saved: Result<PathBuf, DownloadFailure>,
}

/// Finished downloads remembered for a later wait.
const REMEMBERED: usize = 20;

/// Why a download was not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DownloadFailure {
    /// It did not complete.
    Incomplete,
    /// It was held, and declined.
    Declined,
    /// It is larger than [`Options::max_download`](crate::Options::max_download).
    TooLarge {
        /// Its size.
        bytes: u64,
        limit: u64,
    },
    /// There are too many since the last action.
    TooMany { limit: usize },
    /// With it, the downloads of the session would take up too much.
    QuotaExceeded {
        /// The limit in bytes.
        limit: u64,
    },
    /// Its file cannot be written.
    NotSaved(SaveError),
}

/// Why a file cannot be written. Equal to its clones only.
#[derive(Debug, Clone)]
pub struct SaveError(pub Arc<Error>);

impl PartialEq for SaveError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SaveError {}

/// A complete download that is not saved yet. One that is dropped without a decision waits for the next one who asks.
pub struct HeldDownload {
    context: Context,
    id: String,
    path: PathBuf,
    decided: bool,
    /// The name that the page suggests.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

impl HeldDownload {
    /// Saves it.
    pub fn keep(mut self) {
        self.decided = true;
        self.context.save_download(&self.id, self.name.clone(), self.path.clone());
    }

    /// Deletes it.
    pub fn discard(mut self) {
        self.decided = true;
        remove(&self.path);
        self.context.download_saved(&self.id, self.name.clone(), Err(DownloadFailure::Declined));
    }
}

impl Drop for HeldDownload {
    fn drop(&mut self) {
        if !self.decided {
            self.context.hold_download(self.id.clone());
        }
    }
}

/// Deletes a file of the browser that nobody gets.
fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        tracing::warn!(%error, "a download that is not kept cannot be deleted");
    }
}

impl Session {
    /// The downloads that wait for a decision. Each is returned once.
    pub fn held_downloads(&self) -> Vec<HeldDownload> {
        let contexts = self.all_contexts();
        contexts.iter().flat_map(Context::held_downloads).collect()
    }

    /// Waits until some do.
    pub async fn next_held_downloads(&self) -> Vec<HeldDownload> {
        loop {
            let held = self.download_held().notified();
            tokio::pin!(held);
            held.as_mut().enable();
            let found = self.held_downloads();
            if !found.is_empty() {
                return found;
            }
            held.await;
        }
    }
}

/// Copies a file off this thread, which is the only one; the original is deleted. Nothing half-written stays.
async fn copy(from: PathBuf, to: PathBuf) -> std::io::Result<()> {
    let work = tokio::task::spawn_blocking(move || {
        std::fs::copy(&from, &to).inspect_err(|_| {
            // The first error is the one to report.
            let _ = std::fs::remove_file(&to);
        })?;
        std::fs::remove_file(&from)
    });
    work.await.map_err(std::io::Error::from)?
}

fn not_saved(path: PathBuf, reason: std::io::Error) -> DownloadFailure {
    let error = Error::File(FileError::Io { path, reason: Arc::new(reason) });
    DownloadFailure::NotSaved(SaveError(Arc::new(error)))
}

impl Context {
    fn held_downloads(&self) -> Vec<HeldDownload> {
        let mut tabs = self.tabs();
        let held = std::mem::take(&mut tabs.held);
        let download = |id: String| {
            let (name, path) = tabs.downloads.get(&id)?.clone();
            let bytes = path.metadata().map(|found| found.len()).unwrap_or_default();
            Some(HeldDownload { context: self.clone(), id, path, decided: false, name, bytes })
        };
        held.into_iter().filter_map(download).collect()
    }

    fn hold_download(&self, id: String) {
        let Ok(session) = self.session() else { return };
        let mut tabs = self.tabs();
        // The browser may have ended meanwhile, and its downloads with it.
        if !tabs.downloads.contains_key(&id) {
            return;
        }
        tabs.undecided.insert(id.clone());
        tabs.held.push(id);
        drop(tabs);
        session.download_held().notify_waiters();
    }

    pub(crate) fn has_download(&self, id: &str) -> bool {
        self.tabs().downloads.contains_key(id)
    }

    pub(crate) fn download_began(&self, id: String, name: String, path: PathBuf) {
        let mut tabs = self.tabs();
        tabs.downloads.insert(id, (name, path));
        tabs.downloads_begun += 1;
        drop(tabs);
        self.downloads().send_replace(());
    }

    /// The browser's user gets the file; nobody here does.
    pub(crate) fn download_kept(&self, name: String) {
        let mut tabs = self.tabs();
        tabs.downloads_begun += 1;
        news::add(&mut tabs.news, NewsItem::DownloadKept(name));
        drop(tabs);
        self.downloads().send_replace(());
    }

    pub(crate) fn download_ended(&self, id: &str, complete: bool) {
        let Some((name, path)) = self.tabs().downloads.get(id).cloned() else { return };
        if !complete {
            return self.download_saved(id, name, Err(DownloadFailure::Incomplete));
        }
        if self.session().is_ok_and(|session| session.options().hold_downloads.is_some()) {
            return self.hold_download(id.to_owned());
        }
        self.save_download(id, name, path);
    }

    /// The driver cancelled it.
    pub(crate) fn download_too_large(&self, id: &str, bytes: u64) {
        let Some((name, _)) = self.tabs().downloads.get(id).cloned() else { return };
        let limit = self.session().map(|session| session.options().max_download).unwrap_or_default();
        self.download_saved(id, name, Err(DownloadFailure::TooLarge { bytes, limit }));
    }

    fn save_download(&self, id: &str, name: String, path: PathBuf) {
        let to = match self.create_download_file(&name, &path) {
            Ok(to) => to,
            Err(failure) => {
                remove(&path);
                return self.download_saved(id, name, Err(failure));
            }
        };
        if std::fs::rename(&path, &to).is_ok() {
            return self.download_saved(id, name, Ok(to));
        }
        // Another file system: copy in the background, because the file may be large.
        let (context, id) = (self.clone(), id.to_owned());
        let save = async move {
            let saved = match copy(path, to.clone()).await {
                Ok(()) => Ok(to),
                Err(reason) => Err(not_saved(to, reason)),
            };
            context.download_saved(&id, name, saved);
        };
        tokio::spawn(save.in_current_span());
    }

    /// Records where a download was saved, or why not.
    fn download_saved(&self, id: &str, name: String, saved: Result<PathBuf, DownloadFailure>) {
        let shown =
            |path: PathBuf| self.session().map(|session| session.files().shown(&path)).unwrap_or(path);
        let saved = saved.map(shown);
        let item = match &saved {
            Ok(path) => NewsItem::Downloaded(name.clone(), path.clone()),
            Err(failure) => {
                tracing::warn!(?failure, "a download was not saved");
                NewsItem::DownloadFailed(name.clone(), failure.clone())
            }
        };
        {
            let mut tabs = self.tabs();
            tabs.downloads.remove(id);
            tabs.undecided.remove(id);
            if tabs.downloaded.len() == REMEMBERED {
                tabs.downloaded.remove(0);
            }
            tabs.downloaded.push(Download { name, saved });
            news::add(&mut tabs.news, item);
        }
        self.downloads().send_replace(());
    }

    /// Forgets finished downloads before an action: a later wait means the action's own.
    pub(crate) fn forget_downloads(&self) {
        self.tabs().downloaded.clear();
        if let Ok(session) = self.session() {
            session.download_quota().action_begins();
        }
    }

    /// Creates an empty file with a free name in the output directory.
    fn create_download_file(&self, name: &str, from: &Path) -> Result<PathBuf, DownloadFailure> {
        let refused = |error| DownloadFailure::NotSaved(SaveError(Arc::new(error)));
        let session = self.session().map_err(refused)?;
        let bytes = std::fs::metadata(from).map_or(0, |found| found.len());
        session.download_quota().admit(bytes, session.options().max_download)?;
        let file_name: String =
            name.chars().map(|c| if c.is_control() || "/\\:".contains(c) { '-' } else { c }).collect();
        let file_name = file_name.trim_start_matches('.');
        let file_name = if file_name.is_empty() { "download" } else { file_name };
        for nth in 1.. {
            let candidate = if nth == 1 { file_name.to_owned() } else { format!("{nth}-{file_name}") };
            let to = session.files().to_write(Path::new(&candidate)).map_err(refused)?;
            match std::fs::File::create_new(&to) {
                Ok(_) => {
                    session.download_quota().keep(to.clone(), bytes);
                    return Ok(to);
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(not_saved(to, error)),
            }
        }
        Err(DownloadFailure::Incomplete)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        sync::mpsc::{RecvTimeoutError, channel},
        time::Duration,
    };

    use super::*;

    /// A pipe is a file whose reader waits for a writer. Ours writes when something else has run on the one thread meanwhile.
    #[tokio::test(flavor = "current_thread")]
    async fn a_copy_does_not_hold_up_the_thread() {
        let folder = std::env::temp_dir().join(format!("cicerone-copy-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (pipe, copied) = (folder.join("pipe"), folder.join("copy"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let (went_on, signal) = channel();
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let signalled = signal.recv_timeout(Duration::from_secs(20));
                drop(std::fs::OpenOptions::new().write(true).open(pipe).unwrap());
                signalled
            }
        });
        let copying = tokio::spawn(copy(pipe, copied.clone()));
        let other = tokio::spawn(async move { went_on.send(()).unwrap() });
        assert!(copying.await.unwrap().is_err(), "a pipe is not a download");
        other.await.unwrap();
        assert_ne!(writer.join().unwrap(), Err(RecvTimeoutError::Timeout), "the thread waited for the copy");
        assert!(!copied.exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
