//! Newline-delimited JSON: the transport of standard input and output, and of sockets.
//!
//! The SDK's transport drops lines that are not messages, and the client would wait for ever. This one
//! answers them, limits their length, and holds back what comes before `initialize`.

use std::{io, sync::Arc, time::Duration};

use rmcp::{
    RoleServer, ServerHandler, ServiceExt,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::Mutex,
};
use tokio_util::sync::CancellationToken;

use crate::request_id::RequestId;

/// Maximum length of a line.
const LONGEST_LINE: usize = 16 << 20;

/// How long to wait for answers after the client closed our input.
const DRAIN: Duration = Duration::from_secs(3);

/// Serves one client until it closes our input or `stop` is cancelled. A closed input cancels `stop`.
pub(crate) async fn serve_lines<R, W>(
    server: impl ServerHandler,
    reader: R,
    writer: W,
    stop: CancellationToken,
) where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = Lines {
        reader: BufReader::with_capacity(1 << 16, reader),
        writer: Arc::new(Mutex::new(writer)),
        line: Vec::new(),
        too_long: None,
        begun: false,
        stop: stop.clone(),
    };
    match server.serve_with_ct(transport, stop).await {
        Ok(running) => {
            let _ = running.waiting().await;
        }
        // The client left before it sent anything, which is not an error.
        Err(error) => tracing::debug!(%error, "no client"),
    }
}

struct Lines<R, W> {
    reader: BufReader<R>,
    writer: Arc<Mutex<W>>,
    line: Vec<u8>,
    /// The scanner of a line that is too long, until its end.
    too_long: Option<RequestId>,
    /// Whether the client has initialized.
    begun: bool,
    stop: CancellationToken,
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let writer = Arc::clone(&self.writer);
        async move { write(&writer, &serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let refusal = match self.next_line().await {
                Ok(Line::End) | Err(_) => {
                    self.drain();
                    return None;
                }
                Ok(Line::Empty) => continue,
                Ok(Line::TooLong(id)) => refusal(-32600, "The message is longer than 16 MiB", id),
                Ok(Line::Whole) => match self.understand() {
                    Understood::Message(message) => return Some(*message),
                    Understood::Refused(refusal) => refusal,
                    Understood::Ignored => continue,
                },
            };
            if write(&self.writer, refusal.to_string().as_bytes()).await.is_err() {
                return None;
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.writer.lock().await.flush().await
    }
}

enum Line {
    Whole,
    Empty,
    /// With its request id.
    TooLong(Value),
    End,
}

enum Understood {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Refused(Value),
    Ignored,
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    /// Reads a line. Cancel-safe: what was read stays in the buffer.
    async fn next_line(&mut self) -> io::Result<Line> {
        if self.line.ends_with(b"\n") {
            self.line.clear();
        }
        if self.line.capacity() > 1 << 20 {
            self.line = Vec::new();
        }
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                return Ok(Line::End);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = &available[..end.map_or(available.len(), |at| at + 1)];
            let length = piece.len();
            if self.too_long.is_none() && self.line.len() + length > LONGEST_LINE {
                let mut id = RequestId::default();
                id.read(&std::mem::take(&mut self.line));
                self.too_long = Some(id);
            }
            match &mut self.too_long {
                Some(id) => id.read(piece),
                None => self.line.extend_from_slice(piece),
            }
            self.reader.consume(length);
            if end.is_none() {
                continue;
            }
            match self.too_long.take() {
                Some(id) => return Ok(Line::TooLong(id.found())),
                None if self.line.trim_ascii().is_empty() => return Ok(Line::Empty),
                None => return Ok(Line::Whole),
            }
        }
    }

    fn understand(&mut self) -> Understood {
        let Ok(value) = serde_json::from_slice::<Value>(&self.line) else {
            return Understood::Refused(refusal(-32700, "Parse error: the line is not JSON", Value::Null));
        };
        let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
        let invalid = |why: &str| {
            let why = format!("Invalid request: {why}");
            Understood::Refused(refusal(-32600, &why, id.clone().unwrap_or_default()))
        };
        let Some(message) = value.as_object() else { return invalid("it is not an object") };
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return invalid("jsonrpc must be \"2.0\"");
        }
        let answer = message.contains_key("result") || message.contains_key("error");
        match message.get("method") {
            Some(Value::String(method)) => {
                if message.contains_key("id") && id.is_none() {
                    return invalid("id must be a string or a number");
                }
                if !self.begun && !self.begins(method, message.get("params")) {
                    return match &id {
                        // A notification before initialization is ignored.
                        None => Understood::Ignored,
                        Some(id) => Understood::Refused(refusal(
                            -32000,
                            "Server not initialized: send initialize first",
                            id.clone(),
                        )),
                    };
                }
            }
            None if answer => {}
            _ => return invalid("method must be a string"),
        }
        match serde_json::from_value(value.clone()) {
            Ok(message) => Understood::Message(Box::new(message)),
            Err(_) if id.is_none() => Understood::Ignored,
            Err(_) => Understood::Refused(refusal(
                -32602,
                "The parameters do not fit the method",
                id.unwrap_or_default(),
            )),
        }
    }

