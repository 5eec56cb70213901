//! A client that makes one call after the other. A [`Caller`] does so over a stream of lines.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    time::Duration,
};

use serde_json::{Map, Value, json};

/// The requested protocol version.
pub const PROTOCOL: &str = "2025-06-18";

/// How long a server may be silent. A longer call reports every second that it is alive.
pub const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// A client on a stream that has [`LONGEST_SILENCE`] as its read timeout.
pub struct Caller<S> {
    stream: BufReader<S>,
    asked: u64,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// A protocol error: an unknown tool, or invalid arguments.
    #[error("{message}")]
    Refused {
        /// The JSON-RPC code.
        code: i64,
        /// The server's message.
        message: String,
    },
    /// The server closed the stream before it answered.
    #[error("the server ended before it answered")]
    Ended,
    /// The server was silent for too long.
    #[error("the server has not answered for {LONGEST_SILENCE:?}")]
    Silent,
    /// The stream broke.
    #[error("the connection to the server broke: {0}")]
    Io(io::Error),
    /// The server wrote something that is not a message.
    #[error("the server wrote an invalid message: {0}")]
    Malformed(#[from] serde_json::Error),
}

/// The client's part of `initialize`.
pub fn greeting() -> Value {
    json!({
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": { "name": "cicerone call", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// The result in a message, if it answers the request with this id. Other messages are notifications.
pub fn result_in(mut message: Value, id: u64) -> Option<Result<Value, CallError>> {
    if message["id"] != id {
        return None;
    }
    Some(match &message["error"] {
        Value::Null => Ok(message["result"].take()),
        error => Err(CallError::Refused {
            code: error["code"].as_i64().unwrap_or_default(),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
        }),
    })
}

/// Makes requests, one after the other.
pub trait Ask {
    /// Why there is no result.
    type Error;

    /// Makes a request; returns its result.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Self::Error>;

    /// The input schema of a listed tool.
    fn input_schema(&mut self, tool: &str) -> Result<Option<Value>, Self::Error> {
        let mut listed = self.ask("tools/list", &json!({}))?;
        let tools = listed["tools"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let named = tools.into_iter().find(|listed| listed["name"] == tool);
        Ok(named.map(|mut tool| tool["inputSchema"].take()))
    }

    /// Calls a tool; returns the result unchanged.
    fn call(&mut self, tool: &str, arguments: &Map<String, Value>) -> Result<Value, Self::Error> {
        // With a progress token the server reports that it is alive.
        let alive = json!({ "progressToken": "alive" });
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments, "_meta": alive }))
    }
}

impl<S: Read + Write> Ask for Caller<S> {
    type Error = CallError;

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, CallError> {
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params }))?;
        let mut line = Vec::new();
        loop {
            line.clear();
            self.stream.read_until(b'\n', &mut line).map_err(broken)?;
            if line.pop() != Some(b'\n') {
                return Err(CallError::Ended);
            }
            if let Some(result) = result_in(serde_json::from_slice(&line)?, self.asked) {
                return result;
            }
        }
    }
}

impl<S: Read + Write> Caller<S> {
    /// Initializes the connection.
    pub fn greet(stream: S) -> Result<Self, CallError> {
        let mut caller = Self { stream: BufReader::new(stream), asked: 0 };
        caller.ask("initialize", &greeting())?;
        caller.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(caller)
    }

    fn send(&mut self, message: &Value) -> Result<(), CallError> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.stream.get_mut().write_all(&line).map_err(broken)
    }
}

fn broken(error: io::Error) -> CallError {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => CallError::Silent,
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => CallError::Ended,
        _ => CallError::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server whose messages are all written already.
    struct Script {
        says: io::Cursor<Vec<u8>>,
        hears: Vec<u8>,
    }

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.says.read(buffer)
        }
    }

    impl Write for Script {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.hears.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn caller(lines: &[Value]) -> Result<Caller<Script>, CallError> {
        let says: String = lines.iter().map(|line| format!("{line}\n")).collect();
        Caller::greet(Script { says: io::Cursor::new(says.into_bytes()), hears: Vec::new() })
    }

    #[test]
    fn answers_are_told_from_notifications_and_refusals() {
        let mut caller = caller(&[
            json!({ "id": 1, "result": {} }),
            json!({ "method": "notifications/progress" }),
            json!({ "id": 2, "result": { "content": [] } }),
            json!({ "id": 3, "error": { "code": -32602, "message": "Missing required argument: url" } }),
        ])
        .unwrap();
        assert_eq!(caller.call("t", &Map::new()).unwrap(), json!({ "content": [] }));
        let refused = caller.call("t", &Map::new()).unwrap_err();
        assert!(matches!(refused, CallError::Refused { code: -32602, .. }), "{refused}");
        assert!(matches!(caller.call("t", &Map::new()), Err(CallError::Ended)));
        let heard = String::from_utf8(caller.stream.into_inner().hears).unwrap();
        assert!(heard.contains("notifications/initialized") && heard.contains("progressToken"), "{heard}");
    }

    #[test]
    fn a_server_that_goes_before_the_greeting_has_ended() {
        assert!(matches!(caller(&[]), Err(CallError::Ended)));
    }
}
