//! Contexts: the default one, and those that are made beside it.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{Context, ContextId, Cookies, DriverError, PageDriver, PageId, Proxy, Result, Size};
use cicerone_wire::Session;

use crate::{
    browser::Shared,
    page::failed,
    protocol::target::{CreateBrowserContext, CreateTarget, DisposeBrowserContext},
};

/// Chromium leaves loopback out of every proxy unless it is told otherwise.
pub(crate) const BYPASS_NOTHING: &str = "<-loopback>";

/// What the default context is called. The browser's own name for it is never needed in a command.
pub(crate) fn default_id() -> ContextId {
    "default".into()
}

pub(crate) fn proxy_server(proxy: &Proxy) -> String {
    format!("http://{}", proxy.address)
}

pub(crate) struct ChromiumContext {
    pub(crate) shared: Arc<Shared>,
    /// The session of the browser: contexts have none of their own.
    pub(crate) root: Session,
    /// What commands call it; nothing for the default one.
    made: Option<String>,
}

impl ChromiumContext {
    pub(crate) fn default_of(shared: &Arc<Shared>, root: Session) -> Self {
        Self { shared: Arc::clone(shared), root, made: None }
    }

    pub(crate) async fn create(shared: &Arc<Shared>, root: Session, proxy: Option<&Proxy>) -> Result<Self> {
        let server = proxy.map(proxy_server);
        let command = CreateBrowserContext {
            dispose_on_detach: true,
            proxy_server: server.as_deref(),
            proxy_bypass_list: server.as_ref().map(|_| BYPASS_NOTHING),
        };
        let id = root.send(&command).await.map_err(failed)?.browser_context_id;
        shared.context_made(ContextId::from(id.as_str()));
        shared.take_downloads(&root, Some(&id));
        Ok(Self { shared: Arc::clone(shared), root, made: Some(id) })
    }

    /// What commands call it; nothing for the default one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.made.as_deref()
    }
}

#[async_trait]
impl Context for ChromiumContext {
    fn id(&self) -> ContextId {
        self.name().map_or_else(default_id, ContextId::from)
    }

    async fn open(&self, size: Size) -> Result<Arc<dyn PageDriver>> {
        let command =
            CreateTarget { url: "about:blank", browser_context_id: self.name(), ..CreateTarget::default() };
        let created = self.root.send(&command).await.map_err(failed)?;
        let page = self.shared.page(&PageId::from(created.target_id.as_str())).await?;
        page.resize(size).await?;
        Ok(page)
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
        self.root.send(&DisposeBrowserContext { browser_context_id: id }).await.map_err(failed)?;
        self.shared.context_gone(&ContextId::from(id));
        Ok(())
    }
}
