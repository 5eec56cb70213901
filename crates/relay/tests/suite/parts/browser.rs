use std::net::SocketAddr;

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use cicerone_relay::Relay;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use super::{header, read_body, read_head, soon};

/// A simulated browser with its proxy settings.
#[derive(Clone)]
pub(crate) struct Browser {
    relay: SocketAddr,
    authorization: String,
}

/// One connection to the proxy.
pub(crate) struct Line {
    pub(crate) stream: BufReader<TcpStream>,
    authorization: String,
}

pub(crate) struct ProxyReply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Browser {
    pub(crate) fn of(relay: &Relay) -> Self {
        Self::knowing(relay.address(), relay.user(), relay.password())
    }

    pub(crate) fn knowing(relay: SocketAddr, user: &str, password: &str) -> Self {
        let token = BASE64.encode(format!("{user}:{password}"));
        Self { relay, authorization: format!("Proxy-Authorization: Basic {token}\r\n") }
    }

    pub(crate) async fn line(&self) -> Line {
        let stream = soon(TcpStream::connect(self.relay)).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Line { stream: BufReader::new(stream), authorization: self.authorization.clone() }
    }

    pub(crate) async fn get(&self, url: &str) -> ProxyReply {
        self.line().await.get(url).await
    }

    /// A tunnel, or the response that refuses it.
    pub(crate) async fn connect(&self, place: &str) -> Result<TcpStream, ProxyReply> {
        let mut line = self.line().await;
        line.ask(&format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n"), "").await;
        let head = soon(read_head(&mut line.stream)).await.unwrap();
        if head.starts_with("HTTP/1.1 200 ") {
            assert!(line.stream.buffer().is_empty(), "bytes before any were sent");
            return Ok(line.stream.into_inner());
        }
        Err(line.rest(head, false).await)
    }
}

impl Line {
    /// Sends a head, with added credentials, and a body.
    pub(crate) async fn ask(&mut self, head: &str, body: &str) {
        let message = format!("{head}{}\r\n{body}", self.authorization);
        self.raw(&message).await;
    }

    pub(crate) async fn raw(&mut self, bytes: &str) {
        soon(self.stream.write_all(bytes.as_bytes())).await.unwrap();
    }

    pub(crate) async fn get(&mut self, url: &str) -> ProxyReply {
        let host = url.split('/').nth(2).unwrap().to_owned();
        self.ask(&format!("GET {url} HTTP/1.1\r\nHost: {host}\r\n"), "").await;
        self.answer().await.unwrap()
    }

    /// The next response; none if the connection ends first.
    pub(crate) async fn answer(&mut self) -> Option<ProxyReply> {
        let head = soon(read_head(&mut self.stream)).await?;
        Some(self.rest(head, false).await)
    }

    /// The next response, to a HEAD request.
    pub(crate) async fn answer_to_head(&mut self) -> ProxyReply {
        let head = soon(read_head(&mut self.stream)).await.unwrap();
        self.rest(head, true).await
    }

    async fn rest(&mut self, head: String, bodiless: bool) -> ProxyReply {
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let bodiless = bodiless || matches!(status, 100..=199 | 204 | 304);
        let body = match bodiless {
            true => Vec::new(),
            false => soon(read_body(&mut self.stream, &head)).await,
        };
        ProxyReply { status, head, body: String::from_utf8(body).unwrap() }
    }

    /// Whether the other side has closed the connection.
    pub(crate) async fn is_over(&mut self) -> bool {
        matches!(soon(self.stream.read(&mut [0])).await, Ok(0) | Err(_))
    }
}

impl ProxyReply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }
}
