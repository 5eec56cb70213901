//! A running browser: its connection, its pages, and how new contexts are received.

use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, Weak},
};

use async_trait::async_trait;
use cicerone_driver::{
    Bookmarks, Browser, Context, ContextId, DocumentId, FrameId, Happening, History, PageDriver, PageEvent,
    PageId, Proxy, Result, Sink, Size, major_version,
};
use cicerone_process::Process;
use cicerone_wire::{Connection, Session, WireError};

use crate::{
    agent,
    contexts::{DEFAULT, FirefoxContext},
    marionette::Marionette,
    page::{Audience, FirefoxPage, lock},
    places::Places,
    prime::Known,
    protocol::{
        browser::{DownloadBehavior, SetDownloadBehavior},
        browsing_context::{GetTree, Info},
        network::AddIntercept,
        session::Subscribe,
    },
    system::System,
    window,
};

/// What the browser is to tell, by modules: not every version has every event.
const EVENTS: &[&str] = &["browsingContext", "input", "log", "network", "script.message"];

/// What the event observer and the browser's handles share.
pub(crate) struct Shared {
    /// For its pages.
    me: Weak<Self>,
    pub(crate) connection: OnceLock<Connection>,
    pub(crate) sink: Sink,
    pub(crate) downloads: PathBuf,
    pub(crate) viewport: Size,
    places: Mutex<Places>,
    /// The blank page of the window that the browser started with, which nobody hears of. With its last window a browser
    /// ends, and with its last page a window.
    first: OnceLock<Arc<FirefoxPage>>,
    /// Contexts that appear while a page is opened that nobody should hear of; which of them that is, is told later.
    aside: Mutex<Option<Vec<Info>>>,
    /// Only one page is opened at a time.
    pub(crate) opening: tokio::sync::Mutex<()>,
    /// Only one gesture of the pointer is done at a time.
    pub(crate) pointing: Arc<tokio::sync::Mutex<()>>,
    /// The sites whose partitions may have cookies, by user context: those that pages were at, and those of cookies that
    /// were set.
    partitions: Mutex<HashMap<String, BTreeSet<String>>>,
    /// What holds requests for the interceptors of pages. Its lock is held while it is changed.
    pub(crate) intercept: tokio::sync::Mutex<Option<String>>,
    major_version: Option<u32>,
    /// The proxies, by user context.
    proxies: Mutex<HashMap<String, Arc<Known>>>,
    /// The browser's own process, where it was started for that.
    pub(crate) system: OnceLock<System>,
}

