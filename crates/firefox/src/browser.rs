//! A running browser: its connection, its pages, and setup of new contexts.

use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, Weak},
};

use async_trait::async_trait;
use cicerone_driver::{
    Bookmarks, Browser, BrowserEvent, Context, ContextId, DocumentId, FrameId, History, PageDriver,
    PageEvent, PageId, Proxy, Restart, Result, Sink, Size, lock, major_version,
};
use cicerone_process::Process;
use cicerone_wire::{Connection, Session, WireError};
use tempfile::TempDir;

use crate::{
    attach::end_session,
    contexts::{DEFAULT, FirefoxContext},
    downloads::Take,
    frames::FrameTree,
    injected,
    marionette::Marionette,
    page::{FirefoxPage, Visibility},
    protocol::{
        browsing_context::{GetTree, Info},
        network::AddIntercept,
        session::Subscribe,
    },
    proxy_auth::AuthenticatedProxy,
    reach::Attached,
    system::{self, System},
    window,
};

/// The subscribed events, as modules where versions differ in their events.
pub(crate) const EVENTS: &[&str] = &["browsingContext", "input", "log", "network", "script.message"];

/// Shared by the event observer and the browser's handles.
pub(crate) struct Shared {
    /// A reference for its pages.
    pub(crate) me: Weak<Self>,
    pub(crate) connection: OnceLock<Connection>,
    pub(crate) sink: Sink,
    pub(crate) downloads: PathBuf,
    pub(crate) viewport: Size,
    frames: Mutex<FrameTree>,
    /// The blank page of the first window, never reported. A browser ends with its last window, and a
    /// window with its last page.
    first: OnceLock<Arc<FirefoxPage>>,
    /// Contexts created while an internal page is being opened; which of them it is becomes known later.
    pub(crate) aside: Mutex<Option<Vec<Info>>>,
    /// Only one page is opened at a time.
    pub(crate) opening: tokio::sync::Mutex<()>,
    /// Serialises pointer gestures.
    pub(crate) pointing: Arc<tokio::sync::Mutex<()>>,
    /// The sites whose partitions may have cookies, by user context: those that pages were at, and those of cookies that
    /// were set.
    pub(crate) partitions: Mutex<HashMap<String, BTreeSet<String>>>,
    /// What holds requests for the interceptors of pages. Its lock is held while it is changed.
    pub(crate) intercept: tokio::sync::Mutex<Option<String>>,
    pub(crate) major_version: OnceLock<u32>,
    /// The proxies, by user context.
    pub(crate) proxies: Mutex<HashMap<String, Arc<AuthenticatedProxy>>>,
    /// System access, if granted at launch.
    pub(crate) system: OnceLock<System>,
    /// What is ours in a browser that we did not start.
    pub(crate) attached: Option<Attached>,
    /// Running downloads.
    pub(crate) downloading: Mutex<HashMap<String, Take>>,
}

