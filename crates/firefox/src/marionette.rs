//! Marionette, Firefox's older protocol: it owns the session, and has what BiDi lacks.
//!
//! A session that was started on a BiDi socket is lost with it, and Firefox accepts no other. One that
//! Marionette owns ends with this connection, and its BiDi socket can be reopened.

use std::{io, net::SocketAddr};

use cicerone_driver::Proxy;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::protocol::browser::ProxyConfiguration;

/// Size limit of an answer; the expected ones have a few kilobytes.
const LONGEST: usize = 1 << 20;

/// The connection that owns the session. It is closed on drop.
pub(crate) struct Marionette {
    stream: TcpStream,
    asked: u64,
    /// Whether the answer to a cancelled command is still unread.
    unheard: bool,
}

/// An answer: its type, the command's number, and an error or a result.
type Response = (u8, u64, Option<Refusal>, Value);

/// A failed command.
#[derive(Debug, Deserialize)]
struct Refusal {
    /// The WebDriver error code.
    error: String,
    message: String,
}

impl From<Refusal> for io::Error {
    fn from(Refusal { error, message }: Refusal) -> Self {
        Self::other(format!("{error}: {message}"))
    }
}

#[derive(Deserialize)]
struct NewSession {
    capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    pub(crate) browser_version: String,
    pub(crate) user_agent: Option<String>,
    /// The URL of its BiDi socket.
    pub(crate) web_socket_url: String,
}

impl Marionette {
    pub(crate) async fn connect(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port))).await?;
        stream.set_nodelay(true)?;
        let mut marionette = Self { stream, asked: 0, unheard: false };
        // Marionette sends a greeting first.
        read(&mut marionette.stream).await?;
        Ok(marionette)
    }

    /// Our end's address.
    pub(crate) fn local_addr(&self) -> io::Result<SocketAddr> {
        self.stream.local_addr()
    }

    /// Starts the session. Dialogs are left to us.
    pub(crate) async fn new_session(&mut self, proxy: Option<&Proxy>) -> io::Result<Capabilities> {
        let mut wanted = json!({
            "webSocketUrl": true,
            "unhandledPromptBehavior": { "default": "ignore", "beforeUnload": "ignore" },
        });
        if let Some(proxy) = proxy {
            wanted["proxy"] = serde_json::to_value(ProxyConfiguration::at(proxy.address))?;
        }
        let session = self.ask("WebDriver:NewSession", wanted).await??;
        Ok(serde_json::from_value::<NewSession>(session)?.capabilities)
    }

    /// Asks the browser to exit and save. Only the session's owner may; the answer is the process's exit.
    pub(crate) async fn quit(&mut self) -> io::Result<()> {
        self.write("Marionette:Quit", json!({ "flags": ["eForceQuit"] })).await
    }

    /// The message of a page's open dialog; `None` if there is none or the page is gone.
    pub(crate) async fn dialog_of(&mut self, page: &str) -> io::Result<Option<String>> {
        let selected =
            self.ask("WebDriver:SwitchToWindow", json!({ "handle": page, "focus": false })).await?;
        match selected {
            Err(refusal) if refusal.error == "no such window" => return Ok(None),
            selected => selected?,
        };
        match self.ask("WebDriver:GetAlertText", json!({})).await? {
            Err(refusal) if refusal.error == "no such alert" => Ok(None),
            words => Ok(words?["value"].as_str().map(str::to_owned)),
        }
    }

    async fn ask(&mut self, command: &str, parameters: Value) -> io::Result<Result<Value, Refusal>> {
        if std::mem::replace(&mut self.unheard, true) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.write(command, parameters).await?;
        let (_, number, refusal, answer): Response = serde_json::from_slice(&read(&mut self.stream).await?)?;
        if number != self.asked {
            return Err(io::ErrorKind::InvalidData.into());
        }
        self.unheard = false;
        Ok(refusal.map_or(Ok(answer), Err))
    }

    async fn write(&mut self, command: &str, parameters: Value) -> io::Result<()> {
        self.asked += 1;
        let command = json!([0, self.asked, command, parameters]).to_string();
        self.stream.write_all(format!("{}:{command}", command.len()).as_bytes()).await
    }
}

/// Reads one message: its length, a colon, JSON.
async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut length = 0_usize;
    loop {
        match stream.read_u8().await? {
            b':' => break,
            digit @ b'0'..=b'9' if length <= LONGEST => length = length * 10 + usize::from(digit - b'0'),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
    if length > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut message = vec![0; length];
    stream.read_exact(&mut message).await?;
    Ok(message)
}

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;

    use super::*;

    /// Pieces of frames: lengths that fit what follows, and others.
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "2:{}", "12:[1,1,null,1]", "4:null", "0:", ":", "1", "9", "00", "1048576", "1048577", "18446744073709551616", "-", "+", " ", "\n", "\0", "é",
        "{", "}", "[", "]", ",", "\"",
    ];

    #[tokio::test]
    async fn frames_are_read_to_their_length_or_refused() {
        let mut foreign = ForeignText::new();
        let (mut whole, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let text = foreign.text(PIECES, 8);
            let mut rest = text.as_bytes();
            match read(&mut rest).await {
                Ok(message) => {
                    whole += 1;
                    let (length, body) = text.split_once(':').unwrap();
                    assert_eq!(length.parse().unwrap_or(0), message.len(), "{text:?}");
                    assert_eq!([&message, rest].concat(), body.as_bytes(), "{text:?}");
                }
                Err(error) => {
                    refused += 1;
                    let kinds = [io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof];
                    assert!(kinds.contains(&error.kind()), "{text:?} {error}");
                }
            }
        }
        assert!(whole > 100 && refused > 100, "{whole} {refused}");
    }
}
