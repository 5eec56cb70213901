//! A client's browser: started when first needed, its tabs, and what becomes of them.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use cicerone_driver::{Browser, Happening, Launcher, PageDriver, PageEvent, PageId};
use tokio::sync::watch;

use crate::{
    Deadline, Error, Files, News, NewsItem, Options, Page, Result, TabId, TabInfo,
    meanwhile::SessionNews,
    news,
    refs::Refs,
    state::Fate,
    tabs::{End, Tabs},
};

/// How many tabs there may be before those that pages open are closed again.
const MOST_TABS: usize = 20;

/// One client's browser.
#[derive(Clone)]
pub struct Session {
    inner: Arc<Inner>,
}

struct Inner {
    launcher: Arc<dyn Launcher>,
    options: Arc<Options>,
    files: Arc<Files>,
    refs: Arc<Mutex<Refs>>,
    /// The running browser. Its lock is held while one is started, so that calls at the same time share it.
    browser: tokio::sync::Mutex<Option<Arc<dyn Browser>>>,
    /// Held while a page is opened because there is none.
    first_page: tokio::sync::Mutex<()>,
    tabs: Mutex<Tabs>,
    /// Rings when a download begins or ends.
    downloads: watch::Sender<()>,
    next_tab: AtomicU32,
}

impl Session {
    /// A session that starts its browser with this launcher.
    pub fn new(launcher: Arc<dyn Launcher>, options: Options, files: Files) -> Self {
        Self {
            inner: Arc::new(Inner {
                launcher,
                options: Arc::new(options),
                files: Arc::new(files),
                refs: Arc::default(),
                browser: tokio::sync::Mutex::new(None),
                first_page: tokio::sync::Mutex::default(),
                tabs: Mutex::default(),
                downloads: watch::Sender::new(()),
                next_tab: AtomicU32::new(1),
            }),
        }
    }

    /// How it was told to behave.
    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// The files that it may touch.
    pub fn files(&self) -> &Files {
        &self.inner.files
    }

    /// The page that calls go to, as it is. A page or browser that died without anybody being told is an error that
    /// says so; the call after it finds it opened anew.
    pub async fn page(&self) -> Result<Page> {
        if self.tabs().end == End::Untold {
            return Err(Error::BrowserEnded);
        }
        match self.active() {
            Some(page) if page.fate() == Fate::Crashed && !page.state().crash_told => {
                Err(Error::Crashed { url: page.url() })
            }
            Some(page) if page.fate() == Fate::Crashed => {
                let (url, page) = (page.url(), self.reopen(&page).await?);
                // It is where it was before, as far as that is possible; how far, the call sees.
                if let Err(error) = page.navigate(&url).await {
                    tracing::debug!(%error, "a crashed page could not be loaded again");
                }
                news::add(&mut self.tabs().news, NewsItem::Reopened(url));
                Ok(page)
            }
            _ => self.page_to_navigate().await,
        }
    }

    /// The page that calls go to, or a fresh one where there is none that works.
    pub async fn page_to_navigate(&self) -> Result<Page> {
        let active = self.active();
        match active {
            Some(page) if page.fate() == Fate::Alive => Ok(page),
            Some(page) if page.fate() == Fate::Crashed => {
                let reopened = self.reopen(&page).await?;
                news::add(&mut self.tabs().news, NewsItem::Reopened(page.url()));
                Ok(reopened)
            }
            _ => {
                // Calls that come at the same time share the page that the first of them opens.
                let _opening = self.inner.first_page.lock().await;
                if let Some(page) = self.active().filter(|page| page.fate() == Fate::Alive) {
                    return Ok(page);
                }
                let page = self.open_page().await?;
                let mut tabs = self.tabs();
                if std::mem::take(&mut tabs.end) != End::None {
                    news::add(&mut tabs.news, NewsItem::Restarted);
                }
                Ok(page)
            }
        }
    }

    /// A client was told of an error; what it says need not be said again.
    pub fn told(&self, error: &Error) {
        match error {
            Error::BrowserEnded => self.tabs().end = End::Told,
            Error::Crashed { .. } => {
                if let Some(page) = self.active() {
                    page.state().crash_told = true;
                }
            }
            _ => {}
        }
    }

    /// Opens a tab, which becomes active.
    pub async fn open_page(&self) -> Result<Page> {
        match self.try_open_page().await {
            // A process that was already dying when it got the page; the next one is fresh.
            Err(Error::Crashed { .. }) => self.try_open_page().await,
            opened => opened,
        }
    }

    async fn try_open_page(&self) -> Result<Page> {
        let browser = self.browser().await?;
        let opening = Opening::by(self);
        let driver =
            browser.default_context().open(self.inner.options.viewport).await.map_err(Error::from)?;
        drop(opening);
        let page = self.find(&driver.id()).ok_or(Error::TabClosed)?;
        self.tabs().activate(page.id());
        Ok(page)
    }

    /// Gives a crashed tab another page, in the same place of the list and under the same number.
    async fn reopen(&self, crashed: &Page) -> Result<Page> {
        let _opening = self.inner.first_page.lock().await;
        if let Some(page) = self.active().filter(|page| page.fate() == Fate::Alive) {
            return Ok(page);
        }
        let fresh = self.open_page().await?;
        let page = fresh.renamed(crashed.id());
        let mut tabs = self.tabs();
        tabs.open.retain(|tab| tab.driver_id() != fresh.driver_id());
        match tabs.open.iter_mut().find(|tab| tab.id() == crashed.id()) {
            Some(place) => *place = page.clone(),
            None => tabs.open.push(page.clone()),
        }
        tabs.earlier.retain(|tab| *tab != fresh.id());
        tabs.active = Some(page.id());
        drop(tabs);
        let old = Arc::clone(crashed.driver());
        tokio::spawn(async move { old.close().await });
        Ok(page)
    }

