//! `Network.json`

use std::collections::BTreeMap;

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct Enable {}

#[derive(Serialize)]
pub(crate) struct Disable {}

#[derive(Serialize)]
pub(crate) struct SetExtraHttpHeaders {
    pub(crate) headers: BTreeMap<String, String>,
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

#[derive(Serialize)]
pub(crate) struct SetInterceptionEnabled {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddInterception<'a> {
    pub(crate) url: &'a str,
    pub(crate) stage: &'static str,
    pub(crate) is_regex: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RemoveInterception<'a> {
    pub(crate) url: &'a str,
    pub(crate) stage: &'static str,
    pub(crate) is_regex: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InterceptContinue<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) stage: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InterceptWithRequest<'a> {
    pub(crate) request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) post_data: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InterceptRequestWithResponse<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) content: String,
    pub(crate) base64_encoded: bool,
    pub(crate) mime_type: String,
    pub(crate) status: u16,
    pub(crate) status_text: &'a str,
    pub(crate) headers: BTreeMap<String, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InterceptRequestWithError<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) error_type: &'static str,
}

commands! {
    Enable => "Network.enable", Empty;
    Disable => "Network.disable", Empty;
    SetExtraHttpHeaders => "Network.setExtraHTTPHeaders", Empty;
    GetResponseBody<'_> => "Network.getResponseBody", ResponseBody;
    SetInterceptionEnabled => "Network.setInterceptionEnabled", Empty;
    AddInterception<'_> => "Network.addInterception", Empty;
    RemoveInterception<'_> => "Network.removeInterception", Empty;
    InterceptContinue<'_> => "Network.interceptContinue", Empty;
    InterceptWithRequest<'_> => "Network.interceptWithRequest", Empty;
    InterceptRequestWithResponse<'_> => "Network.interceptRequestWithResponse", Empty;
    InterceptRequestWithError<'_> => "Network.interceptRequestWithError", Empty;
}

/// `Network.requestWillBeSent`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestWillBeSent {
    pub(crate) request_id: String,
    pub(crate) frame_id: Option<String>,
    pub(crate) request: Request,
    #[serde(default)]
    pub(crate) walltime: f64,
    #[serde(default)]
    pub(crate) timestamp: f64,
    #[serde(default, rename = "type")]
    pub(crate) kind: String,
    pub(crate) redirect_response: Option<Response>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    pub(crate) url: String,
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) post_data: Option<String>,
}

impl Request {
    /// What it sends. The inspector reads it as UTF-8, or as Latin-1 where it is not UTF-8, and does not say which: what is
    /// not said to be text, and would be no UTF-8 as bytes, was read as Latin-1.
    pub(crate) fn body(&self) -> Option<Vec<u8>> {
        let text = self.post_data.as_ref()?;
        let content_type = self.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        let is_text = content_type.is_some_and(|(_, value)| {
            let value = value.to_ascii_lowercase();
            ["text/", "json", "xml", "javascript", "urlencoded", "multipart/", "charset"]
                .iter()
                .any(|word| value.contains(word))
        });
        let latin: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(letter).ok()).collect();
        let bytes = latin.filter(|bytes| !is_text && std::str::from_utf8(bytes).is_err());
        Some(bytes.unwrap_or_else(|| text.clone().into_bytes()))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) status_text: String,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) mime_type: String,
    #[serde(default)]
    pub(crate) source: String,
}

/// `Network.responseReceived`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseReceived {
    pub(crate) request_id: String,
    #[serde(default)]
    pub(crate) timestamp: f64,
    pub(crate) response: Response,
}

/// `Network.loadingFinished`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFinished {
    pub(crate) request_id: String,
    #[serde(default)]
    pub(crate) timestamp: f64,
    #[serde(default)]
    pub(crate) metrics: Metrics,
}

/// Sizes in bytes; negative ones and missing ones are not known.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Metrics {
    /// What was sent, cookies included.
    pub(crate) request_headers: BTreeMap<String, String>,
    pub(crate) response_header_bytes_received: Option<f64>,
    pub(crate) response_body_bytes_received: Option<f64>,
    pub(crate) response_body_decoded_size: Option<f64>,
}

/// `Network.loadingFailed`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFailed {
    pub(crate) request_id: String,
    #[serde(default)]
    pub(crate) timestamp: f64,
    pub(crate) error_text: String,
}

/// `Network.requestIntercepted`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestIntercepted {
    pub(crate) request_id: String,
    pub(crate) request: Request,
}

/// `Network.responseIntercepted`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseIntercepted {
    pub(crate) request_id: String,
    pub(crate) response: Response,
}

/// `Network.dataReceived`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataReceived {
    pub(crate) request_id: String,
}

/// `Network.webSocketCreated`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebSocketCreated {
    pub(crate) request_id: String,
    pub(crate) url: String,
}

/// `Network.webSocketWillSendHandshakeRequest`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebSocketWillSendHandshakeRequest {
    pub(crate) request_id: String,
    pub(crate) timestamp: f64,
    pub(crate) walltime: f64,
    pub(crate) request: HandshakeHeaders,
}

#[derive(Deserialize)]
pub(crate) struct HandshakeHeaders {
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
}

/// `Network.webSocketHandshakeResponseReceived`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebSocketHandshakeResponseReceived {
    pub(crate) request_id: String,
    pub(crate) timestamp: f64,
    pub(crate) response: WebSocketResponse,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebSocketResponse {
    pub(crate) status: u16,
    pub(crate) status_text: String,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
}

/// `Network.webSocketFrameReceived`, `Network.webSocketFrameSent`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebSocketFrameEvent {
    pub(crate) request_id: String,
    pub(crate) timestamp: f64,
    pub(crate) response: WebSocketFrame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebSocketFrame {
    pub(crate) opcode: f64,
    pub(crate) payload_data: String,
}

/// `Network.webSocketClosed`
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebSocketClosed {
    pub(crate) request_id: String,
    pub(crate) timestamp: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &str, content_type: Option<&str>) -> Option<Vec<u8>> {
        let headers = content_type.map(|value| ("Content-Type".to_owned(), value.to_owned()));
        let request = Request {
            url: String::new(),
            method: "POST".into(),
            headers: headers.into_iter().collect(),
            post_data: Some(text.into()),
        };
        request.body()
    }

    #[test]
    fn bytes_are_told_from_text() {
        assert_eq!(sent("\u{0}\u{ff}A", None), Some(vec![0, 255, 65]));
        assert_eq!(sent("ü", Some("text/plain;charset=UTF-8")), Some("ü".into()));
        assert_eq!(sent("😀", None), Some("😀".into()));
        assert_eq!(sent("plain", None), Some("plain".into()));
    }
}
