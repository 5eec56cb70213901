//! Calls to the injected script: its replies and its errors.

use std::time::{Duration, Instant};

use cicerone_driver::{DriverError, FrameId};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Deadline, Error, page::parts::Injected, state::PageStatus};

/// Extra time for a page that opens tab after tab.
const OPENING_TABS: Duration = Duration::from_secs(45);

/// The least time after each opened tab.
const MIN_AFTER_TAB: Duration = Duration::from_millis(1500);

/// The reply to a call.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InjectedResult<T> {
    Ok(T),
    Error(Refusal),
}

/// Why the injected script refused.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Refusal {
    Unknown,
    Stale,
    None,
    Many {
        count: usize,
        matches: Vec<ElementSummary>,
    },
    Invalid {
        message: String,
    },
    Timeout(Box<NotReady>),
    Misfit {
        message: String,
        #[serde(default)]
        options: Vec<String>,
    },
    Bug {
        message: String,
    },
}

/// An element that did not become ready in time.
#[derive(Debug, Deserialize)]
pub(crate) struct NotReady {
    pub(crate) reason: TimeoutReason,
    #[serde(flatten)]
    pub(crate) element: Option<ElementSummary>,
    pub(crate) by: Option<CoverSummary>,
    /// The text of the page, for waits for a text.
    pub(crate) text: Option<String>,
    /// The element's state, for waits for an element.
    pub(crate) state: Option<ShownState>,
}

/// Why a wait timed out; `Obstacle` in `injected/src/failure.ts` has the same words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TimeoutReason {
    Hidden,
    Moving,
    Disabled,
    ReadOnly,
    Covered,
    Through,
    Outside,
    Text,
    Element,
    Picked,
}

/// Whether an element is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ShownState {
    Visible,
    Hidden,
}

/// An element as the injected script describes it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ElementSummary {
    pub(crate) num: u32,
    #[serde(default)]
    pub(crate) role: String,
    #[serde(default)]
    pub(crate) name: String,
}

/// An element that covers another.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CoverSummary {
    #[serde(flatten)]
    pub(crate) element: ElementSummary,
    /// Its clickable descendants.
    #[serde(default)]
    pub(crate) has: Vec<ElementSummary>,
}

/// Arguments with only an element number.
#[derive(Serialize)]
pub(crate) struct Numbered {
    pub(crate) num: u32,
}

/// A failed call to the injected script.
#[derive(Debug)]
pub(crate) enum InjectedError {
    /// The injected script refused.
    Refused(Refusal),
    /// The document was unloaded.
    Gone,
    /// Any other error.
    Failed(Error),
}

impl InjectedError {
    /// For callers that treat all variants alike.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Failed(error) => error,
            Self::Gone => Error::Driver(DriverError::Gone),
            Self::Refused(refusal) => Error::Driver(DriverError::Refused {
                command: "the injected function",
                message: match refusal {
                    Refusal::Bug { message } | Refusal::Invalid { message } => message,
                    Refusal::Misfit { message, .. } => message,
                    other => format!("{other:?}"),
                },
            }),
        }
    }
}

