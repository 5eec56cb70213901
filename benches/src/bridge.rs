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
    median,
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
    let mut back = Vec::new();
    for _ in 0..ENDS {
        chrome.stop_workers()?;
        back.push(until_answered(&mut bridged)?);
    }
    table.milliseconds("bridge: after the worker's end", median(back), None, Limit::AtMost(BACK));
    Ok(())
}

/// How long until a call succeeds, in milliseconds. The one that is under way when the worker ends may be lost with it.
fn until_answered(ours: &mut Ours) -> Result<f64, Failure> {
    let began = Instant::now();
    while began.elapsed() < TIMEOUT {
        let reply = ours.client.call("browser_evaluate", &json!({ "function": "1 + 1" }))?;
        if !reply.failed {
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

    /// Ends the extension's worker, as Chrome does with idle ones.
    fn stop_workers(&self) -> Result<(), Failure> {
        let (address, _) = self.listens.split_once('/').ok_or("no address")?;
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let (mut socket, _) = client(format!("ws://{}", self.listens), stream)?;
        let targets = ask(&mut socket, 1, None, "Target.getTargets", &json!({}))?;
        let pages = targets["targetInfos"].as_array().ok_or("no targets")?;
        let page = pages.iter().find(|target| target["type"] == "page").ok_or("no page")?;
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = ask(&mut socket, 2, None, "Target.attachToTarget", &attach)?;
        let session = attached["sessionId"].as_str();
        ask(&mut socket, 3, session, "ServiceWorker.enable", &json!({}))?;
        ask(&mut socket, 4, session, "ServiceWorker.stopAllWorkers", &json!({})).map(drop)
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

fn ask(
    socket: &mut WebSocket<TcpStream>,
    id: u64,
    session: Option<&str>,
    method: &str,
    params: &Value,
) -> Result<Value, Failure> {
    let mut command = json!({ "id": id, "method": method, "params": params });
    if let Some(session) = session {
        command["sessionId"] = session.into();
    }
    socket.send(Message::text(command.to_string()))?;
    loop {
        let Message::Text(text) = socket.read()? else { continue };
        let mut message: Value = serde_json::from_str(text.as_str())?;
        if message["id"] == id {
            return match message.get("error") {
                Some(error) => Err(error.to_string().into()),
                None => Ok(message["result"].take()),
            };
        }
    }
}
