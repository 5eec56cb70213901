//! The browser behind one or more sessions. A [`BrowserHost`] starts the browser on demand, restarts it, ends it when
//! nobody uses it, and routes its events to the [`Session`](crate::Session) that owns the context they come from.

mod factory;
mod named;
mod routing;

use std::{
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cicerone_driver::{Browser, KeptProfile, Launch, Launcher, Proxy};
use cicerone_relay::{HostPolicy, Relay, Route};
use tokio::sync::{Semaphore, SemaphorePermit};

pub use self::factory::SessionFactory;
use self::routing::Owners;
use crate::{
    Error, NavigationError, NewsItem, Result, Session, SessionSetup, idle,
    session::{WeakSession, lock},
};

/// A browser that sessions use. Cheap to clone: all clones are the same host.
#[derive(Clone)]
pub struct BrowserHost {
    inner: Arc<Inner>,
    /// Owns the contexts that sessions share by name, where that is allowed. It is part of the handle and not of
    /// `Inner`, because it keeps the host alive like every session.
    named: Option<Session>,
}

/// Whether sessions share the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// One session has the browser for itself. Its first context is the browser's default context.
    Exclusive,
    /// Every session has its own contexts and leaves the browser running.
    Shared,
}

/// Pages that open at once. With fifty renderers starting at the same time, the first is ready as late as the last.
const OPENING_AT_ONCE: usize = 4;

struct Inner {
    launcher: Arc<dyn Launcher>,
    launch: Launch,
    policy: Arc<HostPolicy>,
    idle_timeout: Duration,
    sharing: Sharing,
    running: Mutex<Option<Running>>,
    /// Locked while a browser starts or closes.
    starting: tokio::sync::Mutex<()>,
    /// How many browsers were started. Events carry the number of theirs, so that a late one from an earlier browser is
    /// not taken for one from the current browser.
    launches: AtomicU64,
    owners: Mutex<Owners>,
    sessions: Mutex<Vec<WeakSession>>,
    /// The relay of the default context when no session owns it.
    relay: Mutex<Option<Relay>>,
    used: Mutex<Instant>,
    /// Permits to open a page, in the order in which they were asked for.
    opening: Semaphore,
    /// Whether its browsers are to have access to their own process.
    system_access: AtomicBool,
    /// The profile of the browser that was closed to be started again.
    kept_profile: Mutex<Option<KeptProfile>>,
    /// Told when a download begins to wait for a decision.
    download_held: tokio::sync::Notify,
}

struct Running {
    browser: Arc<dyn Browser>,
    number: u64,
}

impl BrowserHost {
    /// A host for several sessions, with no browser yet. The browser ends when no session used it for `idle_timeout`.
    pub fn new(
        launcher: Arc<dyn Launcher>,
        launch: Launch,
        policy: HostPolicy,
        idle_timeout: Duration,
    ) -> Self {
        Self::with(launcher, launch, Arc::new(policy), idle_timeout, Sharing::Shared)
    }

    /// The same, for one session that has the browser for itself.
    pub(crate) fn exclusive(
        launcher: Arc<dyn Launcher>,
        launch: Launch,
        policy: HostPolicy,
        idle_timeout: Duration,
    ) -> Self {
        Self::with(launcher, launch, Arc::new(policy), idle_timeout, Sharing::Exclusive)
    }

    fn with(
        launcher: Arc<dyn Launcher>,
        launch: Launch,
        policy: Arc<HostPolicy>,
        idle_timeout: Duration,
        sharing: Sharing,
    ) -> Self {
        let inner = Inner {
            launcher,
            launch,
            policy,
            idle_timeout,
            sharing,
            running: Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            launches: AtomicU64::new(0),
            owners: Mutex::default(),
            sessions: Mutex::default(),
            relay: Mutex::default(),
            used: Mutex::new(Instant::now()),
            opening: Semaphore::new(OPENING_AT_ONCE),
            system_access: AtomicBool::new(false),
            kept_profile: Mutex::default(),
            download_held: tokio::sync::Notify::new(),
        };
        Self { inner: Arc::new(inner), named: None }
    }

