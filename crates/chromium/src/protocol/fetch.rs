//! <https://chromedevtools.github.io/devtools-protocol/tot/Fetch/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

/// Pauses requests of the session.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Enable {
    /// Whether to handle challenges (401, 407).
    pub(crate) handle_auth_requests: bool,
    /// Which requests pause; all without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) patterns: Option<Vec<RequestPattern>>,
}

/// In a pattern, `*` matches any characters and `?` one; a backslash escapes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPattern {
    pub(crate) url_pattern: String,
}

/// Paused requests continue.
#[derive(Serialize)]
pub(crate) struct Disable {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContinueRequest<'a> {
    pub(crate) request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<&'a str>,
    /// Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) post_data: Option<String>,
    /// Replaces all headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<Vec<Header<'a>>>,
}

impl<'a> ContinueRequest<'a> {
    pub(crate) fn unchanged(request_id: &'a str) -> Self {
        Self { request_id, url: None, method: None, post_data: None, headers: None }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContinueWithAuth<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) auth_challenge_response: AuthChallengeResponse<'a>,
}

#[derive(Serialize)]
#[serde(tag = "response")]
pub(crate) enum AuthChallengeResponse<'a> {
    CancelAuth,
    ProvideCredentials { username: &'a str, password: &'a str },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FulfillRequest<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) response_code: u16,
    pub(crate) response_headers: &'a [Header<'a>],
    /// Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Header<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailRequest<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) error_reason: &'static str,
}

commands! {
    Enable => "Fetch.enable", Empty;
    Disable => "Fetch.disable", Empty;
    ContinueRequest<'_> => "Fetch.continueRequest", Empty;
    ContinueWithAuth<'_> => "Fetch.continueWithAuth", Empty;
    FulfillRequest<'_> => "Fetch.fulfillRequest", Empty;
    FailRequest<'_> => "Fetch.failRequest", Empty;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPaused {
    pub(crate) request_id: String,
    pub(crate) resource_type: String,
    pub(crate) request: PausedRequest,
}

#[derive(Deserialize)]
pub(crate) struct PausedRequest {
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) headers: std::collections::BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthRequired {
    pub(crate) request_id: String,
    pub(crate) auth_challenge: AuthChallenge,
}

#[derive(Deserialize)]
pub(crate) struct AuthChallenge {
    #[serde(default)]
    pub(crate) source: String,
    pub(crate) origin: String,
}
