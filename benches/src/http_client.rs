//! A client of the server over HTTP.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value, json};

use crate::Failure;

/// How long one answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A client on one connection, as clients have them.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: String,
    session: String,
    asked: u64,
}

impl Client {
    pub(crate) fn open(address: &str) -> Result<Self, Failure> {
        let mut client = Self::connect(address)?;
        let info = json!({ "name": "bench", "version": "1" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
        client.ask("initialize", &params)?;
        client
            .send("POST", &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string())?;
        Ok(client)
    }

    fn connect(address: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        let stream = BufReader::new(stream);
        Ok(Self { stream, address: address.to_owned(), session: String::new(), asked: 0 })
    }

    pub(crate) fn health(address: &str) -> Result<Value, Failure> {
        let mut client = Self::connect(address)?;
        write!(client.stream.get_mut(), "GET /health HTTP/1.1\r\nHost: {address}\r\n\r\n")?;
        Ok(serde_json::from_str(&client.response()?)?)
    }

    pub(crate) fn close(mut self) -> Result<(), Failure> {
        self.send("DELETE", "").map(drop)
    }

    /// Calls a tool, which must not fail.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<(), Failure> {
        let result = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        if result["isError"] == true { Err(format!("{tool}: {}", result["content"]).into()) } else { Ok(()) }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        self.asked += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        let body = self.send("POST", &request.to_string())?;
        let messages = body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let mut messages = messages.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let answer = messages.find(|message| message["id"] == self.asked).ok_or("no answer")?;
        if answer["result"].is_null() {
            Err(answer["error"].to_string().into())
        } else {
            Ok(answer["result"].clone())
        }
    }

    fn send(&mut self, method: &str, body: &str) -> Result<String, Failure> {
        let session = match self.session.as_str() {
            "" => String::new(),
            id => format!("Mcp-Session-Id: {id}\r\n"),
        };
        let head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nContent-Length: {}\r\n{session}\r\n",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all((head + body).as_bytes())?;
        self.response()
    }

    fn response(&mut self) -> Result<String, Failure> {
        let (mut length, mut chunked) = (0, false);
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let is_good = line.split(' ').nth(1).is_some_and(|status| status.starts_with('2'));
        let status = line.clone();
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse()?,
                "transfer-encoding" => chunked = true,
                "mcp-session-id" => self.session = value.trim().to_owned(),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if chunked {
            while let Some(chunk) = self.chunk()? {
                body.extend(chunk);
            }
        } else {
            body.resize(length, 0);
            self.stream.read_exact(&mut body)?;
        }
        let body = String::from_utf8(body)?;
        if is_good { Ok(body) } else { Err(format!("{status}{body}").into()) }
    }

    fn chunk(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let mut size = String::new();
        self.stream.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16)?;
        let mut chunk = vec![0; size + 2];
        self.stream.read_exact(&mut chunk)?;
        chunk.truncate(size);
        Ok((size > 0).then_some(chunk))
    }
}
