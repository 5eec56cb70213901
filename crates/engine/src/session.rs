//! One client's contexts in a browser.

mod events;
mod life;
mod numbers;
mod restart;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

pub(crate) use cicerone_driver::lock;
use cicerone_driver::{Browser, DriverError, Launch, Launcher, Size};
use cicerone_relay::HostPolicy;

use self::numbers::Numbers;
use crate::{
    BrowserHost, Captures, Context, ContextOptions, Error, Files, NewsItem, Options, Result, RouteId,
    Secrets, TabId, Vault, VaultError, WindowId, contexts::Contexts, downloads::DownloadQuota, news,
    page::Home, record::Recordings,
};

/// One client's contexts in a browser that it may share with others. Other clients see nothing of them.
#[derive(Clone)]
pub struct Session {
    inner: Arc<Inner>,
}

/// The parts of a session.
pub struct Setup {
    /// Starts the browser.
    pub launcher: Arc<dyn Launcher>,
    /// Which browser, and its launch options.
    pub launch: Launch,
    /// Behaviour options.
    pub options: Options,
    /// File access.
    pub files: Files,
    /// Secrets: typed by name, redacted in replies.
    pub secrets: Arc<Secrets>,
    /// Where named states are stored, if anywhere.
    pub vault: Option<Vault>,
    /// Options of the first context.
    pub first: ContextOptions,
    /// Which hosts and addresses its traffic may reach.
    pub policy: HostPolicy,
}

/// The parts of a session on a [`BrowserHost`].
pub struct SessionSetup {
    /// Behaviour options.
    pub options: Options,
    /// File access.
    pub files: Files,
    /// Secrets: typed by name, redacted in replies.
    pub secrets: Arc<Secrets>,
    /// Where named states are stored, if anywhere.
    pub vault: Option<Vault>,
    /// Options of the first context.
    pub first: ContextOptions,
}

struct Inner {
    /// The host that it was created on.
    home: BrowserHost,
    /// The host of its browser: not its home after a launch with other options.
    host: Mutex<BrowserHost>,
    /// Its launch options.
    launch: Mutex<Launch>,
    /// The client's name, once known.
    client: Mutex<Option<String>>,
    /// Options of the first context.
    first: ContextOptions,
    options: Arc<Options>,
    files: Arc<Files>,
    secrets: Arc<Secrets>,
    vault: Option<Vault>,
    numbers: Arc<Numbers>,
    contexts: Mutex<Contexts>,
    captures: Mutex<Captures>,
    /// Whether the browser ended unexpectedly and no reply has reported it.
    unreported_end: AtomicBool,
    recordings: Recordings,
    download_quota: Mutex<DownloadQuota>,
    /// The span of its log messages.
    span: tracing::Span,
}

/// The name of the first context.
pub(crate) const FIRST: &str = "default";

impl Session {
    /// A session with its own browser, which is not started yet.
    pub fn new(setup: Setup) -> Self {
        let Setup { launcher, launch, options, files, secrets, vault, first, policy } = setup;
        let host = BrowserHost::exclusive(launcher, launch, policy, options.session_timeout);
        host.session(SessionSetup { options, files, secrets, vault, first })
    }

    /// A session on a host.
    pub(crate) fn on(host: &BrowserHost, setup: SessionSetup) -> Self {
        let SessionSetup { options, files, secrets, vault, first } = setup;
        let inner = Arc::new_cyclic(|weak| {
            let context = Context::first(first.clone(), WeakSession(weak.clone()), host.sharing());
            Inner {
                home: host.clone(),
                host: Mutex::new(host.clone()),
                launch: Mutex::new(host.launch().clone()),
                client: Mutex::default(),
                first,
                options: Arc::new(options),
                files: Arc::new(files),
                secrets,
                vault,
                numbers: host.named().map(|named| Arc::clone(&named.inner.numbers)).unwrap_or_default(),
                contexts: Mutex::new(Contexts { open: vec![context.clone()], active: context }),
                captures: Mutex::default(),
                unreported_end: AtomicBool::new(false),
                recordings: Recordings::default(),
                download_quota: Mutex::default(),
                span: tracing::info_span!("session", id = numbers::next_session()),
            }
        });
        let session = Self { inner };
        host.admit(session.downgrade());
        session
    }

    /// The span of its log messages.
    pub fn span(&self) -> &tracing::Span {
        &self.inner.span
    }

    /// The host of its browser.
    pub(crate) fn host(&self) -> BrowserHost {
        lock(&self.inner.host).clone()
    }

    /// Sets the client's name, which the person sees in an attached browser.
    pub fn set_client(&self, name: &str) {
        *lock(&self.inner.client) = Some(name.to_owned());
    }

