//! Downloads: kept beside the screenshots, under the name that the page gave them.

use std::{path::PathBuf, sync::Arc};

use crate::{Error, NewsItem, Result, Session, news};

impl Session {
    pub(crate) fn download_ended(&self, id: &str, complete: bool) {
        let Some((name, path)) = self.tabs().downloads.remove(id) else { return };
        let item = if complete {
            match self.keep_download(&name, &path) {
                Ok(kept) => NewsItem::Downloaded(name, self.files().shown(&kept)),
                Err(error) => {
                    tracing::warn!(%error, "a download could not be kept");
                    NewsItem::DownloadFailed(name)
                }
            }
        } else {
            NewsItem::DownloadFailed(name)
        };
        news::add(&mut self.tabs().news, item);
    }

    /// Moves a finished download to where output goes, under a name that is free.
    fn keep_download(&self, name: &str, from: &std::path::Path) -> Result<PathBuf> {
        let plain: String =
            name.chars().map(|c| if c.is_control() || "/\\:".contains(c) { '-' } else { c }).collect();
        let plain = plain.trim_start_matches('.').to_owned();
        let plain = if plain.is_empty() { "download".to_owned() } else { plain };
        let mut to = self.files().to_write(std::path::Path::new(&plain))?;
        let mut nth = 1;
        while to.exists() {
            nth += 1;
            to = self.files().to_write(std::path::Path::new(&format!("{nth}-{plain}")))?;
        }
        std::fs::rename(from, &to)
            .or_else(|_| std::fs::copy(from, &to).map(drop))
            .map_err(|reason| Error::File { path: to.clone(), reason: Arc::new(reason) })?;
        Ok(to)
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
