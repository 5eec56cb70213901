use std::{any::Any, fmt, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;

use crate::{
    Bookmarks, BrowserEvent, ContextId, Cookies, Engine, History, PageDriver, Permissions, Result, Size,
};

/// Receives all events, in the browser's order. It must not block.
pub type Sink = Arc<dyn Fn(BrowserEvent) + Send + Sync>;

/// Starts a browser.
#[async_trait]
pub trait Launcher: Send + Sync {
    /// Reports a known obstacle to this launch without trying it.
    fn check(&self, wanted: &Launch) -> std::result::Result<(), LaunchError>;
    /// Whether the browser runs before it is asked for, perhaps with tabs in its default context.
    fn runs_already(&self) -> bool {
        false
    }
    /// Starts a browser and sends its events to `sink` from then on.
    async fn launch(&self, wanted: &Launch, sink: Sink)
    -> std::result::Result<Arc<dyn Browser>, LaunchError>;
}

/// Which browser to start, and how.
#[derive(Debug, Clone)]
pub struct Launch {
    pub engine: Engine,
    /// Whether to show a window.
    pub headed: bool,
    /// The initial viewport of pages.
    pub viewport: Size,
    /// The proxy of the default context.
    pub proxy: Option<Proxy>,
    /// Whether all traffic of all contexts, name resolution included, must go through a proxy. Every context then has
    /// one.
    pub proxy_only: bool,
    /// The name of the client that asks for it, if known. A person whose browser it is sees it.
    pub client: Option<String>,
    /// Whether what the engine has only in its own process is wanted. A launcher grants it where nothing of a person is at
    /// stake: in a temporary profile.
    pub system_access: bool,
    /// The profile of the browser that this one replaces.
    pub profile: Option<KeptProfile>,
}

/// A temporary profile that outlives its browser, for the next one. Only the launcher knows what is in it.
#[derive(Clone)]
pub struct KeptProfile(pub Arc<dyn Any + Send + Sync>);

impl fmt::Debug for KeptProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptProfile")
    }
}

/// An HTTP proxy on loopback that authenticates its clients with a user name and a password. Requests to loopback go
/// through it too.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    /// The address that it listens on.
    pub address: SocketAddr,
    /// The user name.
    pub user: String,
    pub password: String,
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy({})", self.address)
    }
}

/// A running browser.
#[async_trait]
pub trait Browser: Send + Sync {
    /// The context that exists from the start.
    fn default_context(&self) -> Arc<dyn Context>;
    /// Creates an empty context.
    async fn new_context(&self, proxy: Option<&Proxy>) -> Result<Arc<dyn Context>>;
    /// The browser is idle: prepare what the next call may need.
    fn prewarm(&self) {}
    /// Its name and version.
    fn version(&self) -> String;
    /// The value of its `User-Agent` header, if known.
    fn user_agent(&self) -> Option<String> {
        None
    }
    /// How the launch differed from the request, if it did; shown to the client.
    fn remark(&self) -> Option<String> {
        None
    }
    /// The browsing history, if the engine gives access to it.
    fn history(&self) -> Option<&dyn History> {
        None
    }
    /// The bookmarks, if the engine gives access to them.
    fn bookmarks(&self) -> Option<&dyn Bookmarks> {
        None
    }
    /// A restart with access to the browser's own process, if it has none now and may have it.
    fn restart(&self) -> Option<&dyn Restart> {
        None
    }
    /// Closes the browser and deletes its files on disk; returns when both are done.
    async fn close(&self);
}

/// A restart with access to the browser's own process.
#[async_trait]
pub trait Restart: Send + Sync {
    /// Closes the browser; its profile is for the one that is launched next, with `system_access`.
    async fn close_and_keep(&self) -> Option<KeptProfile>;
}

/// A set of pages with their own cookies and storage.
#[async_trait]
pub trait Context: Send + Sync {
    fn id(&self) -> ContextId;
    /// Opens a blank page with this viewport. The sink receives `PageOpened` before this returns.
    async fn open(&self, viewport: Size) -> Result<Arc<dyn PageDriver>>;
    /// Opens a blank page in a window of its own, if the engine has windows.
    async fn open_window(&self, viewport: Size) -> Result<Arc<dyn PageDriver>> {
        self.open(viewport).await
    }
    /// Opens an invisible page with an empty document of this origin (`https://example.com`). The sink receives no
    /// events of it, and no request leaves the browser.
    async fn origin_page(&self, origin: &str) -> Result<Arc<dyn PageDriver>>;
    /// Makes the credentials of its proxy known to the browser again; whether the browser had forgotten them. An error means
    /// that the context has lost its proxy, and can only be created again.
    async fn renew_proxy(&self) -> Result<bool> {
        Ok(false)
    }
    /// Its cookies, if the engine gives access to them.
    fn cookies(&self) -> Option<&dyn Cookies>;
    /// Site permissions, if the engine can set them.
    fn permissions(&self) -> Option<&dyn Permissions> {
        None
    }
    /// Closes the context and its pages and discards its data; the sink receives `Closed` for each page. The default
    /// context cannot be closed.
    async fn close(&self) -> Result<()>;
}