impl Shared {
    pub(crate) fn new(
        sink: Sink,
        downloads: PathBuf,
        viewport: Size,
        attached: Option<Attached>,
    ) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            major_version: OnceLock::new(),
            me: Weak::clone(me),
            connection: OnceLock::new(),
            sink,
            downloads,
            viewport,
            frames: Mutex::default(),
            first: OnceLock::new(),
            aside: Mutex::new(Some(Vec::new())),
            opening: tokio::sync::Mutex::default(),
            pointing: Arc::default(),
            partitions: Mutex::default(),
            intercept: tokio::sync::Mutex::default(),
            proxies: Mutex::default(),
            system: OnceLock::new(),
            attached,
            downloading: Mutex::default(),
        })
    }

    /// What the browser says that it is.
    pub(crate) fn is_version(&self, version: &str) {
        if let Some(major) = major_version(version) {
            let _ = self.major_version.set(major);
        }
    }

    /// The first commands of a session.
    pub(crate) async fn set_up(
        &self,
        connection: &Connection,
        proxy: Option<&Proxy>,
    ) -> std::result::Result<(), WireError> {
        let root = connection.root();
        let subscribed = root.send(&Subscribe { events: EVENTS, user_contexts: None });
        let settled_in = root.send(&injected::settle_in(None));
        let sized = root.send(&window::viewports(DEFAULT, self.viewport));
        self.take_downloads(&root, None);
        // We answer authentication challenges; the browser's own prompt would stay open.
        root.tell(&AddIntercept { phases: ["authRequired"], contexts: None, url_patterns: Vec::new() });
        let there = root.send(&GetTree { root: None });
        subscribed.await?;
        settled_in.await?;
        sized.await?;
        for first in there.await?.contexts {
            let first = self.hide(&root, &first);
            // A profile may start with several.
            self.first.get_or_init(|| first);
        }
        self.put_nothing_aside();
        if let Some(proxy) = proxy {
            self.remember_proxy(DEFAULT, proxy);
        }
        Ok(())
    }

    /// The blank page of the first window if it is alone there: of several only one would be painted.
    pub(crate) fn room_in_first_window(&self) -> Option<&FirefoxPage> {
        let first = self.first.get()?;
        let alone = self.frames().alone_in(&first.window.id)?.id == first.id;
        alone.then_some(&**first)
    }

    pub(crate) fn frames(&self) -> MutexGuard<'_, FrameTree> {
        lock(&self.frames)
    }

    pub(crate) fn page_of(&self, context: &str) -> Option<Arc<FirefoxPage>> {
        self.frames().page_of(context)
    }

    fn root(&self) -> Option<Session> {
        self.connection.get().map(Connection::root)
    }

    /// Handles a new context.
    pub(crate) fn created(&self, info: Info) {
        let Some(root) = self.root() else { return };
        let parent = info.parent.as_deref().map(|parent| (parent, self.page_of(parent)));
        match parent {
            Some((parent, Some(page))) => {
                self.frames().add(&info.context, Some(parent), Arc::clone(&page));
                let frame = FrameId::from(info.context.as_str());
                page.tell(PageEvent::FrameAttached { frame, parent: Some(FrameId::from(parent)) });
            }
            // A frame of a closed page.
            Some((_, None)) => {}
            None => {
                // Reported already, by its event and by the tree; or not ours.
                if self.page_of(&info.context).is_some() || !self.drives(&info.user_context) {
                    return;
                }
                let mut aside = lock(&self.aside);
                match aside.as_mut().filter(|_| info.original_opener.is_none()) {
                    Some(aside) => aside.push(info),
                    None => {
                        drop(aside);
                        self.announce_tab(&root, &info);
                    }
                }
            }
        }
    }

    /// A page that is reported to the sink.
    pub(crate) fn announce(&self, root: &Session, info: &Info) {
        let page = self.receive(root, info, Visibility::Sink);
        if !self.is_shared(&info.user_context) {
            *lock(&page.window.viewport) = self.viewport;
        }
        self.take_page(root, &info.context, &info.user_context, info.original_opener.as_deref());
        // A page begins as the one that opened it, before its first request.
        if let Some(opener) = info.original_opener.as_deref().and_then(|opener| self.page_of(opener)) {
            inherit(&opener, &page);
            let inherited = lock(&opener.requests.interceptor).clone();
            let holds_more = inherited.is_some() && self.attached.is_some();
            *lock(&page.requests.interceptor) = inherited;
            if holds_more {
                self.hold_requests_later();
            }
        }
        (self.sink)(BrowserEvent::PageOpened {
            page: Arc::clone(&page) as Arc<dyn PageDriver>,
            opener: info.original_opener.as_deref().map(PageId::from),
            context: ContextId::from(info.user_context.as_str()),
        });
        page.tell(PageEvent::FrameAttached { frame: page.main_frame(), parent: None });
    }

    pub(crate) fn hide(&self, root: &Session, info: &Info) -> Arc<FirefoxPage> {
        self.receive(root, info, Visibility::Nobody)
    }

    fn receive(&self, root: &Session, info: &Info, visibility: Visibility) -> Arc<FirefoxPage> {
        let sink = (visibility == Visibility::Sink).then(|| Arc::clone(&self.sink));
        let page = FirefoxPage::new(info, root.clone(), Weak::clone(&self.me), sink);
        let page = Arc::new(page);
        self.frames().add(&info.context, None, Arc::clone(&page));
        page
    }

    /// A document says where it is.
    pub(crate) fn seen_at(&self, frame: &FrameId, url: &str) {
        let news = self.frames().seen_at(frame, url);
        if news {
            self.tell_moved(frame.clone(), url.to_owned());
        }
    }

    /// A context's URL, after a time without events.
    pub(crate) fn found_at(&self, frame: &FrameId, url: &str) {
        let Some(page) = self.page_of(frame.as_str()) else { return };
        let told = self.frames().found_at(frame, url);
        if !told.is_empty() {
            page.mark_moving();
            page.mark_arrived(frame);
        }
        told.into_iter().for_each(|event| page.tell(event));
    }

    /// A document has a new URL.
    pub(crate) fn tell_moved(&self, frame: FrameId, url: String) {
        if let Some(page) = self.page_of(frame.as_str()) {
            let document = DocumentId::from("");
            page.tell(PageEvent::Navigated { frame, document, url, same_document: true });
        }
    }

    /// A context is gone.
    pub(crate) fn destroyed(&self, context: &str) {
        self.forget_tab(context);
        let frame = FrameId::from(context);
        let Some(page) = self.frames().remove(&frame) else { return };
        if !page.is_main(&frame) {
            page.tell(PageEvent::FrameDetached(frame));
            return;
        }
        page.stop_keeping();
        if lock(&page.requests.interceptor).take().is_some() {
            // What only this page wanted to see is held no longer.
            self.hold_requests_later();
        }
        if page.mark_closed() {
            page.tell(PageEvent::Closed);
        }
    }
}

