//! Firefox itself, over its socket and with nothing in between.

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::{Message, WebSocket, client::client};

use crate::Failure;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What it says when it can be connected to.
const LISTENING: &str = "WebDriver BiDi listening on ws://";

/// A browser with one page.
pub(crate) struct Bidi {
    browser: Child,
    socket: WebSocket<TcpStream>,
    sent: u64,
    page: String,
    _profile: TempDir,
}

impl Bidi {
    /// Starts a browser as the server started its own, with a fresh profile of these preferences or of none. Its page is
    /// the one that it begins with.
    pub(crate) fn start(command_line: &[String], preferences: Option<&Path>) -> Result<Self, Failure> {
        let [program, arguments @ ..] = command_line else { return Err("no command line".into()) };
        let profile = tempfile::tempdir()?;
        if let Some(preferences) = preferences {
            std::fs::copy(preferences, profile.path().join("user.js"))?;
        }
        let mut command = Command::new(program);
        let at = arguments.iter().position(|argument| argument == "--profile").ok_or("no profile")?;
        let others = arguments[..at].iter().chain(&arguments[at + 2..]);
        // Its own socket is enough.
        command.args(others.filter(|argument| *argument != "--marionette"));
        command.arg("--profile").arg(profile.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut browser = command.spawn()?;
        let address = listening(&mut browser)?;
        let stream = TcpStream::connect(&address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let (socket, _) = client(format!("ws://{address}/session"), stream)?;
        let mut raw = Self { browser, socket, sent: 0, page: String::new(), _profile: profile };
        raw.ask("session.new", &json!({ "capabilities": {} }))?;
        // The page that is there from the start: nothing is sooner.
        let there = raw.ask("browsingContext.getTree", &json!({}))?;
        raw.page = there["contexts"][0]["context"].as_str().ok_or("no page")?.to_owned();
        let viewport = json!({ "context": raw.page, "viewport": { "width": 1280, "height": 720 } });
        raw.ask("browsingContext.setViewport", &viewport)?;
        Ok(raw)
    }

    /// Sends a command and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value, Failure> {
        self.sent += 1;
        let command = json!({ "id": self.sent, "method": method, "params": parameters });
        self.socket.send(Message::text(command.to_string()))?;
        loop {
            let Message::Text(text) = self.socket.read()? else { continue };
            let mut message: Value = serde_json::from_str(text.as_str())?;
            if message["id"] == self.sent {
                return match message["type"].as_str() {
                    Some("success") => Ok(message["result"].take()),
                    _ => Err(message.to_string().into()),
                };
            }
        }
    }

    /// Opens a page, until it has loaded.
    pub(crate) fn open(&mut self, url: &str) -> Result<(), Failure> {
        let parameters = json!({ "context": self.page, "url": url, "wait": "complete" });
        self.ask("browsingContext.navigate", &parameters).map(drop)
    }

    /// The value of an expression, or of its promise.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Result<Value, Failure> {
        let target = json!({ "context": self.page });
        let parameters = json!({ "expression": expression, "awaitPromise": true, "target": target });
        let answer = self.ask("script.evaluate", &parameters)?;
        match answer["type"].as_str() {
            Some("success") => Ok(answer["result"]["value"].clone()),
            _ => Err(answer.to_string().into()),
        }
    }

    /// A click there: three actions in one command.
    pub(crate) fn click(&mut self, x: f64, y: f64) -> Result<(), Failure> {
        let actions = json!([
            { "type": "pointerMove", "x": x, "y": y },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let source = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.ask("input.performActions", &json!({ "context": self.page, "actions": [source] })).map(drop)
    }
}

/// Where it listens, as soon as it does. What it says after that is read and forgotten.
fn listening(browser: &mut Child) -> Result<String, Failure> {
    let mut lines = BufReader::new(browser.stderr.take().ok_or("no standard error")?).lines();
    let address = loop {
        let line = lines.next().ok_or("the browser ended")??;
        if let Some((_, address)) = line.split_once(LISTENING) {
            break address.trim().to_owned();
        }
    };
    std::thread::spawn(move || lines.for_each(drop));
    Ok(address)
}

impl Drop for Bidi {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
