//! Deciding about requests. Those whose URL may matter pause, in the session of their frame or worker, until the
//! interceptor has said what becomes of them.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Action, InterceptedRequest, Interception, Interceptor, RequestChanges, Result};
use cicerone_wire::{Event, Session, WireError};

use crate::{
    events::parse,
    page::{ChromiumPage, failed, lock},
    protocol::fetch::{
        ContinueRequest, Disable, Enable, FailRequest, FulfillRequest, Header, PausedRequest, RequestPattern,
        RequestPaused,
    },
};

fn enable(interceptor: &Interceptor) -> Enable {
    let pattern = |url: &String| {
        // These have a meaning in the browser's patterns, and none in ours.
        let url_pattern = url.replace('\\', "\\\\").replace('?', "\\?");
        RequestPattern { url_pattern }
    };
    Enable { handle_auth_requests: false, patterns: Some(interceptor.urls.iter().map(pattern).collect()) }
}

/// Has a session that is new to a page intercept as the page does.
pub(crate) fn extend_to(page: &ChromiumPage, session: &Session) {
    if let Some(interceptor) = &*lock(&page.interceptor) {
        session.tell(&enable(interceptor));
    }
}

#[async_trait]
impl Interception for ChromiumPage {
    async fn intercept(&self, interceptor: Option<Interceptor>) -> Result<()> {
        self.alive()?;
        let answers: Vec<_> = {
            // Commands are sent under the lock: the last interceptor is also the last that the browser hears of.
            let mut current = lock(&self.interceptor);
            current.clone_from(&interceptor);
            let workers = lock(&self.workers).clone();
            let sessions = std::iter::once(self.session.clone()).chain(self.frame_sessions()).chain(workers);
            match &interceptor {
                None => sessions.map(|session| session.send(&Disable {})).collect(),
                Some(interceptor) => sessions.map(|session| session.send(&enable(interceptor))).collect(),
            }
        };
        for answer in answers {
            match answer.await {
                Ok(_) => {}
                // A frame or a worker is gone, or the page itself.
                Err(WireError::Lost { .. }) => self.alive()?,
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }
}

/// An event of the Fetch domain in a page that clients see.
pub(crate) fn fetch_domain(page: &ChromiumPage, session: &Session, event: Event<'_>) -> Option<()> {
    if event.method == "Fetch.requestPaused" {
        let RequestPaused { request_id, request, .. } = parse(event)?;
        let interceptor = lock(&page.interceptor).clone();
        let request = intercepted(request);
        let action = interceptor.map(|interceptor| (interceptor.resolve)(&request));
        go_on(session, &request_id, request, action);
    }
    Some(())
}

fn intercepted(PausedRequest { url, method, headers }: PausedRequest) -> InterceptedRequest {
    InterceptedRequest { method, url, headers: headers.into_iter().collect(), body: None }
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

/// The browser knows the length of another body better.
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
