//! Authenticates a context with its proxy.
//!
//! Firefox accepts no credentials with a proxy's address. It asks for them on a challenge, then reuses them
//! in the context. The event does not say whose challenge it is: one of the site, after the proxy's, has the
//! same status. So each context with a proxy first makes one request from a hidden page, and only its
//! challenge is answered.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use cicerone_driver::{DriverError, Navigation, Proxy, Result, lock};
use tokio::sync::OnceCell;

use crate::{browser::Shared, contexts::FirefoxContext, origin_page, page::FirefoxPage};

/// The URL of that request, a name that never exists: the proxy itself answers.
const URL: &str = "http://proxy-auth.cicerone.invalid/";

/// With this status.
const ANSWER: u16 = 204;

/// The proxy is on this machine and answers itself.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A proxy, and whether the context is authenticated.
pub(crate) struct AuthenticatedProxy {
    proxy: Proxy,
    authenticated: OnceCell<()>,
}

impl AuthenticatedProxy {
    pub(crate) fn unauthenticated(proxy: &Proxy) -> Self {
        Self { proxy: proxy.clone(), authenticated: OnceCell::new() }
    }
}

impl Shared {
    /// Whether a user context can have a proxy. Versions before 141 ignore it, and do not answer the first one's challenge.
    pub(crate) fn has_proxies(&self) -> bool {
        self.major_version.get().is_none_or(|major| *major >= 141)
    }

    /// The proxy of a user context.
    pub(crate) fn remember_proxy(&self, user_context: &str, proxy: &Proxy) {
        lock(&self.proxies)
            .insert(user_context.to_owned(), Arc::new(AuthenticatedProxy::unauthenticated(proxy)));
    }

    pub(crate) fn forget_proxy(&self, user_context: &str) {
        lock(&self.proxies).remove(user_context);
    }

    pub(crate) fn proxy_of(&self, user_context: &str) -> Option<Arc<AuthenticatedProxy>> {
        lock(&self.proxies).get(user_context).cloned()
    }
}

impl FirefoxContext {
    /// Done once, before the first page.
    pub(crate) async fn authenticate(&self) -> Result<()> {
        let Some(known) = self.shared.proxy_of(&self.id) else { return Ok(()) };
        known.authenticated.get_or_try_init(|| self.introduce(&known.proxy)).await.map(drop)
    }

    async fn introduce(&self, proxy: &Proxy) -> Result<()> {
        let page = self.open_hidden().await?;
        *lock(&page.proxy_auth) = Some(proxy.clone());
        let asked = tokio::time::timeout(TIMEOUT, ask(&page)).await;
        origin_page::close(&self.root, page.context());
        asked.unwrap_or_else(|_| Err(refused("net::ERR_TIMED_OUT".into())))
    }
}

async fn ask(page: &FirefoxPage) -> Result<()> {
    let came = page.navigate(URL).await?;
    // An empty answer, which the browser may report as a failure.
    match (page.requests.status.load(Ordering::Relaxed), came) {
        (ANSWER, _) => Ok(()),
        (_, Navigation::Failed(message)) => Err(refused(message)),
        _ => Err(refused("net::ERR_INVALID_AUTH_CREDENTIALS".into())),
    }
}

fn refused(message: String) -> DriverError {
    DriverError::Refused { command: "browsingContext.navigate", message }
}
