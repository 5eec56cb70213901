//! Captures of a tab: network traffic or a performance trace. A capture outlives its tab and its browser
//! until it is stopped and read.

mod error;
mod filter;
mod har;
mod record;
mod registry;
mod summary;
mod trace;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use cicerone_driver::{Body, NetworkEvent, PageDriver, PageEvent, RequestKey};
use tokio::sync::{Semaphore, watch};
use tracing::Instrument;

pub use self::{
    error::CaptureError,
    filter::{CaptureFilter, ResourceType},
    record::{LARGEST_BODY, MOST_BODY_BYTES, MOST_REQUESTS},
    registry::{CaptureStatus, Captured, Captures, Caught, SaveCapture},
    summary::{NetworkSummary, RequestSummary, ShownBody},
    trace::TraceSummary,
};

use self::record::{BodiesToRead, Record};
use crate::{Deadline, TabId, session::lock};

/// Time limit for reading the last bodies, or a trace.
const READ_TIMEOUT: Duration = Duration::from_secs(20);
/// Bodies of unknown size that are read at the same time: nothing can be reserved for them.
const UNMEASURED_READS: usize = 2;
/// The largest trace, in gzipped bytes.
const LARGEST_TRACE: usize = 128 << 20;

/// What to capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CaptureMode {
    /// Requests and their responses.
    #[default]
    Network,
    /// A performance trace.
    Trace,
}

/// Options of a capture.
#[derive(Debug, Clone)]
pub struct CaptureOptions {
    /// What to capture.
    pub mode: CaptureMode,
    /// Whether to keep response bodies.
    pub include_bodies: bool,
    /// Which requests to keep.
    pub filter: CaptureFilter,
    /// Ends after this time.
    pub max_time: Duration,
    /// Ends when no request started for this long.
    pub max_idle: Option<Duration>,
}

/// Why a capture ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureEnd {
    /// By the client.
    Stopped,
    /// `max_time` elapsed.
    TimedOut(Duration),
    /// `max_idle` elapsed without a request.
    Idle(Duration),
    /// The tab was closed.
    TabClosed,
    /// The page crashed.
    Crashed,
    BrowserEnded,
}

/// A capture. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Capture {
    inner: Arc<Inner>,
}

struct Inner {
    tab: TabId,
    options: CaptureOptions,
    driver: Arc<dyn PageDriver>,
    record: Mutex<Record>,
    started: Instant,
    /// Why it ended, and its duration.
    end: watch::Sender<Option<(CaptureEnd, Duration)>>,
    /// The number of bodies being read.
    reading: watch::Sender<usize>,
    unmeasured_reads: Semaphore,
    /// Whether the browser has stopped reporting and dropped its buffers.
    released: watch::Sender<bool>,
    trace: tokio::sync::Mutex<Trace>,
}

/// A performance trace.
enum Trace {
    /// The browser is recording.
    Recording,
    /// The trace as gzipped JSON.
    Recorded(Arc<Vec<u8>>),
    /// Not available.
    Lost(CaptureError),
}

impl Capture {
    fn new(tab: TabId, options: CaptureOptions, driver: Arc<dyn PageDriver>, url: String) -> Self {
        let record = Record::new(driver.main_frame(), url, now());
        let inner = Inner {
            tab,
            options,
            record: Mutex::new(record),
            driver,
            started: Instant::now(),
            end: watch::Sender::new(None),
            reading: watch::Sender::new(0),
            unmeasured_reads: Semaphore::new(UNMEASURED_READS),
            released: watch::Sender::new(false),
            trace: tokio::sync::Mutex::new(Trace::Recording),
        };
        Self { inner: Arc::new(inner) }
    }

    fn mode(&self) -> CaptureMode {
        self.inner.options.mode
    }

    /// Why it ended, and its duration; `None` while it runs.
    fn ended(&self) -> Option<(CaptureEnd, Duration)> {
        *self.inner.end.borrow()
    }

    /// Ends it. Later calls have no effect.
    pub(crate) fn end(&self, why: CaptureEnd) {
        let first = self.inner.end.send_if_modified(|end| {
            let first = end.is_none();
            end.get_or_insert((why, self.inner.started.elapsed()));
            first
        });
        if first {
            let capture = self.clone();
            let release = async move {
                capture.release().await;
                capture.inner.released.send_replace(true);
            };
            tokio::spawn(release.in_current_span());
        }
    }

    /// Stops the browser's reporting and frees its buffers.
    async fn release(&self) {
        if self.mode() == CaptureMode::Trace {
            return self.take_trace().await;
        }
        let driver = &self.inner.driver;
        if let Some(network) = driver.network_capture()
            && let Err(error) = network.stop().await
        {
            tracing::debug!(%error, "a capture could not be stopped");
        }
        // After the last bodies are read.
        self.bodies_read().await;
        if let Some(bodies) = driver.bodies()
            && let Err(error) = bodies.release().await
        {
            tracing::debug!(%error, "bodies could not be released");
        }
    }

