//! Pages of our own, that nobody sees and the sink never hears of.
//!
//! The target is a hidden one, where that can be had: it has no tab, takes no front and is never drawn. The browser
//! announces it as it does every target, before it answers the command that made it, but as one of no known kind
//! or at the URL that only we know; so it is put aside, and becomes a page when the answer names it.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    sync::Arc,
    time::Duration,
};

use cicerone_driver::{DriverError, PageId, Proxy, Result};
use cicerone_wire::{Event, Session, WireError};
use tokio::sync::oneshot;

use crate::{
    contexts::Place,
    events::parse,
    page::{ChromiumPage, failed},
    prime,
    protocol::{
        fetch::{AuthRequired, RequestPaused},
        target::{CloseTarget, CreateTarget},
    },
    visit,
};

/// Nothing outside of this program and the browser takes part in an errand, so it is done soon or never.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a page of our own is for.
#[derive(Debug)]
pub(crate) enum Errand {
    /// It shows an empty document of an origin.
    Visit,
    /// It makes a context known to its proxy.
    Prime(Proxy),
    /// It shows the page of the helper extension.
    Helper,
}

/// Opens a hidden page and lets it run its errand, on a task of its own: a caller that gives up leaves no page
/// behind that nobody knows of.
pub(crate) async fn run<F>(
    place: &Place,
    errand: Errand,
    goes: impl FnOnce(Arc<ChromiumPage>) -> F + Send + 'static,
) -> Result<Arc<ChromiumPage>>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let (hand_over, done) = oneshot::channel();
    let place = place.clone();
    tokio::spawn(async move {
        let done = match open(&place, errand).await {
            Err(error) => Err(error),
            Ok(page) => match tokio::time::timeout(PATIENCE, goes(Arc::clone(&page))).await {
                Ok(Ok(())) => Ok(page),
                Ok(Err(error)) => Err(given_up(&place.root, &page, error)),
                Err(_) => Err(given_up(&place.root, &page, DriverError::Gone)),
            },
        };
        if let Err(Ok(unwanted)) = hand_over.send(done) {
            close(&place.root, unwanted.id.as_str());
        }
    });
    done.await.unwrap_or(Err(DriverError::Disconnected))
}

async fn open(Place { shared, root, made }: &Place, errand: Errand) -> Result<Arc<ChromiumPage>> {
    let url = secret_blank();
    let _seen_by_nobody = shared.not_to_tell(url.clone());
    let tab = CreateTarget {
        url: &url,
        browser_context_id: made.as_deref(),
        background: true,
        ..CreateTarget::default()
    };
    let created = match root.send(&CreateTarget { hidden: true, ..tab }).await {
        // It takes a page for a hidden one to be possible. Without one there is no front to take either.
        Err(WireError::Refused { .. }) => root.send(&tab).await,
        created => created,
    };
    let id = created.map_err(failed)?.target_id;
    let session = shared.unclaimed(&id).ok_or(DriverError::Closed)?;
    let id = PageId::from(id.as_str());
    let page = ChromiumPage::new(id, session, root.clone(), shared.viewport, Some(errand));
    Ok(shared.received(page))
}

/// A blank page's URL that no website can guess, or it could open pages that nobody hears of.
fn secret_blank() -> String {
    // The standard library's hashers are seeded by the system, which is all the chance that is needed.
    let chance = || RandomState::new().build_hasher().finish();
    format!("about:blank#{:016x}{:016x}", chance(), chance())
}

fn given_up(root: &Session, page: &ChromiumPage, error: DriverError) -> DriverError {
    close(root, page.id.as_str());
    error
}

pub(crate) fn close(root: &Session, target_id: &str) {
    root.tell(&CloseTarget { target_id });
}

/// An event of the Fetch domain in a page on an errand.
pub(crate) fn fetch_domain(
    page: &ChromiumPage,
    errand: &Errand,
    session: &Session,
    event: Event<'_>,
) -> Option<()> {
    match (event.method, errand) {
        ("Fetch.requestPaused", Errand::Visit) => {
            visit::paused(session, &parse::<RequestPaused>(event)?);
        }
        ("Fetch.requestPaused", Errand::Prime(_)) => {
            prime::paused(session, &parse::<RequestPaused>(event)?);
        }
        ("Fetch.authRequired", Errand::Prime(proxy)) => {
            prime::challenged(page, session, proxy, &parse::<AuthRequired>(event)?);
        }
        _ => {}
    }
    Some(())
}
