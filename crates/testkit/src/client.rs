//! A minimal MCP client.

use std::{
    io::Write,
    process::{Child, ChildStdin, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Messages, TrialError, error::io, messages::NoMessage};

/// Timeout of an answer. Longer than any limit of the server.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Time for a server to exit after its input closed.
const GRACE: Duration = Duration::from_secs(5);

/// The requested protocol version.
const PROTOCOL: &str = "2025-06-18";

/// A server with its only client. It exits when this is dropped.
pub struct Client {
    server: Child,
    input: Option<ChildStdin>,
    output: Messages,
    asked: u64,
}

/// A tool result.
#[derive(Debug, Clone)]
pub struct Reply {
    pub text: String,
    /// Whether the tool reports an error.
    pub failed: bool,
    /// From the first byte sent to the last one received.
    pub took: Duration,
    /// The size of the whole answer.
    pub bytes: usize,
}

impl Client {
    /// Starts a server and initializes it.
    pub fn start(command: &mut Command) -> Result<Self, TrialError> {
        let mut server = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(io("starting the server"))?;
        let input = server.stdin.take();
        let output = server.stdout.take().ok_or_else(|| TrialError::Ended("the start".into()))?;
        let mut client = Self { server, input, output: Messages::read(output, b'\n'), asked: 0 };
        client.ask(
            "initialize",
            &json!({
                "protocolVersion": PROTOCOL,
                "capabilities": {},
                "clientInfo": { "name": "cicerone-testkit", "version": env!("CARGO_PKG_VERSION") },
            }),
        )?;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// The server's process.
    pub fn process_id(&self) -> u32 {
        self.server.id()
    }

    /// Sends a request; returns the result and the size of the whole answer.
    pub fn ask(&mut self, method: &str, parameters: &Value) -> Result<(Value, usize), TrialError> {
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters }))?;
        let until = Instant::now() + TIMEOUT;
        loop {
            let answer = self.output.wait(until).map_err(|none| match none {
                NoMessage::Ended => TrialError::Ended(method.to_owned()),
                NoMessage::TooLate => TrialError::Silent { method: method.to_owned(), limit: TIMEOUT },
            })?;
            let mut message: Value = serde_json::from_slice(&answer)?;
            // Other ids, or none: notifications.
            if message["id"] != self.asked {
                continue;
            }
            return match &message["error"] {
                Value::Null => Ok((message["result"].take(), answer.len())),
                error => Err(TrialError::Refused {
                    method: method.to_owned(),
                    code: error["code"].as_i64().unwrap_or_default(),
                    message: error["message"].as_str().unwrap_or_default().to_owned(),
                }),
            };
        }
    }

    /// Sends many calls at once and waits for all of them; each must succeed.
    pub fn call_all(&mut self, calls: &[(&str, Value)]) -> Result<(), TrialError> {
        let first = self.asked + 1;
        for (tool, arguments) in calls {
            self.asked += 1;
            let parameters = json!({ "name": tool, "arguments": arguments });
            self.send(
                &json!({ "jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": parameters }),
            )?;
        }
        let method = "tools/call";
        let until = Instant::now() + TIMEOUT;
        let mut missing = calls.len();
        while missing > 0 {
            let answer = self.output.wait(until).map_err(|none| match none {
                NoMessage::Ended => TrialError::Ended(method.to_owned()),
                NoMessage::TooLate => TrialError::Silent { method: method.to_owned(), limit: TIMEOUT },
            })?;
            let message: Value = serde_json::from_slice(&answer)?;
            if message["id"].as_u64().is_none_or(|id| id < first) {
                continue;
            }
            missing -= 1;
            let failed = message["result"]["isError"].as_bool().unwrap_or_default();
            if failed || message.get("error").is_some() {
                let method = method.to_owned();
                return Err(TrialError::Refused { method, code: 0, message: message.to_string() });
            }
        }
        Ok(())
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Reply, TrialError> {
        let began = Instant::now();
        let (result, bytes) = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        let took = began.elapsed();
        let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        let failed = result["isError"].as_bool().unwrap_or_default();
        Ok(Reply { text: texts.join("\n"), failed, took, bytes })
    }

    fn send(&mut self, message: &Value) -> Result<(), TrialError> {
        let mut line = message.to_string();
        line.push('\n');
        match &mut self.input {
            Some(input) => input.write_all(line.as_bytes()).map_err(io("writing to the server")),
            None => Err(TrialError::Ended("the request".into())),
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Closing its input makes the server exit with its browser.
        drop(self.input.take());
        let until = Instant::now() + GRACE;
        while matches!(self.server.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