/// Why a browser could not be started.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// No browser was found.
    #[error("{program} not found{}", looked_in(.looked))]
    Missing {
        /// The engine that cannot be started without it.
        engine: Engine,
        /// What is missing: the browser, or another program that the engine needs.
        program: &'static str,
        /// The paths and names that were tried.
        looked: Vec<String>,
    },
    /// The configured executable does not exist or cannot be run.
    #[error("{path} cannot be run: {reason}")]
    BadExecutable {
        /// The executable.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The browser exited during startup, or never answered.
    #[error("{program} did not start{}", said(.stderr))]
    Failed {
        /// The executable.
        program: PathBuf,
        /// The last lines of its standard error.
        stderr: String,
    },
    /// The version is older than the oldest supported one.
    #[error("{} is {engine} {found}; the oldest supported version is {oldest}", .program.display())]
    TooOld {
        /// The executable.
        program: PathBuf,
        engine: &'static str,
        /// Its version.
        found: String,
        /// The oldest supported major version.
        oldest: u32,
    },
    /// A file or process could not be created.
    #[error("{action}: {source}")]
    Io {
        /// The failed operation.
        action: &'static str,
        /// The system's error.
        source: Arc<std::io::Error>,
    },
    /// Another process is using the profile.
    #[error("the profile {} is in use{}", .path.display(), by(*.pid))]
    ProfileInUse {
        /// The profile directory.
        path: PathBuf,
        /// The process, if known.
        pid: Option<u32>,
    },
    /// Other users of the machine could read the profile.
    #[error("other users have access to the profile {}", .path.display())]
    ProfileExposed {
        /// The profile directory.
        path: PathBuf,
    },
    /// Another client connected to the browser before our session was exclusive.
    #[error("another program connected to {} while it started", .program.display())]
    NotAlone {
        /// The executable.
        program: PathBuf,
    },
    /// The version is supported, but lacks a requested feature.
    #[error("{} is too old for {feature}", .program.display())]
    TooOldFor {
        /// The executable.
        program: PathBuf,
        /// The missing feature.
        feature: &'static str,
    },
    /// Nothing can be reached at an endpoint.
    #[error("no browser can be reached at {endpoint}: {source}")]
    Unreachable {
        /// The endpoint, without credentials.
        endpoint: String,
        /// Why not.
        source: Arc<std::io::Error>,
    },
    /// What answers at an endpoint is not a browser.
    #[error("no supported browser at {endpoint}{}", answered(*.status))]
    NoBrowser {
        /// The endpoint, without credentials.
        endpoint: String,
        /// Its HTTP status, where it answered with one.
        status: Option<u16>,
    },
    /// An endpoint wants other credentials.
    #[error("{endpoint} refused the connection with HTTP status {status}: wrong or missing credentials")]
    Unauthorized {
        /// The endpoint, without credentials.
        endpoint: String,
        /// 401 or 403.
        status: u16,
    },
    /// An endpoint took the connection and did not answer.
    #[error("the browser at {endpoint} did not answer: timed out after {} s", .timeout.as_secs())]
    Silent {
        /// The endpoint, without credentials.
        endpoint: String,
        /// How long it was waited for.
        timeout: Duration,
    },
    /// A running browser makes no contexts for us.
    #[error("the browser at {endpoint} cannot create isolated contexts")]
    NoContexts {
        /// The endpoint, without credentials.
        endpoint: String,
    },
    /// The traffic of a person's own context cannot be led through a proxy.
    #[error("a proxy or a host policy cannot be enforced in the default context of a running browser")]
    NoProxyInDefaultContext,
    /// A browser on another machine cannot reach a proxy on our loopback.
    #[error(
        "a proxy or a host policy cannot be enforced in the browser at {endpoint}: it runs on another machine"
    )]
    NoProxyElsewhere {
        /// The endpoint, without credentials.
        endpoint: String,
    },
    /// A browser that takes one session at a time has one.
    #[error("the browser at {endpoint} has the WebDriver session of another client, and takes one at a time")]
    SessionTaken {
        /// The endpoint, without credentials.
        endpoint: String,
    },
    /// The endpoint speaks WebDriver BiDi and is another browser.
    #[error("the browser at {endpoint} is {browser}; only Firefox is driven over WebDriver BiDi")]
    NotFirefox {
        /// The endpoint, without credentials.
        endpoint: String,
        /// What it says that it is.
        browser: String,
    },
    /// A browser was not started for what a proxy needs.
    #[error(
        "a proxy or a host policy cannot be enforced in the browser at {endpoint}: it was started without the preferences for it"
    )]
    NotStartedForProxy {
        /// The endpoint, without credentials.
        endpoint: String,
    },
    /// A browser that runs already cannot be started another way.
    #[error("the browser at {endpoint} is already running; engine and headed mode cannot be changed")]
    RunsAlready {
        /// The endpoint, without credentials.
        endpoint: String,
    },
    /// The extension was never installed.
    #[error("the extension is not installed in {}", .directory.display())]
    NoExtension {
        /// Where it would be.
        directory: PathBuf,
    },
    /// The extension did not connect.
    #[error("no Chrome with the extension connected: timed out after {} s", .timeout.as_secs())]
    ExtensionSilent {
        /// How long it was waited for.
        timeout: Duration,
    },
    /// The extension that Chrome has loaded is of another version.
    #[error("version mismatch between the extension in Chrome and this program")]
    ExtensionOutdated,
    /// A program that the driver comes with is of another version.
    #[error("version mismatch between {} and this program", .program.display())]
    VersionMismatch {
        /// The engine that it runs.
        engine: Engine,
        program: PathBuf,
    },
    /// No driver for this engine.
    #[error("{0} is not supported yet")]
    UnsupportedEngine(Engine),
    /// A headed browser needs a display.
    #[error("no display found for a browser window")]
    NoDisplay,
    /// This system cannot pass a pipe to a process.
    #[error("this system cannot connect a pipe to the browser")]
    NoPipe,
}

fn looked_in(places: &[String]) -> String {
    if places.is_empty() { String::new() } else { format!(": {}", places.join(", ")) }
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; standard error: {stderr}") }
}

fn answered(status: Option<u16>) -> String {
    status.map(|status| format!(" (HTTP status {status})")).unwrap_or_default()
}

fn by(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" by process {pid}")).unwrap_or_default()
}