    /// A session that uses this browser.
    pub fn session(&self, setup: SessionSetup) -> Session {
        Session::on(self, setup)
    }

    /// Whether sessions share the browser.
    pub fn sharing(&self) -> Sharing {
        self.inner.sharing
    }

    /// The host for a session that wants its browser like this: this one where its browser is the same and may be shared,
    /// another one otherwise.
    pub(crate) fn fitting(&self, wanted: &Launch) -> Self {
        let Inner { launcher, launch, policy, idle_timeout, sharing, .. } = &*self.inner;
        // The viewport is a property of each page.
        let same_browser = launch.engine == wanted.engine && launch.headed == wanted.headed;
        if same_browser && *sharing == Sharing::Shared {
            return self.clone();
        }
        let (launcher, policy) = (Arc::clone(launcher), Arc::clone(policy));
        Self::with(launcher, wanted.clone(), policy, *idle_timeout, Sharing::Exclusive)
    }

    /// How its browser is started.
    pub(crate) fn launch(&self) -> &Launch {
        &self.inner.launch
    }

    pub(crate) fn launcher(&self) -> &dyn Launcher {
        self.inner.launcher.as_ref()
    }

    pub(crate) fn policy(&self) -> &Arc<HostPolicy> {
        &self.inner.policy
    }

    pub(crate) fn download_held(&self) -> &tokio::sync::Notify {
        &self.inner.download_held
    }

    pub(crate) fn idle_timeout(&self) -> Duration {
        self.inner.idle_timeout
    }

    /// Registers a session for events.
    pub(crate) fn admit(&self, session: WeakSession) {
        let mut sessions = lock(&self.inner.sessions);
        sessions.retain(|known| known.is_alive() && !known.is(&session));
        sessions.push(session);
    }

    /// Removes a session that moved to another host.
    pub(crate) fn dismiss(&self, session: &WeakSession) {
        lock(&self.inner.sessions).retain(|known| known.is_alive() && !known.is(session));
    }

