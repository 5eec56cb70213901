//! The targets of a browser: how new ones are received, and whose a session is.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock},
};

use cicerone_driver::{ContextId, DriverError, Happening, PageDriver, PageEvent, PageId, Result, Sink, Size};
use cicerone_wire::{Connection, Nothing, Session, WireError};
use tokio::sync::Notify;

use crate::{
    agent, contexts,
    emulation::Beliefs,
    events::navigated,
    interception,
    page::{ChromiumPage, lock},
    protocol::{
        browser::SetDownloadBehavior,
        emulation::{SetFocusEmulationEnabled, SetTimezoneOverride},
        log, network,
        page::{
            self, AddScriptToEvaluateOnNewDocument, GetFrameTree, SetInterceptFileChooserDialog,
            SetLifecycleEventsEnabled,
        },
        runtime::{self, RunIfWaitingForDebugger},
        target::{AttachedToTarget, SetAutoAttach},
    },
    store::Store,
};

/// Takes WebRTC out of a document, before its first script.
const NO_WEBRTC: &str = include_str!("no_webrtc.js");

/// What the event observer and the browser's handles share.
pub(crate) struct Shared {
    pub(crate) connection: OnceLock<Connection>,
    pub(crate) sink: Sink,
    pub(crate) downloads: PathBuf,
    pub(crate) viewport: Size,
    /// Every session that belongs to a page, also those of its frames in other processes.
    by_session: Mutex<HashMap<String, (Arc<ChromiumPage>, Session)>>,
    by_id: Mutex<HashMap<PageId, Arc<ChromiumPage>>>,
    /// Targets that were not told of, by their ids: some are of ours.
    unclaimed: Mutex<HashMap<String, Session>>,
    /// The first URLs of tabs of ours that nobody is to hear of.
    unseen: Mutex<HashSet<String>>,
    /// The contexts that were made beside the default one.
    made: Mutex<HashSet<ContextId>>,
    /// Those of them that have a proxy of their own.
    proxied: Mutex<HashSet<ContextId>>,
    opened: Notify,
    pub(crate) store: Mutex<Store>,
    /// Rings when a context was stored, or could not be.
    pub(crate) stored: Notify,
}

impl Shared {
    pub(crate) fn new(sink: Sink, downloads: PathBuf, viewport: Size, store: Store) -> Self {
        Self {
            connection: OnceLock::new(),
            sink,
            downloads,
            viewport,
            by_session: Mutex::default(),
            by_id: Mutex::default(),
            unclaimed: Mutex::default(),
            unseen: Mutex::default(),
            made: Mutex::default(),
            proxied: Mutex::default(),
            opened: Notify::new(),
            store: Mutex::new(store),
            stored: Notify::new(),
        }
    }

    /// The context that the browser means. It has a name for the default one too, but tells it late and not in
    /// every version; all that were not made are the default one.
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

    /// Downloads of a context go to our directory under names of the browser's, and are told.
    pub(crate) fn take_downloads(&self, root: &Session, context: Option<&str>) {
        root.tell(&SetDownloadBehavior {
            behavior: "allowAndName",
            download_path: &self.downloads.to_string_lossy(),
            events_enabled: true,
            browser_context_id: context,
        });
    }

    pub(crate) fn has_pages(&self) -> bool {
        !lock(&self.by_id).is_empty()
    }

    pub(crate) fn page_of(&self, session: Option<&str>) -> Option<(Arc<ChromiumPage>, Session)> {
        lock(&self.by_session).get(session?).cloned()
    }

    pub(crate) fn tell(&self, page: &ChromiumPage, event: PageEvent) {
        if page.is_told() {
            (self.sink)(Happening::Page(page.id.clone(), event));
        }
    }

