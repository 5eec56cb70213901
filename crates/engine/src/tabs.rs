//! Tabs: their numbers, and which one is active.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    path::PathBuf,
    sync::Arc,
};

use cicerone_driver::{DialogKind, FrameId, PageDriver, PageId, Size};
use serde::Serialize;

use crate::{
    Context, EmulationState, Error, News, NewsItem, Page, Result, TabError,
    downloads::Download,
    news::{self, TabName},
    state::PageStatus,
};

/// The maximum number of tabs; popups beyond it are closed at once.
const MOST_TABS: usize = 20;

/// A tab's number, from 1, never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct TabId(pub u32);

impl fmt::Display for TabId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A window's number, from 1, never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct WindowId(pub u32);

/// Where and how to open a tab.
#[derive(Debug, Clone, Copy, Default)]
pub struct Opening {
    /// The window; by default the context's.
    pub window: WindowChoice,
    /// The viewport, if not the default.
    pub size: Option<Size>,
    /// Whether the active tab stays active.
    pub background: bool,
}

/// The window for a new tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WindowChoice {
    /// In the one of its context.
    #[default]
    Usual,
    /// A new one.
    New,
    /// In this one.
    Known(WindowId),
}

/// A tab in the list of tabs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TabInfo {
    pub index: usize,
    /// Its number.
    pub tab_id: TabId,
    /// The number of its window.
    pub window_id: WindowId,
    pub title: String,
    pub url: String,
    /// Whether it is active.
    pub active: bool,
    /// Whether it crashed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub crashed: bool,
}

/// All tabs of a context.
#[derive(Default)]
pub(crate) struct Tabs {
    pub(crate) open: Vec<Page>,
    pub(crate) active: Option<TabId>,
    /// Previously active tabs, the latest last.
    pub(crate) earlier: Vec<TabId>,
    pub(crate) news: News,
    /// News about the browser that ended with these tabs, once there is another.
    pub(crate) loss: Option<NewsItem>,
    /// The overrides of its active tab, for the tab that replaces it.
    pub(crate) lost_emulation: Option<(EmulationState, Size)>,
    pub(crate) downloads: HashMap<String, (String, PathBuf)>,
    /// Finished downloads that no call has asked for, the latest last.
    pub(crate) downloaded: Vec<Download>,
    /// Downloads that began and that no reply has waited for.
    pub(crate) downloads_begun: usize,
    /// Completed downloads that wait for a decision.
    pub(crate) held: Vec<String>,
    /// The same, with those that somebody is deciding about.
    pub(crate) undecided: HashSet<String>,
    /// Number of tabs that calls are opening; these are not news.
    pub(crate) opening: usize,
}

impl Tabs {
    pub(crate) fn activate(&mut self, id: TabId) {
        self.earlier.retain(|tab| *tab != id);
        self.earlier.extend(self.active.filter(|active| *active != id));
        self.active = Some(id);
    }

    /// Activates the previously active tab, or else the neighbour of the closed one.
    pub(crate) fn succeed(&mut self, gone: TabId, place: usize) {
        self.earlier.retain(|tab| *tab != gone);
        if self.active == Some(gone) {
            let neighbour = self.open.get(place).or_else(|| self.open.last()).map(Page::id);
            self.active = self.earlier.pop().or(neighbour);
        }
    }

    /// Replaces a crashed page; the active tab stays the same.
    pub(crate) fn replace(&mut self, crashed: TabId, opened: &Page, page: Page, active: Option<TabId>) {
        self.open.retain(|tab| tab.driver_id() != opened.driver_id());
        match self.open.iter_mut().find(|tab| tab.id() == crashed) {
            Some(place) => *place = page,
            None => self.open.push(page),
        }
        self.earlier.retain(|tab| *tab != opened.id() && Some(*tab) != active);
        self.active = active.or(Some(crashed));
    }

    /// The overrides of the active tab, if any.
    pub(crate) fn active_emulation(&self) -> Option<(EmulationState, Size)> {
        let active = self.open.iter().find(|page| Some(page.id()) == self.active)?;
        let emulation = active.emulator().emulation();
        (emulation != EmulationState::default()).then(|| (emulation, active.geometry().viewport()))
    }

    /// Removes all tabs and returns them.
    pub(crate) fn lose(&mut self) -> Vec<Page> {
        self.active = None;
        self.earlier.clear();
        self.downloads.clear();
        self.held.clear();
        self.undecided.clear();
        std::mem::take(&mut self.open)
    }
}

impl Context {
    /// The active tab.
    pub fn active(&self) -> Option<Page> {
        let tabs = self.tabs();
        let active = tabs.active?;
        tabs.open.iter().find(|page| page.id() == active).cloned()
    }

    /// Its pages, in the order in which they were opened.
    pub fn pages(&self) -> Vec<Page> {
        self.tabs().open.clone()
    }

