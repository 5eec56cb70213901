//! Detailed network events, as HAR files need them, and performance traces.

use async_trait::async_trait;

use crate::{FrameId, RequestId, Result};

/// Reports detailed network events of a page, its frames and its workers, including ones created later. Until it is
/// started, nothing is read or kept.
#[async_trait]
pub trait NetworkCapture: Send + Sync {
    /// Starts sending [`PageEvent::Network`](crate::PageEvent::Network).
    async fn start(&self) -> Result<()>;
    /// Stops. The sink has then received everything reported before.
    async fn stop(&self) -> Result<()>;
}

/// Records performance traces in the Trace Event Format.
#[async_trait]
pub trait Tracing: Send + Sync {
    /// Starts recording. A browser records one trace at a time.
    async fn start(&self) -> Result<()>;
    /// Stops recording; returns the trace as gzipped JSON if it has at most `most` bytes.
    async fn stop(&self, most: usize) -> Result<Option<Vec<u8>>>;
}

/// One request of a redirect chain. All requests of a chain share an id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The id of the chain.
    pub id: RequestId,
    /// The number of redirects before it.
    pub redirects: u32,
}

/// Headers in their order on the wire.
pub type Headers = Vec<(String, String)>;

/// A step of a request. All times are in seconds since the Unix epoch.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum NetworkEvent {
    /// A request is about to be sent. Repeated when a more exact time is known.
    Request(RequestKey, Box<NetworkRequest>),
    /// The headers actually sent, cookies included.
    RequestHeaders(RequestKey, Headers),
    /// Response headers arrived.
    Response(RequestKey, Box<NetworkResponse>),
    /// The status and headers actually received, `Set-Cookie` included.
    ResponseHeaders(RequestKey, u16, Headers),
    /// The response is complete.
    Finished(RequestKey, NetworkEnd),
    /// The request failed.
    Failed {
        /// The request.
        key: RequestKey,
        /// Time of the failure.
        time: f64,
        /// The browser's message.
        error: String,
    },
    /// A WebSocket message was sent or received.
    WebSocketMessage(RequestKey, WebSocketMessage),
}

/// A request, as HAR describes it.
#[derive(Debug, Clone, Default)]
pub struct NetworkRequest {
    pub frame: Option<FrameId>,
    /// Whether it loads a new document of its frame.
    pub navigation: bool,
    /// The target URL.
    pub url: String,
    /// The HTTP method.
    pub method: String,
    /// The resource type in lower case: document, script, fetch ….
    pub resource_type: String,
    /// The headers known before sending.
    pub headers: Headers,
    /// Whether it has a body.
    pub has_body: bool,
    /// The body, if the browser reports it with the request.
    pub body: Option<Vec<u8>>,
    /// Start time.
    pub started: f64,
}

/// A response without its body.
#[derive(Debug, Clone, Default)]
pub struct NetworkResponse {
    /// The HTTP status.
    pub status: u16,
    /// The reason phrase.
    pub status_text: String,
    /// `http/1.1`, `h2`, `h3` …
    pub protocol: String,
    /// The media type.
    pub mime_type: String,
    pub headers: Headers,
    /// The server's IP address.
    pub remote_address: Option<String>,
    /// An id of the connection.
    pub connection: Option<String>,
    /// Whether it came from the cache.
    pub from_cache: bool,
    /// Whether a service worker answered.
    pub from_service_worker: bool,
    /// Size of the headers in bytes, if known.
    pub headers_size: Option<u64>,
    /// Phases, if known.
    pub timing: Option<Timing>,
    /// When the headers were complete.
    pub time: f64,
}

/// Phases of a request in milliseconds; `None` for a phase that did not occur.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Timing {
    /// Waiting for a connection.
    pub blocked: Option<f64>,
    /// Resolving the host name.
    pub dns: Option<f64>,
    /// Connecting, TLS included.
    pub connect: Option<f64>,
    /// The TLS handshake.
    pub ssl: Option<f64>,
    /// Sending the request.
    pub send: f64,
    /// Waiting for the response.
    pub wait: f64,
}

/// The end of a response body.
#[derive(Debug, Clone, Copy, Default)]
pub struct NetworkEnd {
    /// Time of the end.
    pub time: f64,
    /// Bytes received, headers included, if known.
    pub transferred: Option<u64>,
    /// Size of the decoded body in bytes, if known.
    pub body_size: Option<u64>,
}

#[derive(Debug, Clone)]
pub struct WebSocketMessage {
    /// Sent by the page, not received.
    pub sent: bool,
    /// Time of the message.
    pub time: f64,
    /// Frame opcode: 1 is text, 2 is binary.
    pub opcode: u8,
    /// Text, or base64 for binary.
    pub data: String,
}
