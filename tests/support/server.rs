use std::{
    io::{BufRead, BufReader, Write},
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    Reply, Site,
    chrome::{Chrome, install_extension},
    firefox::Firefox,
    schema::misfits_of,
};

/// How long anything may take before a test gives up.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The server as a process, with a working directory and a temporary directory of its own.
pub struct Server {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Value, usize)>,
    /// Messages that were not waited for: notifications, other answers.
    pub aside: Vec<Value>,
    next_id: i64,
    /// The calls that are not answered yet: their ids and tools.
    under_way: Vec<(i64, String)>,
    directory: TempDir,
    /// The browser that ran before it, where it uses one.
    running: Option<Box<dyn std::any::Any + Send>>,
}

/// What a server logs.
pub struct Log(tempfile::NamedTempFile);

impl Log {
    /// All of it so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.0.path()).unwrap()).into_owned()
    }
}

/// The browser that the suites run on; the server's own choice where none is named.
pub fn engine() -> Option<String> {
    std::env::var("SUITES_BROWSER").ok().filter(|name| !name.is_empty())
}

/// What that browser says of a name that nothing has.
pub fn not_defined(name: &str) -> String {
    match engine().as_deref() {
        Some("webkit") => format!("Can't find variable: {name}"),
        _ => format!("{name} is not defined"),
    }
}

/// The size of pages where nothing else is said.
const VIEWPORT: (i64, i64) = (1280, 720);

/// How the suites reach a browser that runs already: through the `extension`, or at an `endpoint`. Not at all where it is not
/// said.
fn running_through() -> Option<String> {
    std::env::var("SUITES_THROUGH").ok().filter(|way| !way.is_empty())
}

/// Starts the browser that a server is to use, and says so to the server.
fn start_running(command: &mut Command, data: &Path) -> Option<Box<dyn std::any::Any + Send>> {
    Some(match running_through()?.as_str() {
        "extension" => {
            command.arg("--extension");
            // Bars would take some of the page's height: that of the debugger, and the first tab's warning of flags.
            let flags = ["--headless=new", "--silent-debugger-extension-api", "--test-type"];
            let chrome = Chrome::start_with(&[&install_extension(data)], "about:blank", &flags);
            chrome.size_pages(VIEWPORT);
            Box::new(chrome)
        }
        "endpoint" if engine().as_deref() == Some("firefox") => {
            let firefox = Firefox::start("about:blank");
            command.arg(format!("--endpoint={}", firefox.endpoint()));
            Box::new(firefox)
        }
        "endpoint" => {
            let chrome = Chrome::start(&[], "about:blank");
            command.arg(format!("--endpoint={}", chrome.endpoint()));
            Box::new(chrome)
        }
        other => panic!("SUITES_THROUGH is extension or endpoint, not {other}"),
    })
}

/// What that browser's program is called on this machine.
pub fn program_name() -> &'static str {
    match engine().as_deref() {
        Some("firefox") => "firefox-esr",
        // Beside the server, where `cargo xtask webkit-host` puts it.
        Some("webkit") => concat!(env!("CARGO_BIN_EXE_cicerone"), "-webkit"),
        _ => "chromium",
    }
}

/// A server with a site, at one of its pages.
pub struct Tab {
    pub server: Server,
    pub site: Site,
}

impl Deref for Tab {
    type Target = Server;
    fn deref(&self) -> &Server {
        &self.server
    }
}

impl DerefMut for Tab {
    fn deref_mut(&mut self) -> &mut Server {
        &mut self.server
    }
}

impl Server {
    /// Starts it and shakes hands.
    pub fn start(flags: &[&str]) -> Self {
        let mut server = Self::silent(flags);
        server.initialize("2025-06-18");
        server
    }

    /// Starts it without a word.
    pub fn silent(flags: &[&str]) -> Self {
        Self::spawn(flags, &[])
    }

