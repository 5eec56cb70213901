//! A page: one tab, with its driver and its books.

use std::{
    future::Future,
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use cicerone_driver::{FrameId, PageDriver, PageEvent, PageId, Size};
use tokio::sync::{OwnedMutexGuard, watch};

use crate::{
    Acted, ActionSnapshot, ConsoleLog, Context, Deadline, Error, Files, Options, Result, TabId, WindowId,
    context::WeakContext,
    dialog::{DialogAnswer, Errand},
    effect::{Expects, Restless},
    refs::Refs,
    requests::NetworkEntry,
    session::lock,
    settle::Mark,
    snapshot::Tree,
    state::{Fate, State},
};

/// How many characters of a URL a reply has, at most.
const SHOWN_URL: usize = 2_000;

/// Where a page is that has been nowhere.
pub(crate) const BLANK: &str = "about:blank";

/// One tab. Cheap to clone.
#[derive(Clone)]
pub struct Page {
    inner: Arc<Inner>,
    manner: Manner,
}

/// How those who hold a handle of a page use it.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// What replies show of it, where that is not as the options say.
    pub shows: Option<ActionSnapshot>,
    /// The only frame that elements are looked for in, by its number.
    pub frame: Option<u32>,
    /// How long to wait, where that is not as the options say.
    pub patience: Option<Duration>,
    /// What stands before refs in what replies show of it.
    pub ref_sign: &'static str,
}

/// What all pages of a context share.
#[derive(Clone)]
pub(crate) struct Home {
    pub(crate) options: Arc<Options>,
    pub(crate) refs: Arc<Mutex<Refs>>,
    pub(crate) files: Weak<Files>,
    pub(crate) context: WeakContext,
    /// The viewport that new pages have.
    pub(crate) viewport: Size,
    /// The window that new pages are in.
    pub(crate) window: WindowId,
}

struct Inner {
    id: TabId,
    /// The window that it is in.
    window: AtomicU32,
    driver: Arc<dyn PageDriver>,
    home: Home,
    state: Mutex<State>,
    /// Rings whenever the state changed.
    changed: watch::Sender<()>,
    /// Calls on one page run in order.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// What the client saw last.
    seen: Mutex<Option<Tree>>,
    /// What changes by itself.
    restless: Mutex<Restless>,
}

impl Page {
    pub(crate) fn new(id: TabId, driver: Arc<dyn PageDriver>, home: Home) -> Self {
        let state = State::new(home.viewport);
        Self::with(id, driver, home, state)
    }