    async fn browser(&self) -> Result<Arc<dyn Browser>> {
        let mut running = self.inner.browser.lock().await;
        if let Some(browser) = &*running {
            return Ok(Arc::clone(browser));
        }
        let session = self.downgrade();
        let sink = Arc::new(move |happening| {
            if let Some(session) = session.upgrade() {
                session.observe(happening);
            }
        });
        let browser = self.inner.launcher.launch(sink).await.map_err(Error::Launch)?;
        tracing::info!(version = browser.version(), "the browser is running");
        *running = Some(Arc::clone(&browser));
        Ok(browser)
    }

    /// A handle that does not keep it alive.
    pub(crate) fn downgrade(&self) -> WeakSession {
        WeakSession(Arc::downgrade(&self.inner))
    }

    /// Hears of downloads that begin or end.
    pub(crate) fn watch_downloads(&self) -> watch::Receiver<()> {
        self.inner.downloads.subscribe()
    }

    /// The tab that calls go to.
    pub fn active(&self) -> Option<Page> {
        let tabs = self.tabs();
        let active = tabs.active?;
        tabs.open.iter().find(|page| page.id() == active).cloned()
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
            title,
            url: page.url(),
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
        page.promptly(page.driver().close()).await?;
        // The browser's word comes later; the list must be right now.
        self.remove(page.id());
        Ok(())
    }

    /// News about tabs and downloads that was not told yet.
    pub(crate) fn take_news(&self) -> News {
        std::mem::take(&mut self.tabs().news)
    }

    /// Ends the browser, if one runs.
    pub async fn end(&self) {
        let browser = self.inner.browser.lock().await.take();
        if let Some(browser) = browser {
            browser.close().await;
        }
    }

    fn remove(&self, id: TabId) -> bool {
        let mut tabs = self.tabs();
        let Some(at) = tabs.open.iter().position(|page| page.id() == id) else { return false };
        let gone = tabs.open.remove(at);
        gone.forget_refs();
        tabs.succeed(id, at);
        true
    }

    fn find(&self, id: &PageId) -> Option<Page> {
        self.tabs().open.iter().find(|page| page.driver_id() == *id).cloned()
    }

    fn observe(&self, happening: Happening) {
        match happening {
            Happening::PageOpened { page, opener, .. } => self.opened(page, opener.is_some()),
            Happening::Page(id, event) => {
                let Some(page) = self.find(&id) else { return };
                let closed = matches!(event, PageEvent::Closed);
                page.observe(event);
                if closed && self.remove(page.id()) {
                    news::add(&mut self.tabs().news, NewsItem::TabClosed(page.id()));
                }
            }
            Happening::DownloadBegan { id, name, path, .. } => {
                let mut tabs = self.tabs();
                tabs.downloads.insert(id, (name, path));
                tabs.downloads_begun += 1;
                drop(tabs);
                self.inner.downloads.send_replace(());
            }
            Happening::DownloadEnded { id, complete } => {
                self.download_ended(&id, complete);
                self.inner.downloads.send_replace(());
            }
            Happening::Disconnected => self.ended(),
            _ => {}
        }
    }

    fn opened(&self, driver: Arc<dyn PageDriver>, by_page: bool) {
        if by_page && self.tabs().open.len() >= MOST_TABS {
            news::add(&mut self.tabs().news, NewsItem::PopupsClosed(1));
            tokio::spawn(async move { driver.close().await });
            return;
        }
        let id = TabId(self.inner.next_tab.fetch_add(1, Ordering::Relaxed));
        let page = Page::new(
            id,
            driver,
            Arc::clone(&self.inner.options),
            Arc::clone(&self.inner.refs),
            Arc::downgrade(&self.inner.files),
            SessionNews::of(self),
        );
        let mut tabs = self.tabs();
        tabs.open.push(page);
        if by_page || tabs.opening == 0 {
            news::add(&mut tabs.news, NewsItem::TabOpened(id, String::new()));
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

    fn ended(&self) {
        let mut tabs = self.tabs();
        let lost = std::mem::take(&mut tabs.open);
        tabs.active = None;
        tabs.earlier.clear();
        tabs.downloads.clear();
        tabs.end = End::Untold;
        drop(tabs);
        for page in lost {
            page.lose();
        }
        // Whoever holds the lock is starting one, and will hear of this end by its own launch.
        if let Ok(mut running) = self.inner.browser.try_lock() {
            *running = None;
        }
    }

    pub(crate) fn tabs(&self) -> MutexGuard<'_, Tabs> {
        self.inner.tabs.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A session that may have ended.
#[derive(Clone)]
pub(crate) struct WeakSession(Weak<Inner>);

impl WeakSession {
    pub(crate) fn upgrade(&self) -> Option<Session> {
        self.0.upgrade().map(|inner| Session { inner })
    }
}

/// As long as this lives, a page that appears is one that the client asked for.
struct Opening<'a>(&'a Session);

impl<'a> Opening<'a> {
    fn by(session: &'a Session) -> Self {
        session.tabs().opening += 1;
        Self(session)
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.0.tabs().opening -= 1;
    }
}
