//! A context: one set of cookies, storage and tabs, under a name. It is made in the browser when first needed, and
//! made anew, with what it began with, when the browser was.

mod pages;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, Weak},
    time::Instant,
};

use cicerone_driver::{Browser, Context as Driver, ContextId, DriverError, PageEvent, Proxy};
use cicerone_relay::{Incident, Relay, Route, Trouble};
use serde::Serialize;
use tokio::sync::watch;

use crate::{
    Deadline, Error, NewsItem, Page, Result, Session, StorageState,
    permissions::Decision,
    refusals::ToldRefusals,
    session::{WeakSession, lock},
    tabs::{Tabs, WindowId},
};

/// One set of cookies, storage and tabs. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

/// How a context is to be.
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// How its traffic goes, where that is not straight to the hosts.
    pub route: Option<Route>,
    /// What it begins with.
    pub storage: Option<Arc<StorageState>>,
}

/// What a list of contexts says of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextInfo {
    /// Its name.
    pub name: String,
    /// Whether calls go to it.
    pub is_active: bool,
    /// How many tabs are open.
    pub page_count: usize,
    /// Where its active tab is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_url: Option<String>,
    /// What its traffic goes through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
}

struct Inner {
    name: String,
    options: ContextOptions,
    /// Whether it is the one that the browser starts with.
    first: bool,
    session: WeakSession,
    /// What its traffic takes.
    relay: Mutex<Option<Relay>>,
    told_refusals: Mutex<ToldRefusals>,
    /// What it is in the running browser. Its lock is held while it is made.
    made: tokio::sync::Mutex<Option<Made>>,
    /// The browser's name for it.
    id: Mutex<Option<ContextId>>,
    /// Held while a page is opened because there is none.
    opening: tokio::sync::Mutex<()>,
    tabs: Mutex<Tabs>,
    /// Rings when a download begins or ends.
    downloads: watch::Sender<()>,
    /// The window that its tabs are in, unless told.
    window: WindowId,
    /// The origins that its pages have shown.
    origins: Mutex<BTreeSet<String>>,
    used: Mutex<Instant>,
    /// What its sites may do.
    decisions: Mutex<Vec<Decision>>,
    /// Held by everybody for whom a page is being opened.
    opened_for: Arc<()>,
}

/// A context as it is in a browser.
struct Made {
    by: Weak<dyn Browser>,
    driver: Arc<dyn Driver>,
    /// Whether it has what it begins with.
    restored: bool,
}

impl Made {
    fn is_in(&self, browser: &Arc<dyn Browser>) -> bool {
        self.by.upgrade().is_some_and(|by| Arc::ptr_eq(&by, browser))
    }
}

impl Context {
    /// A context that is not made yet.
    pub(crate) fn new(name: &str, options: ContextOptions, session: &Session) -> Self {
        Self::with(name, options, session.downgrade(), session.next_window(), false)
    }

    /// The one that the browser starts with.
    pub(crate) fn first(name: &str, options: ContextOptions, session: WeakSession) -> Self {
        Self::with(name, options, session, WindowId(1), true)
    }

