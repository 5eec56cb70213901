//! A context: cookies, storage and tabs, under a name. It is created in the browser on first use, and again,
//! with its initial state, after a restart.

mod made;
mod pages;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, Weak, atomic::AtomicBool},
    time::Instant,
};

use cicerone_driver::{ContextId, DriverError, PageEvent, Proxy};
use cicerone_relay::{Incident, Relay, Route, Trouble};
use serde::Serialize;
use tokio::sync::watch;

use self::made::Made;

use crate::{
    Deadline, Error, NavigationError, NewsItem, Page, Result, Session, Sharing, StorageState,
    permissions::Decision,
    refusals::ToldRefusals,
    session::{FIRST, WeakSession, lock},
    state_lock::{StateGuard, StateLock},
    tabs::{Tabs, WindowId},
};

/// Cookies, storage and tabs. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

/// Options of a context.
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// The proxy of its traffic, if any.
    pub route: Option<Route>,
    /// Its initial state.
    pub storage: Option<Arc<StorageState>>,
}

/// A context in the list of contexts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextInfo {
    pub name: String,
    /// Whether it is active.
    pub is_active: bool,
    /// How many tabs are open.
    pub page_count: usize,
    /// The URL of its active tab.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_url: Option<String>,
    /// The proxy of its traffic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
}

struct Inner {
    name: String,
    options: ContextOptions,
    /// Whether it is its session's first context.
    first: bool,
    /// Whether it is the browser's default context.
    default: bool,
    session: WeakSession,
    /// The relay of its traffic.
    relay: Mutex<Option<Relay>>,
    told_refusals: Mutex<ToldRefusals>,
    /// The context in the running browser. Locked while it is being created.
    made: tokio::sync::Mutex<Option<Made>>,
    /// The browser's id of it.
    id: Mutex<Option<ContextId>>,
    /// Locked while a first page is being opened.
    opening: tokio::sync::Mutex<()>,
    tabs: StateLock<Tabs>,
    /// Notified when a download begins or ends.
    downloads: watch::Sender<()>,
    /// The default window of its tabs.
    window: WindowId,
    /// The origins of its pages so far.
    origins: Mutex<BTreeSet<String>>,
    used: Mutex<Instant>,
    /// Permissions of its sites.
    decisions: Mutex<Vec<Decision>>,
    /// Held by every caller for whom a page is being opened.
    opened_for: Arc<()>,
    /// What it is made with next time, in place of what it began with.
    restored_storage: Mutex<Option<Arc<StorageState>>>,
    /// Closed for good: it is not created again.
    ended: AtomicBool,
}

impl Context {
    /// A context that is not created yet.
    pub(crate) fn new(name: &str, options: ContextOptions, session: &Session) -> Self {
        Self::with(name, options, session.downgrade(), session.next_window(), None)
    }

    /// The first context of a session: the browser's default context, or in a shared browser one like any
    /// other.
    pub(crate) fn first(options: ContextOptions, session: WeakSession, sharing: Sharing) -> Self {
        Self::with(FIRST, options, session, WindowId(1), Some(sharing))
    }

    fn with(
        name: &str,
        options: ContextOptions,
        session: WeakSession,
        window: WindowId,
        first: Option<Sharing>,
    ) -> Self {
        let inner = Inner {
            name: name.to_owned(),
            options,
            first: first.is_some(),
            default: first == Some(Sharing::Exclusive),
            session,
            relay: Mutex::default(),
            told_refusals: Mutex::default(),
            made: tokio::sync::Mutex::default(),
            id: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
            tabs: StateLock::default(),
            downloads: watch::Sender::new(()),
            window,
            origins: Mutex::default(),
            used: Mutex::new(Instant::now()),
            decisions: Mutex::default(),
            opened_for: Arc::default(),
            restored_storage: Mutex::default(),
            ended: AtomicBool::new(false),
        };
        Self { inner: Arc::new(inner) }
    }

    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The default window of its tabs.
    pub(crate) fn window(&self) -> WindowId {
        self.inner.window
    }

    /// What it has when it is made the next time, if not what it began with.
    pub(crate) fn begin_with(&self, storage: Option<Arc<StorageState>>) {
        *lock(&self.inner.restored_storage) = storage;
    }

