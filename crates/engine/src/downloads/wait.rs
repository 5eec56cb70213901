//! Waiting for downloads: for one, or until none runs.

use std::time::Duration;

use super::Download;
use crate::{Context, Deadline, NewsItem, news};

/// How long to wait for a download before reporting it as running.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(3);

impl Context {
    /// Waits, within `DOWNLOAD_TIMEOUT`, until no download runs and a requested one has begun; some take hours.
    pub(crate) async fn downloads_end(&self, expected: bool, deadline: Deadline) {
        let mut changed = self.downloads().subscribe();
        let all = async {
            loop {
                {
                    let mut tabs = self.tabs();
                    let begun = std::mem::take(&mut tabs.downloads_begun) > 0;
                    if tabs.downloads.is_empty() && (begun || !expected) {
                        return;
                    }
                    tabs.downloads_begun += usize::from(begun);
                }
                if changed.changed().await.is_err() {
                    return;
                }
            }
        };
        if deadline.or_after(DOWNLOAD_TIMEOUT).bound(all).await.is_none() {
            self.report_running_downloads();
        }
    }

    /// Waits for the running download, else returns the last action's, else waits for the next one. The time that a decision
    /// about a complete one takes does not count.
    pub(crate) async fn next_download(&self, deadline: Deadline) -> Option<Download> {
        if let Some(download) = self.download_within(deadline).await {
            return Some(download);
        }
        let decision = self.session().ok()?.options().hold_downloads?;
        if self.tabs().undecided.is_empty() {
            return None;
        }
        self.download_within(Deadline::after(decision)).await
    }

    async fn download_within(&self, deadline: Deadline) -> Option<Download> {
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

    /// The names of running downloads.
    pub(crate) fn running_downloads(&self) -> Vec<String> {
        self.tabs().downloads.values().map(|(name, _)| name.clone()).collect()
    }

    /// Reports the downloads still running.
    pub(crate) fn report_running_downloads(&self) {
        let mut tabs = self.tabs();
        let names: Vec<String> = tabs.downloads.values().map(|(name, _)| name.clone()).collect();
        for name in names {
            news::add(&mut tabs.news, NewsItem::Downloading(name));
        }
    }
}