    pub(crate) fn client(&self) -> Option<String> {
        lock(&self.inner.client).clone()
    }

    /// Its behaviour options.
    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// Its file access.
    pub fn files(&self) -> &Files {
        &self.inner.files
    }

    pub fn secrets(&self) -> &Secrets {
        &self.inner.secrets
    }

    /// Told when a download of some session on the same host begins to wait for a decision.
    pub(crate) fn download_held(&self) -> &tokio::sync::Notify {
        self.inner.home.download_held()
    }

    pub(crate) fn download_quota(&self) -> MutexGuard<'_, DownloadQuota> {
        lock(&self.inner.download_quota)
    }

    /// Which hosts and addresses its traffic may reach.
    pub(crate) fn policy(&self) -> &Arc<HostPolicy> {
        self.inner.home.policy()
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

    /// Where named states are stored.
    pub fn vault(&self) -> Result<&Vault> {
        self.inner.vault.as_ref().ok_or(Error::Vault(VaultError::NoDataDir))
    }

    /// A reply reported this error, so news need not repeat it.
    pub fn mark_reported(&self, error: &Error) {
        match error {
            Error::BrowserEnded => {
                self.end_was_reported();
                // A context that is shared by name belongs to another session.
                if let Ok(owner) = self.context().session() {
                    owner.end_was_reported();
                }
            }
            Error::Crashed { .. } => self.context().crash_was_reported(),
            Error::DialogOpen(dialog) => self.dialog_was_reported(dialog),
            _ => {}
        }
    }

    /// An error if the browser ended and no reply has reported it.
    pub(crate) fn alive(&self) -> Result<()> {
        if self.inner.unreported_end.load(Ordering::Relaxed) { Err(Error::BrowserEnded) } else { Ok(()) }
    }

    /// Marks the end of the browser as reported.
    pub(crate) fn end_was_reported(&self) {
        self.inner.unreported_end.store(false, Ordering::Relaxed);
    }

    /// The running browser; starts one if none runs.
    pub(crate) async fn browser(&self) -> Result<Arc<dyn Browser>> {
        self.host().browser(self).await
    }

    /// Attaches to a running browser, so that its tabs exist before the first call.
    pub async fn attach(&self) -> Result<()> {
        let host = self.host();
        if host.launcher().runs_already() && host.running().is_none() {
            self.first_context().make().await?;
        }
        Ok(())
    }

    /// A call was answered, and there may be time until the next one.
    pub fn answered(&self) {
        if let Some(browser) = self.host().running() {
            browser.prewarm();
        }
    }

    /// The context that the session began with.
    pub fn first_context(&self) -> Context {
        let contexts = self.contexts();
        contexts.open.iter().find(|context| context.is_first()).unwrap_or(&contexts.active).clone()
    }

    /// The options of the first context.
    pub(crate) fn first_options(&self) -> &ContextOptions {
        &self.inner.first
    }

    /// Contexts unused since then, except the active one; and whether all are idle.
    pub(crate) fn unused_since(&self, then: Instant) -> (Vec<Context>, bool) {
        let contexts = self.contexts();
        let unused = |context: &&Context| context.unused_since(then);
        let all = contexts.open.iter().all(|context| unused(&context));
        let some = contexts.open.iter().filter(unused).filter(|context| **context != contexts.active);
        (some.cloned().collect(), all)
    }

    /// Awaits a browser command that belongs to no context, with a deadline.
    pub(crate) async fn asked<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let host = self.host();
        let number = host.browser_number();
        let answered = self.first_context().answered(work).await;
        if let Err(Error::BrowserEnded) = answered {
            // The browser's own event may follow, and would be reported a second time.
            host.ended(number);
        }
        answered
    }

    /// Adds news for the next reply in the active context.
    pub(crate) fn add_news(&self, item: NewsItem) {
        news::add(&mut self.context().tabs().news, item);
    }

    /// What the pages of a context share.
    pub(crate) fn home(&self, context: &Context) -> Home {
        Home {
            options: Arc::clone(&self.inner.options),
            refs: Arc::clone(&self.inner.numbers.refs),
            files: Arc::downgrade(&self.inner.files),
            context: context.downgrade(),
            viewport: self.viewport(),
            window: context.window(),
        }
    }

    pub(crate) fn recordings_of(&self) -> &Recordings {
        &self.inner.recordings
    }

    pub(crate) fn next_tab(&self) -> TabId {
        self.inner.numbers.next_tab()
    }

    pub(crate) fn next_window(&self) -> WindowId {
        self.inner.numbers.next_window()
    }

    pub(crate) fn next_route(&self) -> RouteId {
        self.inner.numbers.next_route()
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

    pub(crate) fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Weak::ptr_eq(&self.0, &other.0)
    }
}
