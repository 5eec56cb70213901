//! Captures: the network traffic of a tab, or a performance trace of it. A capture outlives its tab and its browser:
//! what it has caught is there until it is stopped and read.

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
use tokio::sync::watch;

pub use self::{
    error::CaptureError,
    filter::{CaptureFilter, ResourceType},
    record::{LARGEST_BODY, MOST_BODY_BYTES, MOST_REQUESTS},
    registry::{CaptureStatus, Captured, Captures, Caught},
    summary::{NetworkSummary, RequestSummary, ShownBody},
    trace::TraceSummary,
};

use self::record::{Record, Wanted};
use crate::{Deadline, TabId, session::lock};

/// How long it may take to read the last bodies, or a trace.
const READING: Duration = Duration::from_secs(20);
/// How large a trace may be, gzipped.
const LARGEST_TRACE: usize = 128 << 20;

/// What is captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CaptureMode {
    /// Requests and their responses.
    #[default]
    Network,
    /// A performance trace.
    Trace,
}

/// How something is captured.
#[derive(Debug, Clone)]
pub struct CaptureOptions {
    /// What.
    pub mode: CaptureMode,
    /// Whether the bodies of responses are kept.
    pub include_bodies: bool,
    /// Which requests.
    pub filter: CaptureFilter,
    /// It ends by itself after this.
    pub max_time: Duration,
    /// It ends by itself when no request was made for this long.
    pub max_idle: Option<Duration>,
}

/// Why a capture ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureEnd {
    /// It was asked to.
    Stopped,
    /// After its longest time.
    TimedOut(Duration),
    /// Nothing was asked for so long.
    Idle(Duration),
    /// Its tab was closed.
    TabClosed,
    /// Its page crashed.
    Crashed,
    /// The browser ended.
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
    /// Why it ended, and after how long.
    end: watch::Sender<Option<(CaptureEnd, Duration)>>,
    /// How many bodies are being read.
    reading: watch::Sender<usize>,
    /// Whether the browser reports and keeps nothing more for it.
    released: watch::Sender<bool>,
    trace: tokio::sync::Mutex<Trace>,
}

/// A performance trace.
enum Trace {
    /// The browser records it.
    Recording,
    /// As gzipped JSON.
    Recorded(Arc<Vec<u8>>),
    /// It cannot be had.
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
            released: watch::Sender::new(false),
            trace: tokio::sync::Mutex::new(Trace::Recording),
        };
        Self { inner: Arc::new(inner) }
    }

    fn mode(&self) -> CaptureMode {
        self.inner.options.mode
    }

    /// Why it ended, and after how long; nothing while it runs.
    fn ended(&self) -> Option<(CaptureEnd, Duration)> {
        *self.inner.end.borrow()
    }

    /// Ends it, unless it has ended.
    pub(crate) fn end(&self, why: CaptureEnd) {
        let first = self.inner.end.send_if_modified(|end| {
            let first = end.is_none();
            end.get_or_insert((why, self.inner.started.elapsed()));
            first
        });
        if first {
            let capture = self.clone();
            tokio::spawn(async move {
                capture.release().await;
                capture.inner.released.send_replace(true);
            });
        }
    }

    /// Has the browser report and keep nothing more.
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
        // Not before the last bodies are read.
        self.bodies_read().await;
        if let Some(bodies) = driver.bodies()
            && let Err(error) = bodies.release().await
        {
            tracing::debug!(%error, "bodies could not be released");
        }
    }

    /// Gets the trace from the browser, unless somebody has.
    async fn take_trace(&self) {
        let mut trace = self.inner.trace.lock().await;
        if !matches!(*trace, Trace::Recording) {
            return;
        }
        let Some(tracing) = self.inner.driver.tracing() else { return };
        *trace = match Deadline::after(READING).bound(tracing.stop(LARGEST_TRACE)).await {
            Some(Ok(Some(bytes))) => Trace::Recorded(Arc::new(bytes)),
            Some(Ok(None)) => Trace::Lost(CaptureError::TraceTooLarge(LARGEST_TRACE)),
            Some(Err(error)) => Trace::Lost(CaptureError::TraceLost(error)),
            None => Trace::Lost(CaptureError::TraceTimeout(READING)),
        };
    }

    /// Waits until the browser has nothing more to do for it: what comes after would be taken from the next one.
    async fn released(&self) {
        let mut released = self.inner.released.subscribe();
        // The sender lives as long as this.
        let _ = Deadline::after(READING).bound(released.wait_for(|released| *released)).await;
    }

    /// Waits for the bodies that are being read.
    async fn bodies_read(&self) {
        let mut reading = self.inner.reading.subscribe();
        // The sender lives as long as this.
        let _ = Deadline::after(READING).bound(reading.wait_for(|count| *count == 0)).await;
    }

    /// Adds what happened in its page.
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

    /// Adds a step of a request.
    pub(crate) fn add(&self, event: NetworkEvent) {
        if self.ended().is_some() {
            return;
        }
        let Inner { options, record, .. } = &*self.inner;
        let wanted = lock(record).add(event, &options.filter);
        if let Some((key, mut wanted)) = wanted {
            wanted.response &= options.include_bodies;
            if wanted.request || wanted.response {
                self.inner.reading.send_modify(|count| *count += 1);
                let read = Reading(self.clone());
                // At once: the browser forgets bodies with their documents.
                tokio::spawn(async move { read.0.read_bodies(&key, wanted).await });
            }
        }
    }

    async fn read_bodies(&self, key: &RequestKey, wanted: Wanted) {
        let Inner { driver, record, .. } = &*self.inner;
        let Some(bodies) = driver.bodies() else { return };
        if wanted.request {
            let body = read(bodies.request(&key.id, LARGEST_BODY)).await;
            lock(record).request_body(key, body);
        }
        if wanted.response {
            let room = lock(record).room(key);
            let body = match room {
                Some(room) => read(bodies.response(&key.id, room)).await,
                None => Body::TooLarge,
            };
            lock(record).response_body(key, body);
        }
    }

    /// Ends it when its time is over.
    async fn watch_time(self) {
        let mut ended = self.inner.end.subscribe();
        loop {
            let CaptureOptions { max_time, max_idle, .. } = self.inner.options;
            let left = max_time.saturating_sub(self.inner.started.elapsed());
            let idle = lock(&self.inner.record).stirred.elapsed();
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

/// A body is being read as long as this lives.
struct Reading(Capture);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.inner.reading.send_modify(|count| *count -= 1);
    }
}

/// A body, as far as it can be had.
async fn read(body: impl Future<Output = cicerone_driver::Result<Body>>) -> Body {
    match Deadline::after(READING).bound(body).await {
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
