//! What the driver's tests share: a browser with a record of what it told, a site and a proxy on loopback.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "each test uses a part; a test may fail so"
)]

/// What is driven: these cases are every driver's, and each says here what it is.
mod engine {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engine/mod.rs"));
}
pub(crate) mod proxy;
pub(crate) mod site;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use cicerone_driver::{
    Browser, Context, FrameId, Happening, Launch, LaunchError, Launcher, LoadStage, Navigation, PageDriver,
    PageEvent, PageId, Proxy, Size,
};
#[allow(unused_imports, reason = "not every case needs all")]
pub(crate) use engine::{KIND, LaunchOptions, find, with_all_powers};
use serde_json::Value;
use tokio::sync::Notify;

/// How long anything may take. Generous: the machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const VIEWPORT: Size = Size { width: 800, height: 600 };

/// All that the browser told.
#[derive(Default)]
pub(crate) struct Record {
    happened: Mutex<Vec<Happening>>,
    more: Notify,
}

impl Record {
    /// Waits for something that it tells, or told before.
    pub(crate) async fn wait_for<T>(&self, what: &str, look: impl Fn(&Happening) -> Option<T>) -> T {
        let waiting = async {
            loop {
                let more = self.more.notified();
                if let Some(found) = self.happened.lock().unwrap().iter().find_map(&look) {
                    return found;
                }
                more.await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("was never told: {what}"))
    }

    /// The frame of the page that shows what is under this path, as soon as it is loaded.
    pub(crate) async fn frame_at(&self, page: &PageId, path: &str) -> FrameId {
        let shown = |told: &Happening| match told {
            Happening::Page(id, PageEvent::Navigated { frame, document, url, .. }) => {
                (id == page && url.ends_with(path)).then(|| (frame.clone(), document.clone()))
            }
            _ => None,
        };
        let (frame, shown) = self.wait_for(path, shown).await;
        let loaded = |told: &Happening| match told {
            Happening::Page(_, PageEvent::Loaded { document, stage: LoadStage::Complete, .. }) => {
                (*document == shown).then_some(())
            }
            _ => None,
        };
        self.wait_for(path, loaded).await;
        frame
    }

    /// The page that another one opened, as soon as it is there.
    pub(crate) async fn page_beside(&self, opener: &PageId) -> Arc<dyn PageDriver> {
        let opened = |told: &Happening| match told {
            Happening::PageOpened { page, opener: Some(by), .. } => (by == opener).then(|| Arc::clone(page)),
            _ => None,
        };
        self.wait_for("a page that a page opened", opened).await
    }

    pub(crate) fn count(&self, of: impl Fn(&Happening) -> bool) -> usize {
        self.happened.lock().unwrap().iter().filter(|happening| of(happening)).count()
    }

    pub(crate) fn is_closed(&self, page: &PageId) -> bool {
        self.count(|told| matches!(told, Happening::Page(id, PageEvent::Closed) if id == page)) == 1
    }
}

/// A running browser.
pub(crate) struct Trial {
    pub(crate) browser: Arc<dyn Browser>,
    pub(crate) record: Arc<Record>,
}

impl Trial {
    pub(crate) async fn start() -> Self {
        Self::with(LaunchOptions::default(), None).await
    }

    pub(crate) async fn with(options: LaunchOptions, proxy: Option<Proxy>) -> Self {
        Self::try_with(options, proxy).await.unwrap_or_else(|error| panic!("no browser: {error}"))
    }

    pub(crate) async fn try_with(options: LaunchOptions, proxy: Option<Proxy>) -> Result<Self, LaunchError> {
        let record = Arc::new(Record::default());
        let sink = Arc::clone(&record);
        let wanted =
            Launch { kind: engine::KIND, headed: false, viewport: VIEWPORT, proxy, proxy_only: false };
        let launcher = engine::launcher(options);
        let told = move |happening| {
            sink.happened.lock().unwrap().push(happening);
            sink.more.notify_waiters();
        };
        let browser = launcher.launch(&wanted, Arc::new(told)).await?;
        Ok(Self { browser, record })
    }

    /// A page that shows this URL.
    pub(crate) async fn page_at(&self, context: &dyn Context, url: &str) -> Arc<dyn PageDriver> {
        let page = context.open(VIEWPORT).await.unwrap();
        self.go(&*page, url).await;
        page
    }

    /// Loads a URL, and returns when its document is complete.
    pub(crate) async fn go(&self, page: &dyn PageDriver, url: &str) {
        let document = match navigate(page, url).await {
            Navigation::Document(document) => document,
            other => panic!("{url}: {other:?}"),
        };
        let loaded = |told: &Happening| match told {
            Happening::Page(_, PageEvent::Loaded { document: loaded, stage: LoadStage::Complete, .. }) => {
                (*loaded == document).then_some(())
            }
            _ => None,
        };
        self.record.wait_for(url, loaded).await;
    }

    /// Closes a page, and returns when that was told.
    pub(crate) async fn close(&self, page: &dyn PageDriver) {
        page.close().await.unwrap();
        let closed = |told: &Happening| match told {
            Happening::Page(id, PageEvent::Closed) => (*id == page.id()).then_some(()),
            _ => None,
        };
        self.record.wait_for("the page is closed", closed).await;
    }

    pub(crate) async fn new_context(&self) -> Arc<dyn Context> {
        self.browser.new_context(None).await.unwrap()
    }
}

/// Where a navigation leads.
pub(crate) async fn navigate(page: &dyn PageDriver, url: &str) -> Navigation {
    let came = tokio::time::timeout(PATIENCE, page.navigate(url)).await;
    came.unwrap_or_else(|_| panic!("{url}: the navigation did not end")).unwrap()
}

/// The value of a script.
pub(crate) async fn value(page: &dyn PageDriver, script: &str) -> Value {
    value_in(page, &page.main_frame(), script).await
}

/// The value of a script in a frame.
pub(crate) async fn value_in(page: &dyn PageDriver, frame: &FrameId, script: &str) -> Value {
    match tokio::time::timeout(PATIENCE, page.evaluate(frame, script, None)).await {
        Ok(Ok(value)) => value.unwrap_or(Value::Null),
        Ok(Err(error)) => panic!("{script}: {error}"),
        Err(_) => panic!("{script}: no answer"),
    }
}
