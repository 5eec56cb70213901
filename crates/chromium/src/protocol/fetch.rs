//! <https://chromedevtools.github.io/devtools-protocol/tot/Fetch/>

use cicerone_wire::Nothing;
use serde::{Deserialize, Serialize};

use super::commands;

/// Without patterns, every request pauses.
#[derive(Serialize)]
pub(crate) struct Enable {}

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
    FulfillRequest<'_> => "Fetch.fulfillRequest", Nothing;
    FailRequest<'_> => "Fetch.failRequest", Nothing;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPaused {
    pub(crate) request_id: String,
    pub(crate) resource_type: String,
}
