//! Our own responses, not the SDK's: refusals and health.

use bytes::Bytes;
use http::{
    HeaderValue, Response, StatusCode,
    header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use serde_json::{Value, json};

/// The response type of the SDK and ours.
pub(crate) type Body = BoxBody<Bytes, std::convert::Infallible>;

/// The `Retry-After` when the server is full.
const RETRY_SECONDS: &str = "5";

/// Why a request does not reach the SDK.
#[derive(Debug)]
pub(crate) enum Refusal {
    Forbidden(super::guard::Forbidden),
    /// No valid token.
    Unauthorized,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    NotJson,
    /// No such session, or another owner's.
    NoSession,
    TooLarge {
        limit: usize,
    },
    TooSlow,
    /// Other large messages are arriving.
    NoRoom,
    /// The client disconnected.
    Gone,
    /// A malformed message, as a JSON-RPC error.
    Message(Value),
    TooManySessions {
        limit: usize,
    },
    TooManyCalls {
        limit: usize,
    },
    Stopping,
}

impl Refusal {
    pub(crate) fn response(&self) -> Response<Body> {
        let (status, code, text) = self.parts();
        let body = match self {
            Self::Message(message) => message.clone(),
            _ => json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": text } }),
        };
        let mut response = json_response(status, &body);
        let headers = response.headers_mut();
        match self {
            Self::Unauthorized => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"cicerone\""));
            }
            Self::MethodNotAllowed => {
                headers.insert(ALLOW, HeaderValue::from_static("GET, POST, DELETE"));
            }
            Self::NoRoom | Self::TooManySessions { .. } | Self::TooManyCalls { .. } | Self::Stopping => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static(RETRY_SECONDS));
            }
            _ => {}
        }
        // The rest of the body is not read, so the connection cannot be reused.
        if matches!(self, Self::TooLarge { .. } | Self::TooSlow | Self::NoRoom | Self::Stopping) {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    fn parts(&self) -> (StatusCode, i32, String) {
        match self {
            Self::Forbidden(why) => (StatusCode::FORBIDDEN, -32000, why.to_string()),
            Self::Unauthorized => (
                StatusCode::UNAUTHORIZED,
                -32000,
                "a valid bearer token is required: Authorization: Bearer TOKEN".into(),
            ),
            Self::NotFound => (StatusCode::NOT_FOUND, -32000, "not found; known: /mcp, /health".into()),
            Self::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, -32000, "unknown method; known: GET, POST, DELETE".into())
            }
            Self::NotAcceptable => (
                StatusCode::NOT_ACCEPTABLE,
                -32000,
                "Accept must list application/json and text/event-stream".into(),
            ),
            Self::NotJson => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, -32000, "Content-Type must be application/json".into())
            }
            Self::NoSession => {
                (StatusCode::NOT_FOUND, -32001, "Session not found: send initialize for a new one".into())
            }
            Self::TooLarge { limit } => (
                StatusCode::PAYLOAD_TOO_LARGE,
                -32600,
                format!("the message is longer than {} MiB", limit >> 20),
            ),
            Self::TooSlow => {
                (StatusCode::REQUEST_TIMEOUT, -32000, "the request timed out before it was complete".into())
            }
            Self::NoRoom => (
                StatusCode::SERVICE_UNAVAILABLE,
                -32000,
                "too many large messages are arriving; try again later".into(),
            ),
            Self::Gone => {
                (StatusCode::BAD_REQUEST, -32000, "the request ended before it was complete".into())
            }
            Self::Message(_) => (StatusCode::BAD_REQUEST, 0, String::new()),
            Self::TooManySessions { limit } => (
                StatusCode::SERVICE_UNAVAILABLE,
                -32000,
                format!("all {limit} sessions are in use; try again later, or raise --max-sessions"),
            ),
            Self::TooManyCalls { limit } => (
                StatusCode::TOO_MANY_REQUESTS,
                -32000,
                format!("{limit} calls of this session are under way; wait for one to end"),
            ),
            Self::Stopping => (StatusCode::SERVICE_UNAVAILABLE, -32000, "the server is shutting down".into()),
        }
    }
}

/// A JSON document that must not be cached.
pub(crate) fn json_response(status: StatusCode, body: &Value) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())).boxed());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
