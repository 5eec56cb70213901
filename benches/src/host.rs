//! The program that shows WebKit's pages, over its pipe and with nothing in between: its own commands, and those of WebKit's
//! inspector.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Failure;

/// Tells the host which events have arrived, as the server's own script does: without it each gesture waits for its timeout.
const TELLING: &str = "for (const type of ['mousemove', 'mousedown', 'mouseup']) \
    addEventListener(type, (event) => webkit.messageHandlers.cicerone.postMessage(event.type), true)";

/// The world of that script.
const WORLD: &str = "cicerone";

/// A host with one page.
pub(crate) struct Host {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    sent: u64,
    page: String,
    /// The page's global object.
    world: Option<i64>,
    _directory: TempDir,
}

impl Host {
    /// Starts one, and opens a page.
    pub(crate) fn start(program: &str) -> Result<Self, Failure> {
        let directory = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.arg(directory.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let output = BufReader::new(process.stdout.take().ok_or("no output")?);
        let input = process.stdin.take();
        let page = String::new();
        let mut host = Self { process, input, output, sent: 0, page, world: None, _directory: directory };
        while host.message()?["method"] != "Host.started" {}
        host.ask("Host.setScripts", &json!({ "scripts": [[WORLD, TELLING]] }))?;
        let context = host.ask("Host.newContext", &json!({ "proxy": null, "profile": null }))?;
        let size = json!({ "context": context["context"], "width": 1280, "height": 720, "hidden": false });
        host.page = host.ask("Host.open", &size)?["page"].as_str().ok_or("no page")?.to_owned();
        for domain in ["Inspector", "Page", "Runtime"] {
            host.ask(&format!("{domain}.enable"), &json!({}))?;
        }
        Ok(host)
    }

    /// Sends a command and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value, Failure> {
        self.sent += 1;
        let mut command = json!({ "id": self.sent, "method": method, "params": parameters });
        if !self.page.is_empty() {
            command["sessionId"] = self.page.as_str().into();
        }
        let line = format!("{command}\n");
        self.input.as_mut().ok_or("it has ended")?.write_all(line.as_bytes())?;
        loop {
            let mut message = self.message()?;
            if message["id"] == self.sent {
                return match message.get("error") {
                    Some(error) => Err(format!("{method}: {error}").into()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    /// The next message; worlds of the page that it tells of are remembered.
    fn message(&mut self) -> Result<Value, Failure> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err("the host ended".into());
        }
        let message: Value = serde_json::from_str(&line)?;
        let context = &message["params"]["context"];
        if message["method"] == "Runtime.executionContextCreated" && context["type"] == "normal" {
            self.world = context["id"].as_i64();
        }
        Ok(message)
    }

    /// Opens a page, until it has loaded.
    pub(crate) fn open(&mut self, url: &str) -> Result<(), Failure> {
        self.world = None;
        self.ask("Host.load", &json!({ "url": url }))?;
        while self.world.is_none() {
            self.message()?;
        }
        let loaded =
            "new Promise((done) => document.readyState === 'complete' ? done() : onload = () => done())";
        self.evaluate(loaded).map(drop)
    }

    /// The value of an expression, or of its promise.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Result<Value, Failure> {
        let parameters = json!({ "expression": expression, "contextId": self.world, "returnByValue": false });
        let mut answer = self.ask("Runtime.evaluate", &parameters)?;
        if answer["result"]["className"] == "Promise" {
            let promise = json!({ "promiseObjectId": answer["result"]["objectId"], "returnByValue": true });
            answer = self.ask("Runtime.awaitPromise", &promise)?;
        }
        match answer["wasThrown"].as_bool() {
            Some(true) => Err(answer.to_string().into()),
            _ => Ok(answer["result"]["value"].clone()),
        }
    }

    /// A click there: three events in one command.
    pub(crate) fn click(&mut self, x: f64, y: f64) -> Result<(), Failure> {
        let steps = json!([
            { "type": "move", "x": x, "y": y },
            { "type": "down", "button": 1, "count": 1 },
            { "type": "up", "button": 1 },
        ]);
        self.ask("Host.input", &json!({ "steps": steps })).map(drop)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It ends with its input.
        self.input = None;
        let _ = self.process.wait();
    }
}
