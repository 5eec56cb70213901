use std::time::Duration;

use crate::{DownloadFailure, ElementState, Target, WaitUntil, Wording};

/// Why a wait failed.
#[derive(Debug, Clone)]
pub enum WaitError {
    /// The condition did not hold in time.
    Timeout {
        /// The condition, with the last state.
        unmet: Box<Unmet>,
        /// The time limit.
        after: Duration,
    },
    /// The pattern cannot be parsed.
    BadPattern {
        pattern: Wording,
        /// The message of the page's parser.
        reason: String,
    },
    /// The download that was waited for was not saved.
    DownloadFailed(String, DownloadFailure),
    /// Nobody picked an element in time.
    NobodyPicked(Duration),
    /// The person cancelled picking.
    PickingGivenUp,
}

/// A condition that does not hold, with the state found instead.
#[derive(Debug, Clone)]
pub enum Unmet {
    /// An element is not in this state.
    Element {
        target: Target,
        /// The state that was waited for.
        state: ElementState,
        /// The element that matches, if there is one.
        found: Option<FoundElement>,
    },
    /// A text is not visible, or still is.
    Text {
        text: Wording,
        /// Whether it was to be visible.
        shown: bool,
        /// The text of the page; `None` if it was not read.
        instead: Option<String>,
    },
    /// The page has another URL.
    Url {
        pattern: String,
        /// The page's URL.
        url: String,
    },
    /// The page did not reach this load state.
    Load {
        /// The load state.
        until: WaitUntil,
        /// The number of requests in flight.
        pending: usize,
        /// The URLs of the first few.
        urls: Vec<String>,
    },
    /// The script did not return a truthy value.
    Script(ScriptState),
    /// The click did not navigate.
    ClickNavigates {
        /// The page's URL.
        url: String,
    },
    /// No download finished.
    Download {
        /// The names of those in progress.
        running: Vec<String>,
    },
}

/// An element that is not in the state that was waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundElement {
    /// Its ARIA role.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    pub state: ElementState,
}

/// The last result of a script that was to return a truthy value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptState {
    /// It had no result yet.
    NoResult,
    /// It returned a falsy value.
    Falsy,
    /// It threw.
    Threw(String),
    /// It did not finish and was terminated.
    Endless,
}
