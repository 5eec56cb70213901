//! A client's browser: started when first needed, its contexts, and what becomes of them.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Instant,
};

use cicerone_driver::{Browser, DriverError, Happening, Launch, Launcher, PageEvent, PageId, Size};
use cicerone_relay::HostPolicy;

use crate::{
    Captures, Context, ContextOptions, Error, Files, NewsItem, Options, Page, Result, RouteId, Secrets,
    TabId, Vault, VaultError, WindowId, contexts::Contexts, idle, news, page::Home, record::Recordings,
    refs::Refs,
};

/// One client's browser.
#[derive(Clone)]
pub struct Session {
    inner: Arc<Inner>,
}

/// What a session is made of.
pub struct Setup {
    /// What starts the browser.
    pub launcher: Arc<dyn Launcher>,
    /// Which browser, and how.
    pub launch: Launch,
    /// How to behave.
    pub options: Options,
    /// The files that may be touched.
    pub files: Files,
    /// What may be typed by name, and is never told.
    pub secrets: Arc<Secrets>,
    /// Where named states are kept, if there is a place for them.
    pub vault: Option<Vault>,
    /// How the first context is to be.
    pub first: ContextOptions,
    /// Which hosts and addresses its traffic may reach.
    pub policy: HostPolicy,
}

struct Inner {
    launcher: Arc<dyn Launcher>,
    /// How a browser is started where nobody says otherwise.
    usual: Launch,
    launch: Mutex<Launch>,
    /// How the first context is to be.
    first: ContextOptions,
    policy: Arc<HostPolicy>,
    options: Arc<Options>,
    files: Arc<Files>,
    secrets: Arc<Secrets>,
    vault: Option<Vault>,
    refs: Arc<Mutex<Refs>>,
    /// The running browser. Its lock is held while one is started, so that calls at the same time share it.
    browser: tokio::sync::Mutex<Option<Arc<dyn Browser>>>,
    contexts: Mutex<Contexts>,
    captures: Mutex<Captures>,
    /// Whether the browser ended without being asked to, and nobody was told.
    untold_end: AtomicBool,
    next_tab: AtomicU32,
    next_window: AtomicU32,
    next_route: AtomicU32,
    recordings: Recordings,
}

/// The name of the context that is there from the start.
pub(crate) const FIRST: &str = "default";

impl Session {
    /// A session that has not started its browser yet.
    pub fn new(setup: Setup) -> Self {
        let Setup { launcher, launch, options, files, secrets, vault, first, policy } = setup;
        let inner = Arc::new_cyclic(|weak| {
            let context = Context::first(FIRST, first.clone(), WeakSession(weak.clone()));
            Inner {
                launcher,
                usual: launch.clone(),
                launch: Mutex::new(launch),
                first,
                policy: Arc::new(policy),
                options: Arc::new(options),
                files: Arc::new(files),
                secrets,
                vault,
                refs: Arc::default(),
                browser: tokio::sync::Mutex::new(None),
                contexts: Mutex::new(Contexts { open: vec![context.clone()], active: context }),
                captures: Mutex::default(),
                untold_end: AtomicBool::new(false),
                next_tab: AtomicU32::new(1),
                // The first context's is 1.
                next_window: AtomicU32::new(2),
                next_route: AtomicU32::new(1),
                recordings: Recordings::default(),
            }
        });
        Self { inner }
    }

    /// How it was told to behave.
    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// The files that it may touch.
    pub fn files(&self) -> &Files {
        &self.inner.files
    }

    /// What may be typed by name, and is never told.
    pub fn secrets(&self) -> &Secrets {
        &self.inner.secrets
    }

    /// Which hosts and addresses its traffic may reach.
    pub(crate) fn policy(&self) -> &Arc<HostPolicy> {
        &self.inner.policy
    }

    pub(crate) fn shared_files(&self) -> Arc<Files> {
        Arc::clone(&self.inner.files)
    }

    pub(crate) fn shared_secrets(&self) -> Arc<Secrets> {
        Arc::clone(&self.inner.secrets)
    }

