//! The targets of a browser: setup of new ones, and the owner of each session.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

use cicerone_driver::{
    BrowserEvent, ContextId, DriverError, PageDriver, PageEvent, PageId, Result, Sink, Size, lock,
};
use cicerone_wire::{Connection, Empty, Session, WireError};
use tokio::sync::Notify;

use crate::{
    adopt,
    attach::Powers,
    contexts, downloads,
    emulation::EmulationState,
    injected, interception,
    page::ChromiumPage,
    protocol::{
        emulation::{SetFocusEmulationEnabled, SetTimezoneOverride},
        log, network,
        page::{
            self, AddScriptToEvaluateOnNewDocument, SetInterceptFileChooserDialog, SetLifecycleEventsEnabled,
        },
        runtime::{self, RunIfWaitingForDebugger},
        target::{AttachedToTarget, DetachFromTarget, SetAutoAttach},
    },
    reach::Reach,
    spare_context::SpareContext,
};

/// Removes WebRTC from a document, before its first script.
const NO_WEBRTC: &str = include_str!("no_webrtc.js");

/// Shared by the event observer and the browser's handles.
pub(crate) struct Shared {
    pub(crate) connection: OnceLock<Connection>,
    pub(crate) sink: Sink,
    pub(crate) downloads: PathBuf,
    /// In bytes.
    pub(crate) largest_download: u64,
    pub(crate) viewport: Size,
    /// All sessions of pages, including their frames in other processes.
    by_session: Mutex<HashMap<String, (Arc<ChromiumPage>, Session)>>,
    pub(crate) by_id: Mutex<HashMap<PageId, Arc<ChromiumPage>>>,
    /// Unreported targets by id; some are ours.
    unclaimed: Mutex<HashMap<String, Session>>,
    /// Initial URLs of our internal pages.
    unseen: Mutex<HashSet<String>>,
    /// The contexts created beside the default one.
    pub(crate) made: Mutex<HashSet<ContextId>>,
    /// Those with their own proxy.
    proxied: Mutex<HashSet<ContextId>>,
    opened: Notify,
    pub(crate) spare: Mutex<SpareContext>,
    /// Notified when a spare context is ready or failed.
    pub(crate) spare_changed: Notify,
    /// Which targets are driven.
    pub(crate) reach: Reach,
    pub(crate) powers: Powers,
    /// The name of the injected script's world.
    pub(crate) world: String,
    /// Pages opened here in a context that was not created here.
    pub(crate) opened_here: Mutex<HashSet<PageId>>,
}

impl Shared {
    pub(crate) fn new(sink: Sink, downloads: PathBuf, viewport: Size, spare: SpareContext) -> Self {
        Self {
            connection: OnceLock::new(),
            sink,
            downloads,
            largest_download: downloads::LARGEST,
            viewport,
            by_session: Mutex::default(),
            by_id: Mutex::default(),
            unclaimed: Mutex::default(),
            unseen: Mutex::default(),
            made: Mutex::default(),
            proxied: Mutex::default(),
            opened: Notify::new(),
            spare: Mutex::new(spare),
            spare_changed: Notify::new(),
            reach: Reach::All,
            powers: Powers::default(),
            world: injected::WORLD.to_owned(),
            opened_here: Mutex::default(),
        }
    }

    /// Cancels larger downloads.
    pub(crate) fn with_largest_download(self, bytes: Option<u64>) -> Self {
        Self { largest_download: bytes.unwrap_or(self.largest_download), ..self }
    }

    /// For a browser that somebody else started.
    pub(crate) fn attached_to(self, reach: Reach, powers: Powers, world: String) -> Self {
        Self { reach, powers, world, ..self }
    }

    /// The context of an id. The default one has an id too, reported late and not by every version, so
    /// every unknown id is the default one.
    fn context_of(&self, id: &str) -> ContextId {
        lock(&self.made).get(&ContextId::from(id)).cloned().unwrap_or_else(contexts::default_id)
    }

    pub(crate) fn context_made(&self, id: ContextId) {
        lock(&self.made).insert(id);
    }

    pub(crate) fn context_gone(&self, id: &ContextId) {
        lock(&self.made).remove(id);
        lock(&self.proxied).remove(id);
    }

    pub(crate) fn context_has_proxy(&self, id: ContextId) {
        lock(&self.proxied).insert(id);
    }

    pub(crate) fn has_pages(&self) -> bool {
        !lock(&self.by_id).is_empty()
    }

    pub(crate) fn page_of(&self, session: Option<&str>) -> Option<(Arc<ChromiumPage>, Session)> {
        lock(&self.by_session).get(session?).cloned()
    }

