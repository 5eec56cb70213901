//! Authenticates a context with its proxy.
//!
//! Chromium accepts no credentials with a proxy's address. It asks for them on a challenge, then reuses them
//! for every request of the context: pages, workers, sockets. So each context with a proxy first makes one
//! request from a hidden page, and only its challenge is answered. Pages need no interception.

use std::sync::{Arc, atomic::Ordering};

use cicerone_driver::{DriverError, Navigation, PageDriver, Proxy, Result};
use cicerone_wire::Session;

use crate::{
    contexts::{ContextHandle, proxy_server},
    internal_page::{self, Purpose},
    page::ChromiumPage,
    protocol::fetch::{
        self, AuthChallengeResponse, AuthRequired, ContinueRequest, ContinueWithAuth, RequestPaused,
    },
};

/// The URL of that request, a name that never exists: the proxy itself answers with 204.
const URL: &str = "http://proxy-auth.cicerone.invalid/";

/// Chromium's error for a navigation that got 204 and left the page as it was.
const NOTHING_TO_SHOW: &str = "net::ERR_ABORTED";

/// Makes that request; whether there was a challenge, which there is only while the credentials are not known. A browser whose
/// network process died has forgotten them, and a context beside the default one its proxy too: then it is an error.
pub(crate) async fn authenticate(place: &ContextHandle, proxy: &Proxy) -> Result<bool> {
    let page = internal_page::run(place, Purpose::ProxyAuth(proxy.clone()), ask).await?;
    internal_page::close(&place.root, page.id.as_str());
    if page.challenged_by_another.load(Ordering::Relaxed) {
        let message = "another proxy asks for credentials".to_owned();
        return Err(DriverError::Refused { command: "Page.navigate", message });
    }
    Ok(page.challenged.load(Ordering::Relaxed))
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

/// Handles a challenge. Only our proxy gets credentials, and only once: a second challenge means that they
/// are wrong.
pub(crate) fn challenged(
    page: &ChromiumPage,
    session: &Session,
    proxy: &Proxy,
    AuthRequired { request_id, auth_challenge }: &AuthRequired,
) {
    let is_of_proxy = auth_challenge.source == "Proxy";
    let is_ours = is_of_proxy && auth_challenge.origin == proxy_server(proxy);
    page.challenged_by_another.fetch_or(is_of_proxy && !is_ours, Ordering::Relaxed);
    let auth_challenge_response = if is_ours && !page.challenged.swap(true, Ordering::Relaxed) {
        AuthChallengeResponse::ProvideCredentials { username: &proxy.user, password: &proxy.password }
    } else {
        AuthChallengeResponse::CancelAuth
    };
    session.tell(&ContinueWithAuth { request_id, auth_challenge_response });
}
