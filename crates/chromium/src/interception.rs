//! Stepping in between a page and the network. Requests that meet a rule pause, in the session of their frame, until they
//! are told how to go on.

use async_trait::async_trait;
use base64::Engine as _;
use cicerone_driver::{Action, Interception, Result, Rule};
use cicerone_wire::{Event, Session, WireError};

use crate::{
    events::parse,
    page::{ChromiumPage, failed, lock},
    protocol::fetch::{
        ContinueRequest, Disable, Enable, FailRequest, FulfillRequest, Header, PausedRequest, RequestPattern,
        RequestPaused,
    },
};

/// Has a session follow rules.
pub(crate) fn enable(rules: &[Rule]) -> Enable {
    let pattern = |rule: &Rule| {
        // What has a meaning in the browser's patterns, and none in ours.
        let url_pattern = rule.url.as_str().replace('\\', "\\\\").replace('?', "\\?");
        RequestPattern { url_pattern }
    };
    Enable { handle_auth_requests: false, patterns: Some(rules.iter().map(pattern).collect()) }
}

#[async_trait]
impl Interception for ChromiumPage {
    async fn follow(&self, rules: &[Rule]) -> Result<()> {
        self.alive()?;
        // First for frames that come from now on.
        *lock(&self.rules) = rules.to_vec();
        let sessions = std::iter::once(self.session.clone()).chain(self.frame_sessions());
        let told: Vec<_> = match rules {
            [] => sessions.map(|session| session.send(&Disable {})).collect(),
            _ => sessions.map(|session| session.send(&enable(rules))).collect(),
        };
        for answer in told {
            match answer.await {
                Ok(_) => {}
                // A frame is gone, or the page itself.
                Err(WireError::Lost { .. }) => self.alive()?,
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }
}

/// An event of the Fetch domain in a page of a person's.
pub(crate) fn fetch_domain(page: &ChromiumPage, session: &Session, event: Event<'_>) -> Option<()> {
    if event.method == "Fetch.requestPaused" {
        let RequestPaused { request_id, request, .. } = parse(event)?;
        let rules = lock(&page.rules);
        let action = rules.iter().find(|rule| rule.url.matches(&request.url)).map(|rule| &rule.action);
        go_on(session, &request_id, &request, action);
    }
    Some(())
}

fn go_on(session: &Session, request_id: &str, request: &PausedRequest, action: Option<&Action>) {
    match action {
        None => session.tell(&ContinueRequest { request_id, headers: None }),
        Some(Action::Block) => session.tell(&FailRequest { request_id, error_reason: "BlockedByClient" }),
        Some(Action::Answer { status, headers, body }) => session.tell(&FulfillRequest {
            request_id,
            response_code: *status,
            response_headers: &all(headers),
            body: Some(base64::engine::general_purpose::STANDARD.encode(body)),
        }),
        Some(Action::Headers(headers)) => {
            let replaced = |name: &str| headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
            let kept = request.headers.iter().filter(|(name, _)| !replaced(name));
            let kept = kept.map(|(name, value)| Header { name, value });
            let headers = Some(kept.chain(all(headers)).collect());
            session.tell(&ContinueRequest { request_id, headers });
        }
    }
}

fn all(headers: &[(String, String)]) -> Vec<Header<'_>> {
    headers.iter().map(|(name, value)| Header { name, value }).collect()
}