    pub(crate) fn tell(&self, page: &ChromiumPage, event: PageEvent) {
        if page.is_reported() {
            (self.sink)(BrowserEvent::Page(page.id.clone(), event));
        }
    }

    /// Sets up a new target, which waits, before it runs a script. All commands are sent at once; the
    /// browser executes them in order.
    pub(crate) fn attached(&self, parent: Option<&str>, target: AttachedToTarget) {
        let Some(connection) = self.connection.get() else { return };
        let session = connection.session(&target.session_id);
        let info = target.target_info;
        if parent.is_none() && !self.drives(&info) {
            session.tell(&RunIfWaitingForDebugger {});
            return connection.root().tell(&DetachFromTarget { session_id: &target.session_id });
        }
        if info.kind == "other" || lock(&self.unseen).contains(&info.url) {
            lock(&self.unclaimed).insert(info.target_id, session.clone());
            return session.tell(&RunIfWaitingForDebugger {});
        }
        // A worker's worker.
        let owner = self.page_of(parent).or_else(|| self.page_of_worker(parent?));
        match (info.kind.as_str(), owner) {
            ("page", None) => {
                let id = PageId::from(info.target_id.as_str());
                let opener = info.opener_id.as_deref().map(PageId::from);
                let parent = opener.as_ref().and_then(|opener| lock(&self.by_id).get(opener).cloned());
                // A popup starts with its opener's settings.
                let viewport = parent.as_ref().map_or(self.viewport, |parent| *lock(&parent.viewport));
                let emulated =
                    parent.map_or_else(EmulationState::default, |parent| lock(&parent.emulated).clone());
                let page = ChromiumPage::new(id, session.clone(), connection.root(), viewport, None);
                let page = self.received(page.opened_by(opener.clone(), emulated.clone()).with(self.powers));
                self.inherit_interceptor(&page, opener.as_ref());
                self.set_up(&session);
                self.keep_to_proxy(&info.browser_context_id, &session);
                let context = self.context_of(&info.browser_context_id);
                if !self.reach.is_shared(&context) {
                    session.tell(&emulated.metrics(viewport));
                }
                emulated.apply_to(&session);
                session.tell(&RunIfWaitingForDebugger {});
                if lock(&self.spare).receive(&info.browser_context_id, &page) {
                    return;
                }
                self.introduce(&page, opener, context);
                tokio::spawn(adopt::page(page, session, Arc::clone(&self.sink)));
                self.opened.notify_waiters();
            }
            ("iframe", Some((page, _))) => {
                let frame = info.target_id.as_str().into();
                let is_known = page.with_frames(|frames| {
                    let is_known = frames.get(&frame).is_some();
                    frames.place(frame, &session);
                    is_known
                });
                if !is_known {
                    tokio::spawn(adopt::frame(Arc::clone(&page), session.clone(), Arc::clone(&self.sink)));
                }
                lock(&self.by_session).insert(target.session_id, (Arc::clone(&page), session.clone()));
                self.set_up(&session);
                self.keep_to_proxy(&info.browser_context_id, &session);
                let emulated = lock(&page.emulated).clone();
                emulated.apply_to(&session);
                if let Some(zone) = emulated.time_zone() {
                    self.tell_if_refused(&page, session.send(&SetTimezoneOverride { timezone_id: zone }));
                }
                interception::extend_to(&page, &session);
                session.tell(&RunIfWaitingForDebugger {});
            }
            ("worker", Some((page, _))) => {
                lock(&page.workers).push(session.clone());
                lock(&page.emulated).apply_to_worker(&session);
                interception::extend_to(&page, &session);
                session.tell(&auto_attach());
                if lock(&page.capture).is_some() {
                    session.tell(&network::Enable {});
                }
                session.tell(&RunIfWaitingForDebugger {});
            }
            // Other targets, such as shared workers, are left alone.
            _ => session.tell(&RunIfWaitingForDebugger {}),
        }
    }

    /// Time zones are per process. A frame that is refused one shares its process with another tab.
    fn tell_if_refused(
        &self,
        page: &Arc<ChromiumPage>,
        set: impl Future<Output = std::result::Result<Empty, WireError>> + Send + 'static,
    ) {
        let (page, sink) = (Arc::clone(page), Arc::clone(&self.sink));
        tokio::spawn(async move {
            if let Err(WireError::Refused { .. }) = set.await {
                sink(BrowserEvent::Page(page.id.clone(), PageEvent::TimeZoneRefused));
            }
        });
    }

    /// A popup has its opener's interceptor before its first request.
    fn inherit_interceptor(&self, page: &ChromiumPage, opener: Option<&PageId>) {
        let opener = opener.and_then(|opener| lock(&self.by_id).get(opener).cloned());
        let Some(opener) = opener else { return };
        let inherited = lock(&opener.interceptor).clone();
        *lock(&page.interceptor) = inherited;
        interception::extend_to(page, &page.session);
    }

