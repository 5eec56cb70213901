//! `cicerone serve` as a process, and a small HTTP client that can also misbehave.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Reply, engine};

/// How long anything may take before a test gives up.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A server over HTTP, with directories of its own.
pub struct HttpServer {
    pub child: Child,
    pub address: SocketAddr,
    log: Arc<Mutex<String>>,
    directory: TempDir,
}

/// What a request was answered with.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// The code of a JSON-RPC error in the body.
    pub fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("no code: {self:?}"))
    }

    /// The messages in a stream of events, or the one in a JSON body.
    pub fn messages(&self) -> Vec<Value> {
        if self.header("content-type") == Some("application/json") {
            return vec![self.json()];
        }
        let data = self.body.lines().filter_map(|line| line.strip_prefix("data:"));
        data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
    }

    /// The ids of the events.
    pub fn event_ids(&self) -> Vec<String> {
        let ids = self.body.lines().filter_map(|line| line.strip_prefix("id:"));
        ids.map(|id| id.trim().to_owned()).collect()
    }
}

impl HttpServer {
    /// Starts it on a port that is free.
    pub fn start(flags: &[&str]) -> Self {
        Self::with(flags, &[])
    }

    /// The same, with variables in its environment.
    pub fn with(flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (temporary, working) = (directory.path().join("tmp"), directory.path().join("work"));
        std::fs::create_dir_all(&temporary).unwrap();
        std::fs::create_dir_all(&working).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command.arg("serve").args(flags).args(engine().map(|engine| format!("--browser={engine}")));
        if !flags.iter().any(|flag| flag.starts_with("--http=")) {
            command.arg("--http=127.0.0.1:0");
        }
        command.env("TMPDIR", &temporary).current_dir(&working);
        command.env("XDG_DATA_HOME", directory.path().join("data")).envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let listening = lines.by_ref().map_while(Result::ok).find_map(|line| {
            eprintln!("{line}");
            line.split_once("http://")?.1.strip_suffix("/mcp")?.parse().ok()
        });
        let mut address: SocketAddr = listening.expect("it listens");
        if address.ip().is_unspecified() {
            address.set_ip([127, 0, 0, 1].into());
        }
        let log = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                eprintln!("{line}");
                kept.lock().unwrap().push_str(&(line + "\n"));
            }
        });
        Self { child, address, log, directory }
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub fn temporary_directory(&self) -> PathBuf {
        self.directory.path().join("tmp")
    }

    /// A connection that says nothing yet.
    pub fn connect(&self) -> TcpStream {
        connect(self.address)
    }

    /// A request as a client makes it, with these headers beside the usual ones.
    pub fn post(&self, headers: &[(&str, &str)], body: &str) -> Response {
        post(self.address, headers, body)
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        send(self.address, method, path, headers, body)
    }

    /// A client with a session.
    pub fn client(&self) -> HttpClient {
        self.client_named(CLIENT)
    }

    /// A client of another name.
    pub fn client_named(&self, name: &'static str) -> HttpClient {
        HttpClient::new(self.address, name, None)
    }

    /// A client with a session and a token.
    pub fn client_with(&self, token: &str) -> HttpClient {
        HttpClient::new(self.address, CLIENT, Some(token.to_owned()))
    }

    pub fn health(&self) -> Value {
        self.send("GET", "/health", &[], "").json()
    }

    /// Waits until there are this many sessions.
    #[track_caller]
    pub fn wait_for_sessions(&self, count: u64, timeout: Duration) {
        let until = Instant::now() + timeout;
        while self.health()["sessions"] != count {
            assert!(Instant::now() < until, "{} and not {count} sessions", self.health());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Its memory, in kB.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Waits for its end; nothing when it does not come in time.
    pub fn wait(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + timeout;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        super::server::signal_if_alive(self.child.id());
        if self.wait(Duration::from_secs(8)).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// The name of the tests' clients.
const CLIENT: &str = "suites";

/// A client with a session of its own.
#[derive(Clone)]
pub struct HttpClient {
    pub address: SocketAddr,
    name: &'static str,
    pub session: String,
    pub token: Option<String>,
    next_id: i64,
}

impl HttpClient {
    fn new(address: SocketAddr, name: &'static str, token: Option<String>) -> Self {
        let mut client = Self { address, name, session: String::new(), token, next_id: 1 };
        let opened = client.initialize("2025-06-18");
        assert_eq!(opened.status, 200, "{opened:?}");
        client
    }

    /// Begins a session, or is refused.
    pub fn initialize(&mut self, version: &str) -> Response {
        let mut body = initialize_body(version);
        body["params"]["clientInfo"]["name"] = self.name.into();
        let bearer = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let headers: Vec<(&str, &str)> =
            bearer.as_deref().map(|bearer| ("Authorization", bearer)).into_iter().collect();
        let opened = post(self.address, &headers, &body.to_string());
        if let Some(id) = opened.header("mcp-session-id") {
            self.session = id.to_owned();
            let done = self.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
            assert_eq!(done.status, 202, "{done:?}");
        }
        opened
    }

    /// The headers of its requests.
    pub fn headers(&self) -> Vec<(String, String)> {
        let mut headers = vec![("Mcp-Session-Id".to_owned(), self.session.clone())];
        headers
            .extend(self.token.iter().map(|token| ("Authorization".to_owned(), format!("Bearer {token}"))));
        headers
    }

    /// Sends a message in its session.
    pub fn post(&self, message: &Value) -> Response {
        let headers = self.headers();
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        post(self.address, &headers, &message.to_string())
    }

    /// Sends something without a body in its session.
    pub fn send(&self, method: &str, more: &[(&str, &str)]) -> Response {
        let headers = self.headers();
        let own = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        send(self.address, method, "/mcp", &own.chain(more.iter().copied()).collect::<Vec<_>>(), "")
    }

    /// The message of a call, with a new id.
    pub fn call_message(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        let params = json!({ "name": tool, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    }

    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Reply {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.answer(&message)
    }

    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Reply {
        let message = self.call_message(tool, arguments);
        self.answer(&message)
    }

    #[track_caller]
    fn answer(&self, message: &Value) -> Reply {
        let response = self.post(message);
        let bytes = response.body.len();
        let answer = response.messages().into_iter().find(|answer| answer["id"] == message["id"]);
        Reply { message: answer.unwrap_or_else(|| panic!("no answer to {message}: {response:?}")), bytes }
    }

    #[track_caller]
    pub fn navigate(&mut self, url: &str) -> Reply {
        let reply = self.call("browser_navigate", json!({ "url": url }));
        reply.ok();
        reply
    }

    #[track_caller]
    pub fn evaluate(&mut self, script: &str) -> Value {
        let reply = self.call("browser_evaluate", json!({ "function": script }));
        reply.ok();
        reply.facts()["result"].clone()
    }

    /// Sends a request and does not wait for its answer.
    pub fn begin(&self, message: &Value) -> TcpStream {
        let mut stream = connect(self.address);
        let headers = self.headers();
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let request = post_text(self.address, &headers, &message.to_string());
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }
}

/// The handshake of a protocol version.
pub fn initialize_body(version: &str) -> Value {
    let params = json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": CLIENT, "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.set_write_timeout(Some(TIMEOUT)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

pub fn post_text(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> String {
    let mut all =
        vec![("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    // What a test names itself takes the place of the usual.
    all.retain(|(name, _)| !headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name)));
    all.extend(headers);
    request_text(address, "POST", "/mcp", &all, body)
}

/// A request as it is on the wire.
pub fn request_text(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        text += &format!("Host: {address}\r\n");
    }
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
        text += &format!("Content-Length: {}\r\n", body.len());
    }
    for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
        text += &format!("{name}: {value}\r\n");
    }
    text + "\r\n" + body
}

fn post(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> Response {
    exchange(address, &post_text(address, headers, body))
}

fn send(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let mut stream = connect(address);
    stream.write_all(request_text(address, method, path, headers, body).as_bytes()).unwrap();
    if method == "HEAD" {
        // Its length is that of the body which is left out.
        let (status, headers) = read_head(&mut BufReader::new(&mut stream));
        return Response { status, headers, body: String::new() };
    }
    read_response(&mut stream)
}

fn exchange(address: SocketAddr, request: &str) -> Response {
    let mut stream = connect(address);
    stream.write_all(request.as_bytes()).unwrap();
    read_response(&mut stream)
}

/// Reads an answer to its end.
pub fn read_response(stream: &mut TcpStream) -> Response {
    let mut reader = BufReader::new(stream);
    let (status, headers) = read_head(&mut reader);
    let header = |name: &str| {
        headers
            .iter()
            .find(|(known, _): &&(String, String)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    };
    let mut body = Vec::new();
    if header("transfer-encoding").is_some_and(|encoding| encoding == "chunked") {
        while let Some(chunk) = read_chunk(&mut reader) {
            body.extend(chunk);
        }
    } else if let Some(length) = header("content-length") {
        body.resize(length.parse().unwrap(), 0);
        reader.read_exact(&mut body).unwrap();
    }
    Response { status, headers, body: String::from_utf8(body).unwrap() }
}

/// Reads the head of an answer: its status and headers.
pub fn read_head(reader: &mut impl BufRead) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no status: {line:?}")).parse().unwrap();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().split_once(':') {
            Some((name, value)) => headers.push((name.to_owned(), value.trim().to_owned())),
            None => return (status, headers),
        }
    }
}

/// The next chunk of a body; nothing at its end.
pub fn read_chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut size = String::new();
    reader.read_line(&mut size).unwrap();
    let size = usize::from_str_radix(size.trim(), 16).ok()?;
    let mut chunk = vec![0; size + 2];
    reader.read_exact(&mut chunk).unwrap();
    chunk.truncate(size);
    (size > 0).then_some(chunk)
}
