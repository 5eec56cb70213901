//! Messages on a WebSocket, dialled or accepted.

use std::{io, net::SocketAddr, sync::Arc};

use async_trait::async_trait;
use futures::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async_with_config, client_async_with_config,
    tungstenite::{
        Error, Message, Utf8Bytes,
        client::IntoClientRequest,
        handshake::server::{ErrorResponse, Request, Response},
        http::{HeaderValue, StatusCode},
        protocol::WebSocketConfig,
    },
};

use crate::{
    Transport,
    quickack::QuickAck,
    read_limit::{LimitedStream, ReadLimit},
    transport::{Reader, Writer},
};

/// Pictures of long pages come in one message.
const LARGEST: usize = 512 << 20;

/// Chrome sends the cookies of the host along.
const LONGEST_REQUEST: usize = 64 << 10;

/// Why no WebSocket was opened.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The other end answered with another HTTP status.
    #[error("the other end refused the WebSocket with HTTP status {0}")]
    Status(u16),
    /// The URL or a header cannot be sent.
    #[error("the WebSocket's URL or a header cannot be sent: {0}")]
    Request(Arc<Error>),
    /// The stream broke, or what came was not HTTP.
    #[error("{0}")]
    Io(Arc<io::Error>),
}

impl From<Error> for HandshakeError {
    fn from(error: Error) -> Self {
        match error {
            Error::Http(response) => Self::Status(response.status().as_u16()),
            Error::Url(_) | Error::HttpFormat(_) => Self::Request(Arc::new(error)),
            other => Self::Io(Arc::new(broken(other))),
        }
    }
}

/// Connects to a WebSocket on this machine, at this path.
pub async fn websocket(address: SocketAddr, path: &str) -> io::Result<Transport> {
    let stream = TcpStream::connect(address).await?;
    let url = format!("ws://{address}{path}");
    websocket_over_tcp(stream, &url, &[]).await.map_err(|error| match error {
        HandshakeError::Io(error) => io::Error::new(error.kind(), error),
        other => io::Error::other(other),
    })
}

/// Opens the WebSocket of a `ws:` URL on a TCP connection to its host.
pub async fn websocket_over_tcp(
    stream: TcpStream,
    url: &str,
    headers: &[(&'static str, String)],
) -> Result<Transport, HandshakeError> {
    // Messages are small and answers are waited for.
    stream.set_nodelay(true).map_err(|error| HandshakeError::Io(Arc::new(error)))?;
    websocket_over(QuickAck(stream), url, headers).await
}

/// Opens the WebSocket of a URL on any byte stream to its host, sending these headers with the request.
pub async fn websocket_over<S>(
    stream: S,
    url: &str,
    headers: &[(&'static str, String)],
) -> Result<Transport, HandshakeError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let mut request = url.into_client_request()?;
    for (name, value) in headers {
        let value = HeaderValue::try_from(value).map_err(|error| Error::HttpFormat(error.into()))?;
        request.headers_mut().insert(*name, value);
    }
    let (socket, _) = client_async_with_config(request, stream, Some(config())).await?;
    Ok(from_websocket(socket))
}

/// Who asks for a WebSocket, and where.
#[derive(Debug, Clone, Copy)]
pub struct Upgrade<'a> {
    /// The path of the request, with its query.
    pub path: &'a str,
    /// The `Host` header.
    pub host: Option<&'a str>,
    /// The `Origin` header. Browsers set it, and no page or extension can set another one.
    pub origin: Option<&'a str>,
}

/// How much is read of a WebSocket that somebody opened, in bytes. More ends it.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// All that is read until the [`ReadLimit`] is lifted, without the HTTP request.
    pub stranger: usize,
    /// The longest message after that.
    pub message: usize,
}

/// Accepts a WebSocket on a TCP connection that somebody made, if `admit` lets them in; they get status 403 otherwise.
pub async fn accept_websocket(
    stream: TcpStream,
    limits: Limits,
    admit: impl FnOnce(Upgrade<'_>) -> bool + Unpin,
) -> Result<(Transport, ReadLimit), HandshakeError> {
    stream.set_nodelay(true).map_err(|error| HandshakeError::Io(Arc::new(error)))?;
    #[expect(clippy::result_large_err, reason = "the library wants its answer so")]
    let check = |request: &Request, response: Response| match admit(upgrade(request)) {
        true => Ok(response),
        false => Err(forbidden()),
    };
    let longest = Some(limits.message);
    let config = WebSocketConfig::default().max_message_size(longest).max_frame_size(longest);
    let read_limit = ReadLimit::of(LONGEST_REQUEST);
    let stream = LimitedStream::new(QuickAck(stream), read_limit.clone());
    let socket = accept_hdr_async_with_config(stream, check, Some(config)).await?;
    // Nothing comes after the request until it is answered: the library refuses it.
    read_limit.set(limits.stranger);
    Ok((from_websocket(socket), read_limit))
}

fn upgrade(request: &Request) -> Upgrade<'_> {
    let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    Upgrade { path, host: header("host"), origin: header("origin") }
}

fn forbidden() -> ErrorResponse {
    let mut response = ErrorResponse::new(None);
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}

/// The messages of a WebSocket that is open already, as text.
pub fn from_websocket<S>(socket: WebSocketStream<S>) -> Transport
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (writer, reader) = socket.split();
    Transport { reader: Box::new(SocketReader(reader)), writer: Box::new(SocketWriter(writer)) }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST))
}

struct SocketReader<S>(SplitStream<WebSocketStream<S>>);

#[async_trait]
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Reader for SocketReader<S> {
    async fn read(&mut self, message: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            match self.0.next().await {
                None | Some(Ok(Message::Close(_))) => return Ok(false),
                Some(Ok(Message::Text(text))) => {
                    message.extend_from_slice(text.as_bytes());
                    return Ok(true);
                }
                Some(Ok(Message::Binary(bytes))) => {
                    message.extend_from_slice(&bytes);
                    return Ok(true);
                }
                // Pings are answered by the library.
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(broken(error)),
            }
        }
    }
}

struct SocketWriter<S>(SplitSink<WebSocketStream<S>, Message>);

#[async_trait]
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Writer for SocketWriter<S> {
    async fn write(&mut self, message: Vec<u8>) -> io::Result<()> {
        let text = Utf8Bytes::try_from(message)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.0.send(Message::Text(text)).await.map_err(broken)
    }
}

fn broken(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    }
}
