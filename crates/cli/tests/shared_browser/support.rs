//! Clients of one process that share one real browser: `SUITES_BROWSER`, or Chromium.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use cicerone_chromium::Chromium;
use cicerone_driver::{Browser, Engine, Launch, LaunchError, Launcher, Sink};
use cicerone_engine::{
    BrowserHost, ContextOptions, Directories, Files, HostPolicy, Options, Secrets, Session, SessionFactory,
    SessionSetup, Size,
};
use cicerone_firefox::Firefox;
use cicerone_install::Search;
use cicerone_testkit::{Page, Site};
use cicerone_tools::{Call, Cap, Dialect, InstallFailed, Installer, Progress, Reply, Settings, Toolbox};
use serde_json::{Map, Value};
use tempfile::TempDir;

/// Nothing that a test waits for takes longer.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A host, its launcher, and a site.
pub(crate) struct Trial {
    pub(crate) host: BrowserHost,
    pub(crate) launcher: Arc<CountingLauncher>,
    pub(crate) site: Site,
    /// How often pages at `/beat` said that they are alive.
    pub(crate) beats: Arc<AtomicUsize>,
    pub(crate) directory: TempDir,
    toolbox: Arc<Toolbox>,
    settings: Arc<Settings>,
    idle_timeout: Duration,
}

/// One client's session, called by tools.
pub(crate) struct Client {
    pub(crate) session: Session,
    toolbox: Arc<Toolbox>,
    settings: Arc<Settings>,
}

/// Runs a case like the server runs calls: on one thread.
pub(crate) fn run(case: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(120), case).await }).unwrap();
}

pub(crate) fn engine() -> Engine {
    match std::env::var("SUITES_BROWSER").as_deref() {
        Ok("firefox") => Engine::Firefox,
        _ => Engine::Chromium,
    }
}

impl Trial {
    pub(crate) fn new() -> Self {
        Self::with(Options::default().session_timeout, HostPolicy::default())
    }

    pub(crate) fn with(idle_timeout: Duration, policy: HostPolicy) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let launcher = Arc::new(CountingLauncher::new());
        let host =
            BrowserHost::new(Arc::clone(&launcher) as Arc<dyn Launcher>, launch(), policy, idle_timeout);
        let toolbox = Arc::new(Toolbox::new(&Dialect::ALL, &Cap::ALL));
        let settings = Arc::new(Settings {
            image_responses: cicerone_tools::ImageResponses::default(),
            max_image_dimension: 2000,
            confirm: Vec::new(),
            installer: Arc::new(NoInstaller),
        });
        let beats = Arc::default();
        let site = site(Arc::clone(&beats));
        Self { host, launcher, site, beats, directory, toolbox, settings, idle_timeout }
    }

    /// How the sessions of clients are set up; files of each go to a directory of this name.
    pub(crate) fn setup(&self, name: &str) -> SessionSetup {
        setup(self.directory.path(), name, self.idle_timeout)
    }

    pub(crate) fn client(&self, name: &str) -> Client {
        self.client_of(self.host.session(self.setup(name)))
    }

    pub(crate) fn client_of(&self, session: Session) -> Client {
        let (toolbox, settings) = (Arc::clone(&self.toolbox), Arc::clone(&self.settings));
        Client { session, toolbox, settings }
    }

    pub(crate) fn three(&self) -> [Client; 3] {
        ["one", "two", "three"].map(|name| self.client(name))
    }

    /// A factory on the host of this trial.
    pub(crate) fn factory(&self) -> SessionFactory {
        let (directory, idle_timeout) = (self.directory.path().to_owned(), self.idle_timeout);
        SessionFactory::one_browser(self.host.clone(), move || setup(&directory, "made", idle_timeout))
    }

    /// The files that a client got.
    pub(crate) fn files_of(&self, name: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.directory.path().join(name)) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Waits until no page at `/beat` is left.
    pub(crate) async fn no_page_beats(&self) {
        for _ in 0..20 {
            let before = self.beats.load(Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(700)).await;
            if self.beats.load(Ordering::Relaxed) == before {
                return;
            }
        }
        panic!("a page of a session that has ended is still there");
    }

    /// Kills the browser's main process.
    pub(crate) fn kill_browser(&self) {
        let pid = self.launcher.browser_pid().expect("a browser runs");
        assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    }
}

fn setup(directory: &Path, name: &str, session_timeout: Duration) -> SessionSetup {
    let working = directory.join(name);
    std::fs::create_dir_all(&working).unwrap();
    SessionSetup {
        options: Options { session_timeout, ..Options::default() },
        files: Files::new(Directories {
            working,
            read_only: None,
            output: PathBuf::new(),
            allowed: Vec::new(),
            file_urls: false,
        }),
        secrets: Arc::new(Secrets::default()),
        vault: None,
        first: ContextOptions::default(),
    }
}

pub(crate) fn launch() -> Launch {
    let viewport = Size { width: 1280, height: 720 };
    Launch {
        engine: engine(),
        headed: false,
        viewport,
        proxy: None,
        proxy_only: false,
        client: None,
        system_access: false,
        profile: None,
    }
}