    fn with(
        name: &str,
        options: ContextOptions,
        session: WeakSession,
        window: WindowId,
        first: bool,
    ) -> Self {
        let inner = Inner {
            name: name.to_owned(),
            options,
            first,
            session,
            relay: Mutex::default(),
            told_refusals: Mutex::default(),
            made: tokio::sync::Mutex::default(),
            id: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
            tabs: Mutex::default(),
            downloads: watch::Sender::new(()),
            window,
            origins: Mutex::default(),
            used: Mutex::new(Instant::now()),
            decisions: Mutex::default(),
            opened_for: Arc::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The window that its tabs are in, unless told.
    pub(crate) fn window(&self) -> WindowId {
        self.inner.window
    }

    /// Whether it is the one that the browser starts with.
    pub fn is_first(&self) -> bool {
        self.inner.first
    }

    /// The proxy that its traffic takes: a relay of its own, which knows the way and keeps the host policy. Without a proxy and
    /// without rules of the policy there is none.
    pub(crate) fn proxy(&self) -> Result<Option<Proxy>> {
        let session = self.session()?;
        let policy = session.policy();
        let route = match &self.inner.options.route {
            Some(route) => route.clone(),
            None if policy.restricts() => Route::direct(),
            None => return Ok(None),
        };
        if let Some(upstream) = route.upstream.as_ref().filter(|_| !route.trusts_upstream) {
            policy.check_host(upstream.host()).map_err(Error::HostRefused)?;
        }
        let mut relay = lock(&self.inner.relay);
        let relay = match &*relay {
            Some(relay) => relay,
            None => {
                // A navigation that waits for a silent proxy must hear of it while it waits.
                let longest = session.options().navigation_timeout.mul_f32(0.75);
                let patience = route.patience.min(longest);
                let route = Route { patience, policy: Arc::clone(policy), ..route };
                relay.insert(Relay::start(route).map_err(|error| Error::Relay(Arc::new(error)))?)
            }
        };
        let (user, password) = (relay.user().to_owned(), relay.password().to_owned());
        Ok(Some(Proxy { address: relay.address(), user, password }))
    }

    /// What went wrong on the way to a host since then.
    pub(crate) fn trouble(&self, host: &str, since: Instant) -> Option<Trouble> {
        lock(&self.inner.relay).as_ref()?.trouble_for(host, since)
    }

    /// Whether its traffic takes a relay.
    pub(crate) fn has_relay(&self) -> bool {
        lock(&self.inner.relay).is_some()
    }

    /// What went wrong on the way lately.
    pub(crate) fn incidents(&self) -> Vec<Incident> {
        lock(&self.inner.relay).as_ref().map(Relay::troubles).unwrap_or_default()
    }

    pub(crate) fn told_refusals(&self) -> &Mutex<ToldRefusals> {
        &self.inner.told_refusals
    }

    /// Makes it in the browser, where that was not done yet.
    pub(crate) async fn make(&self) -> Result<Arc<dyn Driver>> {
        let mut made = self.inner.made.lock().await;
        let browser = self.session()?.browser().await?;
        let driver = match &*made {
            Some(made) if made.is_in(&browser) && made.restored => return Ok(Arc::clone(&made.driver)),
            Some(made) if made.is_in(&browser) => Arc::clone(&made.driver),
            _ if self.inner.first => browser.default_context(),
            _ => self.answered(browser.new_context(self.proxy()?.as_ref())).await?,
        };
        *lock(&self.inner.id) = Some(driver.id());
        // Whoever gives up while it is restored leaves it to the next one, or to be closed.
        let by = Arc::downgrade(&browser);
        let made = made.insert(Made { by, driver: Arc::clone(&driver), restored: false });
        if let Some(storage) = &self.inner.options.storage {
            self.restore(driver.as_ref(), storage).await?;
        }
        self.restore_permissions(driver.as_ref()).await?;
        made.restored = true;
        Ok(driver)
    }

    /// Closes it, with all its pages. Calls that run in it are told that their tab is closed.
    pub(crate) async fn end(&self) {
        let made = self.inner.made.lock().await.take();
        let pages = std::mem::take(&mut self.tabs().open);
        // Before the browser ends their processes, which would look like a crash.
        for page in &pages {
            page.observe(PageEvent::Closed);
            page.forget_refs();
        }
        if let Some(Made { driver, .. }) = made {
            let closed = match self.inner.first {
                // The browser lives in it; its pages go.
                true => {
                    let closing = futures::future::join_all(pages.iter().map(|page| page.driver().close()));
                    self.answered(async { closing.await.into_iter().collect::<std::result::Result<(), _>>() })
                        .await
                }
                false => self.answered(driver.close()).await,
            };
            if let Err(error) = closed {
                tracing::debug!(%error, "a context was gone before it was closed");
            }
        }
    }

    /// What the browser answers to something that concerns no single page, by a deadline.
    pub(crate) async fn answered<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let patience = self.session()?.options().navigation_timeout;
        match Deadline::after(patience).bound(work).await {
            Some(done) => Ok(done?),
            None => Err(Error::BrowserSilent(patience)),
        }
    }

    /// What a list says of it.
    pub fn info(&self) -> ContextInfo {
        let is_active = self.session().is_ok_and(|session| session.context() == *self);
        let current_url = self.active().map(|page| page.url());
        let page_count = self.tabs().open.len();
        let upstream = self.inner.options.route.as_ref().and_then(|route| route.upstream.as_ref());
        let proxy = upstream.map(ToString::to_string);
        ContextInfo { name: self.inner.name.clone(), is_active, page_count, current_url, proxy }
    }

    /// The browser ended, and its pages with it. Who uses it next hears the news, if it had anything to lose.
    pub(crate) fn lose(&self, news: Option<&NewsItem>) {
        let was_made = lock(&self.inner.id).take().is_some();
        let lost = {
            let mut tabs = self.tabs();
            if was_made {
                tabs.loss = news.cloned();
            }
            if news.is_some() {
                tabs.lost_emulation = tabs.active_emulation().or(tabs.lost_emulation.take());
            }
            tabs.lose()
        };
        lost.iter().for_each(Page::lose);
    }

    /// Keeps in mind which origins its pages have shown.
    pub(crate) fn visited(&self, event: &PageEvent) {
        if let PageEvent::Navigated { url, same_document: false, .. } = event
            && let Ok(url) = url::Url::parse(url)
            && matches!(url.scheme(), "http" | "https")
        {
            lock(&self.inner.origins).insert(url.origin().ascii_serialization());
        }
    }

    pub(crate) fn origins(&self) -> MutexGuard<'_, BTreeSet<String>> {
        lock(&self.inner.origins)
    }

