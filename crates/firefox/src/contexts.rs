//! Contexts: user contexts in BiDi.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{
    Context, ContextId, Cookies, DriverError, Feature, PageDriver, Permissions, Proxy, Result, Size,
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

/// The browser's id of the default context.
pub(crate) const DEFAULT: &str = "default";

pub(crate) struct FirefoxContext {
    pub(crate) shared: Arc<Shared>,
    pub(crate) root: Session,
    pub(crate) id: String,
}

impl FirefoxContext {
    /// The one that the browser calls so.
    pub(crate) fn named(shared: &Arc<Shared>, root: Session, id: String) -> Self {
        Self { shared: Arc::clone(shared), root, id }
    }

    pub(crate) async fn create(shared: &Arc<Shared>, root: Session, proxy: Option<&Proxy>) -> Result<Self> {
        if proxy.is_some() && shared.attached.is_some() {
            // Without the preferences that we start a browser with, some traffic would go around it: all that is for this
            // machine, for one.
            return Err(DriverError::Unsupported(Feature::ProxyPreferences));
        }
        // The proxy of the first context is every other one's too, but for those that say otherwise.
        let inherits = shared.proxy_of(DEFAULT).is_some();
        let proxy_of_its_own = match proxy {
            Some(proxy) => Some(ProxyConfiguration::at(proxy.address)),
            None => inherits.then_some(ProxyConfiguration::Direct),
        };
        // Older versions ignore it without an error: traffic would bypass the proxy.
        if proxy_of_its_own.is_some() && !shared.has_proxies() {
            return Err(DriverError::Unsupported(Feature::ContextProxies));
        }
        let command = CreateUserContext { proxy: proxy_of_its_own };
        let id = root.send(&command).await.map_err(failed)?.user_context;
        if let Some(proxy) = proxy {
            shared.remember_proxy(&id, proxy);
        }
        shared.context_made(&id);
        shared.take_downloads(&root, Some(&id));
        shared.take_context(&root, &id).await.map_err(failed)?;
        root.send(&window::viewports(&id, shared.viewport)).await.map_err(failed)?;
        Ok(Self::named(shared, root, id))
    }

    /// Opens a window in this context. The browser announces its page before it answers.
    pub(crate) async fn window(&self, background: bool) -> Result<String> {
        self.new_page("window", None, background).await
    }

    /// Opens a tab in the first window if it is free, which is much faster than a new window.
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
        self.authenticate().await?;
        let opening = self.shared.opening.lock().await;
        let context = match self.first_tab().await {
            Some(context) => context?,
            None => self.window(false).await?,
        };
        drop(opening);
        let is_shared = self.shared.is_shared(&self.id);
        if is_shared {
            self.shared.opened_here(&context);
            self.shared.is_tab(&context);
        }
        let page = self.shared.page_of(&context).ok_or(DriverError::Closed)?;
        if !is_shared || size != self.shared.viewport {
            page.resize(size).await?;
        }
        Ok(page)
    }

    async fn origin_page(&self, origin: &str) -> Result<Arc<dyn PageDriver>> {
        Ok(self.open_origin_page(origin).await?.page)
    }

    fn cookies(&self) -> Option<&dyn Cookies> {
        Some(self)
    }

    fn permissions(&self) -> Option<&dyn Permissions> {
        // Without the preference for it, those of a user context are everybody's.
        self.shared.attached.is_none().then_some(self as _)
    }

    async fn close(&self) -> Result<()> {
        if self.id == DEFAULT {
            return Err(DriverError::Unsupported(Feature::CloseDefaultContext));
        }
        // One by one: the browser does not report pages that close with their context.
        let pages = self.shared.frames().pages_in(&self.id);
        for closed in futures::future::join_all(pages.iter().map(|page| page.close())).await {
            closed.inspect_err(|error| tracing::debug!(%error, "a page was gone before its context")).ok();
        }
        self.root.send(&RemoveUserContext { user_context: &self.id }).await.map_err(failed)?;
        self.shared.context_gone(&self.id);
        Ok(())
    }
}
