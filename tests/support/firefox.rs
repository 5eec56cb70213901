use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    time::Duration,
};

use cicerone_install::Engine;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::cdp::WebSocket;

/// A Firefox that somebody else started with remote debugging on.
pub struct Firefox {
    child: Child,
    address: SocketAddr,
    /// Where Marionette listens, where it does.
    marionette: Option<u16>,
    profile: TempDir,
}

impl Firefox {
    /// Starts it at a URL.
    pub fn start(url: &str) -> Self {
        Self::start_with(url, &[], "")
    }

    /// The same with Marionette, which can begin a session that outlives its BiDi connections.
    pub fn with_marionette(url: &str) -> Self {
        Self::start_with(url, &["--marionette"], "user_pref(\"marionette.port\", 0);")
    }

    fn start_with(url: &str, flags: &[&str], preferences: &str) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let downloads = profile.path().join("theirs");
        let own = format!(
            "{preferences}
             user_pref(\"browser.download.folderList\", 2);
             user_pref(\"browser.download.dir\", \"{}\");
             user_pref(\"app.normandy.enabled\", false);
             user_pref(\"datareporting.policy.dataSubmissionEnabled\", false);",
            downloads.display()
        );
        std::fs::write(profile.path().join("user.js"), own).unwrap();
        let mut command = Command::new(super::chrome::executable(Engine::Firefox));
        command
            .args(["--headless", "--no-remote", "--new-instance", "--remote-debugging-port=0"])
            .args(flags);
        command.arg("--profile").arg(profile.path()).arg(url);
        command.env("TMPDIR", profile.path()).env("MOZ_CRASHREPORTER_DISABLE", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .find_map(|line| Some(line.unwrap().split_once("BiDi listening on ws://")?.1.to_owned()))
            .unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        let marionette = (!flags.is_empty()).then(|| {
            let file = profile.path().join("MarionetteActivePort");
            super::chrome::eventually("Marionette's port", || {
                std::fs::read_to_string(&file).ok()?.trim().parse().ok()
            })
        });
        Self { child, address: address.trim().parse().unwrap(), marionette, profile }
    }

    /// What it says itself that it listens on.
    pub fn endpoint(&self) -> String {
        format!("ws://{}", self.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where the person's downloads go.
    pub fn downloads(&self) -> std::path::PathBuf {
        self.profile.path().join("theirs")
    }

    /// Whether it runs, and takes another client.
    pub fn is_free(&self) -> bool {
        let mut client = Bidi::dial(self.address, "/session").unwrap();
        client.send("session.status", json!({}))["ready"] == true
    }

    /// A client of somebody else, with a session of its own.
    pub fn client(&self) -> Bidi {
        let mut client = Bidi::dial(self.address, "/session").unwrap();
        client.send("session.new", json!({ "capabilities": {} }));
        client
    }

    /// Begins a session by Marionette: its URL, and the connection that it lasts as long as.
    pub fn session(&self) -> (String, TcpStream) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.marionette.unwrap())).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        frame(&mut stream);
        let wanted = json!([0, 1, "WebDriver:NewSession", {
            "webSocketUrl": true,
            "unhandledPromptBehavior": { "default": "ignore", "beforeUnload": "ignore" },
        }])
        .to_string();
        stream.write_all(format!("{}:{wanted}", wanted.len()).as_bytes()).unwrap();
        let answer: Value = serde_json::from_slice(&frame(&mut stream)).unwrap();
        (answer[3]["capabilities"]["webSocketUrl"].as_str().unwrap().to_owned(), stream)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A message of Marionette: its length, a colon, JSON.
fn frame(stream: &mut TcpStream) -> Vec<u8> {
    let (mut length, mut digit) = (0, [0]);
    loop {
        stream.read_exact(&mut digit).unwrap();
        match digit[0] {
            b':' => break,
            digit => length = length * 10 + usize::from(digit - b'0'),
        }
    }
    let mut message = vec![0; length];
    stream.read_exact(&mut message).unwrap();
    message
}

/// A BiDi connection beside the one that is tested.
pub struct Bidi {
    socket: WebSocket,
    next_id: u64,
}

impl Bidi {
    /// The status where it is refused.
    pub fn dial(address: SocketAddr, path: &str) -> Result<Self, u16> {
        Ok(Self { socket: WebSocket::dial(address, path, &[])?, next_id: 1 })
    }

    /// A command and its result.
    #[track_caller]
    pub fn send(&mut self, method: &str, params: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        self.socket.send(&json!({ "id": id, "method": method, "params": params }).to_string());
        loop {
            let text = self.socket.read().unwrap_or_else(|| panic!("{method}: the connection ended"));
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The URLs of all pages.
    pub fn pages(&mut self) -> Vec<String> {
        let tree = self.send("browsingContext.getTree", json!({ "maxDepth": 0 }));
        let pages = tree["contexts"].as_array().unwrap();
        pages.iter().map(|page| page["url"].as_str().unwrap().to_owned()).collect()
    }

    /// How many user contexts there are.
    pub fn user_contexts(&mut self) -> usize {
        self.send("browser.getUserContexts", json!({}))["userContexts"].as_array().unwrap().len()
    }

    /// Ends the session.
    pub fn end(mut self) {
        self.send("session.end", json!({}));
    }
}