    /// The page of a worker's session.
    pub(crate) fn page_of_worker(&self, session: &str) -> Option<(Arc<ChromiumPage>, Session)> {
        lock(&self.by_id).values().find_map(|page| {
            let worker = lock(&page.workers).iter().find(|worker| worker.id() == Some(session)).cloned();
            Some((Arc::clone(page), worker?))
        })
    }

    /// Reports a page; from now on the sink gets its events.
    pub(crate) fn introduce(&self, page: &Arc<ChromiumPage>, opener: Option<PageId>, context: ContextId) {
        lock(&self.by_id).insert(page.id.clone(), Arc::clone(page));
        let driver = Arc::clone(page) as Arc<dyn PageDriver>;
        page.mark_reported();
        (self.sink)(BrowserEvent::PageOpened { page: driver, opener, context });
        self.tell(page, PageEvent::FrameAttached { frame: page.main_frame(), parent: None });
    }

    /// Registers a page: from now on its events go to it.
    pub(crate) fn received(&self, page: ChromiumPage) -> Arc<ChromiumPage> {
        let page = Arc::new(page);
        if let Some(id) = page.session.id() {
            let held = (Arc::clone(&page), page.session.clone());
            lock(&self.by_session).insert(id.to_owned(), held);
        }
        page
    }

    /// Hides the target with this initial URL, as long as the returned guard lives.
    pub(crate) fn not_to_tell(&self, url: String) -> impl Drop + '_ {
        lock(&self.unseen).insert(url.clone());
        Unseen { among: &self.unseen, url }
    }

    /// Takes the session of an unreported target.
    pub(crate) fn unclaimed(&self, target: &str) -> Option<Session> {
        lock(&self.unclaimed).remove(target)
    }

    pub(crate) fn set_up(&self, session: &Session) {
        session.tell(&page::Enable {});
        session.tell(&injected::settle_in(&self.world));
        session.tell(&runtime::Enable {});
        session.tell(&network::Enable {});
        session.tell(&log::Enable {});
        session.tell(&SetLifecycleEventsEnabled { enabled: true });
        session.tell(&auto_attach());
        // Every page has focus emulated: background tabs would get no frames.
        session.tell(&SetFocusEmulationEnabled { enabled: true });
        session.tell(&SetInterceptFileChooserDialog { enabled: true });
    }

    /// WebRTC sends UDP past every proxy. The browser's setting applies to all contexts, so documents of
    /// a context with its own proxy have no WebRTC.
    fn keep_to_proxy(&self, context: &str, session: &Session) {
        if lock(&self.proxied).contains(&ContextId::from(context)) {
            session.tell(&AddScriptToEvaluateOnNewDocument {
                source: NO_WEBRTC,
                world_name: "",
                run_immediately: true,
            });
        }
    }

    pub(crate) fn detached(&self, session: &str) {
        let Some(connection) = self.connection.get() else { return };
        connection.lose(session);
        lock(&self.unclaimed).retain(|_, there| there.id() != Some(session));
        let Some((page, _)) = lock(&self.by_session).remove(session) else {
            for page in lock(&self.by_id).values() {
                lock(&page.workers).retain(|worker| worker.id() != Some(session));
            }
            return;
        };
        if page.session.id() == Some(session) {
            lock(&self.by_id).remove(&page.id);
            self.left_process(&page.id);
            page.lifecycle.mark_closed();
            self.tell(&page, PageEvent::Closed);
        }
    }

    /// The page may be in another process now, which gets its process-wide overrides. Popups that stay in
    /// the old process were refused them there.
    pub(crate) fn left_process(&self, opener: &PageId) {
        for page in lock(&self.by_id).values().filter(|page| page.opener.as_ref() == Some(opener)) {
            lock(&page.emulated).apply_to_process(&page.session);
        }
    }

    pub(crate) async fn page(&self, id: &PageId) -> Result<Arc<ChromiumPage>> {
        loop {
            let opened = self.opened.notified();
            if let Some(page) = lock(&self.by_id).get(id) {
                return Ok(Arc::clone(page));
            }
            let Some(connection) = self.connection.get() else { return Err(DriverError::Disconnected) };
            tokio::select! {
                () = opened => {}
                () = connection.closed() => return Err(DriverError::Disconnected),
            }
        }
    }
}

/// A hidden URL; removed on drop.
struct Unseen<'a> {
    among: &'a Mutex<HashSet<String>>,
    url: String,
}

impl Drop for Unseen<'_> {
    fn drop(&mut self) {
        lock(self.among).remove(&self.url);
    }
}

pub(crate) fn auto_attach() -> SetAutoAttach {
    SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true }
}
