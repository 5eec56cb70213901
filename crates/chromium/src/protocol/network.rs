//! <https://chromedevtools.github.io/devtools-protocol/tot/Network/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct Enable {}

#[derive(Serialize)]
pub(crate) struct Disable {}

#[derive(Serialize)]
pub(crate) struct SetBypassServiceWorker {
    pub(crate) bypass: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EmulateNetworkConditions {
    pub(crate) offline: bool,
    /// Milliseconds.
    pub(crate) latency: f64,
    /// Bytes per second; -1 for no limit.
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
    EmulateNetworkConditions => "Network.emulateNetworkConditions", Empty;
    SetExtraHttpHeaders => "Network.setExtraHTTPHeaders", Empty;
    Enable => "Network.enable", Empty;
    Disable => "Network.disable", Empty;
    LoadNetworkResource<'_> => "Network.loadNetworkResource", LoadedNetworkResource;
    SetBypassServiceWorker => "Network.setBypassServiceWorker", Empty;
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
    #[serde(default)]
    pub(crate) loader_id: String,
    pub(crate) frame_id: Option<String>,
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
    #[serde(default, rename = "remoteIPAddress")]
    pub(crate) remote_ip_address: String,
    #[serde(default)]
    pub(crate) headers: LengthHeader,
}

/// Of all headers only the length of the body. HTTP/1 keeps the spelling of the server.
#[derive(Deserialize, Default)]
pub(crate) struct LengthHeader {
    #[serde(rename = "content-length", alias = "Content-Length", alias = "Content-length")]
    pub(crate) content_length: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataReceived {
    pub(crate) request_id: String,
    pub(crate) encoded_data_length: u64,
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

/// Event fields and events that only a capture reads.
pub(crate) mod detail {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    /// Repeated headers are separated by newlines.
    pub(crate) type Headers = BTreeMap<String, String>;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct RequestWillBeSent {
        pub(crate) request_id: String,
        #[serde(default)]
        pub(crate) loader_id: String,
        pub(crate) frame_id: Option<String>,
        #[serde(default, rename = "type")]
        pub(crate) kind: String,
        pub(crate) request: Request,
        /// Monotonic, in seconds.
        pub(crate) timestamp: f64,
        /// Seconds since 1970.
        pub(crate) wall_time: f64,
        #[serde(default)]
        pub(crate) redirect_has_extra_info: bool,
        pub(crate) redirect_response: Option<Response>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Request {
        pub(crate) url: String,
        #[serde(default)]
        pub(crate) url_fragment: String,
        pub(crate) method: String,
        #[serde(default)]
        pub(crate) headers: Headers,
        #[serde(default)]
        pub(crate) has_post_data: bool,
        #[serde(default)]
        pub(crate) post_data_entries: Vec<PostDataEntry>,
    }

    /// A part of the body as base64; files have none.
    #[derive(Deserialize)]
    pub(crate) struct PostDataEntry {
        pub(crate) bytes: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct RequestExtraInfo {
        pub(crate) request_id: String,
        #[serde(default)]
        pub(crate) headers: Headers,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ResponseReceived {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
        pub(crate) response: Response,
        #[serde(default)]
        pub(crate) has_extra_info: bool,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Response {
        pub(crate) status: u16,
        #[serde(default)]
        pub(crate) status_text: String,
        #[serde(default)]
        pub(crate) headers: Headers,
        /// The actual headers; only for WebSockets.
        #[serde(default)]
        pub(crate) request_headers: Headers,
        #[serde(default)]
        pub(crate) mime_type: String,
        #[serde(default)]
        pub(crate) protocol: String,
        #[serde(default)]
        pub(crate) connection_id: f64,
        #[serde(default, rename = "remoteIPAddress")]
        pub(crate) remote_ip_address: String,
        #[serde(default)]
        pub(crate) from_disk_cache: bool,
        #[serde(default)]
        pub(crate) from_service_worker: bool,
        #[serde(default)]
        pub(crate) encoded_data_length: f64,
        pub(crate) timing: Option<ResourceTiming>,
    }

    /// Milliseconds since `request_time`; -1 if it did not happen.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ResourceTiming {
        /// Monotonic, in seconds.
        pub(crate) request_time: f64,
        pub(crate) dns_start: f64,
        pub(crate) dns_end: f64,
        pub(crate) connect_start: f64,
        pub(crate) connect_end: f64,
        pub(crate) ssl_start: f64,
        pub(crate) ssl_end: f64,
        pub(crate) send_start: f64,
        pub(crate) send_end: f64,
        pub(crate) receive_headers_end: f64,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ResponseExtraInfo {
        pub(crate) request_id: String,
        #[serde(default)]
        pub(crate) headers: Headers,
        pub(crate) status_code: u16,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct DataReceived {
        pub(crate) request_id: String,
        pub(crate) data_length: u64,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct OfRequest {
        pub(crate) request_id: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct LoadingFinished {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
        pub(crate) encoded_data_length: f64,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct LoadingFailed {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
        pub(crate) error_text: String,
        pub(crate) blocked_reason: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WebSocketCreated {
        pub(crate) request_id: String,
        pub(crate) url: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WebSocketWillSendHandshakeRequest {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
        pub(crate) wall_time: f64,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WebSocketHandshakeResponseReceived {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
        pub(crate) response: Response,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WebSocketFrame {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
        pub(crate) response: Frame,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Frame {
        pub(crate) opcode: f64,
        /// Text, or base64 where the opcode is not 1.
        pub(crate) payload_data: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WebSocketFrameError {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
        pub(crate) error_message: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WebSocketClosed {
        pub(crate) request_id: String,
        pub(crate) timestamp: f64,
    }
}
