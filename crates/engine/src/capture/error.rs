//! Errors of captures.

use std::{sync::Arc, time::Duration};

use cicerone_driver::DriverError;

use crate::TabId;

/// Why a capture cannot be started or read.
#[derive(Debug, Clone)]
pub enum CaptureError {
    /// The tab already has a running capture.
    AlreadyRunning(TabId),
    /// There is no such capture.
    NotStarted {
        /// The tab asked for.
        tab: Option<TabId>,
        /// Tabs that have a capture.
        others: Vec<TabId>,
    },
    /// The browser refused to start tracing.
    TraceRefused(DriverError),
    /// The browser could not deliver the trace.
    TraceLost(DriverError),
    /// The browser did not deliver the trace in time.
    TraceTimeout(Duration),
    /// The trace exceeds the size limit.
    TraceTooLarge(usize),
    /// The trace is not valid JSON.
    TraceInvalid(Arc<serde_json::Error>),
}