impl Shared {
    pub(crate) fn new(sink: Sink, downloads: PathBuf, viewport: Size, version: &str) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            major_version: major_version(version),
            me: Weak::clone(me),
            connection: OnceLock::new(),
            sink,
            downloads,
            viewport,
            places: Mutex::default(),
            first: OnceLock::new(),
            aside: Mutex::new(Some(Vec::new())),
            opening: tokio::sync::Mutex::default(),
            pointing: Arc::default(),
            partitions: Mutex::default(),
            intercept: tokio::sync::Mutex::default(),
            proxies: Mutex::default(),
            system: OnceLock::new(),
        })
    }

    /// The first commands of a session.
    pub(crate) async fn set_up(
        &self,
        connection: &Connection,
        proxy: Option<&Proxy>,
    ) -> std::result::Result<(), WireError> {
        let root = connection.root();
        let subscribed = root.send(&Subscribe { events: EVENTS });
        let settled_in = root.send(&agent::settle_in());
        let sized = root.send(&window::viewports(DEFAULT, self.viewport));
        self.take_downloads(&root, None);
        // Whoever asks for credentials asks us: the browser's own dialog for that is one that nobody answers.
        root.tell(&AddIntercept { phases: ["authRequired"], contexts: None, url_patterns: Vec::new() });
        let there = root.send(&GetTree { root: None });
        subscribed.await?;
        settled_in.await?;
        sized.await?;
        for first in there.await?.contexts {
            let first = self.hide(&root, &first);
            // A profile may begin with more than one.
            self.first.get_or_init(|| first);
        }
        *lock(&self.aside) = None;
        if let Some(proxy) = proxy {
            self.remember_proxy(DEFAULT, proxy);
        }
        Ok(())
    }

    /// The blank page of the first window, where no other page is with it: of several only one would be drawn.
    pub(crate) fn room_in_first_window(&self) -> Option<&FirefoxPage> {
        let first = self.first.get()?;
        let alone = self.places().alone_in(&first.client_window)?.id == first.id;
        alone.then_some(&**first)
    }

    /// Downloads of a user context go to our directory, and are told.
    pub(crate) fn take_downloads(&self, root: &Session, user_context: Option<&str>) {
        let destination_folder = self.downloads.to_string_lossy();
        root.tell(&SetDownloadBehavior {
            download_behavior: DownloadBehavior { kind: "allowed", destination_folder: &destination_folder },
            user_contexts: user_context.map(|id| [id]),
        });
    }

    /// Whether a user context can have a proxy. Versions before 141 ignore it, and do not answer the first one's challenge.
    pub(crate) fn has_proxies(&self) -> bool {
        self.major_version.is_none_or(|major| major >= 141)
    }

    /// The proxy of a user context.
    pub(crate) fn remember_proxy(&self, user_context: &str, proxy: &Proxy) {
        lock(&self.proxies).insert(user_context.to_owned(), Arc::new(Known::unprimed(proxy)));
    }

    pub(crate) fn forget_proxy(&self, user_context: &str) {
        lock(&self.proxies).remove(user_context);
    }

    pub(crate) fn proxy_of(&self, user_context: &str) -> Option<Arc<Known>> {
        lock(&self.proxies).get(user_context).cloned()
    }

    pub(crate) fn remember_partition(&self, user_context: &str, site: &str) {
        lock(&self.partitions).entry(user_context.to_owned()).or_default().insert(site.to_owned());
    }

    pub(crate) fn partitions_of(&self, user_context: &str) -> BTreeSet<String> {
        lock(&self.partitions).get(user_context).cloned().unwrap_or_default()
    }

    pub(crate) fn forget_partitions(&self, user_context: &str) {
        lock(&self.partitions).remove(user_context);
    }

    /// Where a download is promised to be when it is done.
    pub(crate) fn download_path(&self, id: &str) -> PathBuf {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        let name = BuildHasherDefault::<DefaultHasher>::default().hash_one(id);
        self.downloads.join(format!("cicerone-{name:016x}"))
    }

    pub(crate) fn places(&self) -> MutexGuard<'_, Places> {
        lock(&self.places)
    }

    pub(crate) fn page_of(&self, context: &str) -> Option<Arc<FirefoxPage>> {
        self.places().page_of(context)
    }

    fn root(&self) -> Option<Session> {
        self.connection.get().map(Connection::root)
    }

    /// A context appeared.
    pub(crate) fn created(&self, info: Info) {
        let Some(root) = self.root() else { return };
        let parent = info.parent.as_deref().map(|parent| (parent, self.page_of(parent)));
        match parent {
            Some((parent, Some(page))) => {
                self.places().add(&info.context, Some(parent), Arc::clone(&page));
                let frame = FrameId::from(info.context.as_str());
                page.tell(PageEvent::FrameAttached { frame, parent: Some(FrameId::from(parent)) });
            }
            // A frame of a page that is gone.
            Some((_, None)) => {}
            None => {
                // Told already, by itself and by the tree.
                if self.page_of(&info.context).is_some() {
                    return;
                }
                let mut aside = lock(&self.aside);
                match aside.as_mut().filter(|_| info.original_opener.is_none()) {
                    Some(aside) => aside.push(info),
                    None => {
                        drop(aside);
                        self.announce(&root, &info);
                    }
                }
            }
        }
    }

    /// A page that the sink hears of.
    fn announce(&self, root: &Session, info: &Info) {
        let page = self.receive(root, info, Audience::Sink);
        *lock(&page.viewport) = self.viewport;
        // A page begins as the one that opened it, before its first request.
        if let Some(opener) = info.original_opener.as_deref().and_then(|opener| self.page_of(opener)) {
            inherit(&opener, &page);
            let inherited = lock(&opener.interceptor).clone();
            *lock(&page.interceptor) = inherited;
        }
        (self.sink)(Happening::PageOpened {
            page: Arc::clone(&page) as Arc<dyn PageDriver>,
            opener: info.original_opener.as_deref().map(PageId::from),
            context: ContextId::from(info.user_context.as_str()),
        });
        page.tell(PageEvent::FrameAttached { frame: page.main_frame(), parent: None });
    }

    fn hide(&self, root: &Session, info: &Info) -> Arc<FirefoxPage> {
        self.receive(root, info, Audience::Nobody)
    }

    fn receive(&self, root: &Session, info: &Info, audience: Audience) -> Arc<FirefoxPage> {
        let sink = (audience == Audience::Sink).then(|| Arc::clone(&self.sink));
        let page = FirefoxPage::new(info, root.clone(), Weak::clone(&self.me), sink);
        let page = Arc::new(page);
        self.places().add(&info.context, None, Arc::clone(&page));
        page
    }

    /// From now on, pages that no other page opened are put aside.
    pub(crate) fn put_aside(&self) {
        *lock(&self.aside) = Some(Vec::new());
    }

    /// Of the pages that were put aside this one is hidden; the others are as they would have been.
    pub(crate) fn claim(&self, root: &Session, context: Option<&str>) -> Option<Arc<FirefoxPage>> {
        let mut claimed = None;
        for info in lock(&self.aside).take().unwrap_or_default() {
            if Some(info.context.as_str()) == context {
                claimed = Some(self.hide(root, &info));
            } else {
                self.announce(root, &info);
            }
        }
        claimed
    }

    /// A document says where it is.
    pub(crate) fn seen_at(&self, frame: &FrameId, url: &str) {
        let news = self.places().seen_at(frame, url);
        if news {
            self.tell_moved(frame.clone(), url.to_owned());
        }
    }

    /// A context shows what is at this URL, after a time in which nothing was told.
    pub(crate) fn found_at(&self, frame: &FrameId, url: &str) {
        let Some(page) = self.page_of(frame.as_str()) else { return };
        let told = self.places().found_at(frame, url);
        if !told.is_empty() {
            page.mark_moving();
            page.mark_arrived(frame);
        }
        told.into_iter().for_each(|event| page.tell(event));
    }

    /// A document is at another URL now.
    pub(crate) fn tell_moved(&self, frame: FrameId, url: String) {
        if let Some(page) = self.page_of(frame.as_str()) {
            let document = DocumentId::from("");
            page.tell(PageEvent::Navigated { frame, document, url, same_document: true });
        }
    }

    /// A context is gone.
    pub(crate) fn destroyed(&self, context: &str) {
        let frame = FrameId::from(context);
        let Some(page) = self.places().remove(&frame) else { return };
        if !page.is_main(&frame) {
            page.tell(PageEvent::FrameDetached(frame));
            return;
        }
        page.stop_keeping();
        if lock(&page.interceptor).take().is_some()
            && let Some(shared) = self.me.upgrade()
        {
            // What only this page wanted to see is held no longer.
            tokio::spawn(async move {
                if let Err(error) = shared.hold_requests().await {
                    tracing::debug!(%error, "requests are still held for a page that is closed");
                }
            });
        }
        if page.mark_closed() {
            page.tell(PageEvent::Closed);
        }
    }
}

