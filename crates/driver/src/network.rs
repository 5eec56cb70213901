//! Network traffic in detail, as a HAR file needs it, and performance traces.

use async_trait::async_trait;

use crate::{FrameId, RequestId, Result};

/// Reports the network traffic of a page in detail: of its frames and workers too, those that come later included. Until
/// it is started nothing of this is read or kept.
#[async_trait]
pub trait NetworkCapture: Send + Sync {
    /// Starts to report [`PageEvent::Network`](crate::PageEvent::Network).
    async fn start(&self) -> Result<()>;
    /// Stops it. The sink has seen everything that was reported before.
    async fn stop(&self) -> Result<()>;
}

/// Records performance traces in the Trace Event Format.
#[async_trait]
pub trait Tracing: Send + Sync {
    /// Starts to record. A browser records one trace at a time.
    async fn start(&self) -> Result<()>;
    /// Stops it; the trace as gzipped JSON, unless that is larger than this.
    async fn stop(&self, most: usize) -> Result<Option<Vec<u8>>>;
}

/// One request of a redirect chain. All requests of a chain have the same id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The id of the chain.
    pub id: RequestId,
    /// How many redirects came before it.
    pub redirects: u32,
}

/// Headers in the order in which they were sent.
pub type Headers = Vec<(String, String)>;

/// A step of a request. All times are in seconds since 1970.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum NetworkEvent {
    /// A request is about to be sent; told again where its time is known better.
    Request(RequestKey, Box<NetworkRequest>),
    /// The headers that were really sent, cookies included.
    RequestHeaders(RequestKey, Headers),
    /// The head of a response arrived.
    Response(RequestKey, Box<NetworkResponse>),
    /// The status and the headers that really arrived, `Set-Cookie` included.
    ResponseHeaders(RequestKey, u16, Headers),
    /// The response is complete.
    Finished(RequestKey, NetworkEnd),
    /// The request failed.
    Failed {
        /// Which one.
        key: RequestKey,
        /// When.
        time: f64,
        /// Why, in the browser's words.
        error: String,
    },
    /// A message went through a WebSocket.
    WebSocketMessage(RequestKey, WebSocketMessage),
}

/// A request.
#[derive(Debug, Clone, Default)]
pub struct NetworkRequest {
    /// The frame that it is for.
    pub frame: Option<FrameId>,
    /// Whether it is for a new document of its frame.
    pub navigation: bool,
    /// Where to.
    pub url: String,
    /// The HTTP method.
    pub method: String,
    /// What for, in lower case: document, script, fetch ….
    pub resource_type: String,
    /// The headers, as far as they are known before it is sent.
    pub headers: Headers,
    /// Whether it has a body.
    pub has_body: bool,
    /// The body, where the browser reports it with the request.
    pub body: Option<Vec<u8>>,
    /// When it was made.
    pub started: f64,
}

/// The head of a response.
#[derive(Debug, Clone, Default)]
pub struct NetworkResponse {
    /// The HTTP status.
    pub status: u16,
    /// Its reason phrase.
    pub status_text: String,
    /// `http/1.1`, `h2`, `h3` …
    pub protocol: String,
    /// The media type.
    pub mime_type: String,
    /// The headers.
    pub headers: Headers,
    /// The server's IP address.
    pub remote_address: Option<String>,
    /// The connection that it came through.
    pub connection: Option<String>,
    /// Whether it came from a cache.
    pub from_cache: bool,
    /// Whether a service worker answered.
    pub from_service_worker: bool,
    /// How many bytes the head has, where that is known.
    pub headers_size: Option<u64>,
    /// Where its time went.
    pub timing: Option<Timing>,
    /// When the head was complete.
    pub time: f64,
}

/// The phases of a request in milliseconds; those that it had no need of are missing.
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

/// The end of a response.
#[derive(Debug, Clone, Copy, Default)]
pub struct NetworkEnd {
    /// When.
    pub time: f64,
    /// How many bytes arrived, head included, where that is known.
    pub transferred: Option<u64>,
    /// How many bytes the decoded body has, where that is known.
    pub body_size: Option<u64>,
}

/// A message of a WebSocket.
#[derive(Debug, Clone)]
pub struct WebSocketMessage {
    /// Whether the page sent it.
    pub sent: bool,
    /// When.
    pub time: f64,
    /// The opcode of its frame: 1 is text, 2 is binary.
    pub opcode: u8,
    /// Text, or base64.
    pub data: String,
}
