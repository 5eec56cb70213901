//! <https://chromedevtools.github.io/devtools-protocol/tot/Fetch/>

use cicerone_wire::Nothing;
use serde::{Deserialize, Serialize};

use super::commands;

/// Requests of the session pause.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Enable {
    /// Whether challenges (401, 407) are ours to answer.
    pub(crate) handle_auth_requests: bool,
    /// Those that do; all without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) patterns: Option<Vec<RequestPattern>>,
}

/// In a pattern, `*` stands for any characters and `?` for one; a backslash takes that from what follows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPattern {
    pub(crate) url_pattern: String,
}

/// None pauses any more; those that do go on.
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
    /// As base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) post_data: Option<String>,
    /// In place of all that it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<Vec<Header<'a>>>,
}

impl<'a> ContinueRequest<'a> {
    /// As it is.
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
    /// As base64.
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
    Enable => "Fetch.enable", Nothing;
    Disable => "Fetch.disable", Nothing;
    ContinueRequest<'_> => "Fetch.continueRequest", Nothing;
    ContinueWithAuth<'_> => "Fetch.continueWithAuth", Nothing;
    FulfillRequest<'_> => "Fetch.fulfillRequest", Nothing;
    FailRequest<'_> => "Fetch.failRequest", Nothing;
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