    /// A target appeared and waits: what concerns it is set up before it runs a single script. All commands
    /// are sent at once; the browser takes them in order, so nobody needs to wait for the answers.
    pub(crate) fn attached(&self, parent: Option<&str>, target: AttachedToTarget) {
        let Some(connection) = self.connection.get() else { return };
        let session = connection.session(&target.session_id);
        let info = target.target_info;
        if info.kind == "other" || lock(&self.unseen).contains(&info.url) {
            lock(&self.unclaimed).insert(info.target_id, session.clone());
            return session.tell(&RunIfWaitingForDebugger {});
        }
        // A worker may be one of a worker.
        let owner = self.page_of(parent).or_else(|| self.page_of_worker(parent?));
        match (info.kind.as_str(), owner) {
            ("page", None) => {
                let id = PageId::from(info.target_id.as_str());
                let opener = info.opener_id.as_deref().map(PageId::from);
                let parent = opener.as_ref().and_then(|opener| lock(&self.by_id).get(opener).cloned());
                // A page that another one opens begins as that one is.
                let viewport = parent.as_ref().map_or(self.viewport, |parent| *lock(&parent.viewport));
                let beliefs = parent.map_or_else(Beliefs::default, |parent| lock(&parent.beliefs).clone());
                let page = ChromiumPage::new(id, session.clone(), connection.root(), viewport, None);
                let page = self.received(page.opened_by(opener.clone(), beliefs.clone()));
                self.inherit_interceptor(&page, opener.as_ref());
                self.set_up(&session);
                self.keep_to_proxy(&info.browser_context_id, &session);
                session.tell(&beliefs.metrics(viewport));
                beliefs.teach(&session);
                session.tell(&RunIfWaitingForDebugger {});
                if lock(&self.store).receive(&info.browser_context_id, &page) {
                    return;
                }
                self.introduce(&page, opener, self.context_of(&info.browser_context_id));
                tokio::spawn(tell_where_it_is(page, session, Arc::clone(&self.sink)));
                self.opened.notify_waiters();
            }
            ("iframe", Some((page, _))) => {
                let frame = info.target_id.as_str().into();
                page.with_frames(|frames| frames.place(frame, &session));
                lock(&self.by_session).insert(target.session_id, (Arc::clone(&page), session.clone()));
                self.set_up(&session);
                self.keep_to_proxy(&info.browser_context_id, &session);
                let beliefs = lock(&page.beliefs).clone();
                beliefs.teach(&session);
                if let Some(zone) = beliefs.time_zone() {
                    self.tell_if_refused(&page, session.send(&SetTimezoneOverride { timezone_id: zone }));
                }
                interception::extend_to(&page, &session);
                session.tell(&RunIfWaitingForDebugger {});
            }
            ("worker", Some((page, _))) => {
                lock(&page.workers).push(session.clone());
                lock(&page.beliefs).teach_worker(&session);
                interception::extend_to(&page, &session);
                session.tell(&auto_attach());
                if lock(&page.capture).is_some() {
                    session.tell(&network::Enable {});
                }
                session.tell(&RunIfWaitingForDebugger {});
            }
            // Workers that are no page's own and the like run as they would without us.
            _ => session.tell(&RunIfWaitingForDebugger {}),
        }
    }

    /// A time zone belongs to a process. One that is refused to a frame is not that of the tab in which it shares one.
    fn tell_if_refused(
        &self,
        page: &Arc<ChromiumPage>,
        set: impl Future<Output = std::result::Result<Nothing, WireError>> + Send + 'static,
    ) {
        let (page, sink) = (Arc::clone(page), Arc::clone(&self.sink));
        tokio::spawn(async move {
            if let Err(WireError::Refused { .. }) = set.await {
                sink(Happening::Page(page.id.clone(), PageEvent::TimeZoneRefused));
            }
        });
    }

    /// A page begins with the interceptor of the one that opened it, before its first request.
    fn inherit_interceptor(&self, page: &ChromiumPage, opener: Option<&PageId>) {
        let opener = opener.and_then(|opener| lock(&self.by_id).get(opener).cloned());
        let Some(opener) = opener else { return };
        let inherited = lock(&opener.interceptor).clone();
        *lock(&page.interceptor) = inherited;
        interception::extend_to(page, &page.session);
    }

