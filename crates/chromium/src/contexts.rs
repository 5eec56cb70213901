//! Browser contexts: the default one and those created beside it.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use cicerone_driver::{
    Context, ContextId, Cookies, DriverError, Feature, PageDriver, PageId, Permissions, Proxy, Result, Size,
    lock,
};
use cicerone_driver_kit::hand_over;
use cicerone_wire::Session;
use tokio::sync::OnceCell;

use crate::{
    internal_page,
    page::{ChromiumPage, failed},
    protocol::target::{CreateBrowserContext, CreateTarget, DisposeBrowserContext},
    proxy_auth::authenticate,
    reach::Reach,
    spare_context::{self, Spare},
    targets::Shared,
};

/// Chromium excludes loopback from every proxy unless the bypass list says otherwise.
pub(crate) const BYPASS_NOTHING: &str = "<-loopback>";

/// The setting of a context without a proxy where the default context has one, which it would inherit.
const DIRECT: &str = "direct://";

/// Our name for the default context. Commands never need the browser's own.
pub(crate) fn default_id() -> ContextId {
    "default".into()
}

pub(crate) fn proxy_server(proxy: &Proxy) -> String {
    format!("http://{}", proxy.address)
}

/// A context's identity in commands.
#[derive(Clone)]
pub(crate) struct ContextHandle {
    pub(crate) shared: Arc<Shared>,
    /// The browser's session: contexts have none.
    pub(crate) root: Session,
    /// Its id in commands; `None` for the default one.
    pub(crate) made: Option<String>,
}

impl ContextHandle {
    /// Creates a context with this proxy; returns its id in commands.
    pub(crate) async fn create_beside(&self, proxy_server: Option<&str>) -> Result<String> {
        if !self.shared.powers.contexts {
            return Err(DriverError::Unsupported(Feature::IsolatedContexts));
        }
        let through_proxy = proxy_server.is_some_and(|server| server != DIRECT);
        if through_proxy && !self.shared.powers.proxies {
            return Err(DriverError::Unsupported(Feature::ProxyElsewhere));
        }
        let command = CreateBrowserContext {
            dispose_on_detach: true,
            proxy_server,
            proxy_bypass_list: through_proxy.then_some(BYPASS_NOTHING),
        };
        let made = self.root.send(&command);
        let root = self.root.clone();
        let made = async move { Ok(made.await.map_err(failed)?.browser_context_id) };
        let dispose = move |id: String| root.tell(&DisposeBrowserContext { browser_context_id: &id });
        let id = hand_over(made, dispose).await?;
        self.shared.context_made(ContextId::from(id.as_str()));
        if through_proxy {
            self.shared.context_has_proxy(ContextId::from(id.as_str()));
        }
        self.shared.take_downloads(&self.root, Some(&id));
        Ok(id)
    }
}

pub(crate) struct ChromiumContext {
    pub(crate) place: ContextHandle,
    proxy: Option<Proxy>,
    /// A page that was created with it and is not in use yet.
    ready: Mutex<Option<Arc<ChromiumPage>>>,
    /// Set when the context has authenticated with the proxy.
    authenticated: OnceCell<()>,
}

impl ChromiumContext {
    pub(crate) fn default_of(shared: Arc<Shared>, root: Session, proxy: Option<&Proxy>) -> Arc<Self> {
        Self::at(ContextHandle { shared, root, made: None }, proxy, None)
    }

    /// Creates another one in the same browser.
    pub(crate) async fn create_beside(&self, proxy: Option<&Proxy>) -> Result<Arc<Self>> {
        let Spare { context, page } = match proxy {
            None => match spare_context::take(&self.place).await {
                Some(spare) => spare,
                None => Spare { context: self.place.create_beside(self.straight()).await?, page: None },
            },
            Some(proxy) => {
                let server = proxy_server(proxy);
                Spare { context: self.place.create_beside(Some(&server)).await?, page: None }
            }
        };
        Ok(Self::at(ContextHandle { made: Some(context), ..self.place.clone() }, proxy, page))
    }

    /// The proxy setting of a context without a proxy, beside this one.
    fn straight(&self) -> Option<&'static str> {
        // A browser that somebody else started may have a proxy of its own.
        self.proxy.as_ref().filter(|_| matches!(self.place.shared.reach, Reach::All)).map(|_| DIRECT)
    }

    /// Creates a spare context for the next request.
    pub(crate) fn fill_spare_context(&self) {
        spare_context::fill(&self.place, self.straight());
    }

    fn at(place: ContextHandle, proxy: Option<&Proxy>, ready: Option<Arc<ChromiumPage>>) -> Arc<Self> {
        let (proxy, ready) = (proxy.cloned(), Mutex::new(ready));
        let context = Arc::new(Self { place, proxy, ready, authenticated: OnceCell::new() });
        if context.proxy.is_some() && context.place.shared.has_pages() {
            // Early and concurrent with its first page, whose opener waits for both and gets the
            // error. Only where pages exist, because hidden ones need some.
            let early = Arc::clone(&context);
            tokio::spawn(async move { early.known_to_proxy().await });
        }
        context
    }

    /// Resolves when pages can use the proxy; retries after a failure.
    async fn known_to_proxy(&self) -> Result<()> {
        match &self.proxy {
            Some(proxy) => {
                let known = || async { authenticate(&self.place, proxy).await.map(drop) };
                self.authenticated.get_or_try_init(known).await.map(drop)
            }
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

    /// The page that was created with it, if it still exists.
    fn ready_page(&self) -> Option<Arc<ChromiumPage>> {
        let page = lock(&self.ready).take()?;
        if page.lifecycle.alive().is_err() {
            internal_page::close(&self.place.root, page.id.as_str());
            return None;
        }
        self.place.shared.introduce(&page, None, self.id());
        Some(page)
    }

    async fn create_page(&self, new_window: bool) -> Result<Arc<ChromiumPage>> {
        let ContextHandle { shared, root, .. } = &self.place;
        let browser_context_id = self.name();
        let command =
            CreateTarget { url: "about:blank", browser_context_id, new_window, ..CreateTarget::default() };
        let created = root.send(&command).await.map_err(failed)?;
        if browser_context_id.is_none() {
            shared.opened_here(&PageId::from(created.target_id.as_str()));
        }
        if let Err(error) = self.known_to_proxy().await {
            internal_page::close(root, &created.target_id);
            return Err(error);
        }
        let page = shared.page(&PageId::from(created.target_id.as_str())).await?;
        if !matches!(shared.reach, Reach::All) {
            page.settled_in().await?;
        }
        Ok(page)
    }

    /// Its id in commands; `None` for the default one.
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

    async fn origin_page(&self, origin: &str) -> Result<Arc<dyn PageDriver>> {
        self.open_origin_page(origin).await
    }

    async fn renew_proxy(&self) -> Result<bool> {
        match &self.proxy {
            Some(proxy) => authenticate(&self.place, proxy).await,
            None => Ok(false),
        }
    }

    fn cookies(&self) -> Option<&dyn Cookies> {
        self.place.shared.powers.cookies.then_some(self as _)
    }

    fn permissions(&self) -> Option<&dyn Permissions> {
        self.place.shared.powers.permissions.then_some(self as _)
    }

    async fn close(&self) -> Result<()> {
        let Some(id) = self.name() else {
            return Err(DriverError::Unsupported(Feature::CloseDefaultContext));
        };
        let ContextHandle { shared, root, .. } = &self.place;
        root.send(&DisposeBrowserContext { browser_context_id: id }).await.map_err(failed)?;
        shared.context_gone(&ContextId::from(id));
        Ok(())
    }
}
