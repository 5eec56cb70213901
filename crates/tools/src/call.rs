//! What one call has at hand beside its arguments.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_engine::Session;
use tokio::sync::watch;

/// One call.
#[derive(Clone)]
pub struct Call {
    /// The client's browser.
    pub session: Session,
    /// How replies are to be.
    pub settings: Arc<Settings>,
    /// Where it says how far it is.
    pub progress: Progress,
}

/// How replies are to be.
pub struct Settings {
    /// What happens to pictures.
    pub image_responses: ImageResponses,
    /// What makes a browser available.
    pub installer: Arc<dyn Installer>,
}

/// What happens to pictures, which are kept in files in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImageResponses {
    /// The reply names the file.
    #[default]
    File,
    /// The reply names the file and carries the picture, scaled to what models take.
    Inline,
    /// The reply says only that it was taken.
    Omit,
}

/// Makes a browser available.
#[async_trait]
pub trait Installer: Send + Sync {
    /// Finds or installs it; what was done, as a sentence.
    async fn install(&self, progress: &Progress) -> Result<String, InstallFailed>;
}

/// Why no browser could be made available.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct InstallFailed {
    /// What went wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// How far a call is: the latest word counts.
#[derive(Clone)]
pub struct Progress(Arc<watch::Sender<Step>>);

/// How far a call is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    /// So much is done.
    pub done: f64,
    /// Of so much, where that is known.
    pub total: Option<f64>,
    /// In words.
    pub message: String,
}

impl Default for Progress {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Step::default())))
    }
}

impl Progress {
    /// Says how far it is.
    pub fn tell(&self, done: f64, total: Option<f64>, message: impl Into<String>) {
        self.0.send_replace(Step { done, total, message: message.into() });
    }

    /// Hears of every change.
    pub fn watch(&self) -> watch::Receiver<Step> {
        self.0.subscribe()
    }
}