    /// Whether a request may come first: the handshake, a ping, or a request of a protocol version
    /// without a handshake.
    fn begins(&mut self, method: &str, params: Option<&Value>) -> bool {
        let self_contained = params
            .and_then(|params| params.get("_meta")?.get("io.modelcontextprotocol/protocolVersion"))
            .is_some();
        match method {
            "ping" | "server/discover" => true,
            "initialize" => {
                self.begun = true;
                true
            }
            _ if self_contained => {
                self.begun = true;
                true
            }
            _ => false,
        }
    }

    /// The client closed our input: pending answers are still sent, for a while.
    fn drain(&self) {
        let stop = self.stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(DRAIN).await;
            stop.cancel();
        });
    }
}

fn refusal(code: i32, message: &str, id: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

async fn write<W: AsyncWrite + Unpin>(writer: &Mutex<W>, message: &[u8]) -> io::Result<()> {
    let mut writer = writer.lock().await;
    writer.write_all(message).await?;
    writer.write_all(b"\n").await?;
    writer.flush().await
}

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;

    use super::*;

    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"jsonrpc\":\"2.0\"",
        "\"id\":7",
        "\"id\":\"x\"",
        "\"id\":null",
        "\"id\":[1]",
        "\"method\":\"tools/call\"",
        "\"method\":1",
        "\"method\":\"initialize\"",
        "\"params\":{}",
        "\"params\":[1e999]",
        "\"result\":{}",
        "\"error\":{}",
        "\"\\ud800\"",
        "\u{0}",
        "é",
        "-0",
        "1",
        "null",
        " ",
    ];

    /// Random lines; every third is an object of random members, so that many pass the first checks.
    fn line(foreign: &mut ForeignText) -> Vec<u8> {
        let count = foreign.usize(0..8);
        let pieces: Vec<&str> = (0..count).map(|_| foreign.one_of(PIECES)).collect();
        let mut line = match foreign.u8(0..3) {
            0 => format!("{{{}}}", pieces.join(",")),
            _ => pieces.concat(),
        }
        .into_bytes();
        if foreign.u8(0..8) == 0 && !line.is_empty() {
            let at = foreign.usize(0..line.len());
            line[at] = foreign.u8(..);
        }
        line
    }

    #[test]
    fn every_line_is_a_message_or_is_refused_with_the_id_of_its_request() {
        let mut foreign = ForeignText::new();
        let mut lines = Lines {
            reader: BufReader::new(tokio::io::empty()),
            writer: Arc::new(Mutex::new(tokio::io::sink())),
            line: Vec::new(),
            too_long: None,
            begun: false,
            stop: CancellationToken::new(),
        };
        for _ in 0..20_000 {
            lines.line = line(&mut foreign);
            lines.begun = foreign.bool();
            let shown = String::from_utf8_lossy(&lines.line).into_owned();
            let request = serde_json::from_slice::<Value>(&lines.line).unwrap_or_default();
            let id = request.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
            match lines.understand() {
                Understood::Refused(refusal) => {
                    assert_eq!(refusal["id"], id.unwrap_or_default(), "{shown:?}")
                }
                Understood::Ignored => assert_eq!(id, None, "{shown:?}"),
                Understood::Message(_) => assert!(request.is_object(), "{shown:?}"),
            }
            let mut found = RequestId::default();
            found.read(&lines.line);
            if request.is_object() && found.found() != Value::Null {
                assert_eq!(Some(&found.found()), request.get("id"), "{shown:?}");
            }
        }
    }
}
