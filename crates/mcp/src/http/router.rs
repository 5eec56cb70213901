//! The way of a request: checks, the cheapest first, then the SDK with its client.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use http::{
    HeaderMap, Method, Request, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE},
};
use http_body_util::Full;
use hyper::body::Incoming;
use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{
    answer::{Refusal, json_response},
    body::{self, Bodies, TrackedBody},
    client::{Client, MOST_CALLS},
    clients::{Caller, Clients},
    guard::Guard,
    message::{self, Kind},
    replay,
    sessions::Sessions,
    token::{Owner, Tokens},
};

/// The header with the session id.
const SESSION_ID: &str = "mcp-session-id";

/// The header in which a client without session ids names a session.
const SESSION_NAME: &str = "cicerone-session";

/// The header with the protocol version, which no client sends before it knows one.
const VERSION: &str = "mcp-protocol-version";

/// The header with the last event that a client has of a stream.
const LAST_EVENT_ID: &str = "last-event-id";

/// Maximum length of a name.
const LONGEST_NAME: usize = 128;

/// Answers requests.
pub(crate) struct Router<H: ServerHandler> {
    pub(crate) clients: Arc<Clients<H>>,
    pub(crate) guard: Guard,
    pub(crate) tokens: Tokens,
    /// Cancelled when all streams must end.
    streams: CancellationToken,
    stopping: AtomicBool,
    bodies: Bodies,
    service: StreamableHttpService<Arc<H>, Sessions<H>>,
}

