//! <https://chromedevtools.github.io/devtools-protocol/tot/Network/>

use cicerone_wire::Nothing;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct Enable {}

#[derive(Serialize)]
pub(crate) struct SetBypassServiceWorker {
    pub(crate) bypass: bool,
}

#[derive(Serialize)]
pub(crate) struct SetExtraHttpHeaders {
    pub(crate) headers: std::collections::BTreeMap<String, String>,
}

commands! {
    SetExtraHttpHeaders => "Network.setExtraHTTPHeaders", Nothing;
    Enable => "Network.enable", Nothing;
    SetBypassServiceWorker => "Network.setBypassServiceWorker", Nothing;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestWillBeSent {
    pub(crate) request_id: String,
    pub(crate) loader_id: String,
    pub(crate) frame_id: Option<String>,
    #[serde(default, rename = "type")]
    pub(crate) kind: String,
    pub(crate) request: Request,
}

#[derive(Deserialize)]
pub(crate) struct Request {
    pub(crate) url: String,
    pub(crate) method: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseReceived {
    pub(crate) request_id: String,
    pub(crate) response: Response,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Response {
    pub(crate) status: u16,
    #[serde(default)]
    pub(crate) status_text: String,
    #[serde(default)]
    pub(crate) mime_type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFinished {
    pub(crate) request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFailed {
    pub(crate) request_id: String,
    pub(crate) error_text: String,
}
