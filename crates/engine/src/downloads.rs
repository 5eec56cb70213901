//! Downloads: kept beside the screenshots, under the name that the page gave them.

use std::{path::PathBuf, sync::Arc};

use crate::{Context, Deadline, Error, NewsItem, Result, news};

/// A download that ended.
#[derive(Debug, Clone)]
pub(crate) struct Download {
    pub(crate) name: String,
    /// Where it is kept; nothing for one that failed.
    pub(crate) path: Option<PathBuf>,
}

/// How many that nobody asked for are remembered.
const REMEMBERED: usize = 20;

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
        let Some((name, path)) = self.tabs().downloads.remove(id) else { return };
        let item = if complete {
            match self.keep_download(&name, &path) {
                Ok(kept) => NewsItem::Downloaded(name.clone(), kept),
                Err(error) => {
                    tracing::warn!(%error, "a download could not be kept");
                    NewsItem::DownloadFailed(name.clone())
                }
            }
        } else {
            NewsItem::DownloadFailed(name.clone())
        };
        let (name, path) = match &item {
            NewsItem::Downloaded(name, path) => (name.clone(), Some(path.clone())),
            _ => (name, None),
        };
        {
            let mut tabs = self.tabs();
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

    /// Moves a finished download to where output goes, under a name that is free; the path to show.
    fn keep_download(&self, name: &str, from: &std::path::Path) -> Result<PathBuf> {
        let session = self.session()?;
        let files = session.files();
        let plain: String =
            name.chars().map(|c| if c.is_control() || "/\\:".contains(c) { '-' } else { c }).collect();
        let plain = plain.trim_start_matches('.').to_owned();
        let plain = if plain.is_empty() { "download".to_owned() } else { plain };
        let mut to = files.to_write(std::path::Path::new(&plain))?;
        let mut nth = 1;
        while to.exists() {
            nth += 1;
            to = files.to_write(std::path::Path::new(&format!("{nth}-{plain}")))?;
        }
        std::fs::rename(from, &to)
            .or_else(|_| std::fs::copy(from, &to).map(drop))
            .map_err(|reason| Error::File { path: to.clone(), reason: Arc::new(reason) })?;
        Ok(files.shown(&to))
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
