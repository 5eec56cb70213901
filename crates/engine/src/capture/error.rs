//! What can be wrong with a capture.

use std::{sync::Arc, time::Duration};

use cicerone_driver::DriverError;

use crate::TabId;

/// Why a capture cannot be started or read.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// The tab has one.
    #[error("a capture is already running in tab {0}")]
    AlreadyRunning(TabId),
    /// There is none.
    #[error("no capture was started{}{}", in_tab(.tab.as_ref()), listed(.others))]
    NotStarted {
        /// In this tab.
        tab: Option<TabId>,
        /// The tabs that have one.
        others: Vec<TabId>,
    },
    /// The browser does not start one.
    #[error("the trace could not be started: {0}")]
    TraceRefused(DriverError),
    /// What was recorded is gone.
    #[error("the trace was lost: {0}")]
    TraceLost(DriverError),
    /// The browser does not hand it over.
    #[error("the trace was lost: reading it timed out after {} s", .0.as_secs())]
    TraceTimeout(Duration),
    /// It is too large.
    #[error("the trace was lost: it is larger than {} MB", .0 >> 20)]
    TraceTooLarge(usize),
    /// It is not what it should be.
    #[error("the trace is not valid: {0}")]
    TraceInvalid(Arc<serde_json::Error>),
}

impl CaptureError {
    /// A short name that does not change with the wording.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::AlreadyRunning(_) => "AlreadyRunning",
            Self::NotStarted { .. } => "NotStarted",
            Self::TraceTimeout(_) => "Timeout",
            _ => "TraceFailed",
        }
    }

    /// What to do next.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::AlreadyRunning(_) => "stop it first, or capture another tab",
            Self::NotStarted { .. } => "start it first, then do what makes the requests",
            Self::TraceRefused(_) => "a browser records one trace at a time: stop the other one first",
            Self::TraceTooLarge(_) => "start it again and stop it earlier",
            _ => "start it again, and stop it before the tab is closed",
        }
    }
}

fn in_tab(tab: Option<&TabId>) -> String {
    tab.map(|tab| format!(" in tab {tab}")).unwrap_or_default()
}

fn listed(others: &[TabId]) -> String {
    match others {
        [] => String::new(),
        others => {
            let tabs: Vec<String> = others.iter().map(ToString::to_string).collect();
            format!("; captures there are in tab {}", tabs.join(", "))
        }
    }
}
