//! The context of one call, apart from its arguments.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_engine::{
    CallOptions, Context, News, Page, Result as EngineResult, Secrets, Session, Size, TabId, Target,
    WindowChoice,
};
use tokio::sync::watch;

use crate::{
    question::{Asker, Consent, Nobody},
    reply::Failure,
};

/// One call.
#[derive(Clone)]
pub struct Call {
    /// The client's browser.
    pub session: Session,
    /// Limits and formats of replies.
    pub settings: Arc<Settings>,
    /// Its progress reports.
    pub progress: Progress,
    /// Its tab; the active one by default.
    pub tab: Option<TabId>,
    /// The name of its context, created if missing; the active one by default.
    pub context_name: Option<String>,
    /// The page that it navigates.
    pub(crate) navigates: NavigatedPage,
    /// How it uses the page.
    pub options: CallOptions,
    /// Asks the person at the client.
    pub(crate) asker: Arc<dyn Asker>,
}

/// The page that a call navigates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct NavigatedPage {
    /// A new page in this window; the page of the call unless given.
    pub(crate) new_in: Option<WindowChoice>,
    /// Its viewport size.
    pub(crate) size: Option<Size>,
    /// Whether the active tab stays active.
    pub(crate) background: bool,
}

impl Call {
    /// A call for the active tab.
    pub fn new(session: Session, settings: Arc<Settings>, progress: Progress) -> Self {
        Self {
            session,
            settings,
            progress,
            tab: None,
            context_name: None,
            navigates: NavigatedPage::default(),
            options: CallOptions::default(),
            asker: Arc::new(Nobody),
        }
    }

    /// The context that it is for.
    pub(crate) fn context(&self) -> EngineResult<Context> {
        match self.tab {
            Some(tab) => self.session.tab(tab).map(|(context, _)| context),
            None => Ok(self.chosen_context()),
        }
    }

    fn chosen_context(&self) -> Context {
        match &self.context_name {
            Some(name) => self.session.enter_context(name),
            None => self.session.context(),
        }
    }

    /// The page that it is for, as it is.
    pub(crate) async fn page(&self) -> EngineResult<Page> {
        let page = match self.tab {
            Some(tab) => {
                let (context, page) = self.session.tab(tab)?;
                context.awake(page).await?
            }
            None => self.chosen_context().page().await?,
        };
        Ok(page.used(self.options.clone()))
    }

    /// The page that it is for, or a fresh one in its place.
    pub(crate) async fn page_to_navigate(&self) -> EngineResult<Page> {
        let page = match self.tab {
            Some(tab) => {
                let (context, page) = self.session.tab(tab)?;
                context.fresh(page).await?
            }
            None => self.chosen_context().page_to_navigate().await?,
        };
        Ok(page.used(self.options.clone()))
    }

    /// The context that opens a new page in a window.
    pub(crate) fn context_of(&self, window: WindowChoice) -> EngineResult<Context> {
        match window {
            WindowChoice::Known(window) => self.session.context_of(window),
            WindowChoice::New | WindowChoice::Usual => self.context(),
        }
    }

    /// Restarts the browser with system access, which history and bookmarks may need, if that requires no consent; returns
    /// what the restart did.
    pub(crate) async fn gain_system_access(&self) -> EngineResult<News> {
        let announce = || self.progress.tell(0.0, None, "Restarting the browser with system access");
        Ok(self.session.gain_system_access(announce).await?.into_iter().collect())
    }

    /// A text to type, with `$NAME` replaced by the secret of this name. Asks the person for a secret that only they
    /// know.
    pub(crate) async fn revealed(
        &self,
        text: String,
        page: &Page,
        target: Option<&Target>,
    ) -> Result<String, Failure> {
        match self.answered(&text, page, target).await? {
            Some(answer) => Ok(answer),
            None => Ok(self.named_secret(text)?),
        }
    }

    fn named_secret(&self, text: String) -> Result<String, UnknownSecret> {
        let secrets = self.session.secrets();
        let known: Vec<&str> = secrets.names().collect();
        let Some(name) = text.strip_prefix('$').filter(|name| !known.is_empty() && Secrets::is_name(name))
        else {
            return Ok(text);
        };
        let unknown = || UnknownSecret { name: name.to_owned(), known: known.join(", ") };
        secrets.value(name).map(str::to_owned).ok_or_else(unknown)
    }
}

/// No secret has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown secret ${name}; known: {known}")]
pub(crate) struct UnknownSecret {
    name: String,
    known: String,
}

/// How replies are to be.
pub struct Settings {
    /// What happens to pictures.
    pub image_responses: ImageResponses,
    /// How many pixels the longer side of a picture for vision models may have.
    pub max_image_dimension: u32,
    /// What needs a person's consent.
    pub confirm: Vec<Consent>,
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
    /// Reports progress.
    pub fn tell(&self, done: f64, total: Option<f64>, message: impl Into<String>) {
        self.0.send_replace(Step { done, total, message: message.into() });
    }

    /// Receives every change.
    pub fn watch(&self) -> watch::Receiver<Step> {
        self.0.subscribe()
    }
}
