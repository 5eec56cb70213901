use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cicerone_install::{Engine, Search};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::cdp::Cdp;

/// How long what the extension does by itself may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The extension's id, by its key.
pub const EXTENSION: &str = "fpigkajcaaibbllghiijhpbnifablenf";

/// The Chrome of a person: started beside the server, and used through a debugging port as that person would use it.
pub struct Chrome {
    child: Child,
    address: SocketAddr,
    path: String,
    profile: TempDir,
}

impl Chrome {
    /// Starts it with these unpacked extensions, at a URL.
    pub fn start(extensions: &[&Path], url: &str) -> Self {
        Self::start_with(extensions, url, &["--headless=new"])
    }

    pub fn start_with(extensions: &[&Path], url: &str, flags: &[&str]) -> Self {
        Self::start_on(None, extensions, url, flags)
    }

    /// The same on a display.
    pub fn start_on(display: Option<&str>, extensions: &[&Path], url: &str, flags: &[&str]) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let downloads = json!({ "download": { "default_directory": profile.path().join("theirs") } });
        std::fs::create_dir_all(profile.path().join("Default")).unwrap();
        std::fs::write(profile.path().join("Default/Preferences"), downloads.to_string()).unwrap();
        let mut command = Command::new(executable(Engine::Chromium));
        command.args(flags).args([
            "--no-sandbox",
            "--no-first-run",
            "--disable-gpu",
            "--remote-debugging-port=0",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        if !extensions.is_empty() {
            let paths: Vec<String> = extensions.iter().map(|path| path.display().to_string()).collect();
            command.arg(format!("--load-extension={}", paths.join(",")));
        }
        command.envs(display.map(|name| ("DISPLAY", name)));
        let mut child = command
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let listening = lines
            .find_map(|line| line.unwrap().strip_prefix("DevTools listening on ws://").map(str::to_owned))
            .unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        let (address, path) = listening.split_once('/').unwrap();
        Self { child, address: address.parse().unwrap(), path: format!("/{path}"), profile }
    }

    /// Where its debugging port is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its endpoint, for `--endpoint`.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The same as the URL of its WebSocket.
    pub fn socket(&self) -> String {
        format!("ws://{}{}", self.address, self.path)
    }

    /// Where the person's downloads go.
    pub fn downloads(&self) -> PathBuf {
        self.profile.path().join("theirs")
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn cdp(&self) -> Cdp {
        Cdp::dial(self.address, &self.path)
    }

    /// Gives its window the size at which pages have this one. What Chrome draws around them differs by its version.
    pub fn size_pages(&self, (width, height): (i64, i64)) {
        let mut cdp = self.cdp();
        let page = cdp.targets("page")[0]["targetId"].as_str().unwrap().to_owned();
        let window = cdp.send(None, "Browser.getWindowForTarget", json!({ "targetId": page }));
        let window = &window["windowId"];
        eventually("the pages' size", || {
            let size = cdp.evaluate(&page, "[innerWidth, innerHeight]");
            let missing = [width - size[0].as_i64().unwrap(), height - size[1].as_i64().unwrap()];
            if missing == [0, 0] {
                return Some(());
            }
            let found = cdp.send(None, "Browser.getWindowBounds", json!({ "windowId": window }));
            let side = |name: &str, missing| found["bounds"][name].as_i64().unwrap() + missing;
            let bounds = json!({ "width": side("width", missing[0]), "height": side("height", missing[1]) });
            cdp.send(None, "Browser.setWindowBounds", json!({ "windowId": window, "bounds": bounds }));
            None
        });
    }

    /// The value of an expression in the extension's worker.
    #[track_caller]
    pub fn in_worker(&self, expression: &str) -> Value {
        // One that is just starting has no APIs yet, and one that was ended is listed for a moment.
        let ready = "typeof chrome === 'object' && typeof chrome.tabs?.query === 'function'";
        let worker = eventually("the extension's worker", || {
            self.worker().filter(|worker| self.cdp().holds(worker, ready))
        });
        self.cdp().evaluate(&worker, expression)
    }

    fn worker(&self) -> Option<String> {
        let url = format!("chrome-extension://{EXTENSION}/worker.js");
        let workers = self.cdp().targets("service_worker");
        let worker = workers.iter().find(|worker| worker["url"] == url)?;
        Some(worker["targetId"].as_str().unwrap().to_owned())
    }

    /// Ends all workers, as Chrome does with idle ones.
    pub fn stop_workers(&self) {
        let mut cdp = self.cdp();
        let page = cdp.targets("page")[0]["targetId"].as_str().unwrap().to_owned();
        cdp.on(&page, |cdp, session| {
            cdp.send(Some(session), "ServiceWorker.enable", json!({}));
            cdp.send(Some(session), "ServiceWorker.stopAllWorkers", json!({}));
        });
    }

    /// Opens a tab behind the others, as a person would.
    pub fn open_tab(&self, url: &str) -> String {
        let made = self.cdp().send(None, "Target.createTarget", json!({ "url": url, "background": true }));
        made["targetId"].as_str().unwrap().to_owned()
    }

    /// Opens the popup of the extension's button, in a tab of its own.
    pub fn popup(&self) -> Popup {
        let target = self.open_tab(&format!("chrome-extension://{EXTENSION}/popup.html"));
        let popup = Popup { address: self.address, path: self.path.clone(), target };
        // Before its document is there, the tab shows an empty one without the extension's APIs.
        eventually("the popup", || popup.is_loaded().then_some(()));
        popup
    }

    /// The tabs of the groups with this title: their URLs.
    pub fn grouped(&self, title: &str) -> Vec<String> {
        let tabs = self.in_worker(&format!(
            "(async () => {{
                const groups = (await chrome.tabGroups.query({{}})).filter((group) => group.title === {title:?});
                const tabs = await Promise.all(groups.map((group) => chrome.tabs.query({{ groupId: group.id }})));
                return tabs.flat().map((tab) => tab.url || tab.pendingUrl);
            }})()"
        ));
        tabs.as_array().unwrap().iter().map(|url| url.as_str().unwrap().to_owned()).collect()
    }

    /// Ends it, as a person who closes it.
    pub fn end(mut self) {
        self.cdp().try_send(None, "Browser.close", json!({})).ok();
        eventually("its end", || self.child.try_wait().unwrap());
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The popup of the extension's button.
pub struct Popup {
    address: SocketAddr,
    path: String,
    target: String,
}

impl Popup {
    fn cdp(&self) -> Cdp {
        Cdp::dial(self.address, &self.path)
    }

    fn is_loaded(&self) -> bool {
        let loaded = "document.readyState === 'complete' && location.protocol === 'chrome-extension:'";
        self.cdp().holds(&self.target, loaded)
    }

    /// What it says.
    pub fn text(&self) -> String {
        let text = self.cdp().evaluate(&self.target, "document.body?.innerText ?? ''");
        text.as_str().unwrap().to_owned()
    }

    /// Waits until it says this.
    #[track_caller]
    pub fn says(&self, words: &str) {
        eventually(words, || self.text().contains(words).then_some(()));
    }

    /// Clicks a button of the first client's part.
    #[track_caller]
    pub fn click(&self, label: &str) {
        let find =
            format!("[...document.querySelectorAll('button')].find((it) => it.textContent === {label:?})");
        eventually(label, || {
            self.cdp().evaluate(&self.target, &format!("!!{find}")).as_bool().filter(|there| *there)
        });
        self.cdp().evaluate(&self.target, &format!("{find}.click()"));
    }

    /// Asks for something about another tab than the one that is in front.
    #[track_caller]
    pub fn act(&self, act: &str, url: &str) {
        let url = json!(url);
        let find = format!("chrome.tabs.query({{ url: {url} }}).then((found) => found.length)");
        eventually("the tab", || (self.cdp().evaluate(&self.target, &find) != 0).then_some(()));
        self.cdp().evaluate(
            &self.target,
            &format!(
                "(async () => {{
                    const [tab] = await chrome.tabs.query({{ url: {url} }});
                    const [{{ server }}] = await chrome.runtime.sendMessage({{}});
                    await chrome.runtime.sendMessage({{ act: {act:?}, server, tab: tab.id }});
                }})()"
            ),
        );
    }
}

/// Copies the extension's files to where a server with this data directory looks for them.
pub fn install_extension(data: &Path) -> PathBuf {
    let directory = data.join("cicerone/extension");
    std::fs::create_dir_all(&directory).unwrap();
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../extension/dist");
    for file in ["manifest.json", "popup.html", "popup.js", "worker.js"] {
        std::fs::copy(built.join(file), directory.join(file)).unwrap();
    }
    directory
}

/// The browser that the server finds, too.
pub fn executable(engine: Engine) -> PathBuf {
    cicerone_install::find(engine, &Search::of_process()).unwrap().path
}

/// Waits for what another program does in its own time.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "it never came: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
