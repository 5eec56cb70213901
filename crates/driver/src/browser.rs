use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;

use crate::{ContextId, Happening, PageDriver, Result, Size};

/// Where happenings go. It is called in the browser's order and must not block.
pub type Sink = Arc<dyn Fn(Happening) + Send + Sync>;

/// Starts a browser.
#[async_trait]
pub trait Launcher: Send + Sync {
    /// Starts it, and tells the sink what happens in it from then on.
    async fn launch(&self, sink: Sink) -> std::result::Result<Arc<dyn Browser>, LaunchError>;
}

/// A running browser.
#[async_trait]
pub trait Browser: Send + Sync {
    /// The context that is there from the start.
    fn default_context(&self) -> Arc<dyn Context>;
    /// Its name and version.
    fn version(&self) -> String;
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
    /// A file or process could not be made.
    #[error("{action}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: Arc<std::io::Error>,
    },
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
