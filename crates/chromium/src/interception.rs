//! Request interception. Requests whose URL may match pause in the session of their frame or worker until the
//! interceptor decides.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Action, InterceptedRequest, Interception, Interceptor, RequestChanges, Result, lock};
use cicerone_wire::{Event, Session, WireError};

use crate::{
    page::{ChromiumPage, failed},
    protocol::{
        fetch::{
            ContinueRequest, Disable, Enable, FailRequest, FulfillRequest, Header, PausedRequest,
            RequestPattern, RequestPaused,
        },
        network::SetBypassServiceWorker,
    },
};

fn enable(interceptor: &Interceptor) -> Enable {
    let pattern = |url: &String| {
        // Special in the browser's patterns, but not in ours.
        let url_pattern = url.replace('\\', "\\\\").replace('?', "\\?");
        RequestPattern { url_pattern }
    };
    Enable { handle_auth_requests: false, patterns: Some(interceptor.urls.iter().map(pattern).collect()) }
}

/// A service worker would get the requests first, and could answer them. Local pages have none.
fn bypasses_workers(interceptor: &Interceptor) -> bool {
    interceptor.urls.iter().any(|url| !url.starts_with("file:"))
}

/// Enables the page's interception in a new session.
pub(crate) fn extend_to(page: &ChromiumPage, session: &Session) {
    if let Some(interceptor) = &*lock(&page.interceptor) {
        session.tell(&SetBypassServiceWorker { bypass: bypasses_workers(interceptor) });
        session.tell(&enable(interceptor));
    }
}

#[async_trait]
impl Interception for ChromiumPage {
    async fn intercept(&self, interceptor: Option<Interceptor>) -> Result<()> {
        self.lifecycle.alive()?;
        let answers: Vec<_> = {
            // Commands are sent under the lock, so that the browser's last interceptor is the
            // page's.
            let mut current = lock(&self.interceptor);
            current.clone_from(&interceptor);
            let workers = lock(&self.workers).clone();
            let sessions = std::iter::once(self.session.clone()).chain(self.frame_sessions()).chain(workers);
            let bypass = interceptor.as_ref().is_some_and(bypasses_workers);
            let bypass = SetBypassServiceWorker { bypass };
            let sessions = sessions.inspect(|session| session.tell(&bypass));
            match &interceptor {
                None => sessions.map(|session| session.send(&Disable {})).collect(),
                Some(interceptor) => sessions.map(|session| session.send(&enable(interceptor))).collect(),
            }
        };
        for answer in answers {
            match answer.await {
                Ok(_) => {}
                // The frame, worker or page is gone.
                Err(WireError::Lost { .. }) => self.lifecycle.alive()?,
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    fn intercepts_files(&self) -> bool {
        true
    }
}

/// A Fetch event of a visible page.
pub(crate) fn fetch_domain(page: &ChromiumPage, session: &Session, event: Event<'_>) -> Option<()> {
    if event.method == "Fetch.requestPaused" {
        let RequestPaused { request_id, request, resource_type } = event.parse()?;
        let interceptor = lock(&page.interceptor).clone();
        let request = intercepted(request, resource_type == "Document");
        let action = interceptor.map(|interceptor| (interceptor.resolve)(&request));
        go_on(session, &request_id, request, action);
    }
    Some(())
}

fn intercepted(PausedRequest { url, method, headers }: PausedRequest, document: bool) -> InterceptedRequest {
    InterceptedRequest { method, url, headers: headers.into_iter().collect(), document, body: None }
}

fn go_on(session: &Session, request_id: &str, request: InterceptedRequest, action: Option<Action>) {
    match action {
        None => session.tell(&ContinueRequest::unchanged(request_id)),
        Some(Action::Abort) => session.tell(&FailRequest { request_id, error_reason: "BlockedByClient" }),
        Some(Action::Fulfill(response)) => session.tell(&FulfillRequest {
            request_id,
            response_code: response.status,
            response_headers: &all(&response.headers),
            body: Some(STANDARD.encode(response.body)),
        }),
        Some(Action::Continue(changes)) => {
            let headers = changes.resends_headers().then(|| resent(&changes, request.headers));
            session.tell(&ContinueRequest {
                request_id,
                url: changes.url.as_deref(),
                method: changes.method.as_deref(),
                post_data: changes.body.map(|body| STANDARD.encode(body)),
                headers: headers.as_deref().map(all),
            });
        }
    }
}

/// The browser computes the length of a replaced body.
fn resent(changes: &RequestChanges, headers: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut headers = changes.merged_headers(headers);
    if changes.body.is_some() {
        headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-length"));
    }
    headers
}

fn all(headers: &[(String, String)]) -> Vec<Header<'_>> {
    headers.iter().map(|(name, value)| Header { name, value }).collect()
}