    /// The sessions that use it, in the order in which they came.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        lock(&self.inner.sessions).iter().filter_map(WeakSession::upgrade).collect()
    }

    /// The running browser, if there is one.
    pub(crate) fn running(&self) -> Option<Arc<dyn Browser>> {
        lock(&self.inner.running).as_ref().map(|running| Arc::clone(&running.browser))
    }

    /// A turn to open a page. The browser answers each opening within a time limit, so turns come.
    pub(crate) async fn opening_turn(&self) -> Option<SemaphorePermit<'_>> {
        // Nobody closes the semaphore.
        self.inner.opening.acquire().await.ok()
    }

    /// The number of the browser that was started last.
    pub(crate) fn browser_number(&self) -> u64 {
        self.inner.launches.load(Ordering::Relaxed)
    }

    /// The running browser, started for this session where none runs. Sessions that ask at the same time share the start.
    pub(crate) async fn browser(&self, session: &Session) -> Result<Arc<dyn Browser>> {
        *lock(&self.inner.used) = Instant::now();
        if let Some(browser) = self.running() {
            return Ok(browser);
        }
        let _starting = self.inner.starting.lock().await;
        match self.running() {
            Some(browser) => Ok(browser),
            None => self.start(session).await,
        }
    }

    async fn start(&self, session: &Session) -> Result<Arc<dyn Browser>> {
        let mut wanted = self.inner.launch.clone();
        wanted.proxy = self.default_proxy(session)?;
        wanted.proxy_only = self.inner.policy.restricts();
        wanted.client = session.client();
        wanted.system_access = self.inner.system_access.load(Ordering::Relaxed);
        wanted.profile = lock(&self.inner.kept_profile).clone();
        let number = self.inner.launches.fetch_add(1, Ordering::Relaxed) + 1;
        *lock(&self.inner.owners) = Owners::default();
        let host = Arc::downgrade(&self.inner);
        let sink = Arc::new(move |event| {
            if let Some(inner) = Weak::upgrade(&host) {
                Self { inner, named: None }.observe(number, event);
            }
        });
        let browser = self.inner.launcher.launch(&wanted, sink).await.map_err(Error::Launch)?;
        // Only now: after a failed start the next one has the profile.
        *lock(&self.inner.kept_profile) = None;
        tracing::info!(version = browser.version(), "the browser is running");
        if let Some(remark) = browser.remark() {
            session.add_news(NewsItem::Remark(remark));
        }
        *lock(&self.inner.running) = Some(Running { browser: Arc::clone(&browser), number });
        *lock(&self.inner.used) = Instant::now();
        idle::watch(self, &browser);
        Ok(browser)
    }

    /// The proxy of the default context: that of the session that owns it, or a relay with the host
    /// policy.
    fn default_proxy(&self, session: &Session) -> Result<Option<Proxy>> {
        if self.sharing() == Sharing::Exclusive {
            return session.first_context().proxy();
        }
        if !self.inner.policy.restricts() {
            return Ok(None);
        }
        let mut relay = lock(&self.inner.relay);
        let relay = match &*relay {
            Some(relay) => relay,
            None => {
                let route = Route { policy: Arc::clone(&self.inner.policy), ..Route::direct() };
                relay.insert(
                    Relay::start(route)
                        .map_err(|error| Error::Navigation(NavigationError::NoRelay(Arc::new(error))))?,
                )
            }
        };
        let (user, password) = (relay.user().to_owned(), relay.password().to_owned());
        Ok(Some(Proxy { address: relay.address(), user, password }))
    }

    /// Ends the browser for all its sessions, if one runs; whether one did. The next call of a session starts another one.
    pub async fn end(&self) -> bool {
        self.end_with(None).await
    }

    /// The same, with the news for the sessions.
    pub(crate) async fn end_with(&self, news: Option<NewsItem>) -> bool {
        let starting = self.inner.starting.lock().await;
        let running = lock(&self.inner.running).take();
        let Some(Running { browser, .. }) = running else { return false };
        for session in self.sessions() {
            session.lose_pages(news.as_ref());
        }
        drop(starting);
        browser.close().await;
        self.sessions().iter().for_each(Session::end_was_reported);
        true
    }

    /// The browsers that it starts from now on have access to their own process, where they may.
    pub(crate) fn want_system_access(&self) {
        self.inner.system_access.store(true, Ordering::Relaxed);
    }

    /// Ends the browser so that the next one has its profile.
    pub(crate) async fn end_to_restart(&self) {
        let starting = self.inner.starting.lock().await;
        let running = lock(&self.inner.running).take();
        let Some(Running { browser, .. }) = running else { return };
        for session in self.sessions() {
            session.lose_pages(None);
        }
        let kept = match browser.restart() {
            Some(restart) => restart.close_and_keep().await,
            None => {
                browser.close().await;
                None
            }
        };
        *lock(&self.inner.kept_profile) = kept;
        drop(starting);
        self.sessions().iter().for_each(Session::end_was_reported);
    }

    /// The browser of this number ended unexpectedly. Its sessions get an error.
    pub(crate) fn ended(&self, number: u64) {
        let mut running = lock(&self.inner.running);
        if running.as_ref().is_some_and(|running| running.number == number) {
            *running = None;
            drop(running);
            *lock(&self.inner.owners) = Owners::default();
            self.sessions().iter().for_each(Session::browser_ended);
        }
    }

    /// Whether no session used it since then.
    pub(crate) fn unused_since(&self, then: Instant) -> bool {
        let unused = *lock(&self.inner.used) < then;
        unused && self.sessions().iter().all(|session| session.unused_since(then).1)
    }

    /// A weak handle.
    pub(crate) fn downgrade(&self) -> WeakHost {
        WeakHost(Arc::downgrade(&self.inner))
    }
}

/// A host that may be gone.
pub(crate) struct WeakHost(Weak<Inner>);

impl WeakHost {
    pub(crate) fn upgrade(&self) -> Option<BrowserHost> {
        self.0.upgrade().map(|inner| BrowserHost { inner, named: None })
    }
}
