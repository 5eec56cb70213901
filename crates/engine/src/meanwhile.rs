//! What happened meanwhile in the whole context: tabs that were opened, downloads.

use std::time::Duration;

use crate::{Context, Deadline, News, NewsItem, Page, TabId, news::TabName, state::State};

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
        let opened: Vec<TabId> = self.tabs().news.iter().filter_map(NewsItem::opened).collect();
        for page in opened.iter().filter_map(|id| self.tab(*id)) {
            // Where to is known in a moment; a tab that goes nowhere is blank.
            let patience = Deadline::after(OPENED);
            if page.until(patience, State::heading_for).await.is_some() {
                page.loaded(None, patience).await;
            }
        }
        // Nothing is waited for from here on: what was taken is told, or a call that is cancelled would lose it.
        let mut news = std::mem::take(&mut self.tabs().news);
        let refused = self.take_refusals();
        if !refused.is_empty() {
            news.push(NewsItem::HostsRefused(refused));
        }
        for item in &mut news {
            if let NewsItem::TabOpened(tab, url) = item {
                let open = self.pages();
                let Some(index) = open.iter().position(|page| page.id() == tab.id) else { continue };
                tab.index = index;
                let heading = open[index].state().heading_for();
                *url = heading.unwrap_or_else(|| open[index].shown_url());
            }
        }
        news
    }

    /// What happened in the tabs beside one.
    pub(crate) fn take_news_beside(&self, page: &Page) -> News {
        let mut news = News::new();
        for (index, other) in self.pages().into_iter().enumerate() {
            if other.id() == page.id() {
                continue;
            }
            let tab = TabName { index, id: other.id() };
            let mut state = other.state();
            let opened = state.dialog.clone().filter(|_| !state.dialog_told).map(NewsItem::DialogOpen);
            state.dialog_told |= opened.is_some();
            let items = std::mem::take(&mut state.news).into_iter().chain(opened);
            news.extend(items.map(|item| NewsItem::InTab(tab, Box::new(item))));
        }
        news
    }
}

impl Page {
    /// What happened meanwhile and was not told yet.
    pub async fn take_news(&self) -> News {
        let mut news = match self.context() {
            Some(context) => context.take_news().await,
            None => News::new(),
        };
        if let Some(context) = self.context() {
            news.append(&mut context.take_news_beside(self));
        }
        let mut state = self.state();
        state.dialog_told = true;
        news.append(&mut state.news);
        if let Some(dialog) = &state.dialog {
            news.push(NewsItem::DialogOpen(dialog.clone()));
        }
        news
    }
}