impl<H: ServerHandler> Router<H> {
    pub(crate) fn new(clients: Arc<Clients<H>>, guard: Guard, tokens: Tokens) -> Self {
        let streams = CancellationToken::new();
        // Names and sizes are checked here, before the SDK.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(body::LONGEST)
            .with_cancellation_token(streams.clone());
        let handler = || {
            let client = Client::<H>::current();
            client
                .map(|client| Arc::clone(&client.handler))
                .ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let sessions = Arc::new(Sessions { clients: Arc::clone(&clients) });
        let service = StreamableHttpService::new(handler, sessions, config);
        let (stopping, bodies) = (AtomicBool::new(false), Bodies::default());
        Self { clients, guard, tokens, streams, stopping, bodies, service }
    }

    /// Refuses new calls from now on.
    pub(crate) fn refuse_calls(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Ends all streams.
    pub(crate) fn end_streams(&self) {
        self.streams.cancel();
    }

    /// Answers a request.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Response<TrackedBody> {
        match self.route(request).await {
            Ok(response) => response,
            Err(refusal) => refusal.response().map(|body| TrackedBody::new(body, None)),
        }
    }

    async fn route(&self, request: Request<Incoming>) -> Result<Response<TrackedBody>, Refusal> {
        self.guard.check(request.uri(), request.headers()).map_err(|forbidden| {
            tracing::warn!(%forbidden, "a request is refused");
            Refusal::Forbidden(forbidden)
        })?;
        match request.uri().path() {
            "/health" => self.health(request.method()),
            "/mcp" => self.protocol(request).await,
            _ => Err(Refusal::NotFound),
        }
    }

    fn health(&self, method: &Method) -> Result<Response<TrackedBody>, Refusal> {
        if method != Method::GET {
            return Err(Refusal::MethodNotAllowed);
        }
        let stopping = self.stopping.load(Ordering::Relaxed);
        let health = json!({
            "status": if stopping { "stopping" } else { "ok" },
            "version": env!("CARGO_PKG_VERSION"),
            "sessions": self.clients.count(),
        });
        let status = if stopping { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
        Ok(json_response(status, &health).map(|body| TrackedBody::new(body, None)))
    }

    async fn protocol(&self, request: Request<Incoming>) -> Result<Response<TrackedBody>, Refusal> {
        let owner = self.tokens.owner(request.headers()).ok_or(Refusal::Unauthorized)?;
        match *request.method() {
            Method::POST => self.post(request, owner).await,
            Method::GET | Method::DELETE => {
                let known = self.named_session(request.headers(), owner)?;
                let client = known.ok_or_else(|| Refusal::Message(message::not_initialized(None)))?;
                let resumed = resumes_call(request.headers()).then(|| Arc::new(client.resume()));
                let (parts, _) = request.into_parts();
                let answer = self.service.handle(Request::from_parts(parts, Full::<bytes::Bytes>::default()));
                Ok(client.answering(answer).await.map(|body| TrackedBody::new(body, resumed)))
            }
            _ => Err(Refusal::MethodNotAllowed),
        }
    }

    async fn post(&self, request: Request<Incoming>, owner: Owner) -> Result<Response<TrackedBody>, Refusal> {
        check_types(request.headers())?;
        body::check_length(request.headers())?;
        // What can be refused by its head is refused before the body is read.
        let named = self.named_session(request.headers(), owner)?;
        if named.is_none() {
            self.refuse_if_stopping()?;
            if !request.headers().contains_key(VERSION) {
                self.clients.check_place()?;
            }
        }
        let (parts, incoming) = request.into_parts();
        let mut bytes = self.bodies.read(incoming).await?;
        let message = message::read(&bytes).map_err(Refusal::Message)?;
        if message.is_call {
            self.refuse_if_stopping()?;
        }
        let client = match message.kind {
            Kind::Initialize => self.clients.admit(owner)?,
            Kind::Discover { bytes: understood } => {
                bytes = understood;
                named.unwrap_or_else(|| self.clients.nobody())
            }
            Kind::Stateless { client } => self.clients.of_caller(Caller {
                owner,
                name: short(&client),
                session: session_name(&parts.headers),
            })?,
            Kind::InSession { id } => named.ok_or_else(|| Refusal::Message(message::not_initialized(id)))?,
        };
        let in_use = match message.is_call {
            true => Some(Arc::new(client.begin().ok_or(Refusal::TooManyCalls { limit: MOST_CALLS })?)),
            false => None,
        };
        client.heard();
        let mut request = Request::from_parts(parts, Full::new(bytes));
        if let Some(in_use) = &in_use {
            // The SDK hands it to the handler, which may outlive the connection.
            request.extensions_mut().insert(Arc::clone(in_use));
        }
        let answer = self.service.handle(request);
        Ok(client.answering(answer).await.map(|body| TrackedBody::new(body, in_use)))
    }

    fn refuse_if_stopping(&self) -> Result<(), Refusal> {
        match self.stopping.load(Ordering::Relaxed) {
            true => Err(Refusal::Stopping),
            false => Ok(()),
        }
    }

    /// The client of the session in the headers. Another owner's session is as unknown as a missing one.
    fn named_session(&self, headers: &HeaderMap, owner: Owner) -> Result<Option<Arc<Client<H>>>, Refusal> {
        let Some(id) = headers.get(SESSION_ID) else { return Ok(None) };
        let known = id.to_str().ok().and_then(|id| self.clients.find(id, owner));
        known.map(Some).ok_or(Refusal::NoSession)
    }
}

/// Whether a client asks for the rest of a call's stream.
fn resumes_call(headers: &HeaderMap) -> bool {
    let last = headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok());
    last.is_some_and(replay::is_of_request)
}

/// A page can send neither of these without a preflight, which we do not allow.
fn check_types(headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name| {
        headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok()).unwrap_or_default()
    };
    let kind = text(CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::NotJson);
    }
    let accepted = text(ACCEPT);
    if !accepted.contains("application/json") || !accepted.contains("text/event-stream") {
        return Err(Refusal::NotAcceptable);
    }
    Ok(())
}

fn session_name(headers: &HeaderMap) -> String {
    short(headers.get(SESSION_NAME).and_then(|name| name.to_str().ok()).unwrap_or_default())
}

fn short(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}
