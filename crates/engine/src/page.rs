//! A page: one tab, with its driver and its state.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use cicerone_driver::{FrameId, PageDriver, PageEvent, PageId, Size};
use tokio::sync::{OwnedMutexGuard, watch};
use tracing::Instrument;

use crate::{
    ActionSnapshot, Context, Deadline, Error, Files, Options, Result, TabId, WindowId,
    context::WeakContext,
    dialog::FollowUp,
    effect::Restless,
    refs::Refs,
    requests::NetworkLog,
    snapshot::Notation,
    snapshot::Tree,
    state::{PageStatus, State},
    state_lock::{StateGuard, StateLock},
};

pub(crate) mod parts;
mod settings;

/// Maximum length of a URL in a reply.
const SHOWN_URL: usize = 2_000;

/// Maximum length of a title in a reply.
const SHOWN_TITLE: usize = 1_000;

/// A title for replies, truncated: pages may set one of megabytes.
pub(crate) fn shown_title(title: &str) -> String {
    crate::snapshot::text::shortened(title, SHOWN_TITLE)
}

/// The URL of a page without a document.
pub(crate) const BLANK: &str = "about:blank";

/// One tab. Cheap to clone.
#[derive(Clone)]
pub struct Page {
    inner: Arc<Inner>,
    call: CallOptions,
}

/// The options of one call.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// What replies show of the page, instead of the default.
    pub shows: Option<ActionSnapshot>,
    /// The number of the only frame to search.
    pub frame: Option<u32>,
    /// The timeout, instead of the default.
    pub timeout: Option<Duration>,
    /// The notation of snapshots.
    pub notation: Notation,
}

/// What all pages of a context share.
#[derive(Clone)]
pub(crate) struct Home {
    pub(crate) options: Arc<Options>,
    pub(crate) refs: Arc<StateLock<Refs>>,
    pub(crate) files: Weak<Files>,
    pub(crate) context: WeakContext,
    /// The viewport of new pages.
    pub(crate) viewport: Size,
    /// The window of new pages.
    pub(crate) window: WindowId,
}

struct Inner {
    id: TabId,
    window: AtomicU32,
    driver: Arc<dyn PageDriver>,
    home: Home,
    state: StateLock<State>,
    /// Notified after every change of the state.
    changed: watch::Sender<()>,
    /// Calls on one page run in order.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// The tree that the client saw last. Changes are the differences from it.
    baseline: StateLock<Option<Tree>>,
    /// What changes without an action.
    restless: StateLock<Restless>,
}

impl Page {
    pub(crate) fn new(id: TabId, driver: Arc<dyn PageDriver>, home: Home) -> Self {
        let state = State::new(home.viewport);
        Self::with(id, driver, home, state)
    }

    /// The same page with another number, in place of a crashed one.
    pub(crate) fn renamed(&self, id: TabId) -> Self {
        let Inner { driver, home, .. } = &*self.inner;
        let state = std::mem::replace(&mut *self.state(), State::new(home.viewport));
        Self::with(id, Arc::clone(driver), home.clone(), state)
    }

    fn with(id: TabId, driver: Arc<dyn PageDriver>, home: Home, state: State) -> Self {
        let inner = Inner {
            id,
            window: AtomicU32::new(home.window.0),
            driver,
            home,
            state: StateLock::new(state),
            changed: watch::Sender::new(()),
            turn: Arc::default(),
            baseline: StateLock::default(),
            restless: StateLock::default(),
        };
        Self { inner: Arc::new(inner), call: CallOptions::default() }
    }

    /// The same page with these options.
    pub fn used(self, call: CallOptions) -> Self {
        Self { call, ..self }
    }

    /// Its number.
    pub fn id(&self) -> TabId {
        self.inner.id
    }

    pub fn window(&self) -> WindowId {
        WindowId(self.inner.window.load(Ordering::Relaxed))
    }

    pub(crate) fn put_into(&self, window: WindowId) {
        self.inner.window.store(window.0, Ordering::Relaxed);
    }

    pub(crate) fn driver(&self) -> &Arc<dyn PageDriver> {
        &self.inner.driver
    }

    pub(crate) fn driver_id(&self) -> PageId {
        self.inner.driver.id()
    }

    pub(crate) fn options(&self) -> &Options {
        &self.inner.home.options
    }

    pub(crate) fn files(&self) -> Result<Arc<Files>> {
        // The session owns both; without it nothing works.
        self.inner.home.files.upgrade().ok_or(Error::TabClosed)
    }