    /// The page that a worker belongs to, by the worker's session.
    pub(crate) fn page_of_worker(&self, session: &str) -> Option<(Arc<ChromiumPage>, Session)> {
        lock(&self.by_id).values().find_map(|page| {
            let worker = lock(&page.workers).iter().find(|worker| worker.id() == Some(session)).cloned();
            Some((Arc::clone(page), worker?))
        })
    }

    /// Tells of a page; from now on the sink hears what happens in it.
    pub(crate) fn introduce(&self, page: &Arc<ChromiumPage>, opener: Option<PageId>, context: ContextId) {
        lock(&self.by_id).insert(page.id.clone(), Arc::clone(page));
        let driver = Arc::clone(page) as Arc<dyn PageDriver>;
        page.mark_told();
        (self.sink)(Happening::PageOpened { page: driver, opener, context });
        self.tell(page, PageEvent::FrameAttached { frame: page.main_frame(), parent: None });
    }

    /// A page is there: from now on its events are its own.
    pub(crate) fn received(&self, page: ChromiumPage) -> Arc<ChromiumPage> {
        let page = Arc::new(page);
        if let Some(id) = page.session.id() {
            let held = (Arc::clone(&page), page.session.clone());
            lock(&self.by_session).insert(id.to_owned(), held);
        }
        page
    }

    /// A target that begins at this URL is not to be told of, for as long as what is returned lives.
    pub(crate) fn not_to_tell(&self, url: String) -> impl Drop + '_ {
        lock(&self.unseen).insert(url.clone());
        Unseen { among: &self.unseen, url }
    }

    /// The session of a target that was not told of; once.
    pub(crate) fn unclaimed(&self, target: &str) -> Option<Session> {
        lock(&self.unclaimed).remove(target)
    }

    pub(crate) fn set_up(&self, session: &Session) {
        session.tell(&page::Enable {});
        session.tell(&agent::settle_in());
        session.tell(&runtime::Enable {});
        session.tell(&network::Enable {});
        session.tell(&log::Enable {});
        session.tell(&SetLifecycleEventsEnabled { enabled: true });
        session.tell(&auto_attach());
        // Every page believes to be in front: background tabs would get no frames.
        session.tell(&SetFocusEmulationEnabled { enabled: true });
        session.tell(&SetInterceptFileChooserDialog { enabled: true });
    }

    /// WebRTC sends its UDP past every proxy. What the browser can be told about that counts for all contexts, so documents of
    /// a context with a proxy of its own have no WebRTC.
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
            page.mark_closed();
            self.tell(&page, PageEvent::Closed);
        }
    }

    /// A page is perhaps in another process now. What it had set in the one that it left goes with it; pages that it opened
    /// are still there, and were refused to set the same.
    pub(crate) fn left_process(&self, opener: &PageId) {
        for page in lock(&self.by_id).values().filter(|page| page.opener.as_ref() == Some(opener)) {
            lock(&page.beliefs).teach_process(&page.session);
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

/// A URL among those that are not told of; no more when this is dropped.
struct Unseen<'a> {
    among: &'a Mutex<HashSet<String>>,
    url: String,
}

impl Drop for Unseen<'_> {
    fn drop(&mut self) {
        lock(self.among).remove(&self.url);
    }
}

/// A tab that the browser itself opened (a click with Control) may have got its document before it was set up.
async fn tell_where_it_is(page: Arc<ChromiumPage>, session: Session, sink: Sink) {
    let Ok(tree) = session.send(&GetFrameTree {}).await else { return };
    let frame = tree.frame_tree.frame;
    if frame.url != "about:blank" && !page.has_navigated() {
        sink(Happening::Page(page.id.clone(), navigated(frame)));
    }
}

pub(crate) fn auto_attach() -> SetAutoAttach {
    SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true }
}
