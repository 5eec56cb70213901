//! Internal pages: hidden, and never reported to the sink.
//!
//! The target is hidden where possible: it has no tab, takes no focus and is never painted. The browser
//! announces it before it answers the command that created it, but with an unknown type or at a URL that only
//! we know. So it is set aside, and becomes a page when the answer names it.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    sync::Arc,
    time::Duration,
};

use cicerone_driver::{DriverError, PageId, Proxy, Result};
use cicerone_driver_kit::hand_over;
use cicerone_wire::{Event, Session, WireError};

use crate::{
    contexts::ContextHandle,
    origin_page,
    page::{ChromiumPage, failed},
    protocol::{
        fetch::{AuthRequired, RequestPaused},
        target::{CloseTarget, CreateTarget},
    },
    proxy_auth,
};

/// Only this program and the browser take part, so it is done soon or never.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What an internal page is for.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// An empty document of an origin.
    OriginPage,
    /// Authenticates a context with its proxy.
    ProxyAuth(Proxy),
    /// The page of the helper extension.
    Helper,
}

/// Opens a hidden page and runs its purpose in a task: a cancelled caller leaves no page behind.
pub(crate) async fn run<F>(
    place: &ContextHandle,
    purpose: Purpose,
    goes: impl FnOnce(Arc<ChromiumPage>) -> F + Send + 'static,
) -> Result<Arc<ChromiumPage>>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let (place, root) = (place.clone(), place.root.clone());
    let opened = async move {
        let page = open(&place, purpose).await?;
        match tokio::time::timeout(TIMEOUT, goes(Arc::clone(&page))).await {
            Ok(Ok(())) => Ok(page),
            Ok(Err(error)) => Err(given_up(&place.root, &page, error)),
            Err(_) => Err(given_up(&place.root, &page, DriverError::Gone)),
        }
    };
    hand_over(opened, move |unwanted| close(&root, unwanted.id.as_str())).await
}

async fn open(
    ContextHandle { shared, root, made }: &ContextHandle,
    purpose: Purpose,
) -> Result<Arc<ChromiumPage>> {
    let url = secret_blank();
    let _seen_by_nobody = shared.not_to_tell(url.clone());
    let tab = CreateTarget {
        url: &url,
        browser_context_id: made.as_deref(),
        background: true,
        ..CreateTarget::default()
    };
    let created = match root.send(&CreateTarget { hidden: true, ..tab }).await {
        // A hidden target needs a page. Without one there is no tab to stay behind either.
        Err(WireError::Refused { .. }) => root.send(&tab).await,
        created => created,
    };
    let id = created.map_err(failed)?.target_id;
    let session = shared.unclaimed(&id).ok_or(DriverError::Closed)?;
    let id = PageId::from(id.as_str());
    let page = ChromiumPage::new(id, session, root.clone(), shared.viewport, Some(purpose));
    Ok(shared.received(page))
}

/// A blank URL that no website can guess; otherwise it could open hidden pages.
fn secret_blank() -> String {
    format!("about:blank#{}", random())
}

/// An unguessable name.
pub(crate) fn random() -> String {
    // The standard library's hashers are seeded by the system, which is random enough.
    let chance = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", chance(), chance())
}

fn given_up(root: &Session, page: &ChromiumPage, error: DriverError) -> DriverError {
    close(root, page.id.as_str());
    error
}

pub(crate) fn close(root: &Session, target_id: &str) {
    root.tell(&CloseTarget { target_id });
}

/// A Fetch event of an internal page.
pub(crate) fn fetch_domain(
    page: &ChromiumPage,
    purpose: &Purpose,
    session: &Session,
    event: Event<'_>,
) -> Option<()> {
    match (event.method, purpose) {
        ("Fetch.requestPaused", Purpose::OriginPage) => {
            origin_page::paused(session, &event.parse::<RequestPaused>()?);
        }
        ("Fetch.requestPaused", Purpose::ProxyAuth(_)) => {
            proxy_auth::paused(session, &event.parse::<RequestPaused>()?);
        }
        ("Fetch.authRequired", Purpose::ProxyAuth(proxy)) => {
            proxy_auth::challenged(page, session, proxy, &event.parse::<AuthRequired>()?);
        }
        _ => {}
    }
    Some(())
}
