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
#[serde(rename_all = "camelCase")]
pub(crate) struct EmulateNetworkConditions {
    pub(crate) offline: bool,
    /// In milliseconds.
    pub(crate) latency: f64,
    /// In bytes a second; -1 for as many as there are.
    pub(crate) download_throughput: f64,
    pub(crate) upload_throughput: f64,
}

#[derive(Serialize)]
pub(crate) struct SetExtraHttpHeaders {
    pub(crate) headers: std::collections::BTreeMap<String, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadNetworkResource<'a> {
    pub(crate) frame_id: &'a str,
    pub(crate) url: &'a str,
    pub(crate) options: LoadOptions,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadOptions {
    pub(crate) disable_cache: bool,
    pub(crate) include_credentials: bool,
}

#[derive(Deserialize)]
pub(crate) struct LoadedNetworkResource {
    pub(crate) resource: NetworkResource,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NetworkResource {
    pub(crate) success: bool,
    pub(crate) net_error_name: Option<String>,
    pub(crate) http_status_code: Option<f64>,
    pub(crate) stream: Option<String>,
    #[serde(default)]
    pub(crate) headers: std::collections::HashMap<String, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetRequestPostData<'a> {
    pub(crate) request_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PostData {
    pub(crate) post_data: String,
    /// Older versions have only text.
    #[serde(default)]
    pub(crate) base64_encoded: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetResponseBody<'a> {
    pub(crate) request_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseBody {
    pub(crate) body: String,
    pub(crate) base64_encoded: bool,
}

commands! {
    GetRequestPostData<'_> => "Network.getRequestPostData", PostData;
    GetResponseBody<'_> => "Network.getResponseBody", ResponseBody;
    EmulateNetworkConditions => "Network.emulateNetworkConditions", Nothing;
    SetExtraHttpHeaders => "Network.setExtraHTTPHeaders", Nothing;
    Enable => "Network.enable", Nothing;
    LoadNetworkResource<'_> => "Network.loadNetworkResource", LoadedNetworkResource;
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
