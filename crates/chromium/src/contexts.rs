//! Contexts: the default one, and those that are made beside it.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use cicerone_driver::{
    Context, ContextId, Cookies, DriverError, PageDriver, PageId, Permissions, Proxy, Result, Size,
};
use cicerone_wire::Session;
use tokio::sync::{OnceCell, oneshot};

use crate::{
    hidden,
    page::{ChromiumPage, failed, lock},
    prime::prime,
    protocol::target::{CreateBrowserContext, CreateTarget, DisposeBrowserContext},
    store::{self, Spare},
    targets::Shared,
};

/// Chromium leaves loopback out of every proxy unless it is told otherwise.
pub(crate) const BYPASS_NOTHING: &str = "<-loopback>";

/// What a context without a proxy must be told where the default one has one: it would use the same.
const DIRECT: &str = "direct://";

/// What the default context is called. The browser's own name for it is never needed in a command.
pub(crate) fn default_id() -> ContextId {
    "default".into()
}

pub(crate) fn proxy_server(proxy: &Proxy) -> String {
    format!("http://{}", proxy.address)
}

/// Where a context is.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) shared: Arc<Shared>,
    /// The session of the browser: contexts have none of their own.
    pub(crate) root: Session,
    /// What commands call it; nothing for the default one.
    pub(crate) made: Option<String>,
}

impl Place {
    /// Makes a context, with this proxy. What commands call it.
    pub(crate) async fn create_beside(&self, proxy_server: Option<&str>) -> Result<String> {
        let through_proxy = proxy_server.is_some_and(|server| server != DIRECT);
        let command = CreateBrowserContext {
            dispose_on_detach: true,
            proxy_server,
            proxy_bypass_list: through_proxy.then_some(BYPASS_NOTHING),
        };
        let made = self.root.send(&command);
        let (hand_over, created) = oneshot::channel();
        let root = self.root.clone();
        // On its own: a caller that gives up leaves no context behind that nobody knows of.
        tokio::spawn(async move {
            if let Err(Ok(unwanted)) = hand_over.send(made.await) {
                root.tell(&DisposeBrowserContext { browser_context_id: &unwanted.browser_context_id });
            }
        });
        let created = created.await.map_err(|_| DriverError::Disconnected)?;
        let id = created.map_err(failed)?.browser_context_id;
        self.shared.context_made(ContextId::from(id.as_str()));
        if through_proxy {
            self.shared.context_has_proxy(ContextId::from(id.as_str()));
        }
        self.shared.take_downloads(&self.root, Some(&id));
        Ok(id)
    }
}

pub(crate) struct ChromiumContext {
    pub(crate) place: Place,
    proxy: Option<Proxy>,
    /// A page that was made with it, and waits to be opened.
    ready: Mutex<Option<Arc<ChromiumPage>>>,
    /// Set when the proxy knows the context.
    primed: OnceCell<()>,
}

impl ChromiumContext {
    pub(crate) fn default_of(shared: Arc<Shared>, root: Session, proxy: Option<&Proxy>) -> Arc<Self> {
        Self::at(Place { shared, root, made: None }, proxy, None)
    }

    /// Makes another one in the same browser.
    pub(crate) async fn create_beside(&self, proxy: Option<&Proxy>) -> Result<Arc<Self>> {
        let Spare { context, page } = match proxy {
            None => match store::take(&self.place).await {
                Some(spare) => spare,
                None => Spare { context: self.place.create_beside(self.straight()).await?, page: None },
            },
            Some(proxy) => {
                let server = proxy_server(proxy);
                Spare { context: self.place.create_beside(Some(&server)).await?, page: None }
            }
        };
        Ok(Self::at(Place { made: Some(context), ..self.place.clone() }, proxy, page))
    }

    /// What a context without a proxy is told, beside this one.
    fn straight(&self) -> Option<&'static str> {
        self.proxy.as_ref().map(|_| DIRECT)
    }

    /// Makes a context beside this one, for whoever wants one next.
    pub(crate) fn fill_store(&self) {
        store::fill(&self.place, self.straight());
    }

    fn at(place: Place, proxy: Option<&Proxy>, ready: Option<Arc<ChromiumPage>>) -> Arc<Self> {
        let (proxy, ready) = (proxy.cloned(), Mutex::new(ready));
        let context = Arc::new(Self { place, proxy, ready, primed: OnceCell::new() });
        if context.proxy.is_some() && context.place.shared.has_pages() {
            // Early, beside its first page: who opens that waits for both, and hears what went wrong. Only where
            // there are pages, since hidden ones need some.
            let early = Arc::clone(&context);
            tokio::spawn(async move { early.known_to_proxy().await });
        }
        context
    }

    /// Resolves when pages can use the proxy; tries again where it failed before.
    async fn known_to_proxy(&self) -> Result<()> {
        match &self.proxy {
            Some(proxy) => self.primed.get_or_try_init(|| prime(&self.place, proxy)).await.map(drop),
            None => Ok(()),
        }
    }

    async fn open_in(&self, new_window: bool, size: Size) -> Result<Arc<dyn PageDriver>> {
        let page = match self.ready_page() {
            Some(page) => page,
            None => self.create_page(new_window).await?,
        };
        if size != self.place.shared.viewport {
            page.resize(size).await?;
        }
        Ok(page)
    }

    /// The page that was made with it, if it is still one.
    fn ready_page(&self) -> Option<Arc<ChromiumPage>> {
        let page = lock(&self.ready).take()?;
        if page.alive().is_err() {
            hidden::close(&self.place.root, page.id.as_str());
            return None;
        }
        self.place.shared.introduce(&page, None, self.id());
        Some(page)
    }

    async fn create_page(&self, new_window: bool) -> Result<Arc<ChromiumPage>> {
        let Place { shared, root, .. } = &self.place;
        let browser_context_id = self.name();
        let command =
            CreateTarget { url: "about:blank", browser_context_id, new_window, ..CreateTarget::default() };
        let created = root.send(&command).await.map_err(failed)?;
        if let Err(error) = self.known_to_proxy().await {
            hidden::close(root, &created.target_id);
            return Err(error);
        }
        shared.page(&PageId::from(created.target_id.as_str())).await
    }

    /// What commands call it; nothing for the default one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.place.made.as_deref()
    }
}

#[async_trait]
impl Context for ChromiumContext {
    fn id(&self) -> ContextId {
        self.name().map_or_else(default_id, ContextId::from)
    }

    async fn open(&self, size: Size) -> Result<Arc<dyn PageDriver>> {
        self.open_in(false, size).await
    }

    async fn open_window(&self, size: Size) -> Result<Arc<dyn PageDriver>> {
        self.open_in(true, size).await
    }

    async fn visit(&self, origin: &str) -> Result<Arc<dyn PageDriver>> {
        self.visit_origin(origin).await
    }

    fn cookies(&self) -> Option<&dyn Cookies> {
        Some(self)
    }

    fn permissions(&self) -> Option<&dyn Permissions> {
        Some(self)
    }

    async fn close(&self) -> Result<()> {
        let Some(id) = self.name() else {
            return Err(DriverError::Unsupported("close its first context"));
        };
        let Place { shared, root, .. } = &self.place;
        root.send(&DisposeBrowserContext { browser_context_id: id }).await.map_err(failed)?;
        shared.context_gone(&ContextId::from(id));
        Ok(())
    }
}