    /// Whether it is its session's first context.
    pub fn is_first(&self) -> bool {
        self.inner.first
    }

    /// Whether it is the browser's default context.
    pub(crate) fn is_default(&self) -> bool {
        self.inner.default
    }

    /// The proxy of its traffic: its own relay, which applies the upstream proxy and the host policy.
    /// `None` if there is neither.
    pub(crate) fn proxy(&self) -> Result<Option<Proxy>> {
        let session = self.session()?;
        let policy = session.policy();
        let route = match &self.inner.options.route {
            Some(route) => route.clone(),
            None if policy.restricts() => Route::direct(),
            None => return Ok(None),
        };
        if let Some(upstream) = route.upstream.as_ref().filter(|_| !route.trusts_upstream) {
            policy.check_host(upstream.host()).map_err(NavigationError::HostRefused)?;
        }
        let mut relay = lock(&self.inner.relay);
        let relay = match &*relay {
            Some(relay) => relay,
            None => {
                // A navigation that waits for a silent proxy must learn of the failure
                // meanwhile.
                let longest = session.options().navigation_timeout.mul_f32(0.75);
                let timeout = route.timeout.min(longest);
                let route = Route { timeout, policy: Arc::clone(policy), ..route };
                relay.insert(
                    Relay::start(route)
                        .map_err(|error| Error::Navigation(NavigationError::NoRelay(Arc::new(error))))?,
                )
            }
        };
        let (user, password) = (relay.user().to_owned(), relay.password().to_owned());
        Ok(Some(Proxy { address: relay.address(), user, password }))
    }

    /// The last proxy failure for a host since then.
    pub(crate) fn trouble(&self, host: &str, since: Instant) -> Option<Trouble> {
        lock(&self.inner.relay).as_ref()?.trouble_for(host, since)
    }

    /// Whether its traffic uses a relay.
    pub(crate) fn has_relay(&self) -> bool {
        lock(&self.inner.relay).is_some()
    }

    /// Recent proxy failures.
    pub(crate) fn incidents(&self) -> Vec<Incident> {
        lock(&self.inner.relay).as_ref().map(Relay::troubles).unwrap_or_default()
    }

    pub(crate) fn told_refusals(&self) -> &Mutex<ToldRefusals> {
        &self.inner.told_refusals
    }

    /// Whether it belongs to this session.
    pub(crate) fn is_of(&self, session: &WeakSession) -> bool {
        self.inner.session.is(session)
    }

    /// Awaits a browser command that belongs to no single page, with a deadline.
    pub(crate) async fn answered<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let timeout = self.session()?.options().navigation_timeout;
        match Deadline::after(timeout).bound(work).await {
            Some(done) => Ok(done?),
            None => Err(Error::BrowserSilent(timeout)),
        }
    }

    /// Its entry in the list of contexts.
    pub(crate) fn info(&self, is_active: bool) -> ContextInfo {
        let current_url = self.active().map(|page| page.shown_url());
        let page_count = self.tabs().open.len();
        let upstream = self.inner.options.route.as_ref().and_then(|route| route.upstream.as_ref());
        let proxy = upstream.map(ToString::to_string);
        ContextInfo { name: self.inner.name.clone(), is_active, page_count, current_url, proxy }
    }

    /// The browser ended, and its pages with it. The next call reports it, if anything was lost.
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

    /// Remembers the origins of its pages.
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

    /// While held, a page is being opened, however long the browser takes to start.
    fn opening(&self) -> Arc<()> {
        self.touch();
        Arc::clone(&self.inner.opened_for)
    }

    pub(crate) fn has_id(&self, id: &ContextId) -> bool {
        lock(&self.inner.id).as_ref() == Some(id)
    }

    pub(crate) fn session(&self) -> Result<Session> {
        // Without its session nothing works.
        self.inner.session.upgrade().ok_or(Error::TabClosed)
    }

    #[track_caller]
    pub(crate) fn tabs(&self) -> StateGuard<'_, Tabs> {
        self.inner.tabs.lock()
    }

    /// Notified when a download begins or ends.
    pub(crate) fn downloads(&self) -> &watch::Sender<()> {
        &self.inner.downloads
    }

    /// A weak handle.
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