    pub(crate) fn captures(&self) -> &Mutex<Captures> {
        &self.inner.captures
    }

    /// Where named states are kept.
    pub fn vault(&self) -> Result<&Vault> {
        self.inner.vault.as_ref().ok_or(Error::Vault(VaultError::Homeless))
    }

    /// A client was told of an error; what it says need not be said again.
    pub fn told(&self, error: &Error) {
        match error {
            Error::BrowserEnded => self.end_is_told(),
            Error::Crashed { .. } => self.context().crash_was_told(),
            _ => {}
        }
    }

    /// An error when the browser ended and nobody was told.
    pub(crate) fn alive(&self) -> Result<()> {
        if self.inner.untold_end.load(Ordering::Relaxed) { Err(Error::BrowserEnded) } else { Ok(()) }
    }

    /// That the browser ended is told, or no news any more.
    pub(crate) fn end_is_told(&self) {
        self.inner.untold_end.store(false, Ordering::Relaxed);
    }

    /// The running browser; started where none runs.
    pub(crate) async fn browser(&self) -> Result<Arc<dyn Browser>> {
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
        let mut wanted = self.launch().clone();
        wanted.proxy = self.first_context().proxy()?;
        wanted.proxy_only = self.policy().restricts();
        let browser = self.inner.launcher.launch(&wanted, sink).await.map_err(Error::Launch)?;
        tracing::info!(version = browser.version(), "the browser is running");
        if let Some(remark) = browser.remark() {
            news::add(&mut self.context().tabs().news, NewsItem::Remark(remark));
        }
        *running = Some(Arc::clone(&browser));
        idle::watch(self, &browser);
        Ok(browser)
    }

    /// A call was answered, and there may be time until the next one.
    pub fn answered(&self) {
        if let Ok(running) = self.inner.browser.try_lock()
            && let Some(browser) = &*running
        {
            browser.make_ready();
        }
    }

    /// The context that the session began with.
    pub fn first_context(&self) -> Context {
        let contexts = self.contexts();
        contexts.open.iter().find(|context| context.is_first()).unwrap_or(&contexts.active).clone()
    }

    /// Starts another browser in place of the one that runs; how it is.
    pub async fn relaunch(&self, change: impl FnOnce(&mut Launch)) -> Result<Launch> {
        let mut wanted = self.inner.usual.clone();
        change(&mut wanted);
        // The one that runs is better than none.
        self.inner.launcher.check(&wanted).map_err(Error::Launch)?;
        let before = self.launch().clone();
        self.quit().await;
        *self.launch() = wanted.clone();
        if let Err(error) = self.browser().await {
            // The next call starts what is known to work.
            *self.launch() = before;
            return Err(error);
        }
        Ok(wanted)
    }

    /// Ends the browser and forgets its contexts and how it was started; whether one ran.
    pub async fn quit(&self) -> bool {
        let ran = self.end().await;
        *self.launch() = self.inner.usual.clone();
        let first = Context::first(FIRST, self.inner.first.clone(), self.downgrade());
        *self.contexts() = Contexts { open: vec![first.clone()], active: first };
        ran
    }

    /// Ends the browser, if one runs; whether one did.
    pub async fn end(&self) -> bool {
        // What is asked for is no news.
        self.end_with(None).await
    }

    async fn end_with(&self, news: Option<NewsItem>) -> bool {
        let browser = self.inner.browser.lock().await.take();
        let Some(browser) = browser else { return false };
        self.lose_pages(news.as_ref());
        browser.close().await;
        self.end_is_told();
        true
    }

    /// Ends a browser that nobody used for long.
    pub(crate) async fn rest(&self) {
        self.end_with(Some(NewsItem::Rested)).await;
    }

    /// Contexts that nobody used since then, without the one that calls go to; and whether all are idle.
    pub(crate) fn unused_since(&self, then: Instant) -> (Vec<Context>, bool) {
        let contexts = self.contexts();
        let unused = |context: &&Context| context.unused_since(then);
        let all = contexts.open.iter().all(|context| unused(&context));
        let some = contexts.open.iter().filter(unused).filter(|context| **context != contexts.active);
        (some.cloned().collect(), all)
    }