    pub(crate) fn decisions(&self) -> &Mutex<Vec<Decision>> {
        &self.inner.decisions
    }

    fn touch(&self) {
        *lock(&self.inner.used) = Instant::now();
    }

    pub(crate) fn unused_since(&self, then: Instant) -> bool {
        *lock(&self.inner.used) < then && !self.is_busy()
    }

    /// Whether a call runs in it.
    pub fn is_busy(&self) -> bool {
        let opening = Arc::strong_count(&self.inner.opened_for) > 1;
        opening || self.tabs().open.iter().any(Page::is_busy)
    }

    /// While this is held a page is being opened for somebody, however long the browser takes to start.
    fn opening(&self) -> Arc<()> {
        self.touch();
        Arc::clone(&self.inner.opened_for)
    }

    pub(crate) fn has_id(&self, id: &ContextId) -> bool {
        lock(&self.inner.id).as_ref() == Some(id)
    }

    pub(crate) fn session(&self) -> Result<Session> {
        // Without it nothing can be done any more.
        self.inner.session.upgrade().ok_or(Error::TabClosed)
    }

    pub(crate) fn tabs(&self) -> MutexGuard<'_, Tabs> {
        lock(&self.inner.tabs)
    }

    /// Rings when a download begins or ends.
    pub(crate) fn downloads(&self) -> &watch::Sender<()> {
        &self.inner.downloads
    }

    /// A handle that does not keep it alive.
    pub(crate) fn downgrade(&self) -> WeakContext {
        WeakContext(Arc::downgrade(&self.inner))
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

/// A context that may be closed.
#[derive(Clone)]
pub(crate) struct WeakContext(Weak<Inner>);

impl WeakContext {
    pub(crate) fn upgrade(&self) -> Option<Context> {
        self.0.upgrade().map(|inner| Context { inner })
    }
}