    /// Starts it without a word, with variables in its environment.
    pub fn spawn(flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command.args(flags).envs(variables.iter().copied()).stderr(Stdio::inherit());
        Self::run(command)
    }

    /// Starts it and shakes hands; what it logs goes to a file.
    pub fn logging(flags: &[&str]) -> (Self, Log) {
        let log = Log(tempfile::NamedTempFile::new().unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command.args(flags).stderr(log.0.reopen().unwrap());
        let mut server = Self::run(command);
        server.initialize("2025-06-18");
        (server, log)
    }

    /// Starts it by a shell, which first does something else, and shakes hands.
    pub fn after(preparation: &str, flags: &[&str]) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{preparation} exec \"$0\" \"$@\"")]);
        command.arg(env!("CARGO_BIN_EXE_cicerone")).args(flags).stderr(Stdio::inherit());
        let mut server = Self::run(command);
        server.initialize("2025-06-18");
        server
    }

    /// Starts it by another program, and shakes hands. Flags are added.
    pub fn by(command: Command) -> Self {
        let mut server = Self::run(command);
        server.initialize("2025-06-18");
        server
    }

    /// Starts it as another user, who owns its directories, and shakes hands. Only root can.
    #[cfg(unix)]
    pub fn as_user(user: u32, flags: &[&str]) -> Self {
        use std::os::unix::{fs::chown, process::CommandExt};
        let directory = tempfile::tempdir().unwrap();
        // Where the program was built may not be open to others.
        let program = directory.path().join("cicerone");
        // By another process: a test that starts a program meanwhile would keep the file open for writing, and so busy.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_cicerone")).arg(&program).status().unwrap();
        assert!(copied.success());
        let mut command = Command::new(&program);
        command.args(flags).stderr(Stdio::inherit()).env("HOME", directory.path()).uid(user).gid(user);
        for path in [&directory.path().to_owned(), &program] {
            chown(path, Some(user), Some(user)).unwrap();
        }
        for name in ["tmp", "work"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
            chown(directory.path().join(name), Some(user), Some(user)).unwrap();
        }
        let mut server = Self::run_in(directory, command);
        server.initialize("2025-06-18");
        server
    }

    fn run(command: Command) -> Self {
        Self::run_in(tempfile::tempdir().unwrap(), command)
    }

    fn run_in(directory: TempDir, mut command: Command) -> Self {
        let temporary = directory.path().join("tmp");
        let working = directory.path().join("work");
        std::fs::create_dir_all(&temporary).unwrap();
        std::fs::create_dir_all(&working).unwrap();
        command.args(engine().map(|engine| format!("--browser={engine}")));
        // What is kept for the person who runs the tests is none of theirs.
        let data = directory.path().join("data");
        let has_data = command.get_envs().any(|(name, _)| name == "XDG_DATA_HOME");
        if !has_data {
            command.env("XDG_DATA_HOME", &data);
        }
        let running = if has_data { None } else { start_running(&mut command, &data) };
        let mut child = command
            .env("TMPDIR", &temporary)
            .current_dir(&working)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().unwrap();
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                let value = serde_json::from_str(&line).unwrap_or_else(|_| json!({ "not json": line }));
                if send.send((value, line.len())).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines, aside: Vec::new(), next_id: 1, under_way: Vec::new(), directory, running }
    }

    /// The directory that it works in.
    pub fn working_directory(&self) -> PathBuf {
        self.directory.path().join("work")
    }

    /// The directory for its temporary files; empty but for what it made.
    pub fn temporary_directory(&self) -> PathBuf {
        self.directory.path().join("tmp")
    }

    /// Writes a file into its working directory.
    pub fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.working_directory().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn initialize(&mut self, version: &str) -> Value {
        let params = json!({
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": { "name": "suites", "version": "1" },
        });
        let reply = self.request("initialize", params);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        reply.message
    }

    /// Sends a message as it is.
    pub fn send(&mut self, message: &Value) {
        self.send_raw(message.to_string().as_bytes());
    }

    /// Sends a line, whatever it holds.
    pub fn send_raw(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a request, and returns its id at once.
    pub fn begin(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Begins a tool call, and returns its id at once.
    pub fn begin_call(&mut self, tool: &str, arguments: Value) -> i64 {
        let id = self.begin("tools/call", json!({ "name": tool, "arguments": arguments }));
        self.under_way.push((id, tool.to_owned()));
        id
    }

    /// The answer to a request.
    #[track_caller]
    pub fn finish(&mut self, id: i64) -> Reply {
        self.finish_within(id, TIMEOUT).unwrap_or_else(|| panic!("no answer to {id}"))
    }

    /// The answer to a request, if it comes in time.
    pub fn finish_within(&mut self, id: i64, timeout: Duration) -> Option<Reply> {
        if let Some(at) = self.aside.iter().position(|message| message["id"] == id) {
            let message = self.aside.remove(at);
            return Some(self.checked(id, Reply { bytes: message.to_string().len(), message }));
        }
        let until = Instant::now() + timeout;
        loop {
            let (message, bytes) = self.next_within(until.saturating_duration_since(Instant::now()))?;
            if message["id"] == id && message.get("method").is_none() {
                return Some(self.checked(id, Reply { message, bytes }));
            }
            self.aside.push(message);
        }
    }

    /// The answer to a call, whose facts must be as the tool's listing says.
    fn checked(&mut self, id: i64, reply: Reply) -> Reply {
        if let Some(at) = self.under_way.iter().position(|(begun, _)| *begun == id) {
            let (_, tool) = self.under_way.swap_remove(at);
            if reply.message.get("error").is_none() && !reply.failed() {
                assert_eq!(misfits_of(&tool, reply.facts()), [""; 0], "{tool}: {}", reply.message);
            }
        }
        reply
    }

    /// The next message, whatever it is, if one comes in time.
    pub fn next_within(&mut self, timeout: Duration) -> Option<(Value, usize)> {
        self.lines.recv_timeout(timeout).ok()
    }

    /// A request and its answer.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Reply {
        let id = self.begin(method, params);
        self.finish(id)
    }

    /// A tool call and its answer.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Reply {
        let id = self.begin_call(tool, arguments);
        self.finish(id)
    }

    #[track_caller]
    pub fn snapshot(&mut self) -> Reply {
        let reply = self.call("browser_snapshot", json!({}));
        reply.ok();
        reply
    }

    /// The value of a script, as JSON.
    #[track_caller]
    pub fn evaluate(&mut self, script: &str) -> Value {
        let reply = self.call("browser_evaluate", json!({ "function": script }));
        reply.ok();
        reply.facts()["result"].clone()
    }

    /// Opens a URL, which must work.
    #[track_caller]
    pub fn navigate(&mut self, url: &str) -> Reply {
        let reply = self.call("browser_navigate", json!({ "url": url }));
        reply.ok();
        reply
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.stdin = None;
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

    /// The processes that it started, and those that they started, by id.
    pub fn descendants(&self) -> Vec<u32> {
        descendants(self.child.id())
    }
}

/// Asks a process to end, if it has not.
#[cfg(unix)]
pub fn signal_if_alive(pid: u32) {
    if let Some(pid) = pid.try_into().ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
}

/// All processes below one, from /proc.
pub fn descendants(root: u32) -> Vec<u32> {
    let mut parents = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")) else {
            continue;
        };
        let parent =
            stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        parents.extend(parent.map(|parent| (pid, parent)));
    }
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() {
        let above = found[at];
        found.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(pid, _)| *pid));
        at += 1;
    }
    found.remove(0);
    found
}

impl Drop for Server {
    fn drop(&mut self) {
        // Closing its input is how a client ends it; one that does not end then is a failure of its own test.
        self.stdin = None;
        if self.wait(Duration::from_secs(6)).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
