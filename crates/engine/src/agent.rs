//! Talking to the in-page agent: what it answers, and in which words it refuses.

use std::time::{Duration, Instant};

use cicerone_driver::{DriverError, FrameId};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Deadline, Error, page::Page, state::Fate};

/// How much longer a page is waited for that opens one tab after the other.
const OPENING_TABS: Duration = Duration::from_secs(45);

/// How long it has after each of them, at least.
const SHORTEST: Duration = Duration::from_millis(1500);

/// Its answer to a call.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer<T> {
    Ok(T),
    Error(Refusal),
}

/// Why it did not do as asked.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Refusal {
    Unknown,
    Stale,
    None,
    Many {
        count: usize,
        matches: Vec<Sketch>,
    },
    Invalid {
        message: String,
    },
    Timeout(Box<Stuck>),
    Misfit {
        message: String,
        #[serde(default)]
        options: Vec<String>,
    },
    Bug {
        message: String,
    },
}

/// An element that did not get ready in time.
#[derive(Debug, Deserialize)]
pub(crate) struct Stuck {
    #[serde(default)]
    pub(crate) reason: String,
    #[serde(flatten)]
    pub(crate) element: Option<Sketch>,
    pub(crate) by: Option<CoverSketch>,
    /// What is there instead.
    pub(crate) instead: Option<String>,
}

/// An element in the agent's words.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Sketch {
    pub(crate) num: u32,
    #[serde(default)]
    pub(crate) role: String,
    #[serde(default)]
    pub(crate) name: String,
}

/// What covers an element, in the agent's words.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CoverSketch {
    #[serde(flatten)]
    pub(crate) element: Sketch,
    /// What is in it to be clicked.
    #[serde(default)]
    pub(crate) has: Vec<Sketch>,
}

/// Functions that take nothing but an element's number.
#[derive(Serialize)]
pub(crate) struct Numbered {
    pub(crate) num: u32,
}

/// How a call to the agent ended, where it did not end well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The agent refused.
    Refused(Refusal),
    /// The document went away meanwhile.
    Gone,
    /// Something worse.
    Failed(Error),
}

impl Failure {
    /// For callers that have no use for the difference.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Failed(error) => error,
            Self::Gone => Error::Driver(DriverError::Gone),
            Self::Refused(refusal) => Error::Driver(DriverError::Refused {
                command: "the page agent's function",
                message: match refusal {
                    Refusal::Bug { message } | Refusal::Invalid { message } => message,
                    Refusal::Misfit { message, .. } => message,
                    other => format!("{other:?}"),
                },
            }),
        }
    }
}

impl Page {
    /// Calls the agent of a frame. A dialog that opens meanwhile holds the page, so it ends the call; a page that
    /// does not answer by the deadline is stopped in whatever it does.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &'static str,
        args: &impl Serialize,
        deadline: Deadline,
    ) -> std::result::Result<T, Failure> {
        let answer = self.ask_raw(frame, function, args, deadline).await?;
        understand(&answer)
    }

    /// The same, with the answer still as text, for those that borrow from it.
    pub(crate) async fn ask_raw(
        &self,
        frame: &FrameId,
        function: &'static str,
        args: &impl Serialize,
        deadline: Deadline,
    ) -> std::result::Result<String, Failure> {
        let args = serde_json::to_string(args).map_err(garbled)?;
        let (asked_for, began) = (deadline.left(), Instant::now());
        let call = self.unless_dialog(self.driver().call(frame, function, &args));
        match self.answered_by(deadline, call).await {
            Some(Ok(Ok(answer))) => self.frame_may_be_shown(frame).map(|()| answer).map_err(Failure::Failed),
            Some(Ok(Err(DriverError::Gone))) => Err(Failure::Gone),
            Some(Ok(Err(error))) => Err(Failure::Failed(self.explain(error))),
            Some(Err(dialog)) => Err(Failure::Failed(dialog)),
            None => Err(Failure::Failed(self.unstick(asked_for.max(began.elapsed())).await)),
        }
    }

    /// What comes by the deadline. A page that opens tabs is at work, not stuck: `window.open` returns when the browser
    /// has made the tab, and on a busy machine that takes long. So each tab that it opens starts the time anew, up to a
    /// limit.
    pub(crate) async fn answered_by<T>(
        &self,
        deadline: Deadline,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let timeout = deadline.left().max(SHORTEST);
        let last = deadline.extended_by(OPENING_TABS);
        let (mut work, mut deadline) = (std::pin::pin!(work), deadline);
        loop {
            if let Some(done) = deadline.bound(&mut work).await {
                return Some(done);
            }
            let opened = self.state().tab_opened?;
            let extended = Deadline::since(opened, timeout).min(last);
            if extended <= deadline {
                return None;
            }
            deadline = extended;
        }
    }

    /// Stops whatever script keeps the page from answering; what to say of it.
    pub(crate) async fn unstick(&self, after: Duration) -> Error {
        self.state().doubtful = true;
        let stopping = self.driver().interrupt();
        if Deadline::after(Duration::from_secs(1)).bound(stopping).await.is_none() {
            // Not even that is answered: the process goes, and the next call opens the page anew. The client is told by
            // this very error.
            if self.driver().crash().await.is_ok() {
                self.state().crash_told = true;
            }
        }
        Error::Unresponsive(after)
    }

    /// What to say of a page that is no more.
    pub(crate) fn obituary(&self) -> Error {
        match self.fate() {
            Fate::Crashed => Error::Crashed { url: self.shown_url() },
            Fate::Lost => Error::BrowserEnded,
            Fate::Closed | Fate::Alive => Error::TabClosed,
        }
    }

    /// A driver's error, with what this page knows about it.
    pub(crate) fn explain(&self, error: DriverError) -> Error {
        match error {
            // Whoever closes it ends its process, too.
            DriverError::Crashed if matches!(self.fate(), Fate::Closed | Fate::Lost) => self.obituary(),
            DriverError::Crashed => Error::Crashed { url: self.shown_url() },
            other => other.into(),
        }
    }
}

pub(crate) fn understand<'a, T: Deserialize<'a>>(answer: &'a str) -> std::result::Result<T, Failure> {
    match serde_json::from_str(answer).map_err(garbled)? {
        Answer::Ok(value) => Ok(value),
        Answer::Error(refusal) => Err(Failure::Refused(refusal)),
    }
}

fn garbled(error: serde_json::Error) -> Failure {
    Failure::Failed(Error::Driver(DriverError::Garbled(std::sync::Arc::new(error))))
}