/// Gives a popup its opener's overrides. The browser does not pause it meanwhile, so some may apply only
/// after the first script.
fn inherit(opener: &FirefoxPage, page: &Arc<FirefoxPage>) {
    let (emulated, viewport) = (lock(&opener.emulated).clone(), *lock(&opener.window.viewport));
    let page = Arc::clone(page);
    tokio::spawn(async move {
        let inherited = async {
            page.resize(viewport).await?;
            emulated.apply_to(&page).await
        };
        if let Err(error) = inherited.await {
            tracing::debug!(page = %page.id, %error, "a page was closed before it got what its opener has");
        }
    });
}

/// Where a browser comes from, which decides how it is left.
pub(crate) enum Origin {
    /// Started here: it ends with us.
    Launched {
        process: Process,
        /// The session lives as long as this.
        marionette: Arc<tokio::sync::Mutex<Marionette>>,
        /// Whether its profile stays.
        lasting: bool,
    },
    /// Not ours: it keeps running without us.
    Attached {
        /// Where its downloads go; removed with this.
        downloads: TempDir,
        /// Whether the session is ours to end.
        begun_here: bool,
    },
}

pub(crate) struct FirefoxBrowser {
    pub(crate) shared: Arc<Shared>,
    pub(crate) connection: Connection,
    pub(crate) origin: Origin,
    /// The user context of the session's first pages: the default one, or one of our own in a browser that we did not start.
    pub(crate) first: String,
    pub(crate) version: String,
    pub(crate) user_agent: Option<String>,
    pub(crate) remark: Option<String>,
}

#[async_trait]
impl Browser for FirefoxBrowser {
    fn default_context(&self) -> Arc<dyn Context> {
        Arc::new(FirefoxContext::named(&self.shared, self.connection.root(), self.first.clone()))
    }

    async fn new_context(&self, proxy: Option<&Proxy>) -> Result<Arc<dyn Context>> {
        Ok(Arc::new(FirefoxContext::create(&self.shared, self.connection.root(), proxy).await?))
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn user_agent(&self) -> Option<String> {
        self.user_agent.clone()
    }

    fn remark(&self) -> Option<String> {
        self.remark.clone()
    }

    fn history(&self) -> Option<&dyn History> {
        matches!(self.origin, Origin::Launched { .. }).then_some(self as _)
    }

    fn bookmarks(&self) -> Option<&dyn Bookmarks> {
        matches!(self.origin, Origin::Launched { .. }).then_some(self as _)
    }

    fn restart(&self) -> Option<&dyn Restart> {
        let temporary = matches!(self.origin, Origin::Launched { lasting: false, .. });
        let may = temporary
            && self.shared.system.get().is_none()
            && system::is_in(self.shared.major_version.get().copied());
        may.then_some(self)
    }

    async fn close(&self) {
        match &self.origin {
            Origin::Launched { process, marionette, lasting: true } => {
                match marionette.lock().await.quit().await {
                    Ok(()) => process.end().await,
                    Err(error) => {
                        tracing::debug!(%error, "the browser could not be asked to end");
                        process.kill().await;
                    }
                }
            }
            // It has nothing to keep.
            Origin::Launched { process, .. } => process.kill().await,
            Origin::Attached { downloads, begun_here } => {
                let root = self.connection.root();
                self.shared.leave(&root).await;
                if *begun_here {
                    end_session(&root).await;
                }
                tracing::debug!(directory = %downloads.path().display(), "left the browser");
            }
        }
        self.connection.close();
    }
}