    /// Reads the trace from the browser, once.
    async fn take_trace(&self) {
        let mut trace = self.inner.trace.lock().await;
        if !matches!(*trace, Trace::Recording) {
            return;
        }
        let Some(tracing) = self.inner.driver.tracing() else { return };
        *trace = match Deadline::after(READ_TIMEOUT).bound(tracing.stop(LARGEST_TRACE)).await {
            Some(Ok(Some(bytes))) => Trace::Recorded(Arc::new(bytes)),
            Some(Ok(None)) => Trace::Lost(CaptureError::TraceTooLarge(LARGEST_TRACE)),
            Some(Err(error)) => Trace::Lost(CaptureError::TraceLost(error)),
            None => Trace::Lost(CaptureError::TraceTimeout(READ_TIMEOUT)),
        };
    }

    /// Why the trace of an ended capture cannot be read.
    async fn lost(&self) -> Option<CaptureError> {
        self.ended().filter(|_| self.mode() == CaptureMode::Trace)?;
        self.released().await;
        match &*self.inner.trace.lock().await {
            Trace::Lost(error) => Some(error.clone()),
            Trace::Recording | Trace::Recorded(_) => None,
        }
    }

    /// Waits until the browser has released this capture: otherwise its late stop would end the next one.
    async fn released(&self) {
        let mut released = self.inner.released.subscribe();
        // `self` keeps the sender alive.
        let _ = Deadline::after(READ_TIMEOUT).bound(released.wait_for(|released| *released)).await;
    }

    /// Waits for the bodies being read.
    async fn bodies_read(&self) {
        let mut reading = self.inner.reading.subscribe();
        // `self` keeps the sender alive.
        let _ = Deadline::after(READ_TIMEOUT).bound(reading.wait_for(|count| *count == 0)).await;
    }

    /// Records lifecycle events of its page.
    pub(crate) fn observe(&self, event: &PageEvent) {
        match event {
            PageEvent::Closed => self.end(CaptureEnd::TabClosed),
            PageEvent::Crashed => self.end(CaptureEnd::Crashed),
            PageEvent::Loaded { frame, stage, .. } => {
                lock(&self.inner.record).loaded(frame, *stage, now());
            }
            _ => {}
        }
    }

    /// Records a network event.
    pub(crate) fn add(&self, event: NetworkEvent) {
        if self.ended().is_some() {
            return;
        }
        let Inner { options, record, .. } = &*self.inner;
        let to_read = lock(record).add(event, &options.filter);
        if let Some((key, mut to_read)) = to_read {
            to_read.response &= options.include_bodies;
            if to_read.request || to_read.response {
                self.inner.reading.send_modify(|count| *count += 1);
                let read = ReadGuard(self.clone());
                // At once: the browser drops bodies with their documents.
                tokio::spawn(async move { read.0.read_bodies(&key, to_read).await }.in_current_span());
            }
        }
    }

    async fn read_bodies(&self, key: &RequestKey, to_read: BodiesToRead) {
        let Inner { driver, record, .. } = &*self.inner;
        let Some(bodies) = driver.bodies() else { return };
        if to_read.request {
            let size = lock(record).request_size(key);
            let body = self.within_room(key, size, |room| bodies.request(&key.id, room)).await;
            lock(record).request_body(key, body);
        }
        if to_read.response {
            let size = lock(record).response_size(key);
            let body = self.within_room(key, size, |room| bodies.response(&key.id, room)).await;
            lock(record).response_body(key, body);
        }
    }

    /// Reads a body if there is room for it.
    async fn within_room<F: Future<Output = cicerone_driver::Result<Body>>>(
        &self,
        key: &RequestKey,
        size: Option<usize>,
        body: impl FnOnce(usize) -> F,
    ) -> Body {
        let _turn = match size {
            Some(_) => None,
            None => Deadline::after(READ_TIMEOUT).bound(self.inner.unmeasured_reads.acquire()).await,
        };
        let room = lock(&self.inner.record).room(key, size);
        match room {
            Some(room) => read(body(room)).await,
            None => Body::TooLarge,
        }
    }

    /// Ends it when its time is over.
    async fn watch_time(self) {
        let mut ended = self.inner.end.subscribe();
        loop {
            let CaptureOptions { max_time, max_idle, .. } = self.inner.options;
            let left = max_time.saturating_sub(self.inner.started.elapsed());
            let idle = lock(&self.inner.record).last_activity.elapsed();
            let idle_left = max_idle.map(|most| most.saturating_sub(idle));
            match (left, idle_left) {
                (Duration::ZERO, _) => return self.end(CaptureEnd::TimedOut(max_time)),
                (_, Some(Duration::ZERO)) => {
                    return self.end(CaptureEnd::Idle(max_idle.unwrap_or_default()));
                }
                _ => {}
            }
            tokio::select! {
                () = tokio::time::sleep(left.min(idle_left.unwrap_or(left))) => {}
                _ = ended.wait_for(Option::is_some) => return,
            }
        }
    }
}

/// Counts a body as being read while it lives.
struct ReadGuard(Capture);

impl Drop for ReadGuard {
    fn drop(&mut self) {
        self.0.inner.reading.send_modify(|count| *count -= 1);
    }
}

/// The body, or `Missing` if it cannot be read.
async fn read(body: impl Future<Output = cicerone_driver::Result<Body>>) -> Body {
    match Deadline::after(READ_TIMEOUT).bound(body).await {
        Some(Ok(body)) => body,
        Some(Err(error)) => {
            tracing::debug!(%error, "a body could not be read");
            Body::Missing
        }
        None => Body::Missing,
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
