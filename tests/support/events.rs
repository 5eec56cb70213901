//! A stream of events that stays open, and what the server sends on it.

use std::{
    io::{BufReader, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::Value;

use super::http::{HttpClient, HttpServer, post_text, read_chunk, read_head, request_text};

/// How long a stream may take to bring what a test waits for.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The messages of a stream, until it ends.
pub struct Events {
    reader: BufReader<TcpStream>,
    unread: String,
    until: Instant,
}

impl Events {
    fn of(mut stream: TcpStream, request: &str) -> Self {
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, headers) = read_head(&mut reader);
        assert_eq!(status, 200, "{headers:?}");
        Self { reader, unread: String::new(), until: Instant::now() + TIMEOUT }
    }

    /// The next line; nothing at the end.
    fn line(&mut self) -> Option<String> {
        while !self.unread.contains('\n') {
            assert!(Instant::now() < self.until, "the stream does not bring it");
            self.unread += &String::from_utf8_lossy(&read_chunk(&mut self.reader)?);
        }
        let (line, rest) = self.unread.split_once('\n')?;
        let (line, rest) = (line.to_owned(), rest.to_owned());
        self.unread = rest;
        Some(line)
    }

    /// The id of the next event.
    pub fn id(&mut self) -> String {
        loop {
            let line = self.line().expect("an event");
            if let Some(id) = line.strip_prefix("id:") {
                return id.trim().to_owned();
            }
        }
    }

    /// Waits for a notification of this method.
    #[track_caller]
    pub fn notification(&mut self, method: &str) -> Value {
        self.find(|message| message["method"] == method).unwrap_or_else(|| panic!("no {method}"))
    }
}

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            let line = self.line()?;
            let data = line.strip_prefix("data:").and_then(|data| serde_json::from_str(data.trim()).ok());
            if data.is_some() {
                return data;
            }
        }
    }
}

impl HttpServer {
    /// Sends a request and leaves its stream open.
    pub fn open(&self, headers: &[(&str, &str)], body: &str) -> Events {
        Events::of(self.connect(), &post_text(self.address, headers, body))
    }
}

impl HttpClient {
    /// The stream of what no request of the client asked for.
    pub fn listen(&self) -> Events {
        let headers = self.headers();
        let own = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let headers: Vec<_> = own.chain([("Accept", "text/event-stream")]).collect();
        let stream = TcpStream::connect(self.address).unwrap();
        Events::of(stream, &request_text(self.address, "GET", "/mcp", &headers, ""))
    }

    /// Begins a call and loses its connection: the id of the last event that came.
    pub fn lose(&self, message: &Value) -> String {
        let headers = self.headers();
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let stream = TcpStream::connect(self.address).unwrap();
        Events::of(stream, &post_text(self.address, &headers, &message.to_string())).id()
    }
}
