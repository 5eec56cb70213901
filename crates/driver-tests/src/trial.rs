//! A running browser, and a record of its events.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use cicerone_driver::{
    Browser, BrowserEvent, Context, Engine, FrameId, Launch, LaunchError, Launcher, LoadStage, Navigation,
    PageDriver, PageEvent, PageId, Proxy, Sink, Size,
};
use serde_json::Value;
use tokio::sync::Notify;

use crate::Driver;

/// How long anything may take. Generous: the machine may be busy with other tests.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

pub const VIEWPORT: Size = Size { width: 800, height: 600 };

/// All that the browser told.
#[derive(Default)]
pub struct Record {
    happened: Mutex<Vec<BrowserEvent>>,
    more: Notify,
}

impl Record {
    /// Waits for something that it tells, or told before.
    pub async fn wait_for<T>(&self, what: &str, look: impl Fn(&BrowserEvent) -> Option<T>) -> T {
        let waiting = async {
            loop {
                let more = self.more.notified();
                if let Some(found) = self.happened.lock().unwrap().iter().find_map(&look) {
                    return found;
                }
                more.await;
            }
        };
        tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("was never told: {what}"))
    }

    /// The frame of the page that shows what is under this path, as soon as it is loaded.
    pub async fn frame_at(&self, page: &PageId, path: &str) -> FrameId {
        let shown = |told: &BrowserEvent| match told {
            BrowserEvent::Page(id, PageEvent::Navigated { frame, document, url, .. }) => {
                (id == page && url.ends_with(path)).then(|| (frame.clone(), document.clone()))
            }
            _ => None,
        };
        let (frame, shown) = self.wait_for(path, shown).await;
        let loaded = |told: &BrowserEvent| match told {
            BrowserEvent::Page(_, PageEvent::Loaded { document, stage: LoadStage::Complete, .. }) => {
                (*document == shown).then_some(())
            }
            _ => None,
        };
        self.wait_for(path, loaded).await;
        frame
    }

    /// The page that another one opened, as soon as it is there.
    pub async fn page_beside(&self, opener: &PageId) -> Arc<dyn PageDriver> {
        let opened = |told: &BrowserEvent| match told {
            BrowserEvent::PageOpened { page, opener: Some(by), .. } => {
                (by == opener).then(|| Arc::clone(page))
            }
            _ => None,
        };
        self.wait_for("a page that a page opened", opened).await
    }

    pub fn count(&self, of: impl Fn(&BrowserEvent) -> bool) -> usize {
        self.happened.lock().unwrap().iter().filter(|event| of(event)).count()
    }

    /// Waits until it was told so many times.
    pub async fn wait_for_times(&self, times: usize, what: &str, of: impl Fn(&BrowserEvent) -> bool) {
        let waiting = async {
            loop {
                let more = self.more.notified();
                if self.count(&of) >= times {
                    return;
                }
                more.await;
            }
        };
        let told = tokio::time::timeout(TIMEOUT, waiting).await;
        told.unwrap_or_else(|_| panic!("was told {} times, not {times}: {what}", self.count(&of)));
    }

    /// Which event it was, counted from 0.
    pub fn position(&self, what: &str, of: impl Fn(&BrowserEvent) -> bool) -> usize {
        let position = self.happened.lock().unwrap().iter().position(of);
        position.unwrap_or_else(|| panic!("was never told: {what}"))
    }

    pub fn is_closed(&self, page: &PageId) -> bool {
        self.count(|told| matches!(told, BrowserEvent::Page(id, PageEvent::Closed) if id == page)) == 1
    }
}

/// A record, and the sink that fills it.
pub fn recorded() -> (Arc<Record>, Sink) {
    let record = Arc::new(Record::default());
    let filled = Arc::clone(&record);
    let sink = move |event| {
        filled.happened.lock().unwrap().push(event);
        filled.more.notify_waiters();
    };
    (record, Arc::new(sink))
}

/// A running browser.
pub struct Trial {
    pub browser: Arc<dyn Browser>,
    pub record: Arc<Record>,
}

impl Trial {
    /// A browser as it is launched by default.
    pub async fn start(driver: &Driver) -> Self {
        Self::launch(&*(driver.launcher)(), driver.engine, None).await.unwrap_or_else(no_browser)
    }