    /// All tabs, in the order in which they were opened.
    pub async fn list(&self) -> Vec<TabInfo> {
        let (open, active) = {
            let tabs = self.tabs();
            (tabs.open.clone(), tabs.active)
        };
        let titles = futures::future::join_all(open.iter().map(Page::title)).await;
        let told = |(index, (page, title)): (usize, (&Page, String))| TabInfo {
            index,
            tab_id: page.id(),
            window_id: page.window(),
            title,
            url: page.shown_url(),
            active: Some(page.id()) == active,
            crashed: page.status() == PageStatus::Crashed,
        };
        open.iter().zip(titles).enumerate().map(told).collect()
    }

    /// The tab at a place of the list.
    pub fn tab_at(&self, index: i64) -> Result<Page> {
        let tabs = self.tabs();
        usize::try_from(index)
            .ok()
            .and_then(|index| tabs.open.get(index).cloned())
            .ok_or(Error::Tab(TabError::NoTab { index, count: tabs.open.len() }))
    }

    /// Activates a tab.
    pub async fn select(&self, page: &Page) -> Result<()> {
        page.injected().with_action_timeout(page.driver().activate()).await?;
        self.tabs().activate(page.id());
        Ok(())
    }

    /// Closes a tab. When it was the active one, its neighbour is next.
    pub async fn close(&self, page: &Page) -> Result<()> {
        page.before_close().await;
        let answered = self.answered_by_closing(Some(page.id()));
        page.injected().with_action_timeout(page.driver().close()).await?;
        // The event comes later; the list must be right now.
        self.remove(page.id());
        self.tabs().news.extend(answered);
        Ok(())
    }

    /// The open dialogs that closing this tab answers, by default all of them.
    pub(crate) fn answered_by_closing(&self, tab: Option<TabId>) -> News {
        let answered = |(index, page): (usize, Page)| {
            let id = page.id();
            let dialog = page.state().dialog.clone().filter(|_| tab.is_none_or(|tab| tab == id))?;
            let accepted = dialog.kind == DialogKind::BeforeUnload;
            let answered = NewsItem::DialogAnswered(dialog, accepted);
            Some(NewsItem::InTab(TabName { index, id }, Box::new(answered)))
        };
        self.pages().into_iter().enumerate().filter_map(answered).collect()
    }

    /// Adds a new page, opened by another one or not.
    pub(crate) fn opened(&self, id: TabId, driver: Arc<dyn PageDriver>, opener: Option<Option<Page>>) {
        let by_page = opener.is_some();
        if by_page && self.tabs().open.len() >= MOST_TABS {
            news::add(&mut self.tabs().news, NewsItem::PopupsClosed(1));
            tokio::spawn(async move { driver.close().await });
            return;
        }
        let Ok(session) = self.session() else { return };
        let page = Page::new(id, driver, session.home(self));
        if let Some(opener) = opener.flatten() {
            // The driver has applied its opener's overrides and interceptor.
            page.routing().inherit(opener.routing());
            let (viewport, emulation) = (opener.geometry().viewport(), opener.emulator().emulation());
            let mut state = page.state();
            (state.viewport, state.emulation) = (viewport, emulation);
        }
        let mut tabs = self.tabs();
        tabs.open.push(page);
        if by_page || tabs.opening == 0 {
            let index = tabs.open.len() - 1;
            news::add(&mut tabs.news, NewsItem::TabOpened(TabName { index, id }, String::new()));
        }
        if tabs.active.is_none() {
            tabs.active = Some(id);
        }
        drop(tabs);
        // The active tab stays active and in front: in the background it would not be painted.
        if by_page && let Some(active) = self.active().filter(|active| active.id() != id) {
            tokio::spawn(async move { active.driver().activate().await });
        }
    }

    /// Removes a tab that the browser reports as closed.
    pub(crate) fn closed(&self, page: &Page) {
        let id = page.id();
        if let Some(index) = self.remove(id) {
            news::add(&mut self.tabs().news, NewsItem::TabClosed(TabName { index, id }));
        }
    }

    /// Removes a tab; returns its index. Its unreported news is kept.
    fn remove(&self, id: TabId) -> Option<usize> {
        let mut tabs = self.tabs();
        let at = tabs.open.iter().position(|page| page.id() == id)?;
        let gone = tabs.open.remove(at);
        gone.forget_refs();
        for item in std::mem::take(&mut gone.state().news) {
            news::add(&mut tabs.news, NewsItem::InTab(TabName { index: at, id }, Box::new(item)));
        }
        tabs.succeed(id, at);
        Some(at)
    }

    pub(crate) fn crash_was_reported(&self) {
        if let Some(page) = self.active() {
            page.state().crash_told = true;
        }
    }

    pub(crate) fn tab(&self, id: TabId) -> Option<Page> {
        self.tabs().open.iter().find(|page| page.id() == id).cloned()
    }

    pub(crate) fn tab_ids(&self) -> Vec<TabId> {
        self.tabs().open.iter().map(Page::id).collect()
    }

    pub(crate) fn find(&self, id: &PageId) -> Option<Page> {
        self.tabs().open.iter().find(|page| page.driver_id() == *id).cloned()
    }

    pub(crate) fn has_frame(&self, frame: &FrameId) -> bool {
        self.tabs().open.iter().any(|page| page.has_frame(frame))
    }
}
