use std::{fmt, net::SocketAddr, path::PathBuf, sync::Arc};

use async_trait::async_trait;

use crate::{Bookmarks, ContextId, Cookies, Happening, History, PageDriver, Permissions, Result, Size};

/// Where happenings go. It is called in the browser's order and must not block.
pub type Sink = Arc<dyn Fn(Happening) + Send + Sync>;

/// Starts a browser.
#[async_trait]
pub trait Launcher: Send + Sync {
    /// What is known to stand in the way of this, without trying.
    fn check(&self, wanted: &Launch) -> std::result::Result<(), LaunchError>;
    /// Starts it, and tells the sink what happens in it from then on.
    async fn launch(&self, wanted: &Launch, sink: Sink)
    -> std::result::Result<Arc<dyn Browser>, LaunchError>;
}

/// Which browser is wanted, and how.
#[derive(Debug, Clone)]
pub struct Launch {
    /// Which one.
    pub kind: Kind,
    /// Whether a person sees it.
    pub headed: bool,
    /// The viewport of pages that are not told otherwise.
    pub viewport: Size,
    /// What all traffic of the first context goes through.
    pub proxy: Option<Proxy>,
    /// Whether no traffic of any context may go past its proxy, names that are resolved included. Every context has one then.
    pub proxy_only: bool,
}

/// The kinds of browsers. Above the driver it is a name to pass on, never something to decide by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Chromium, Chrome, Edge.
    #[default]
    Chromium,
    /// Firefox.
    Firefox,
    /// WebKit.
    WebKit,
}

impl Kind {
    /// The name that people use for it in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An HTTP proxy on loopback that knows its clients by a name and a password. Loopback goes through it too.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    /// The name to give.
    pub user: String,
    /// The password to give.
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
    /// The context that is there from the start.
    fn default_context(&self) -> Arc<dyn Context>;
    /// Makes another context, with nothing in it.
    async fn new_context(&self, proxy: Option<&Proxy>) -> Result<Arc<dyn Context>>;
    /// Nobody waits for it just now: time to prepare what the next call may want.
    fn make_ready(&self) {}
    /// Its name and version.
    fn version(&self) -> String;
    /// What it calls itself in requests, where it says so.
    fn user_agent(&self) -> Option<String> {
        None
    }
    /// What a client should know of how it was started, where that is not as it was asked for.
    fn remark(&self) -> Option<String> {
        None
    }
    /// What was visited in it, where it gives access to that.
    fn history(&self) -> Option<&dyn History> {
        None
    }
    /// Its bookmarks, where it gives access to them.
    fn bookmarks(&self) -> Option<&dyn Bookmarks> {
        None
    }
    /// Ends it and removes what it left on disk; returns when both are done.
    async fn close(&self);
}

/// One set of cookies, storage and pages.
#[async_trait]
pub trait Context: Send + Sync {
    /// Its name.
    fn id(&self) -> ContextId;
    /// Opens a blank page with this viewport. The sink hears of it before this returns.
    async fn open(&self, viewport: Size) -> Result<Arc<dyn PageDriver>>;
    /// The same, in a window of its own where pages have windows.
    async fn open_window(&self, viewport: Size) -> Result<Arc<dyn PageDriver>> {
        self.open(viewport).await
    }
    /// Opens a page that nobody sees and the sink never hears of, with an empty document of this origin
    /// (`https://example.com`). No request leaves the browser for it.
    async fn visit(&self, origin: &str) -> Result<Arc<dyn PageDriver>>;
    /// Its cookies, where the browser gives access to them.
    fn cookies(&self) -> Option<&dyn Cookies>;
    /// What its sites may do, where the browser lets us decide that.
    fn permissions(&self) -> Option<&dyn Permissions> {
        None
    }
    /// Closes it with all its pages, and forgets what it held; the sink hears of the pages. The default context
    /// cannot be closed.
    async fn close(&self) -> Result<()>;
}

/// Why a browser could not be started.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// No browser was found.
    #[error("no {engine} was found{}", looked_in(.looked))]
    Missing {
        /// Which browser.
        engine: &'static str,
        /// Where it was looked for.
        looked: Vec<String>,
    },
    /// The given program is not there or cannot be run.
    #[error("{path} cannot be run: {reason}")]
    BadExecutable {
        /// The program.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// It was started and ended, or never answered.
    #[error("{program} did not start{}", said(.stderr))]
    Failed {
        /// The program.
        program: PathBuf,
        /// The last lines of its standard error.
        stderr: String,
    },
    /// Its version is older than the oldest that is supported.
    #[error("{} is {engine} {found}; the oldest supported version is {oldest}", .program.display())]
    TooOld {
        /// The program.
        program: PathBuf,
        /// Which browser.
        engine: &'static str,
        /// Its version.
        found: String,
        /// The oldest supported major version.
        oldest: u32,
    },
    /// A file or process could not be made.
    #[error("{action}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: Arc<std::io::Error>,
    },
    /// Another process uses the profile.
    #[error("the profile {} is in use{}", .path.display(), by(*.pid))]
    ProfileInUse {
        /// The profile.
        path: PathBuf,
        /// The process, where known.
        pid: Option<u32>,
    },
    /// Other users of the machine could read the profile.
    #[error("other users can enter the profile {}", .path.display())]
    ProfileExposed {
        /// The profile.
        path: PathBuf,
    },
    /// Somebody else reached it before it was ours alone.
    #[error("another program connected to {} while it started", .program.display())]
    NotAlone {
        /// The program.
        program: PathBuf,
    },
    /// Its version is supported, but not with all that was asked for.
    #[error("{} is too old for {feature}", .program.display())]
    TooOldFor {
        /// The program.
        program: PathBuf,
        /// What it lacks.
        feature: &'static str,
    },
    /// There is no support for this kind of browser.
    #[error("{0} is not supported yet")]
    NoSuchKind(Kind),
    /// A window needs a display.
    #[error("there is no display for its windows")]
    NoDisplay,
    /// This system cannot start it that way.
    #[error("this system cannot {0}")]
    Unsupported(&'static str),
}

fn looked_in(places: &[String]) -> String {
    if places.is_empty() { String::new() } else { format!(" (looked in {})", places.join(", ")) }
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; it said: {stderr}") }
}

fn by(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" by process {pid}")).unwrap_or_default()
}
