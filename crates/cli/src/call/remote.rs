//! Calls to a server that runs already, over HTTP.
//!
//! The server's session lasts between calls: its id is in a file that only its user can read.

use std::{
    io::{self, BufRead, BufReader},
    path::PathBuf,
    sync::mpsc::{self, RecvTimeoutError},
    time::Duration,
};

use cicerone_mcp::{Ask, CallError, LONGEST_SILENCE, PROTOCOL, greeting};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use ureq::{Agent, Body, http};
use url::Url;

use super::socket_path::{NoPlace, private_directory};
use crate::{
    config::Flags,
    serve_http::{NotServed, token_text},
};

/// The session that a request belongs to.
const SESSION_ID: &str = "mcp-session-id";

/// How long the server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Why a running server gives no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoRemote {
    #[error(transparent)]
    Place(#[from] NoPlace),
    #[error(transparent)]
    Token(#[from] NotServed),
    #[error("{} cannot be used: {source}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("no server answers at {url}: {source}")]
    Unreachable { url: Box<Url>, source: Box<ureq::Error> },
    #[error("the server answered {status}: {message}")]
    Status { status: u16, message: String },
    #[error(transparent)]
    Call(#[from] CallError),
}

/// A running server, and the session there.
pub(super) struct Remote {
    agent: Agent,
    url: Url,
    bearer: Option<String>,
    /// Where the session's id is kept.
    kept: PathBuf,
    session: Option<String>,
    asked: u64,
}

impl Remote {
    /// The server at this URL. It is not asked for anything yet.
    pub(super) fn at(url: &Url, flags: &Flags) -> Result<Self, NoRemote> {
        let token = token_text(flags)?.and_then(|(_, text)| first_token(&text));
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("cicerone/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(LONGEST_SILENCE));
        // A proxy cannot reach this machine's own loopback.
        let config = if is_loopback(url) { config.proxy(None) } else { config };
        let kept = private_directory()?.join(format!("{}.session", name_of(url, token.as_deref())?));
        let session = match std::fs::read_to_string(&kept) {
            Ok(id) => Some(id),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(NoRemote::File { path: kept, source }),
        };
        let bearer = token.map(|token| format!("Bearer {token}"));
        Ok(Self { agent: config.build().into(), url: url.clone(), bearer, kept, session, asked: 0 })
    }

    /// Ends the session; whether there was one.
    pub(super) fn end(mut self) -> Result<bool, NoRemote> {
        let Some(id) = self.session.take() else { return Ok(false) };
        let request = self.with_headers(self.agent.delete(self.url.as_str()), Some(&id));
        let answer = request.call().map_err(|error| self.unreachable(error))?;
        self.forget()?;
        match answer.status().as_u16() {
            404 => Ok(false),
            200..=299 => Ok(true),
            _ => Err(refusal(answer)),
        }
    }

    fn greet(&mut self) -> Result<(), NoRemote> {
        self.session = None;
        let answer = self.post(&self.request("initialize", &greeting()))?;
        let id = answer.headers().get(SESSION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        self.result(answer)?;
        if let Some(id) = &id {
            self.keep(id)?;
        }
        self.session = id;
        let greeted = self.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        if greeted.status().is_success() { Ok(()) } else { Err(refusal(greeted)) }
    }

    fn request(&self, method: &str, params: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params })
    }

    fn post(&self, message: &Value) -> Result<http::Response<Body>, NoRemote> {
        let request = self.agent.post(self.url.as_str());
        let request = request
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream");
        let request = self.with_headers(request, self.session.as_deref());
        request.send(message.to_string()).map_err(|error| self.unreachable(error))
    }

    fn with_headers<B>(
        &self,
        mut request: ureq::RequestBuilder<B>,
        session: Option<&str>,
    ) -> ureq::RequestBuilder<B> {
        if let Some(bearer) = &self.bearer {
            request = request.header("Authorization", bearer);
        }
        if let Some(id) = session {
            request = request.header(SESSION_ID, id).header("Mcp-Protocol-Version", PROTOCOL);
        }
        request
    }

    /// The result in an answer, which is one message or a stream of them.
    fn result(&self, answer: http::Response<Body>) -> Result<Value, NoRemote> {
        if !answer.status().is_success() {
            return Err(refusal(answer));
        }
        let lines = lines(answer.into_body());
        loop {
            let line = match lines.recv_timeout(LONGEST_SILENCE) {
                Ok(line) => line.map_err(CallError::Io)?,
                Err(RecvTimeoutError::Timeout) => return Err(CallError::Silent.into()),
                Err(RecvTimeoutError::Disconnected) => return Err(CallError::Ended.into()),
            };
            let message = line.strip_prefix("data:").unwrap_or(&line).trim();
            if !message.starts_with('{') {
                continue;
            }
            let message = serde_json::from_str(message).map_err(CallError::Malformed)?;
            if let Some(result) = cicerone_mcp::result_in(message, self.asked) {
                return Ok(result?);
            }
        }
    }

    fn keep(&self, id: &str) -> Result<(), NoRemote> {
        use std::{io::Write as _, os::unix::fs::OpenOptionsExt as _};
        let mut options = std::fs::File::options();
        options.create(true).write(true).truncate(true).mode(0o600);
        let written = options.open(&self.kept).and_then(|mut file| file.write_all(id.as_bytes()));
        written.map_err(|source| NoRemote::File { path: self.kept.clone(), source })
    }

    fn forget(&self) -> Result<(), NoRemote> {
        match std::fs::remove_file(&self.kept) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(NoRemote::File { path: self.kept.clone(), source })
            }
            _ => Ok(()),
        }
    }

    fn unreachable(&self, error: ureq::Error) -> NoRemote {
        NoRemote::Unreachable { url: Box::new(self.url.clone()), source: Box::new(error) }
    }
}

impl Ask for Remote {
    type Error = NoRemote;

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, NoRemote> {
        self.asked += 1;
        if self.session.is_some() {
            let answer = self.post(&self.request(method, params))?;
            // The session was ended, or the server restarted.
            if answer.status() != http::StatusCode::NOT_FOUND {
                return self.result(answer);
            }
            eprintln!("cicerone: the session has ended; a new one begins");
        }
        self.greet()?;
        let answer = self.post(&self.request(method, params))?;
        self.result(answer)
    }
}

/// The lines of a body, read in a thread because a read itself knows no limit.
fn lines(body: Body) -> mpsc::Receiver<io::Result<String>> {
    let (tell, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(body.into_reader()).lines() {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

fn refusal(answer: http::Response<Body>) -> NoRemote {
    let status = answer.status().as_u16();
    let text = answer.into_body().read_to_string().unwrap_or_default();
    let said = serde_json::from_str::<Value>(&text).ok();
    let message = said.as_ref().and_then(|said| said["error"]["message"].as_str());
    NoRemote::Status { status, message: message.unwrap_or("no MCP server answers there").to_owned() }
}

/// The first token of a file.
fn first_token(text: &str) -> Option<String> {
    text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned)
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// A name for the session of one server, one token and one directory.
fn name_of(url: &Url, token: Option<&str>) -> Result<String, NoPlace> {
    let working = std::env::current_dir().map_err(NoPlace::NoWorkingDirectory)?;
    let mut hash = Sha256::new();
    for part in [
        url.as_str().as_bytes(),
        token.unwrap_or_default().as_bytes(),
        working.as_os_str().as_encoded_bytes(),
    ] {
        hash.update(part);
        hash.update([0]);
    }
    Ok(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}
