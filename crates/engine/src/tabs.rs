//! Tabs: their numbers, which one is active, and what is said of them.

use std::{collections::HashMap, fmt, path::PathBuf, sync::Arc, time::Duration};

use cicerone_driver::{FrameId, PageDriver, PageId, Size};
use serde::Serialize;

use crate::{
    Context, Deadline, EmulationState, Error, News, NewsItem, Page, Result,
    downloads::Download,
    news::{self, TabName},
    state::Fate,
};

/// How many tabs there may be before those that pages open are closed again.
const MOST_TABS: usize = 20;

/// A tab's number: the first is 1, and none is given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct TabId(pub u32);

impl fmt::Display for TabId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A window's number: the first is 1, and none is given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct WindowId(pub u32);

/// Where and how a tab is to be opened.
#[derive(Debug, Clone, Copy, Default)]
pub struct Opening {
    /// In which window: the usual one unless told.
    pub window: WindowChoice,
    /// Of which size, where that is not the usual one.
    pub size: Option<Size>,
    /// Whether the tab that is active stays so.
    pub background: bool,
}

/// In which window a tab is to be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WindowChoice {
    /// In the one of its context.
    #[default]
    Usual,
    /// In one of its own.
    New,
    /// In this one.
    Known(WindowId),
}

/// What a list of tabs says of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TabInfo {
    /// Its place in the list.
    pub index: usize,
    /// Its number.
    pub tab_id: TabId,
    /// The number of its window.
    pub window_id: WindowId,
    /// Its title.
    pub title: String,
    /// Its URL.
    pub url: String,
    /// Whether calls go to it.
    pub active: bool,
    /// Whether its process died.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub crashed: bool,
}

/// All tabs of a context.
#[derive(Default)]
pub(crate) struct Tabs {
    pub(crate) open: Vec<Page>,
    pub(crate) active: Option<TabId>,
    /// Those that were active before, the latest last.
    pub(crate) earlier: Vec<TabId>,
    pub(crate) news: News,
    /// What is said of the browser that took its tabs with it, once there is another.
    pub(crate) loss: Option<NewsItem>,
    /// What the active one of those tabs was set to, for the tab that replaces it.
    pub(crate) lost_emulation: Option<(EmulationState, Size)>,
    pub(crate) downloads: HashMap<String, (String, PathBuf)>,
    /// Those that ended and that nobody asked for yet, the latest last.
    pub(crate) downloaded: Vec<Download>,
    /// How many downloads began that no reply has waited for.
    pub(crate) downloads_begun: usize,
    /// Pages that the client itself asked for are no news.
    pub(crate) opening: usize,
}

impl Tabs {
    pub(crate) fn activate(&mut self, id: TabId) {
        self.earlier.retain(|tab| *tab != id);
        self.earlier.extend(self.active.filter(|active| *active != id));
        self.active = Some(id);
    }

    /// After a tab is gone, the one that was active before it is again; failing that its neighbour.
    pub(crate) fn succeed(&mut self, gone: TabId, place: usize) {
        self.earlier.retain(|tab| *tab != gone);
        if self.active == Some(gone) {
            let neighbour = self.open.get(place).or_else(|| self.open.last()).map(Page::id);
            self.active = self.earlier.pop().or(neighbour);
        }
    }

    /// Puts a page that was just opened into the place of one that crashed; the same tab as before is active.
    pub(crate) fn replace(&mut self, crashed: TabId, opened: &Page, page: Page, active: Option<TabId>) {
        self.open.retain(|tab| tab.driver_id() != opened.driver_id());
        match self.open.iter_mut().find(|tab| tab.id() == crashed) {
            Some(place) => *place = page,
            None => self.open.push(page),
        }
        self.earlier.retain(|tab| *tab != opened.id() && Some(*tab) != active);
        self.active = active.or(Some(crashed));
    }

    /// What the active tab is set to, where that is anything.
    pub(crate) fn active_emulation(&self) -> Option<(EmulationState, Size)> {
        let active = self.open.iter().find(|page| Some(page.id()) == self.active)?;
        let emulation = active.emulation();
        (emulation != EmulationState::default()).then(|| (emulation, active.viewport()))
    }

    /// Without any tab; those that were there.
    pub(crate) fn lose(&mut self) -> Vec<Page> {
        self.active = None;
        self.earlier.clear();
        self.downloads.clear();
        std::mem::take(&mut self.open)
    }
}

impl Context {
    /// The tab that calls go to.
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
        let titles = futures::future::join_all(open.iter().map(|page| async {
            let title = Deadline::after(Duration::from_secs(1)).bound(page.driver().title()).await;
            title.and_then(std::result::Result::ok).unwrap_or_default()
        }))
        .await;
        let told = |(index, (page, title)): (usize, (&Page, String))| TabInfo {
            index,
            tab_id: page.id(),
            window_id: page.window(),
            title,
            url: page.shown_url(),
            active: Some(page.id()) == active,
            crashed: page.fate() == Fate::Crashed,
        };
        open.iter().zip(titles).enumerate().map(told).collect()
    }

    /// The tab at a place of the list.
    pub fn tab_at(&self, index: i64) -> Result<Page> {
        let tabs = self.tabs();
        usize::try_from(index)
            .ok()
            .and_then(|index| tabs.open.get(index).cloned())
            .ok_or(Error::NoTab { index, count: tabs.open.len() })
    }

    /// Makes a tab the one that calls go to.
    pub async fn select(&self, page: &Page) -> Result<()> {
        page.promptly(page.driver().activate()).await?;
        self.tabs().activate(page.id());
        Ok(())
    }

    /// Closes a tab. When it was the active one, its neighbour is next.
    pub async fn close(&self, page: &Page) -> Result<()> {
        page.before_close().await;
        page.promptly(page.driver().close()).await?;
        // The browser's word comes later; the list must be right now.
        self.remove(page.id());
        Ok(())
    }

    /// A page appeared: opened by another one, which may be gone already, or not.
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
            // The driver has set it to the same, with the same interceptor.
            page.replace_routes(opener.route_list());
            let (viewport, emulation) = (opener.viewport(), opener.emulation());
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
        // The tab that was active stays active, and in front: behind another it would not be drawn.
        if by_page && let Some(active) = self.active().filter(|active| active.id() != id) {
            tokio::spawn(async move { active.driver().activate().await });
        }
    }

    /// The browser says that a tab is closed.
    pub(crate) fn closed(&self, page: &Page) {
        let id = page.id();
        if let Some(index) = self.remove(id) {
            news::add(&mut self.tabs().news, NewsItem::TabClosed(TabName { index, id }));
        }
    }

    /// Takes a tab from the list; where it was. What happened in it and was not told yet stays news.
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

    pub(crate) fn crash_was_told(&self) {
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