    /// A browser with the powers that have to be asked for before it starts.
    pub async fn with_all_powers(driver: &Driver) -> Self {
        Self::launch(&*(driver.with_all_powers)(), driver.engine, None).await.unwrap_or_else(no_browser)
    }

    /// A browser whose default context uses a proxy.
    pub async fn with_proxy(driver: &Driver, proxy: Proxy) -> Self {
        Self::launch(&*(driver.launcher)(), driver.engine, Some(proxy)).await.unwrap_or_else(no_browser)
    }

    /// A browser of any launcher.
    pub async fn launch(
        launcher: &dyn Launcher,
        engine: Engine,
        proxy: Option<Proxy>,
    ) -> Result<Self, LaunchError> {
        let wanted = Launch {
            engine,
            headed: false,
            viewport: VIEWPORT,
            proxy,
            proxy_only: false,
            client: None,
            system_access: false,
            profile: None,
        };
        Self::launch_as(launcher, &wanted).await
    }

    /// The same, as it is wanted.
    pub async fn launch_as(launcher: &dyn Launcher, wanted: &Launch) -> Result<Self, LaunchError> {
        let (record, sink) = recorded();
        let browser = launcher.launch(wanted, sink).await?;
        Ok(Self { browser, record })
    }

    /// A page that shows this URL.
    pub async fn page_at(&self, context: &dyn Context, url: &str) -> Arc<dyn PageDriver> {
        let page = context.open(VIEWPORT).await.unwrap();
        self.go(&*page, url).await;
        page
    }

    /// Loads a URL, and returns when its document is complete.
    pub async fn go(&self, page: &dyn PageDriver, url: &str) {
        let document = match navigate(page, url).await {
            Navigation::Document(document) => document,
            other => panic!("{url}: {other:?}"),
        };
        let loaded = |told: &BrowserEvent| match told {
            BrowserEvent::Page(_, PageEvent::Loaded { document: loaded, stage: LoadStage::Complete, .. }) => {
                (*loaded == document).then_some(())
            }
            _ => None,
        };
        self.record.wait_for(url, loaded).await;
    }

    /// Closes a page, and returns when that was told.
    pub async fn close(&self, page: &dyn PageDriver) {
        page.close().await.unwrap();
        let closed = |told: &BrowserEvent| match told {
            BrowserEvent::Page(id, PageEvent::Closed) => (*id == page.id()).then_some(()),
            _ => None,
        };
        self.record.wait_for("the page is closed", closed).await;
    }

    pub async fn new_context(&self) -> Arc<dyn Context> {
        self.browser.new_context(None).await.unwrap()
    }
}

fn no_browser<T>(error: LaunchError) -> T {
    panic!("no browser: {error}")
}

/// Where a navigation leads.
pub async fn navigate(page: &dyn PageDriver, url: &str) -> Navigation {
    let came = tokio::time::timeout(TIMEOUT, page.navigate(url)).await;
    came.unwrap_or_else(|_| panic!("{url}: the navigation did not end")).unwrap()
}

/// The value of a script.
pub async fn value(page: &dyn PageDriver, script: &str) -> Value {
    value_in(page, &page.main_frame(), script).await
}

/// The value of a script in a frame.
pub async fn value_in(page: &dyn PageDriver, frame: &FrameId, script: &str) -> Value {
    match tokio::time::timeout(TIMEOUT, page.evaluate(frame, script, None)).await {
        Ok(Ok(value)) => value.unwrap_or(Value::Null),
        Ok(Err(error)) => panic!("{script}: {error}"),
        Err(_) => panic!("{script}: no answer"),
    }
}

/// Waits in the page until a condition holds.
pub async fn until(page: &dyn PageDriver, condition: &str) {
    let script = format!(
        "new Promise(done => {{ const look = () => ({condition}) ? done(1) : setTimeout(look, 20); look() }})"
    );
    value(page, &script).await;
}

/// The injected script's number of the one element that a selector matches.
pub async fn find(page: &dyn PageDriver, css: &str) -> u32 {
    let args = serde_json::json!({ "target": { "css": css } }).to_string();
    let answer = page.call(&page.main_frame(), "find", &args).await.unwrap();
    let found: Value = serde_json::from_str(&answer).unwrap();
    let number = found["ok"]["num"].as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| panic!("{css}: {answer}"))
}
