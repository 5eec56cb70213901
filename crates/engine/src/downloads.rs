//! Downloads: kept beside the screenshots, under the name that the page gave them.

use std::{path::PathBuf, sync::Arc};

use crate::{Context, Error, NewsItem, Result, news};

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
                Ok(kept) => NewsItem::Downloaded(name, kept),
                Err(error) => {
                    tracing::warn!(%error, "a download could not be kept");
                    NewsItem::DownloadFailed(name)
                }
            }
        } else {
            NewsItem::DownloadFailed(name)
        };
        news::add(&mut self.tabs().news, item);
        self.downloads().send_replace(());
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
