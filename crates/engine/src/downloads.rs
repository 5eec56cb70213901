//! Downloads: kept beside the screenshots, under the name that the page gave them.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{Context, Deadline, Error, NewsItem, news};

/// A download that ended.
#[derive(Debug, Clone)]
pub(crate) struct Download {
    pub(crate) name: String,
    /// Where it is kept; nothing for one that failed.
    pub(crate) path: Option<PathBuf>,
}

/// How many that nobody asked for are remembered.
const REMEMBERED: usize = 20;

/// The largest that is kept, in bytes: a page must not fill the disk.
const LARGEST: u64 = 1 << 30;

/// Why a download is not there.
#[derive(Debug, thiserror::Error)]
enum Lost {
    #[error("it did not complete")]
    Failed,
    #[error("it has {0} bytes; at most {LARGEST} are kept")]
    TooLarge(u64),
    #[error("{0}")]
    Unkept(Error),
}

impl Context {
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

    pub(crate) fn download_ended(&self, id: &str, complete: bool) {
        let Some((name, path)) = self.tabs().downloads.get(id).cloned() else { return };
        if !complete {
            return self.download_kept(id, name, Err(Lost::Failed));
        }
        let to = match self.place_for_download(&name, &path) {
            Ok(to) => to,
            Err(lost) => return self.download_kept(id, name, Err(lost)),
        };
        if std::fs::rename(&path, &to).is_ok() {
            return self.download_kept(id, name, Ok(to));
        }
        // Another file system: it may be large, and other calls go on meanwhile.
        let (context, id) = (self.clone(), id.to_owned());
        tokio::spawn(async move {
            let copied = to.clone();
            let copy = tokio::task::spawn_blocking(move || {
                std::fs::copy(&path, &copied).inspect_err(|_| {
                    // Half a file must not stay; the first error says what is wrong.
                    let _ = std::fs::remove_file(&copied);
                })
            });
            let kept = match copy.await {
                Ok(Ok(_)) => Ok(to),
                Ok(Err(reason)) => Err(Lost::Unkept(Error::File { path: to, reason: Arc::new(reason) })),
                Err(_) => Err(Lost::Failed),
            };
            context.download_kept(&id, name, kept);
        });
    }

    /// A download is where it stays, or is lost.
    fn download_kept(&self, id: &str, name: String, kept: std::result::Result<PathBuf, Lost>) {
        let shown =
            |path: PathBuf| self.session().map(|session| session.files().shown(&path)).unwrap_or(path);
        let path = match kept {
            Ok(path) => Some(shown(path)),
            Err(lost) => {
                tracing::warn!(%lost, "a download was not kept");
                None
            }
        };
        let item = match &path {
            Some(path) => NewsItem::Downloaded(name.clone(), path.clone()),
            None => NewsItem::DownloadFailed(name.clone()),
        };
        {
            let mut tabs = self.tabs();
            tabs.downloads.remove(id);
            if tabs.downloaded.len() == REMEMBERED {
                tabs.downloaded.remove(0);
            }
            tabs.downloaded.push(Download { name, path });
            news::add(&mut tabs.news, item);
        }
        self.downloads().send_replace(());
    }

    /// Something is done that may start a download: one that ended before is not what is waited for after it.
    pub(crate) fn forget_downloads(&self) {
        self.tabs().downloaded.clear();
    }

    /// The download that runs, when it ends; failing that the one that the latest action led to; failing that the next.
    pub(crate) async fn next_download(&self, deadline: Deadline) -> Option<Download> {
        let mut changed = self.downloads().subscribe();
        let ended = async {
            loop {
                {
                    let mut tabs = self.tabs();
                    if tabs.downloads.is_empty()
                        && let Some(download) = std::mem::take(&mut tabs.downloaded).pop()
                    {
                        return Some(download);
                    }
                }
                changed.changed().await.ok()?;
            }
        };
        deadline.bound(ended).await.flatten()
    }

    /// The names of those that run.
    pub(crate) fn running_downloads(&self) -> Vec<String> {
        self.tabs().downloads.values().map(|(name, _)| name.clone()).collect()
    }

    /// A file for a finished download where output goes, under a name that is free and now taken.
    fn place_for_download(&self, name: &str, from: &Path) -> std::result::Result<PathBuf, Lost> {
        let size = std::fs::metadata(from).map_or(0, |found| found.len());
        if size > LARGEST {
            return Err(Lost::TooLarge(size));
        }
        let session = self.session().map_err(Lost::Unkept)?;
        let plain: String =
            name.chars().map(|c| if c.is_control() || "/\\:".contains(c) { '-' } else { c }).collect();
        let plain = plain.trim_start_matches('.');
        let plain = if plain.is_empty() { "download" } else { plain };
        for nth in 1.. {
            let free = if nth == 1 { plain.to_owned() } else { format!("{nth}-{plain}") };
            let to = session.files().to_write(Path::new(&free)).map_err(Lost::Unkept)?;
            match std::fs::File::create_new(&to) {
                Ok(_) => return Ok(to),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(Lost::Unkept(Error::File { path: to, reason: Arc::new(error) }));
                }
            }
        }
        Err(Lost::Failed)
    }

    /// Says of downloads that take longer that they run.
    pub(crate) fn tell_running_downloads(&self) {
        let mut tabs = self.tabs();
        let names: Vec<String> = tabs.downloads.values().map(|(name, _)| name.clone()).collect();
        for name in names {
            news::add(&mut tabs.news, NewsItem::Downloading(name));
        }
    }
}
