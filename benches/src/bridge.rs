//! The person's own Chrome: what a call costs through the extension, beside the same server with a browser on a pipe.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cicerone_testkit::Site;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::{Message, WebSocket, client::client};

use crate::{
    Failure,
    cases::Bench,
    ours::Ours,
    table::{Limit, Table},
};

/// So much more than over the pipe may a call cost, in milliseconds.
const MORE: f64 = 3.0;

/// Within this time after the worker's end the server goes on, in milliseconds.
const BACK: f64 = 2_000.0;

/// How long anything may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How often the worker is ended.
const ENDS: usize = 5;

/// What says where the debugging port is.
const LISTENING: &str = "DevTools listening on ws://";

pub(crate) fn measure(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    let data = tempfile::tempdir()?;
    let extension = install(data.path())?;
    let chrome = Chrome::start(&extension)?;
    let mut bridged = Ours::extended(program, data.path())?;
    let mut piped = Ours::start(program)?;
    let mut bench = Bench { table, ours: &mut bridged, raw: &mut piped };
    let page = site.url("/counter");
    bench.both("bridge: navigate", Limit::None, &mut |ours| ours.open(&page).map(drop), &mut |ours| {
        ours.open(&page).map(drop)
    })?;
    // Each as a client calls it.
    let calls = [
        ("bridge: evaluate", "browser_evaluate", json!({ "function": "1 + 1" })),
        ("bridge: click", "browser_click", json!({ "ref": "button" })),
        ("bridge: snapshot", "browser_snapshot", json!({})),
    ];
    for (what, tool, arguments) in calls {
        let mut call = |ours: &mut Ours| ours.call(tool, &arguments).map(drop);
        let mut same = call;
        bench.both(what, Limit::AboveRaw(MORE), &mut call, &mut same)?;
    }
    drop(piped);
    let mut slowest = 0.0_f64;
    for _ in 0..ENDS {
        let mut person = chrome.connect()?;
        person.in_worker("globalThis.isOld = true")?.ok_or("there is no worker")?;
        person.stop_workers()?;
        slowest = slowest.max(until_answered(&mut bridged, &mut person)?);
    }
    table.milliseconds("bridge: after the worker's end, the slowest", slowest, None, Limit::AtMost(BACK));
    Ok(())
}

/// How long until a new worker has answered a call, in milliseconds. The one that is under way when the worker ends may be lost
/// with it, and the old one may still answer.
fn until_answered(ours: &mut Ours, person: &mut Person) -> Result<f64, Failure> {
    let began = Instant::now();
    while began.elapsed() < TIMEOUT {
        let is_new = person.in_worker("!globalThis.isOld")? == Some(true.into());
        let reply = ours.client.call("browser_evaluate", &json!({ "function": "1 + 1" }))?;
        if is_new && !reply.failed {
            return Ok(began.elapsed().as_secs_f64() * 1000.0);
        }
    }
    Err("the extension did not come back".into())
}

/// Puts the extension where a server with this data directory looks for it.
fn install(data: &Path) -> Result<std::path::PathBuf, Failure> {
    let directory = data.join("cicerone/extension");
    fs::create_dir_all(&directory)?;
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../extension/dist");
    for file in ["manifest.json", "popup.html", "popup.js", "worker.js"] {
        fs::copy(built.join(file), directory.join(file))?;
    }
    Ok(directory)
}

/// The browser of a person.
struct Chrome {
    browser: Child,
    listens: String,
    _profile: TempDir,
}

impl Chrome {
    fn start(extension: &Path) -> Result<Self, Failure> {
        let profile = tempfile::tempdir()?;
        let mut command = Command::new("chromium");
        command.args(["--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu"]);
        command.args(["--remote-debugging-port=0", "about:blank"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("--load-extension={}", extension.display()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut browser = command.spawn()?;
        let mut lines = BufReader::new(browser.stderr.take().ok_or("no standard error")?).lines();
        let listens = loop {
            let line = lines.next().ok_or("the browser ended")??;
            if let Some(listens) = line.strip_prefix(LISTENING) {
                break listens.trim().to_owned();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { browser, listens, _profile: profile })
    }

    /// Looks into it as a person would.
    fn connect(&self) -> Result<Person, Failure> {
        let (address, _) = self.listens.split_once('/').ok_or("no address")?;
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let (socket, _) = client(format!("ws://{}", self.listens), stream)?;
        Ok(Person { socket, asked: 0 })
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

/// A connection to the browser's debugging port, beside the extension's.
struct Person {
    socket: WebSocket<TcpStream>,
    asked: u64,
}

impl Person {
    /// Ends the extension's worker, as Chrome does with idle ones.
    fn stop_workers(&mut self) -> Result<(), Failure> {
        let page = self.target("page")?.ok_or("no page")?;
        let session = self.attach(&page)?;
        let session = session.as_str();
        self.ask(session, "ServiceWorker.enable", &json!({}))?;
        self.ask(session, "ServiceWorker.stopAllWorkers", &json!({})).map(drop)
    }

    /// The value of an expression in the extension's worker; nothing while there is none.
    fn in_worker(&mut self, expression: &str) -> Result<Option<Value>, Failure> {
        let Some(worker) = self.target("service_worker")? else { return Ok(None) };
        // One that was ended is listed for a moment.
        let Ok(session) = self.attach(&worker) else { return Ok(None) };
        let params = json!({ "expression": expression, "returnByValue": true });
        let asked = self.ask(session.as_str(), "Runtime.evaluate", &params);
        let detach = json!({ "sessionId": session });
        // It may be gone by now.
        let _ = self.ask(None, "Target.detachFromTarget", &detach);
        Ok(asked.ok().map(|mut done| done["result"]["value"].take()))
    }

    fn target(&mut self, kind: &str) -> Result<Option<Value>, Failure> {
        let targets = self.ask(None, "Target.getTargets", &json!({}))?;
        let targets = targets["targetInfos"].as_array().ok_or("no targets")?;
        Ok(targets.iter().find(|target| target["type"] == kind).map(|target| target["targetId"].clone()))
    }

    fn attach(&mut self, target: &Value) -> Result<Value, Failure> {
        let attach = json!({ "targetId": target, "flatten": true });
        Ok(self.ask(None, "Target.attachToTarget", &attach)?["sessionId"].take())
    }

    fn ask(&mut self, session: Option<&str>, method: &str, params: &Value) -> Result<Value, Failure> {
        self.asked += 1;
        let mut command = json!({ "id": self.asked, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        self.socket.send(Message::text(command.to_string()))?;
        loop {
            let Message::Text(text) = self.socket.read()? else { continue };
            let mut message: Value = serde_json::from_str(text.as_str())?;
            if message["id"] == self.asked {
                return match message.get("error") {
                    Some(error) => Err(error.to_string().into()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }
}