/// A page that another one opens gets what that one is set to. The browser does not hold it meanwhile; what it does not
/// give it by itself may come after the first script.
fn inherit(opener: &FirefoxPage, page: &Arc<FirefoxPage>) {
    let (emulated, viewport) = (lock(&opener.emulated).clone(), *lock(&opener.viewport));
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

pub(crate) struct FirefoxBrowser {
    pub(crate) shared: Arc<Shared>,
    pub(crate) connection: Connection,
    pub(crate) process: Process,
    /// The session lives as long as this.
    pub(crate) marionette: Arc<tokio::sync::Mutex<Marionette>>,
    pub(crate) version: String,
    pub(crate) user_agent: Option<String>,
    /// Whether its profile stays.
    pub(crate) lasting: bool,
    pub(crate) remark: Option<String>,
}

#[async_trait]
impl Browser for FirefoxBrowser {
    fn default_context(&self) -> Arc<dyn Context> {
        Arc::new(FirefoxContext::default_of(&self.shared, self.connection.root()))
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
        Some(self)
    }

    fn bookmarks(&self) -> Option<&dyn Bookmarks> {
        Some(self)
    }

    async fn close(&self) {
        if self.lasting {
            match self.marionette.lock().await.quit().await {
                Ok(()) => self.process.end().await,
                Err(error) => {
                    tracing::debug!(%error, "the browser could not be asked to end");
                    self.process.kill().await;
                }
            }
        } else {
            // It has nothing to keep.
            self.process.kill().await;
        }
        self.connection.close();
    }
}
