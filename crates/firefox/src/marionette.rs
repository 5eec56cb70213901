//! Marionette, Firefox's older protocol: only to own the session.
//!
//! A session that was begun on the BiDi socket is lost for good with it, and Firefox takes no other. One that
//! Marionette holds ends with this connection, and its BiDi socket can be opened as often as need be.

use std::{io, net::SocketAddr};

use cicerone_driver::Proxy;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::protocol::browser::ProxyConfiguration;

/// The longest answer that is taken: those to what is asked here have a few kilobytes.
const LONGEST: usize = 1 << 20;

/// The connection that the session belongs to. It ends with this.
pub(crate) struct Marionette {
    stream: TcpStream,
}

/// A session that was begun.
#[derive(Deserialize)]
struct NewSession {
    capabilities: Capabilities,
}

/// What a session is like.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    pub(crate) browser_version: String,
    /// Where its BiDi is.
    pub(crate) web_socket_url: String,
}

impl Marionette {
    pub(crate) async fn connect(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).await?;
        stream.set_nodelay(true)?;
        let mut marionette = Self { stream };
        // It says hello first.
        marionette.read().await?;
        Ok(marionette)
    }

    /// Begins the session. Dialogs are left to us.
    pub(crate) async fn new_session(&mut self, proxy: Option<&Proxy>) -> io::Result<Capabilities> {
        let mut wanted = json!({
            "webSocketUrl": true,
            "unhandledPromptBehavior": { "default": "ignore", "beforeUnload": "ignore" },
        });
        if let Some(proxy) = proxy {
            wanted["proxy"] = serde_json::to_value(ProxyConfiguration::at(proxy.address))?;
        }
        self.write(&json!([0, 1, "WebDriver:NewSession", wanted])).await?;
        let (_, _, error, session): (u8, u64, Value, Value) = serde_json::from_slice(&self.read().await?)?;
        if !error.is_null() {
            return Err(io::Error::other(format!("no session: {error}")));
        }
        Ok(serde_json::from_value::<NewSession>(session)?.capabilities)
    }

    /// Asks the browser to end, with all that it has to write. Only this protocol may, which has the session; its answer
    /// is the process's end.
    pub(crate) async fn quit(&mut self) -> io::Result<()> {
        self.write(&json!([0, 2, "Marionette:Quit", { "flags": ["eForceQuit"] }])).await
    }

    async fn write(&mut self, command: &Value) -> io::Result<()> {
        let command = command.to_string();
        self.stream.write_all(format!("{}:{command}", command.len()).as_bytes()).await
    }

    /// One message: its length, a colon, JSON.
    async fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut length = 0_usize;
        loop {
            match self.stream.read_u8().await? {
                b':' => break,
                digit @ b'0'..=b'9' if length < LONGEST => length = length * 10 + usize::from(digit - b'0'),
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
        let mut message = vec![0; length];
        self.stream.read_exact(&mut message).await?;
        Ok(message)
    }
}