    /// Its context, while that exists.
    pub(crate) fn context(&self) -> Option<Context> {
        self.inner.home.context.upgrade()
    }

    pub fn url(&self) -> String {
        let url = self.state().main().map(|main| main.url.clone()).unwrap_or_default();
        if url.is_empty() { BLANK.into() } else { url }
    }

    /// Its URL for replies, truncated.
    pub fn shown_url(&self) -> String {
        crate::snapshot::text::shortened(&self.url(), SHOWN_URL)
    }

    /// Whether it has no document yet.
    pub fn is_blank(&self) -> bool {
        self.url() == BLANK
    }

    pub(crate) fn status(&self) -> PageStatus {
        self.state().status
    }

    pub(crate) fn main_frame(&self) -> FrameId {
        self.inner.driver.main_frame()
    }

    /// Requests of the current document.
    pub fn network(&self) -> NetworkLog {
        self.state().network.clone()
    }

    /// Waits until earlier calls on this page are done; later ones wait until the guard is dropped.
    pub async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.inner.turn).lock_owned().await
    }

    /// Whether a call is running on it.
    pub(crate) fn is_busy(&self) -> bool {
        self.inner.turn.try_lock().is_err()
    }

    pub(crate) fn has_frame(&self, frame: &FrameId) -> bool {
        self.state().frames.iter().any(|known| known.id == *frame)
    }

    /// Waits until `look` finds something in the state, or the deadline passes.
    pub(crate) async fn until<T>(
        &self,
        deadline: Deadline,
        mut look: impl FnMut(&State) -> Option<T>,
    ) -> Option<T> {
        deadline.bound(self.on_change(|| look(&self.state()))).await.flatten()
    }

    /// Checks after every change of the state, without holding its lock.
    pub(crate) async fn on_change<T>(&self, mut check: impl FnMut() -> Option<T>) -> Option<T> {
        let mut changed = self.inner.changed.subscribe();
        loop {
            if let Some(found) = check() {
                return Some(found);
            }
            // The sender lives as long as the page.
            changed.changed().await.ok()?;
        }
    }

    /// Applies an event, and answers dialogs if the event asks for it.
    pub(crate) fn observe(&self, event: PageEvent) {
        let follow_up = {
            let mut refs = self.inner.home.refs.lock();
            self.state().apply(event, &mut refs)
        };
        if let Some(FollowUp::AnswerDialog(answer) | FollowUp::Silence(answer)) = &follow_up {
            let (driver, answer) = (Arc::clone(self.driver()), answer.clone());
            let silence = matches!(follow_up, Some(FollowUp::Silence(_)));
            let answer = async move {
                let answering = driver.answer_dialog(answer.accept, answer.text.as_deref());
                let silencing = async {
                    match driver.interruption() {
                        Some(power) if silence => power.interrupt().await,
                        _ => Ok(()),
                    }
                };
                // Concurrently: an endless loop of dialogs opens the next one before a second
                // command arrives.
                if let (Err(error), _) = futures::join!(answering, silencing) {
                    tracing::debug!(%error, "a dialog could not be answered");
                }
            };
            tokio::spawn(answer.in_current_span());
        }
        self.inner.changed.send_replace(());
    }

    /// Wakes waiters after a change outside of the page's state.
    pub(crate) fn ring(&self) {
        self.inner.changed.send_replace(());
    }

    /// The browser ended, and the page with it.
    pub(crate) fn lose(&self) {
        self.state().status = PageStatus::Lost;
        self.forget_refs();
        self.inner.changed.send_replace(());
    }

    pub(crate) fn forget_refs(&self) {
        let documents: Vec<_> = self.state().frames.iter().map(|frame| frame.document).collect();
        let mut refs = self.refs();
        documents.into_iter().for_each(|document| refs.forget(document));
    }

    #[track_caller]
    pub(crate) fn state(&self) -> StateGuard<'_, State> {
        self.inner.state.lock()
    }

    #[track_caller]
    pub(crate) fn refs(&self) -> StateGuard<'_, Refs> {
        self.inner.home.refs.lock()
    }

    #[track_caller]
    pub(crate) fn restless(&self) -> StateGuard<'_, Restless> {
        self.inner.restless.lock()
    }

    #[track_caller]
    pub(crate) fn baseline(&self) -> StateGuard<'_, Option<Tree>> {
        self.inner.baseline.lock()
    }
}