    fn observe(&self, happening: Happening) {
        match happening {
            Happening::PageOpened { page, opener, context } => {
                let id = TabId(self.inner.next_tab.fetch_add(1, Ordering::Relaxed));
                let context = self.by(|known| known.has_id(&context)).unwrap_or_else(|| self.first_context());
                let opener = opener.map(|opener| self.find(&opener).map(|(_, page)| page));
                if let Some(Some(opener)) = &opener {
                    opener.state().tab_opened = Some(Instant::now());
                }
                context.opened(id, page, opener.clone());
                if let Some(Some(opener)) = opener {
                    opener.ring();
                }
            }
            Happening::Page(id, event) => {
                let Some((context, page)) = self.find(&id) else { return };
                let closed = matches!(event, PageEvent::Closed);
                context.visited(&event);
                if let PageEvent::Navigated { frame, url, same_document: false, .. } = &event
                    && *frame == page.main_frame()
                {
                    lock(context.told_refusals()).document_changed(url);
                }
                page.observe(event);
                if closed {
                    context.closed(&page);
                }
            }
            Happening::DownloadBegan { id, frame, name, path } => {
                let of_frame =
                    |context: &Context| frame.as_ref().is_some_and(|frame| context.has_frame(frame));
                self.by(of_frame).unwrap_or_else(|| self.context()).download_began(id, name, path);
            }
            Happening::DownloadEnded { id, complete } => {
                if let Some(context) = self.by(|context| context.has_download(&id)) {
                    context.download_ended(&id, complete);
                }
            }
            Happening::Disconnected => self.ended(),
            _ => {}
        }
    }

    /// What the browser answers to something that concerns no context, by a deadline.
    pub(crate) async fn asked<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let answered = self.first_context().answered(work).await;
        if let Err(Error::BrowserEnded) = answered {
            // The browser's own word of it may come later, and would be told a second time.
            self.ended();
        }
        answered
    }

    fn ended(&self) {
        // One that was asked to end has left its place already.
        if let Ok(mut running) = self.inner.browser.try_lock()
            && running.take().is_some()
        {
            self.inner.untold_end.store(true, Ordering::Relaxed);
            self.lose_pages(Some(&NewsItem::Restarted));
        }
    }

    fn lose_pages(&self, news: Option<&NewsItem>) {
        self.end_captures();
        let open = self.contexts().open.clone();
        open.iter().for_each(|context| context.lose(news));
    }

    fn by(&self, is: impl Fn(&Context) -> bool) -> Option<Context> {
        self.contexts().open.iter().find(|context| is(context)).cloned()
    }

    fn find(&self, id: &PageId) -> Option<(Context, Page)> {
        self.contexts().open.iter().find_map(|context| Some((context.clone(), context.find(id)?)))
    }

    /// What the pages of a context share.
    pub(crate) fn home(&self, context: &Context) -> Home {
        Home {
            options: Arc::clone(&self.inner.options),
            refs: Arc::clone(&self.inner.refs),
            files: Arc::downgrade(&self.inner.files),
            context: context.downgrade(),
            viewport: self.viewport(),
            window: context.window(),
        }
    }

    pub(crate) fn recordings_of(&self) -> &Recordings {
        &self.inner.recordings
    }

    pub(crate) fn next_window(&self) -> WindowId {
        WindowId(self.inner.next_window.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn next_route(&self) -> RouteId {
        RouteId(self.inner.next_route.fetch_add(1, Ordering::Relaxed))
    }

    /// The viewport of new pages.
    pub(crate) fn viewport(&self) -> Size {
        self.launch().viewport
    }

    /// A handle that does not keep it alive.
    pub(crate) fn downgrade(&self) -> WeakSession {
        WeakSession(Arc::downgrade(&self.inner))
    }

    pub(crate) fn contexts(&self) -> MutexGuard<'_, Contexts> {
        lock(&self.inner.contexts)
    }

    fn launch(&self) -> MutexGuard<'_, Launch> {
        lock(&self.inner.launch)
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

/// No code panics while it holds these locks, so a poisoned one is still good.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