fn site(beats: Arc<AtomicUsize>) -> Site {
    Site::serve(move |path| match path {
        "/beat" => {
            Some(Page::html("<title>Beat</title><script>setInterval(() => fetch('/beats'), 50)</script>"))
        }
        "/beats" => {
            beats.fetch_add(1, Ordering::Relaxed);
            Some(Page::html(""))
        }
        "/popup" => {
            Some(Page::html("<title>Opener</title><button onclick=\"window.open('/popped')\">Open</button>"))
        }
        "/popped" => Some(Page::html("<title>Popped</title><p>A popup")),
        "/download" => Some(Page::html(
            "<title>Download</title><a download='file.txt' href='data:text/plain,hello'>Get</a>",
        )),
        "/alert" => Some(Page::html("<title>Alert</title><button onclick=\"alert('hello')\">Ask</button>")),
        path => {
            Some(Page::html(format!("<title>{path}</title><h1>{path}</h1><button>Button of {path}</button>")))
        }
    })
    .unwrap()
}

impl Client {
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Reply {
        let found = self.toolbox.find(tool).unwrap();
        let call = Call::new(self.session.clone(), Arc::clone(&self.settings), Progress::default());
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        found.call(call, arguments).await.unwrap()
    }

    /// The text of a reply that is not an error.
    pub(crate) async fn ok(&self, tool: &str, arguments: Value) -> String {
        let reply = self.call(tool, arguments).await;
        assert!(!reply.failed, "{tool}: {}", reply.text);
        reply.text
    }

    /// The text of a reply that is an error.
    pub(crate) async fn err(&self, tool: &str, arguments: Value) -> String {
        let reply = self.call(tool, arguments).await;
        assert!(reply.failed, "{tool}: {}", reply.text);
        reply.text
    }

    pub(crate) async fn go(&self, trial: &Trial, path: &str) -> String {
        self.ok("browser_navigate", serde_json::json!({ "url": trial.site.url(path) })).await
    }

    pub(crate) async fn evaluate(&self, function: &str) -> String {
        self.ok("browser_evaluate", serde_json::json!({ "function": function })).await
    }

    pub(crate) async fn tabs(&self) -> String {
        self.ok("browser_tabs", serde_json::json!({ "action": "list" })).await
    }
}

/// The first ref in a snapshot's line with these words.
pub(crate) fn ref_in(text: &str, words: &str) -> String {
    let line = text.lines().find(|line| line.contains(words) && line.contains("ref=")).unwrap_or_else(|| {
        panic!("no line with {words:?} and a ref in:\n{text}");
    });
    let from = line.find("ref=").unwrap() + 4;
    line[from..].split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap().to_owned()
}

/// Waits until something holds that nobody reports.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !holds() {
        assert!(Instant::now() < end, "timed out waiting until {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Starts browsers, counts them, and knows their processes.
pub(crate) struct CountingLauncher {
    chromium: Chromium,
    firefox: Firefox,
    pids: Mutex<Vec<u32>>,
}

/// One browser is started at a time, so that it is known which process is whose.
static LAUNCHING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

impl CountingLauncher {
    fn new() -> Self {
        let chromium = Chromium::new(|| found(Engine::Chromium), cicerone_chromium::LaunchOptions::default());
        let firefox = Firefox::new(|| found(Engine::Firefox), cicerone_firefox::LaunchOptions::default());
        Self { chromium, firefox, pids: Mutex::default() }
    }

    pub(crate) fn launched(&self) -> usize {
        self.pids.lock().unwrap().len()
    }

    fn of(&self, engine: Engine) -> &dyn Launcher {
        match engine {
            Engine::Firefox => &self.firefox,
            _ => &self.chromium,
        }
    }

    /// The main process of the browser that was started last, if it still runs.
    pub(crate) fn browser_pid(&self) -> Option<u32> {
        let last = self.pids.lock().unwrap().last().copied()?;
        children().contains(&last).then_some(last)
    }
}

/// The processes that this one started and that run.
fn children() -> Vec<u32> {
    let own = std::process::id().to_string();
    let is_child = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The name may contain anything; what comes after it is state and parent.
        let (_, rest) = stat.rsplit_once(')').unwrap_or_default();
        let mut rest = rest.split_ascii_whitespace();
        rest.next() != Some("Z") && rest.next() == Some(&own)
    };
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_child).collect()
}

fn found(engine: Engine) -> Result<PathBuf, LaunchError> {
    let missing = |missing: cicerone_install::Missing| LaunchError::Missing {
        engine,
        program: "browser",
        looked: vec![missing.to_string()],
    };
    cicerone_install::find(engine, &Search::of_process()).map(|found| found.path).map_err(missing)
}

#[async_trait]
impl Launcher for CountingLauncher {
    fn check(&self, wanted: &Launch) -> Result<(), LaunchError> {
        self.of(wanted.engine).check(wanted)
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        let _alone = LAUNCHING.lock().await;
        let before = children();
        let browser = self.of(wanted.engine).launch(wanted, sink).await?;
        let new = children().into_iter().find(|pid| !before.contains(pid));
        self.pids.lock().unwrap().push(new.expect("a browser is a process"));
        Ok(browser)
    }
}

struct NoInstaller;

#[async_trait]
impl Installer for NoInstaller {
    async fn install(&self, _: &Progress) -> Result<String, InstallFailed> {
        Ok("nothing to install".into())
    }
}
