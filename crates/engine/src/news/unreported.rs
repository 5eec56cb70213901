//! News that no reply has reported yet: of a context, of a page, and of the other tabs.

use std::time::Duration;

use cicerone_driver::DialogOpened;

use crate::{
    Context, Deadline, News, NewsItem, Page, Session, TabId, UnreportedChanges, View, news::TabName,
    state::State,
};

/// Time limit for an opened tab to report its URL.
const OPENED_TAB_TIMEOUT: Duration = Duration::from_millis(1500);

/// How many characters of changes an error has, at most.
const SHORT: usize = 600;

impl Context {
    /// Unreported news, with the URLs of opened tabs.
    pub(crate) async fn take_news(&self) -> News {
        let opened: Vec<TabId> = self.tabs().news.iter().filter_map(NewsItem::opened).collect();
        for page in opened.iter().filter_map(|id| self.tab(*id)) {
            // The URL is known in a moment; a tab without one is blank.
            let timeout = Deadline::after(OPENED_TAB_TIMEOUT);
            if page.until(timeout, State::heading_for).await.is_some() {
                page.loading().loaded(None, timeout).await;
            }
        }
        // No `await` from here on: a cancelled call would lose the news.
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
                let destination = open[index].state().heading_for();
                *url = destination.unwrap_or_else(|| open[index].shown_url());
            }
        }
        news
    }

    /// News of the other tabs.
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

impl Session {
    /// What no reply has told yet, for a reply about this tab, by default the active one. An open dialog is told once.
    pub async fn take_news(&self, tab: Option<TabId>) -> News {
        match self.reported_page(tab) {
            (_, Some(page)) => {
                page.effects().hear().await;
                page.take_unreported().await
            }
            (context, None) => context.take_news().await,
        }
    }

    /// Changes of this tab, by default the active one, from before an action that failed. Of long ones only where the
    /// page is now; the rest is kept for the next action that works: errors are short.
    pub fn take_short_changes(&self, tab: Option<TabId>) -> Option<UnreportedChanges> {
        let page = self.reported_page(tab).1?;
        let mut state = page.state();
        let since = state.since.as_mut()?;
        let (View::Changes(text) | View::Page(text)) = &since.view;
        if text.len() <= SHORT {
            return state.since.take();
        }
        // The most important part of it: the page is another one.
        let moved = since.moved.take()?;
        Some(UnreportedChanges { moved: Some(moved), view: View::Changes(String::new()) })
    }

    fn reported_page(&self, tab: Option<TabId>) -> (Context, Option<Page>) {
        match tab.and_then(|id| self.tab(id).ok()) {
            Some((context, page)) => (context, Some(page)),
            None => {
                let context = self.context();
                let page = context.active();
                (context, page)
            }
        }
    }

    /// A reply named this dialog.
    pub(crate) fn dialog_was_reported(&self, dialog: &DialogOpened) {
        for page in self.all_contexts().iter().flat_map(Context::pages) {
            let mut state = page.state();
            let is_open = state.dialog.as_ref() == Some(dialog);
            state.dialog_told |= is_open;
        }
    }
}

impl Page {
    /// Unreported news, and the open dialog, however often it was reported.
    pub async fn take_news(&self) -> News {
        let mut news = self.take_unreported().await;
        let open = self.state().dialog.clone().map(NewsItem::DialogOpen);
        news.extend(open.filter(|open| !news.contains(open)));
        news
    }

    async fn take_unreported(&self) -> News {
        let mut news = match self.context() {
            Some(context) => context.take_news().await,
            None => News::new(),
        };
        if let Some(context) = self.context() {
            news.append(&mut context.take_news_beside(self));
        }
        let mut state = self.state();
        news.append(&mut state.news);
        let opened = state.dialog.clone().filter(|_| !state.dialog_told).map(NewsItem::DialogOpen);
        state.dialog_told |= opened.is_some();
        news.extend(opened);
        news
    }
}
