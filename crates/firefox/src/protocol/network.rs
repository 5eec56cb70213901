//! <https://w3c.github.io/webdriver-bidi/#module-network>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddIntercept<'a> {
    pub(crate) phases: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) contexts: Option<Vec<&'a str>>,
    /// All URLs without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) url_patterns: Vec<UrlPattern>,
}

/// Parts that a URL must have; there are no wildcards.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub(crate) struct UrlPattern {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) protocol: String,
    pub(crate) hostname: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) port: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pathname: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Intercept {
    pub(crate) intercept: String,
}

#[derive(Serialize)]
pub(crate) struct RemoveIntercept<'a> {
    pub(crate) intercept: &'a str,
}

#[derive(Serialize)]
pub(crate) struct ContinueWithAuth<'a> {
    pub(crate) request: &'a str,
    pub(crate) action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) credentials: Option<Credentials<'a>>,
}

#[derive(Serialize)]
pub(crate) struct Credentials<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) username: &'a str,
    pub(crate) password: &'a str,
}

#[derive(Serialize)]
pub(crate) struct ContinueRequest<'a> {
    pub(crate) request: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<BytesValue>,
    /// Replaces all headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<Vec<Header>>,
}

impl<'a> ContinueRequest<'a> {
    pub(crate) fn unchanged(request: &'a str) -> Self {
        Self { request, url: None, method: None, body: None, headers: None }
    }
}

#[derive(Serialize)]
pub(crate) struct FailRequest<'a> {
    pub(crate) request: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProvideResponse<'a> {
    pub(crate) request: &'a str,
    pub(crate) status_code: u16,
    pub(crate) reason_phrase: &'static str,
    pub(crate) headers: Vec<Header>,
    pub(crate) body: BytesValue,
}

#[derive(Serialize)]
pub(crate) struct SetExtraHeaders<'a> {
    pub(crate) headers: Vec<Header>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) value: BytesValue,
}

/// Text, or base64.
#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct BytesValue {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) value: String,
}

impl BytesValue {
    pub(crate) fn text(value: &str) -> Self {
        Self { kind: "string".into(), value: value.into() }
    }

    pub(crate) fn base64(value: String) -> Self {
        Self { kind: "base64".into(), value }
    }
}

/// The parameters of all request events.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestEvent {
    pub(crate) context: Option<String>,
    pub(crate) navigation: Option<String>,
    #[serde(default)]
    pub(crate) is_blocked: bool,
    /// The intercepts that hold it.
    #[serde(default)]
    pub(crate) intercepts: Vec<String>,
    pub(crate) request: RequestData,
    pub(crate) response: Option<ResponseData>,
    pub(crate) error_text: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestData {
    pub(crate) request: String,
    pub(crate) url: String,
    pub(crate) method: String,
    pub(crate) destination: Option<String>,
    pub(crate) initiator_type: Option<String>,
    #[serde(default)]
    pub(crate) headers: Vec<Header>,
}

impl RequestData {
    /// Whether it has this header, with this value if one is given.
    pub(crate) fn has(&self, name: &str, value: Option<&str>) -> bool {
        let is = |header: &Header| {
            header.name.eq_ignore_ascii_case(name) && value.is_none_or(|value| header.value.value == value)
        };
        self.headers.iter().any(is)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseData {
    pub(crate) status: u16,
    #[serde(default)]
    pub(crate) status_text: String,
    #[serde(default)]
    pub(crate) mime_type: String,
    #[serde(default)]
    pub(crate) headers: Vec<Header>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddDataCollector<'a> {
    pub(crate) data_types: &'a [&'static str],
    pub(crate) max_encoded_data_size: u32,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Deserialize)]
pub(crate) struct DataCollector {
    pub(crate) collector: String,
}

#[derive(Serialize)]
pub(crate) struct RemoveDataCollector<'a> {
    pub(crate) collector: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetData<'a> {
    pub(crate) data_type: &'static str,
    pub(crate) request: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct NetworkData {
    pub(crate) bytes: BytesValue,
}

commands! {
    AddDataCollector<'_> => "network.addDataCollector", DataCollector;
    GetData<'_> => "network.getData", NetworkData;
    RemoveDataCollector<'_> => "network.removeDataCollector", Empty;
    AddIntercept<'_> => "network.addIntercept", Intercept;
    ContinueRequest<'_> => "network.continueRequest", Empty;
    ContinueWithAuth<'_> => "network.continueWithAuth", Empty;
    FailRequest<'_> => "network.failRequest", Empty;
    ProvideResponse<'_> => "network.provideResponse", Empty;
    RemoveIntercept<'_> => "network.removeIntercept", Empty;
    SetExtraHeaders<'_> => "network.setExtraHeaders", Empty;
}

/// Event fields that only a capture reads.
pub(crate) mod detail {
    use serde::Deserialize;

    use super::Header;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct RequestEvent {
        pub(crate) context: Option<String>,
        pub(crate) navigation: Option<String>,
        pub(crate) redirect_count: Option<u32>,
        /// Milliseconds since 1970.
        #[serde(default)]
        pub(crate) timestamp: f64,
        pub(crate) request: Request,
        pub(crate) response: Option<Response>,
        pub(crate) error_text: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Request {
        pub(crate) request: String,
        pub(crate) url: String,
        pub(crate) method: String,
        #[serde(default)]
        pub(crate) headers: Vec<Header>,
        pub(crate) body_size: Option<f64>,
        #[serde(default)]
        pub(crate) timings: FetchTimings,
    }

    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    pub(crate) struct FetchTimings {
        pub(crate) request_time: f64,
        pub(crate) dns_start: f64,
        pub(crate) dns_end: f64,
        pub(crate) connect_start: f64,
        pub(crate) connect_end: f64,
        pub(crate) tls_start: f64,
        pub(crate) request_start: f64,
        pub(crate) response_start: f64,
        pub(crate) response_end: f64,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Response {
        pub(crate) status: u16,
        #[serde(default)]
        pub(crate) status_text: String,
        #[serde(default)]
        pub(crate) protocol: String,
        #[serde(default)]
        pub(crate) mime_type: String,
        #[serde(default)]
        pub(crate) from_cache: bool,
        #[serde(default)]
        pub(crate) headers: Vec<Header>,
        pub(crate) bytes_received: Option<f64>,
        pub(crate) headers_size: Option<f64>,
        pub(crate) body_size: Option<f64>,
    }
}
