//! Performance traces. The browser records them and hands them over as a stream at the end.

use async_trait::async_trait;
use cicerone_driver::{DriverError, Result, Tracing, lock};
use cicerone_wire::Event;
use tokio::sync::oneshot;

use crate::{
    page::{ChromiumPage, failed},
    protocol::tracing::{End, Start, TraceConfig, TracingComplete},
    stream::Stream,
};

/// The categories that the DevTools performance summary needs, without stacks and screenshots, which are most
/// of a trace.
const CATEGORIES: &[&str] = &[
    "blink.console",
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-lighthouse",
    "disabled-by-default-v8.cpu_profiler",
    "latencyInfo",
    "loading",
    "v8.execute",
];

#[async_trait]
impl Tracing for ChromiumPage {
    async fn start(&self) -> Result<()> {
        let trace_config = TraceConfig {
            // Recording stops when the browser's buffer is full.
            record_mode: "recordUntilFull",
            excluded_categories: &["*"],
            included_categories: CATEGORIES,
        };
        let start = Start {
            transfer_mode: "ReturnAsStream",
            stream_format: "json",
            stream_compression: "gzip",
            trace_config,
        };
        self.send(&start).await.map(drop)
    }

    async fn stop(&self, most: usize) -> Result<Option<Vec<u8>>> {
        let (complete, completed) = oneshot::channel();
        *lock(&self.trace_complete) = Some(complete);
        // Not `send`: the trace outlives a crash of the page.
        self.session.send(&End {}).await.map_err(failed)?;
        let handle = completed.await.map_err(|_| DriverError::Closed)?;
        Stream::of(self, handle).read_most(most).await
    }
}

/// An event of the Tracing domain.
pub(crate) fn tracing_domain(page: &ChromiumPage, event: Event<'_>) -> Option<()> {
    if event.method == "Tracing.tracingComplete" {
        let TracingComplete { stream } = event.parse()?;
        let complete = lock(&page.trace_complete).take();
        if let (Some(complete), Some(stream)) = (complete, stream) {
            // The receiver may be gone.
            let _ = complete.send(stream);
        }
    }
    Some(())
}
