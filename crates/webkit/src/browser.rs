//! A running browser: its connection, its pages, and how new ones are received.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, Weak, atomic::Ordering},
};

use async_trait::async_trait;
use cicerone_driver::{
    Browser, BrowserEvent, Context, ContextId, FrameId, PageDriver, PageEvent, PageId, Proxy, Result, Sink,
    Size,
};
use cicerone_process::Process;
use cicerone_wire::Connection;
use tokio::sync::watch;

use crate::{
    contexts::WebKitContext,
    interception,
    page::{WebKitPage, lock},
    protocol::{
        console,
        host::{PageOpened, Quit, Ready, Started},
        network,
        page::{Enable, EnableInspector, Frame, FrameTree, GetResourceTree},
        runtime,
    },
};

/// What the event observer and the browser's handles share.
pub(crate) struct Shared {
    /// For its pages.
    me: Weak<Self>,
    pub(crate) connection: OnceLock<Connection>,
    pub(crate) sink: Sink,
    viewport: Size,
    pages: Mutex<HashMap<String, Arc<WebKitPage>>>,
    /// The versions of the host, as soon as it reports them.
    pub(crate) started: watch::Sender<Option<Started>>,
}

impl Shared {
    pub(crate) fn new(sink: Sink, viewport: Size) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: Weak::clone(me),
            connection: OnceLock::new(),
            sink,
            viewport,
            pages: Mutex::default(),
            started: watch::Sender::new(None),
        })
    }

    pub(crate) fn page_of(&self, session: Option<&str>) -> Option<Arc<WebKitPage>> {
        lock(&self.pages).get(session?).cloned()
    }

    /// A page is there.
    pub(crate) fn opened(&self, opened: &PageOpened) {
        let Some(connection) = self.connection.get() else { return };
        let opener = self.page_of(opened.opener.as_deref());
        let viewport = opener.as_ref().map_or(self.viewport, |opener| *lock(&opener.viewport));
        let (id, context) = (PageId::from(opened.page.as_str()), ContextId::from(opened.context.as_str()));
        let sink = (!opened.hidden).then(|| Arc::clone(&self.sink));
        let session = connection.session(&opened.page);
        let page = WebKitPage::new(id, context.clone(), session, Weak::clone(&self.me), sink, viewport);
        // Until the host says that nothing waits to be loaded in its place.
        page.is_to_navigate.store(opener.is_some(), Ordering::Relaxed);
        let page = Arc::new(page);
        lock(&self.pages).insert(opened.page.clone(), Arc::clone(&page));
        let main = page.main_frame();
        page.with_frames(|frames| frames.attach(&main, None));
        if page.is_told() {
            (self.sink)(BrowserEvent::PageOpened {
                page: Arc::clone(&page) as Arc<dyn PageDriver>,
                opener: opener.as_ref().map(|opener| opener.id.clone()),
                context,
            });
            page.tell(PageEvent::FrameAttached { frame: main, parent: None });
        }
        if let Some(opener) = opener {
            tokio::spawn(async move { page.begin_as(&opener).await });
        }
    }

    /// A page is gone.
    pub(crate) fn closed(&self, page: &WebKitPage) {
        lock(&self.pages).remove(page.id.as_str());
        if page.mark_closed() {
            page.tell(PageEvent::Closed);
        }
    }
}

impl WebKitPage {
    /// Has the inspector report what happens in it. The order matters: with `Page` enabled first, `Runtime` reports the worlds
    /// that are there already.
    pub(crate) async fn set_up(&self) -> Result<()> {
        self.session.tell(&EnableInspector {});
        self.session.tell(&Enable {});
        let tree = self.send(&GetResourceTree {}).await?.frame_tree;
        lock(&self.main).get_or_insert(tree.frame.id.clone());
        self.learn(&tree, None);
        self.session.tell(&network::Enable {});
        self.session.tell(&console::Enable {});
        self.send(&runtime::Enable {}).await?;
        self.is_set_up.store(true, Ordering::Relaxed);
        self.lifecycle.notify();
        Ok(())
    }

    /// A page that another one opened begins as that one is, before it loads anything.
    async fn begin_as(&self, opener: &Self) {
        let set_up = async {
            self.set_up().await?;
            let inherited = lock(&opener.filter).clone();
            interception::change(self, |filter| *filter = inherited).await?;
            let emulated = lock(&opener.emulated).clone();
            emulated.apply_to(self).await
        };
        if let Err(error) = set_up.await {
            tracing::debug!(page = %self.id, %error, "a page was closed before it was set up");
        }
        match self.send(&Ready {}).await {
            Ok(ready) if ready.navigates => {}
            _ => self.has_navigated(),
        }
    }

    /// The blank document of a popup is replaced, or stays.
    pub(crate) fn has_navigated(&self) {
        if self.is_to_navigate.swap(false, Ordering::Relaxed) {
            self.lifecycle.notify();
        }
    }

    /// The frames that are there, where nothing told of them yet.
    pub(crate) fn learn(&self, tree: &FrameTree, parent: Option<&FrameId>) {
        let frame = self.frame(&tree.frame.id);
        if self.with_frames(|frames| frames.attach(&frame, parent)) {
            self.tell(PageEvent::FrameAttached { frame: frame.clone(), parent: parent.cloned() });
        }
        let is_news = {
            let frames = lock(&self.frames);
            frames.get(&frame).is_some_and(|place| place.document.is_none())
        };
        if is_news && (parent.is_some() || tree.frame.url != "about:blank") {
            self.shows(&tree.frame);
        }
        for child in &tree.child_frames {
            self.learn(child, Some(&frame));
        }
    }

    /// A frame shows a document.
    pub(crate) fn shows(&self, shown: &Frame) {
        let (frame, document) = (self.frame(&shown.id), self.within(&shown.loader_id).as_str().into());
        let gone = self.with_frames(|frames| frames.shows(&frame, document, &shown.url));
        for frame in gone {
            self.tell(PageEvent::FrameDetached(frame));
        }
        if frame == self.main_frame() {
            self.has_navigated();
            self.documents.fetch_add(1, Ordering::Relaxed);
            self.lifecycle.notify();
        }
        let document = cicerone_driver::DocumentId::from(self.within(&shown.loader_id).as_str());
        let url = shown.url.clone();
        self.tell(PageEvent::Navigated {
            frame: frame.clone(),
            document: document.clone(),
            url,
            same_document: false,
        });
        self.tell(PageEvent::Loaded { frame, document, stage: cicerone_driver::LoadStage::Committed });
    }
}

pub(crate) struct WebKitBrowser {
    pub(crate) shared: Arc<Shared>,
    pub(crate) connection: Connection,
    pub(crate) process: Process,
    pub(crate) default: Arc<WebKitContext>,
    pub(crate) version: String,
    pub(crate) remark: Option<String>,
}

#[async_trait]
impl Browser for WebKitBrowser {
    fn default_context(&self) -> Arc<dyn Context> {
        Arc::clone(&self.default) as Arc<dyn Context>
    }

    async fn new_context(&self, proxy: Option<&Proxy>) -> Result<Arc<dyn Context>> {
        let root = self.connection.root();
        Ok(Arc::new(WebKitContext::create(&self.shared, &root, proxy, None, false).await?))
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn remark(&self) -> Option<String> {
        self.remark.clone()
    }

    async fn close(&self) {
        self.connection.root().tell(&Quit {});
        self.process.end().await;
        self.connection.close();
    }
}
