//! What happened meanwhile in the whole context: tabs that were opened, downloads.

use std::time::Duration;

use crate::{Context, Deadline, News, NewsItem, state::State};

/// How long a tab that was opened may take to say where it is going.
const OPENED: Duration = Duration::from_millis(1500);

/// How long a download is waited for before the reply says that it runs.
const DOWNLOAD: Duration = Duration::from_secs(3);

impl Context {
    /// Waits until no download runs, and one that was asked for has begun; not for long, since some take hours.
    pub(crate) async fn downloads_end(&self, asked: bool, deadline: Deadline) {
        let mut changed = self.downloads().subscribe();
        let all = async {
            loop {
                {
                    let mut tabs = self.tabs();
                    let begun = std::mem::take(&mut tabs.downloads_begun) > 0;
                    if tabs.downloads.is_empty() && (begun || !asked) {
                        return;
                    }
                    tabs.downloads_begun += usize::from(begun);
                }
                if changed.changed().await.is_err() {
                    return;
                }
            }
        };
        if deadline.or_after(DOWNLOAD).bound(all).await.is_none() {
            self.tell_running_downloads();
        }
    }

    /// News that was not told yet, with the URLs that opened tabs are at or on their way to.
    pub(crate) async fn take_news(&self) -> News {
        let mut news = std::mem::take(&mut self.tabs().news);
        let refused = self.take_refusals();
        if !refused.is_empty() {
            news.push(NewsItem::HostsRefused(refused));
        }
        for item in &mut news {
            if let NewsItem::TabOpened(id, url) = item {
                let page = self.tabs().open.iter().find(|page| page.id() == *id).cloned();
                let Some(page) = page else { continue };
                // Where to is known in a moment; a tab that goes nowhere is blank.
                let patience = Deadline::after(OPENED);
                let heading = page.until(patience, State::heading_for).await;
                if heading.is_some() {
                    page.loaded(None, patience).await;
                }
                *url = heading.unwrap_or_else(|| page.url());
            }
        }
        news
    }
}
