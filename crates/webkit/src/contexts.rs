//! Contexts: the first one, and those that are made beside it.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use cicerone_driver::{
    Context, ContextId, Cookies, DriverError, Feature, PageDriver, Permissions, Proxy, Result, Size,
};
use cicerone_wire::Session;
use tokio::sync::OnceCell;

use crate::{
    browser::Shared,
    lifecycle::ask,
    page::WebKitPage,
    protocol::host::{self, Close, CloseContext, NewContext, Open},
    proxy_auth,
};

#[derive(Clone)]
pub(crate) struct WebKitContext {
    pub(crate) shared: Arc<Shared>,
    pub(crate) root: Session,
    /// The host's name for it.
    pub(crate) name: String,
    /// Whether it was there from the start.
    pub(crate) is_default: bool,
    /// Whether its proxy knows it; a context without a proxy is known from the start.
    pub(crate) is_known: Arc<OnceCell<()>>,
}

impl WebKitContext {
    pub(crate) async fn create(
        shared: &Arc<Shared>,
        root: &Session,
        proxy: Option<&Proxy>,
        profile: Option<&Path>,
        is_default: bool,
    ) -> Result<Self> {
        let is_known = match proxy {
            Some(_) => OnceCell::new(),
            None => OnceCell::new_with(Some(())),
        };
        let proxy = proxy.map(|proxy| host::Proxy {
            server: format!("http://{}", proxy.address),
            user: &proxy.user,
            password: &proxy.password,
        });
        let name = ask(root, &NewContext { proxy, profile }).await?.context;
        Ok(Self {
            shared: Arc::clone(shared),
            root: root.clone(),
            name,
            is_default,
            is_known: Arc::new(is_known),
        })
    }

    pub(crate) async fn open(&self, size: Size, hidden: bool) -> Result<Arc<WebKitPage>> {
        self.is_known.get_or_try_init(|| proxy_auth::authenticate(self)).await?;
        self.new_page(size, hidden).await
    }

    /// The same, without asking whether the proxy knows us.
    pub(crate) async fn new_page(
        &self,
        Size { width, height }: Size,
        hidden: bool,
    ) -> Result<Arc<WebKitPage>> {
        let command = Open { context: &self.name, width, height, hidden };
        let id = ask(&self.root, &command).await?.page;
        let page = self.shared.page_of(Some(&id)).ok_or(DriverError::Closed)?;
        let mut unwanted = Unwanted(Some(Arc::clone(&page)));
        page.set_up().await?;
        unwanted.0 = None;
        Ok(page)
    }
}

/// A page that a caller who gave up would leave behind.
pub(crate) struct Unwanted(pub(crate) Option<Arc<WebKitPage>>);

impl Drop for Unwanted {
    fn drop(&mut self) {
        if let Some(page) = &self.0 {
            page.session.tell(&Close {});
        }
    }
}

#[async_trait]
impl Context for WebKitContext {
    fn id(&self) -> ContextId {
        self.name.as_str().into()
    }

    async fn open(&self, viewport: Size) -> Result<Arc<dyn PageDriver>> {
        Ok(self.open(viewport, false).await?)
    }

    async fn origin_page(&self, origin: &str) -> Result<Arc<dyn PageDriver>> {
        Ok(self.origin_page(origin).await?)
    }

    fn cookies(&self) -> Option<&dyn Cookies> {
        Some(self)
    }

    fn permissions(&self) -> Option<&dyn Permissions> {
        Some(self)
    }

    async fn close(&self) -> Result<()> {
        if self.is_default {
            return Err(DriverError::Unsupported(Feature::CloseDefaultContext));
        }
        ask(&self.root, &CloseContext { context: &self.name }).await.map(drop)
    }
}
