//! Contexts: the default one, and those that are made beside it.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{Context, ContextId, Cookies, DriverError, PageDriver, PageId, Proxy, Result, Size};
use cicerone_wire::Session;
use tokio::sync::{OnceCell, oneshot};

use crate::{
    page::failed,
    prime::prime,
    protocol::target::{CloseTarget, CreateBrowserContext, CreateTarget, DisposeBrowserContext},
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

pub(crate) struct ChromiumContext {
    pub(crate) place: Place,
    proxy: Option<Proxy>,
    /// Set when the proxy knows the context.
    primed: OnceCell<()>,
}

impl ChromiumContext {
    pub(crate) fn default_of(shared: Arc<Shared>, root: Session, proxy: Option<&Proxy>) -> Arc<Self> {
        Self::at(Place { shared, root, made: None }, proxy)
    }

    /// Makes another one in the same browser.
    pub(crate) async fn create_beside(&self, proxy: Option<&Proxy>) -> Result<Arc<Self>> {
        let server = match (proxy, &self.proxy) {
            (Some(proxy), _) => Some(proxy_server(proxy)),
            (None, Some(_)) => Some(DIRECT.to_owned()),
            (None, None) => None,
        };
        let command = CreateBrowserContext {
            dispose_on_detach: true,
            proxy_server: server.as_deref(),
            proxy_bypass_list: proxy.map(|_| BYPASS_NOTHING),
        };
        let made = self.place.root.send(&command);
        let (hand_over, created) = oneshot::channel();
        let place = self.place.clone();
        // On its own: a caller that gives up leaves no context behind that nobody knows of.
        tokio::spawn(async move {
            if let Err(Ok(unwanted)) = hand_over.send(made.await) {
                place.root.tell(&DisposeBrowserContext { browser_context_id: &unwanted.browser_context_id });
            }
        });
        let created = created.await.map_err(|_| DriverError::Disconnected)?;
        let id = created.map_err(failed)?.browser_context_id;
        let Place { shared, root, .. } = &self.place;
        shared.context_made(ContextId::from(id.as_str()));
        shared.take_downloads(root, Some(&id));
        Ok(Self::at(Place { made: Some(id), ..self.place.clone() }, proxy))
    }

    fn at(place: Place, proxy: Option<&Proxy>) -> Arc<Self> {
        let context = Arc::new(Self { place, proxy: proxy.cloned(), primed: OnceCell::new() });
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
        let Place { shared, root, .. } = &self.place;
        let browser_context_id = self.name();
        let command =
            CreateTarget { url: "about:blank", browser_context_id, new_window, ..CreateTarget::default() };
        let created = root.send(&command).await.map_err(failed)?;
        if let Err(error) = self.known_to_proxy().await {
            root.tell(&CloseTarget { target_id: &created.target_id });
            return Err(error);
        }
        let page = shared.page(&PageId::from(created.target_id.as_str())).await?;
        if size != shared.viewport {
            page.resize(size).await?;
        }
        Ok(page)
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