    /// The same page under another number, in place of one that crashed.
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
            state: Mutex::new(state),
            changed: watch::Sender::new(()),
            turn: Arc::default(),
            seen: Mutex::default(),
            restless: Mutex::default(),
        };
        Self { inner: Arc::new(inner), manner: Manner::default() }
    }

    /// The same page, for one who uses it in this manner.
    pub fn used(self, manner: Manner) -> Self {
        Self { manner, ..self }
    }

    pub(crate) fn ref_sign(&self) -> &'static str {
        self.manner.ref_sign
    }

    pub(crate) fn shows(&self) -> ActionSnapshot {
        self.manner.shows.unwrap_or(self.options().action_snapshot)
    }

    /// How long an action waits until its element can be used.
    pub(crate) fn action_timeout(&self) -> Duration {
        self.manner.patience.unwrap_or(self.options().action_timeout)
    }

    /// How long a navigation may take.
    pub(crate) fn navigation_timeout(&self) -> Duration {
        self.manner.patience.unwrap_or(self.options().navigation_timeout)
    }

    /// How long a wait for something on the page lasts.
    pub(crate) fn wait_timeout(&self) -> Duration {
        self.manner.patience.unwrap_or(self.options().wait_timeout)
    }

    /// How long its user is ready to wait, where they say so.
    pub(crate) fn patience(&self) -> Option<Duration> {
        self.manner.patience
    }

    /// The number of the only frame that matters, where there is one.
    pub(crate) fn only_frame(&self) -> Option<u32> {
        self.manner.frame
    }

    /// The frame that scripts run in: the main one unless told.
    pub(crate) fn chosen_frame(&self) -> Result<FrameId> {
        let Some(number) = self.manner.frame else { return Ok(self.main_frame()) };
        let state = self.state();
        let frame = state.frames.iter().find(|frame| frame.number == number);
        frame.map(|frame| frame.id.clone()).ok_or(Error::NoFrame(number))
    }

    /// Its number.
    pub fn id(&self) -> TabId {
        self.inner.id
    }

    /// The window that it is in.
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
        // The session owns both; without it nothing can be done any more.
        self.inner.home.files.upgrade().ok_or(Error::TabClosed)
    }

    /// The context that it belongs to, as long as there is one.
    pub(crate) fn context(&self) -> Option<Context> {
        self.inner.home.context.upgrade()
    }

    /// Where it is.
    pub fn url(&self) -> String {
        let url = self.state().main().map(|main| main.url.clone()).unwrap_or_default();
        if url.is_empty() { BLANK.into() } else { url }
    }

    /// The same for replies: a page may make its URL as long as it likes.
    pub fn shown_url(&self) -> String {
        crate::snapshot::text::shortened(&self.url(), SHOWN_URL)
    }

    /// Whether it is nowhere, as a page that was just opened.
    pub fn is_blank(&self) -> bool {
        self.url() == BLANK
    }

    pub(crate) fn fate(&self) -> Fate {
        self.state().fate
    }

    pub(crate) fn main_frame(&self) -> FrameId {
        self.inner.driver.main_frame()
    }

    /// Console lines since it loaded.
    pub fn console(&self) -> ConsoleLog {
        self.state().console.clone()
    }

    /// Requests since it loaded.
    pub fn network(&self) -> Vec<NetworkEntry> {
        self.state().network.iter().cloned().collect()
    }

    /// Waits until earlier calls on this page are done; later ones wait until the guard is dropped.
    pub async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.inner.turn).lock_owned().await
    }

    /// Whether a call runs on it.
    pub(crate) fn is_busy(&self) -> bool {
        self.inner.turn.try_lock().is_err()
    }

    pub(crate) fn has_frame(&self, frame: &FrameId) -> bool {
        self.state().frames.iter().any(|known| known.id == *frame)
    }

    /// An error if a dialog holds the page.
    pub fn not_held(&self) -> Result<()> {
        match &self.state().dialog {
            Some(dialog) => Err(Error::DialogOpen(dialog.clone())),
            None => Ok(()),
        }
    }

    /// Answers the open dialog now, or the next one when it opens; whether one was open.
    async fn answer_dialog(&self, accept: bool, text: Option<String>) -> Result<bool> {
        let answer = DialogAnswer { accept, text };
        let open = self.state().dialog.take();
        match open {
            None => {
                self.state().armed = Some(answer);
                Ok(false)
            }
            Some(dialog) => {
                let DialogAnswer { accept, text } = answer.for_dialog(&dialog);
                self.promptly(self.driver().answer_dialog(accept, text.as_deref())).await?;
                Ok(true)
            }
        }
    }

    /// Answers a dialog, and tells what came of it; whether one was open.
    pub async fn handle_dialog(&self, accept: bool, text: Option<String>) -> Result<Acted<bool>> {
        let mut mark = Mark { expects: Expects::Anything, ..self.mark() };
        if let Some(began) = self.state().navigation_held_up() {
            // It began before the dialog opened; whether it goes on is this call's outcome.
            mark.at = began - 1;
        }
        self.state().acting = true;
        let open = self.answer_dialog(accept, text).await?;
        if !open {
            return Ok(Acted { done: false, outcome: crate::Outcome::default() });
        }
        // What held the page goes on now; it is not this call's turn that it belongs to, but its outcome.
        let _turn = self.turn().await;
        self.told(true, mark).await
    }

    /// Runs something that stands still when a dialog opens; the dialog is the error then.
    pub(crate) async fn unless_dialog<T>(&self, work: impl Future<Output = T>) -> Result<T> {
        let held = async {
            self.wait(|state| state.dialog.clone()).await.map_or(Error::TabClosed, Error::DialogOpen)
        };
        tokio::select! {
            biased;
            done = work => Ok(done),
            error = held => Err(error),
        }
    }

    /// Waits until the state shows something, or the deadline passes.
    pub(crate) async fn until<T>(
        &self,
        deadline: Deadline,
        look: impl FnMut(&State) -> Option<T>,
    ) -> Option<T> {
        deadline.bound(self.wait(look)).await.flatten()
    }

    async fn wait<T>(&self, mut look: impl FnMut(&State) -> Option<T>) -> Option<T> {
        let mut changed = self.inner.changed.subscribe();
        loop {
            if let Some(found) = look(&self.state()) {
                return Some(found);
            }
            // The sender lives as long as the page.
            changed.changed().await.ok()?;
        }
    }

    /// Writes down what happened, and does what it asks for.
    pub(crate) fn observe(&self, event: PageEvent) {
        let errand = {
            let mut refs = lock(&self.inner.home.refs);
            self.state().apply(event, &mut refs)
        };
        if let Some(Errand::AnswerDialog(answer) | Errand::Silence(answer)) = &errand {
            let (driver, answer) = (Arc::clone(self.driver()), answer.clone());
            let silence = matches!(errand, Some(Errand::Silence(_)));
            tokio::spawn(async move {
                let answering = driver.answer_dialog(answer.accept, answer.text.as_deref());
                let silencing = async { if silence { driver.interrupt().await } else { Ok(()) } };
                // At the same time: a script that asks for ever asks again before a second command arrives.
                if let (Err(error), _) = futures::join!(answering, silencing) {
                    tracing::debug!(%error, "a dialog could not be answered");
                }
            });
        }
        self.inner.changed.send_replace(());
    }

    /// Something happened that is not in its own books: whoever waits looks again.
    pub(crate) fn ring(&self) {
        self.inner.changed.send_replace(());
    }

    /// The browser ended, and this page with it.
    pub(crate) fn lose(&self) {
        self.state().fate = Fate::Lost;
        self.forget_refs();
        self.inner.changed.send_replace(());
    }

    /// Its elements are gone for good.
    pub(crate) fn forget_refs(&self) {
        let documents: Vec<_> = self.state().frames.iter().map(|frame| frame.document).collect();
        let mut refs = self.refs();
        documents.into_iter().for_each(|document| refs.forget(document));
    }

    /// Waits for downloads, as long as that is worth it: one that was asked for, and those that run.
    pub(crate) async fn downloads_end(&self, asked: bool, deadline: Deadline) {
        if let Some(context) = self.context() {
            context.downloads_end(asked, deadline).await;
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.inner.state)
    }

    pub(crate) fn refs(&self) -> MutexGuard<'_, Refs> {
        lock(&self.inner.home.refs)
    }

    pub(crate) fn restless(&self) -> MutexGuard<'_, Restless> {
        lock(&self.inner.restless)
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Option<Tree>> {
        lock(&self.inner.seen)
    }
}
