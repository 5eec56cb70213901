//! Making a context known to its proxy.
//!
//! Chromium takes no credentials with a proxy's address; it asks for them when the proxy does, and then gives
//! them unasked for as long as the context lives, whatever makes the request: pages, workers, sockets. So every
//! context with a proxy makes one request of ours first, from a hidden page, and only challenges to that one are
//! answered. No page needs to be intercepted for it ever after.

use std::sync::{Arc, atomic::Ordering};

use cicerone_driver::{DriverError, Navigation, PageDriver, Proxy, Result};
use cicerone_wire::Session;

use crate::{
    contexts::{Place, proxy_server},
    hidden::{self, Errand},
    page::ChromiumPage,
    protocol::fetch::{
        self, AuthChallengeResponse, AuthRequired, ContinueRequest, ContinueWithAuth, RequestPaused,
    },
};

/// What is asked for. A name that never exists: the proxy answers it by itself, with 204.
const URL: &str = "http://prime.cicerone.invalid/";

/// What the browser calls a navigation that was answered with 204, and left the page as it was.
const NOTHING_TO_SHOW: &str = "net::ERR_ABORTED";

pub(crate) async fn prime(place: &Place, proxy: &Proxy) -> Result<()> {
    let page = hidden::run(place, Errand::Prime(proxy.clone()), ask).await?;
    hidden::close(&place.root, page.id.as_str());
    Ok(())
}

async fn ask(page: Arc<ChromiumPage>) -> Result<()> {
    page.session.tell(&fetch::Enable { handle_auth_requests: true, patterns: None });
    match page.navigate(URL).await? {
        Navigation::Failed(message) if message != NOTHING_TO_SHOW => {
            Err(DriverError::Refused { command: "Page.navigate", message })
        }
        _ => Ok(()),
    }
}

pub(crate) fn paused(session: &Session, RequestPaused { request_id, .. }: &RequestPaused) {
    session.tell(&ContinueRequest::unchanged(request_id));
}

/// Somebody wants credentials. Only our proxy gets them, and only once: asked again, it did not take them.
pub(crate) fn challenged(
    page: &ChromiumPage,
    session: &Session,
    proxy: &Proxy,
    AuthRequired { request_id, auth_challenge }: &AuthRequired,
) {
    let is_ours = auth_challenge.source == "Proxy" && auth_challenge.origin == proxy_server(proxy);
    let auth_challenge_response = if is_ours && !page.challenged.swap(true, Ordering::Relaxed) {
        AuthChallengeResponse::ProvideCredentials { username: &proxy.user, password: &proxy.password }
    } else {
        AuthChallengeResponse::CancelAuth
    };
    session.tell(&ContinueWithAuth { request_id, auth_challenge_response });
}
