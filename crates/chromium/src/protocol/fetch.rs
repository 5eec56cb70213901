//! <https://chromedevtools.github.io/devtools-protocol/tot/Fetch/>

use cicerone_wire::Nothing;
use serde::{Deserialize, Serialize};

use super::commands;

/// All requests of the session pause.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Enable {
    /// Whether challenges (401, 407) are ours to answer.
    pub(crate) handle_auth_requests: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContinueRequest<'a> {
    pub(crate) request_id: &'a str,
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
    pub(crate) response_headers: &'a [Header],
}

#[derive(Serialize)]
pub(crate) struct Header {
    pub(crate) name: &'static str,
    pub(crate) value: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailRequest<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) error_reason: &'static str,
}

commands! {
    Enable => "Fetch.enable", Nothing;
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