impl Injected<'_> {
    /// Calls a function of a frame's injected script. An opening dialog ends the call, because it blocks the
    /// page. A page that does not answer by the deadline gets its script interrupted.
    pub(crate) async fn ask<T: DeserializeOwned>(
        self,
        frame: &FrameId,
        function: &'static str,
        args: &impl Serialize,
        deadline: Deadline,
    ) -> std::result::Result<T, InjectedError> {
        let answer = self.ask_raw(frame, function, args, deadline).await?;
        parse_reply(&answer)
    }

    /// Like [`Self::ask`], with the reply as text to borrow from.
    pub(crate) async fn ask_raw(
        self,
        frame: &FrameId,
        function: &'static str,
        args: &impl Serialize,
        deadline: Deadline,
    ) -> std::result::Result<String, InjectedError> {
        let args = serde_json::to_string(args).map_err(garbled)?;
        let (asked_for, began) = (deadline.left(), Instant::now());
        let call = self.page.dialogs().unless_dialog(self.page.driver().call(frame, function, &args));
        match self.answered_by(deadline, call).await {
            Some(Ok(Ok(answer))) => self
                .page
                .file_access()
                .frame_may_be_shown(frame)
                .await
                .map(|()| answer)
                .map_err(InjectedError::Failed),
            Some(Ok(Err(DriverError::Gone))) => Err(InjectedError::Gone),
            Some(Ok(Err(error))) => Err(InjectedError::Failed(self.explain(error))),
            Some(Err(dialog)) => Err(InjectedError::Failed(dialog)),
            None => Err(InjectedError::Failed(self.unstick(asked_for.max(began.elapsed())).await)),
        }
    }

    /// Awaits with a deadline. A page that opens tabs is not hung: `window.open` returns when the browser has
    /// created the tab, which is slow on a busy machine. So each opened tab restarts the timeout, up to a
    /// limit.
    pub(crate) async fn answered_by<T>(self, deadline: Deadline, work: impl Future<Output = T>) -> Option<T> {
        let timeout = deadline.left().max(MIN_AFTER_TAB);
        let last = deadline.extended_by(OPENING_TABS);
        let (mut work, mut deadline) = (std::pin::pin!(work), deadline);
        loop {
            if let Some(done) = deadline.bound(&mut work).await {
                return Some(done);
            }
            let opened = self.page.state().tab_opened?;
            let extended = Deadline::since(opened, timeout).min(last);
            if extended <= deadline {
                return None;
            }
            deadline = extended;
        }
    }

    /// Interrupts the script that blocks the page; returns the error to report.
    pub(crate) async fn unstick(self, after: Duration) -> Error {
        self.page.state().doubtful = true;
        if Deadline::after(Duration::from_secs(1)).bound(self.interrupt()).await.is_none() {
            // No reply either: crash the renderer; the next call reloads the page. This error reports it.
            if self.crash().await {
                self.page.state().crash_told = true;
            }
        }
        Error::Unresponsive(after)
    }

    /// Interrupts running scripts. Without that power it returns when none blocks the page.
    async fn interrupt(self) -> std::result::Result<(), DriverError> {
        match self.page.driver().interruption() {
            Some(power) => power.interrupt().await,
            None => self.page.driver().call(&self.page.main_frame(), "extent", "{}").await.map(drop),
        }
    }

    /// Whether the page's process gets killed.
    pub(crate) async fn crash(self) -> bool {
        match self.page.driver().crashing() {
            Some(power) => power.crash().await.is_ok(),
            None => false,
        }
    }

    /// The error for a page that is closed.
    pub(crate) fn closed_error(self) -> Error {
        match self.page.status() {
            PageStatus::Crashed => Error::Crashed { url: self.page.shown_url() },
            PageStatus::Lost => Error::BrowserEnded,
            PageStatus::Closed | PageStatus::Alive => Error::TabClosed,
        }
    }

    /// Translates a driver error with the page's status.
    pub(crate) fn explain(self, error: DriverError) -> Error {
        match error {
            // Closing a tab ends its process, too.
            DriverError::Crashed if matches!(self.page.status(), PageStatus::Closed | PageStatus::Lost) => {
                self.closed_error()
            }
            DriverError::Crashed => Error::Crashed { url: self.page.shown_url() },
            other => other.into(),
        }
    }
}

pub(crate) fn parse_reply<'a, T: Deserialize<'a>>(answer: &'a str) -> std::result::Result<T, InjectedError> {
    match serde_json::from_str(answer).map_err(garbled)? {
        InjectedResult::Ok(value) => Ok(value),
        InjectedResult::Error(refusal) => Err(InjectedError::Refused(refusal)),
    }
}

fn garbled(error: serde_json::Error) -> InjectedError {
    InjectedError::Failed(Error::Driver(DriverError::Garbled(std::sync::Arc::new(error))))
}
