//! Making a context known to its proxy.
//!
//! Firefox takes no credentials with a proxy's address; it asks for them when the proxy does, and then gives them unasked
//! for as long as the context lives. Whose challenge it is cannot be told from the event: after that of a proxy, one of
//! the site has the same status. So every context with a proxy makes one request of ours first, from a page that nobody
//! sees, and only that one's challenge is answered.

use std::{sync::atomic::Ordering, time::Duration};

use cicerone_driver::{DriverError, Navigation, PageDriver, Proxy, Result};
use tokio::sync::OnceCell;

use crate::{
    contexts::FirefoxContext,
    page::{FirefoxPage, lock},
    visit,
};

/// What is asked for. A name that never exists: the proxy answers it by itself.
const URL: &str = "http://prime.cicerone.invalid/";

/// With this.
const ANSWER: u16 = 204;

/// The proxy is on this machine, and asks nobody.
const PATIENCE: Duration = Duration::from_secs(10);

/// A proxy, and whether it knows us.
pub(crate) struct Known {
    proxy: Proxy,
    primed: OnceCell<()>,
}

impl Known {
    pub(crate) fn unprimed(proxy: &Proxy) -> Self {
        Self { proxy: proxy.clone(), primed: OnceCell::new() }
    }
}

impl FirefoxContext {
    /// Done once, before the first page.
    pub(crate) async fn prime(&self) -> Result<()> {
        let Some(known) = self.shared.proxy_of(&self.id) else { return Ok(()) };
        known.primed.get_or_try_init(|| self.introduce(&known.proxy)).await.map(drop)
    }

    async fn introduce(&self, proxy: &Proxy) -> Result<()> {
        let page = self.open_hidden().await?;
        *lock(&page.errand) = Some(proxy.clone());
        let asked = tokio::time::timeout(PATIENCE, ask(&page)).await;
        visit::close(&self.root, page.context());
        asked.unwrap_or_else(|_| Err(refused("net::ERR_TIMED_OUT".into())))
    }
}

async fn ask(page: &FirefoxPage) -> Result<()> {
    let came = page.navigate(URL).await?;
    // There is nothing to show, which the browser may call a failure.
    match (page.status.load(Ordering::Relaxed), came) {
        (ANSWER, _) => Ok(()),
        (_, Navigation::Failed(message)) => Err(refused(message)),
        _ => Err(refused("net::ERR_INVALID_AUTH_CREDENTIALS".into())),
    }
}

fn refused(message: String) -> DriverError {
    DriverError::Refused { command: "browsingContext.navigate", message }
}
