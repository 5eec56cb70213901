//! Contexts: what BiDi calls user contexts.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{
    Context, ContextId, Cookies, DriverError, PageDriver, Permissions, Proxy, Result, Size,
};
use cicerone_wire::Session;

use crate::{
    browser::Shared,
    page::failed,
    protocol::{
        browser::{CreateUserContext, ProxyConfiguration, RemoveUserContext},
        browsing_context::Create,
    },
    window,
};

/// What the browser calls the context that is there from the start.
pub(crate) const DEFAULT: &str = "default";

pub(crate) struct FirefoxContext {
    pub(crate) shared: Arc<Shared>,
    pub(crate) root: Session,
    /// The browser's name for it.
    pub(crate) id: String,
}

impl FirefoxContext {
    pub(crate) fn default_of(shared: &Arc<Shared>, root: Session) -> Self {
        Self { shared: Arc::clone(shared), root, id: DEFAULT.into() }
    }

    pub(crate) async fn create(shared: &Arc<Shared>, root: Session, proxy: Option<&Proxy>) -> Result<Self> {
        // The proxy of the first context is every other one's too, but for those that say otherwise.
        let inherits = shared.proxy_of(DEFAULT).is_some();
        let proxy_of_its_own = match proxy {
            Some(proxy) => Some(ProxyConfiguration::at(proxy.address)),
            None => inherits.then_some(ProxyConfiguration::Direct),
        };
        // Older versions ignore it without an error: traffic would go another way than it must.
        if proxy_of_its_own.is_some() && !shared.has_proxies() {
            return Err(DriverError::Unsupported("use a proxy (Firefox 141 and later can)"));
        }
        let command = CreateUserContext { proxy: proxy_of_its_own };
        let id = root.send(&command).await.map_err(failed)?.user_context;
        if let Some(proxy) = proxy {
            shared.remember_proxy(&id, proxy);
        }
        shared.take_downloads(&root, Some(&id));
        root.send(&window::viewports(&id, shared.viewport)).await.map_err(failed)?;
        Ok(Self { shared: Arc::clone(shared), root, id })
    }

    /// A window of this context. The browser announces its page before it answers.
    pub(crate) async fn window(&self, background: bool) -> Result<String> {
        self.new_page("window", None, background).await
    }

    /// A tab in the window that the browser started with, where there is room: much sooner there than a window.
    async fn first_tab(&self) -> Option<Result<String>> {
        let beside = self.shared.room_in_first_window()?;
        Some(self.new_page("tab", Some(beside.context()), false).await)
    }

    async fn new_page(&self, kind: &'static str, beside: Option<&str>, background: bool) -> Result<String> {
        let user_context = Some(self.id.as_str()).filter(|id| *id != DEFAULT);
        let command = Create { kind, user_context, reference_context: beside, background };
        Ok(self.root.send(&command).await.map_err(failed)?.context)
    }
}

#[async_trait]
impl Context for FirefoxContext {
    fn id(&self) -> ContextId {
        self.id.as_str().into()
    }

    async fn open(&self, size: Size) -> Result<Arc<dyn PageDriver>> {
        self.prime().await?;
        let opening = self.shared.opening.lock().await;
        let context = match self.first_tab().await {
            Some(context) => context?,
            None => self.window(false).await?,
        };
        drop(opening);
        let page = self.shared.page_of(&context).ok_or(DriverError::Closed)?;
        page.resize(size).await?;
        Ok(page)
    }

    async fn visit(&self, origin: &str) -> Result<Arc<dyn PageDriver>> {
        Ok(self.visit_origin(origin).await?.page)
    }

    fn cookies(&self) -> Option<&dyn Cookies> {
        Some(self)
    }

    fn permissions(&self) -> Option<&dyn Permissions> {
        Some(self)
    }

    async fn close(&self) -> Result<()> {
        if self.id == DEFAULT {
            return Err(DriverError::Unsupported("close its first context"));
        }
        // One by one: the browser does not tell of pages that go with their context.
        let pages = self.shared.places().pages_in(&self.id);
        for closed in futures::future::join_all(pages.iter().map(|page| page.close())).await {
            closed.inspect_err(|error| tracing::debug!(%error, "a page was gone before its context")).ok();
        }
        self.root.send(&RemoveUserContext { user_context: &self.id }).await.map_err(failed)?;
        self.shared.forget_proxy(&self.id);
        self.shared.forget_partitions(&self.id);
        Ok(())
    }
}
