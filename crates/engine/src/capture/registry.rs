//! The captures of a session: one a tab, started, looked at, stopped and written to files.

use std::{
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use cicerone_driver::DriverError;
use flate2::read::GzDecoder;

use super::{
    Capture, CaptureEnd, CaptureError, CaptureMode, CaptureOptions, NetworkSummary, Trace, TraceSummary, har,
    trace,
};
use crate::{Error, Page, Result, Secrets, Session, TabId, session::lock, storage::aside};

/// The captures of a session.
#[derive(Default)]
pub struct Captures {
    /// The latest last.
    all: Vec<Capture>,
    /// What the last trace that was stopped says.
    last_trace: Option<(TabId, TraceSummary)>,
}

/// How far a capture is.
#[derive(Debug, Clone)]
pub struct CaptureStatus {
    /// Its tab.
    pub tab: TabId,
    /// What is captured.
    pub mode: CaptureMode,
    /// Why it ended; nothing while it runs.
    pub end: Option<CaptureEnd>,
    /// For how long it ran.
    pub elapsed: Duration,
    /// How many requests it has caught.
    pub count: usize,
    /// What the trace says, where it was stopped.
    pub trace: Option<TraceSummary>,
}

/// What came of a capture.
#[derive(Debug, Clone)]
pub struct Captured {
    /// Its tab.
    pub tab: TabId,
    /// Why it ended.
    pub end: CaptureEnd,
    /// For how long it ran.
    pub elapsed: Duration,
    /// What was caught.
    pub caught: Caught,
    /// The file that it was written to.
    pub path: Option<PathBuf>,
}

/// What was caught.
#[derive(Debug, Clone)]
pub enum Caught {
    /// Requests.
    Network(Box<NetworkSummary>),
    /// A performance trace.
    Trace(Box<TraceSummary>),
}

impl Session {
    /// Starts a capture in a page; whether one that had ended was thrown away for it.
    pub async fn start_capture(&self, page: &Page, options: CaptureOptions) -> Result<bool> {
        let capture = Capture::new(page.id(), options, Arc::clone(page.driver()), page.url());
        let replaced = self.register(&capture)?;
        if let Some(earlier) = &replaced {
            earlier.released().await;
        }
        let starting = Starting { session: self, capture: &capture, started: false };
        self.begin(page, &capture).await?;
        starting.done();
        tokio::spawn(capture.watch_time());
        Ok(replaced.is_some())
    }

    /// One a tab: an error where one runs; the one that had ended and makes room.
    fn register(&self, capture: &Capture) -> Result<Option<Capture>> {
        let tab = capture.inner.tab;
        let mut captures = lock(self.captures());
        let there = captures.all.iter().position(|known| known.inner.tab == tab);
        if there.is_some_and(|at| captures.all[at].ended().is_none()) {
            return Err(CaptureError::AlreadyRunning(tab).into());
        }
        let earlier = there.map(|at| captures.all.remove(at));
        captures.all.push(capture.clone());
        Ok(earlier)
    }

    async fn begin(&self, page: &Page, capture: &Capture) -> Result<()> {
        let driver = page.driver();
        // Before the first event.
        page.state().capture = Some(capture.clone());
        if capture.mode() == CaptureMode::Trace {
            let tracing = driver.tracing().ok_or(Error::Unsupported("record performance traces"))?;
            let refused = |error| match error {
                Error::Driver(error @ DriverError::Refused { .. }) => {
                    Error::from(CaptureError::TraceRefused(error))
                }
                other => other,
            };
            page.promptly(tracing.start()).await.map_err(refused)?;
        } else {
            let network = driver.network_capture();
            let network = network.ok_or(Error::Unsupported("capture network traffic"))?;
            if let Some(bodies) = driver.bodies() {
                match page.promptly(bodies.keep()).await {
                    // Without them only what was posted is missing.
                    Err(Error::Unsupported(_)) if !capture.inner.options.include_bodies => {}
                    kept => kept?,
                }
            }
            page.promptly(network.start()).await?;
        }
        Ok(())
    }

    /// How far the capture of a tab is, or of the active one; nothing where there is none.
    pub fn capture_status(
        &self,
        tab: Option<TabId>,
        mode: Option<CaptureMode>,
    ) -> Result<Option<CaptureStatus>> {
        match self.find_capture(tab, mode) {
            Ok(capture) => {
                let (end, elapsed) = match capture.ended() {
                    Some((end, elapsed)) => (Some(end), elapsed),
                    None => (None, capture.inner.started.elapsed()),
                };
                let record = lock(&capture.inner.record);
                let count = record.entries.len() + record.dropped;
                let (tab, mode) = (capture.inner.tab, capture.mode());
                Ok(Some(CaptureStatus { tab, mode, end, elapsed, count, trace: None }))
            }
            Err(Error::Capture(CaptureError::NotStarted { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What the last trace that was stopped says.
    pub fn last_trace(&self) -> Option<CaptureStatus> {
        let (tab, trace) = lock(self.captures()).last_trace.clone()?;
        Some(CaptureStatus {
            tab,
            mode: CaptureMode::Trace,
            end: Some(CaptureEnd::Stopped),
            elapsed: Duration::ZERO,
            count: 0,
            trace: Some(trace),
        })
    }

    /// Stops the capture of a tab, or of the active one; what it caught. It is forgotten when all of that was done: what
    /// could not be written can be written elsewhere.
    pub async fn stop_capture(
        &self,
        tab: Option<TabId>,
        mode: Option<CaptureMode>,
        save: Option<&Path>,
    ) -> Result<Captured> {
        let capture = self.find_capture(tab, mode)?;
        capture.end(CaptureEnd::Stopped);
        let (end, elapsed) = capture.ended().unwrap_or((CaptureEnd::Stopped, Duration::ZERO));
        let (caught, path) = match capture.mode() {
            CaptureMode::Network => self.stop_network(&capture, save).await?,
            CaptureMode::Trace => self.stop_trace(&capture, save).await?,
        };
        let tab = capture.inner.tab;
        if let Caught::Trace(trace) = &caught {
            lock(self.captures()).last_trace = Some((tab, (**trace).clone()));
        }
        self.forget_capture(&capture);
        Ok(Captured { tab, end, elapsed, caught, path })
    }

    async fn stop_network(
        &self,
        capture: &Capture,
        save: Option<&Path>,
    ) -> Result<(Caught, Option<PathBuf>)> {
        capture.released().await;
        let summary = NetworkSummary::of(&lock(&capture.inner.record));
        let path = match save {
            Some(path) => {
                let (capture, path) = (capture.clone(), path.to_owned());
                let (files, secrets) = (self.shared_files(), self.shared_secrets());
                let written = aside(move || {
                    let har = har::write(&lock(&capture.inner.record), &secrets);
                    let bytes = har.map_err(|error| unwritable(&path, error.into()))?;
                    files.write(&path, &bytes)
                });
                Some(written.await?)
            }
            None => None,
        };
        Ok((Caught::Network(Box::new(summary)), path))
    }

    async fn stop_trace(&self, capture: &Capture, save: Option<&Path>) -> Result<(Caught, Option<PathBuf>)> {
        // In a task of its own: who gives up waiting must not lose it.
        let taking = capture.clone();
        let _ = tokio::spawn(async move { taking.take_trace().await }).await;
        let recorded = match &*capture.inner.trace.lock().await {
            Trace::Recorded(bytes) => Ok(Arc::clone(bytes)),
            Trace::Lost(error) => Err(error.clone()),
            Trace::Recording => Err(CaptureError::TraceLost(DriverError::Disconnected)),
        };
        let bytes = recorded.inspect_err(|_| self.forget_capture(capture))?;
        let frame = capture.inner.driver.main_frame();
        let (files, secrets) = (self.shared_files(), self.shared_secrets());
        let save = save.map(Path::to_owned);
        let (summary, path) = aside(move || {
            let summary = trace::summarise(GzDecoder::new(bytes.as_slice()), frame.as_str())
                .map_err(|error| CaptureError::TraceInvalid(Arc::new(error)))?;
            let path = match save {
                Some(path) => Some(files.write(&path, &written(&path, &bytes, &secrets)?)?),
                None => None,
            };
            Ok((summary, path))
        })
        .await?;
        Ok((Caught::Trace(Box::new(summary)), path))
    }

    /// The capture of a tab, or of the active one. One whose tab is gone is found where the active tab has none.
    fn find_capture(&self, tab: Option<TabId>, mode: Option<CaptureMode>) -> Result<Capture> {
        let wanted = tab.or_else(|| self.context().active().map(|page| page.id()));
        let mut captures = lock(self.captures()).all.clone();
        captures.retain(|capture| mode.is_none_or(|mode| mode == capture.mode()));
        if let Some(found) = captures.iter().find(|capture| Some(capture.inner.tab) == wanted) {
            return Ok(found.clone());
        }
        if let Some(tab) = tab {
            self.tab(tab)?;
        } else if let Some(orphan) =
            captures.iter().rev().find(|capture| self.tab(capture.inner.tab).is_err())
        {
            return Ok(orphan.clone());
        }
        let others = captures.iter().map(|capture| capture.inner.tab).collect();
        Err(CaptureError::NotStarted { tab: wanted, others }.into())
    }

    fn forget_capture(&self, capture: &Capture) {
        let is_it = |known: &Capture| Arc::ptr_eq(&known.inner, &capture.inner);
        lock(self.captures()).all.retain(|known| !is_it(known));
        if let Ok((_, page)) = self.tab(capture.inner.tab) {
            page.state().capture.take_if(|known| is_it(known));
        }
    }

    /// The browser ended, and with it what is captured in it.
    pub(crate) fn end_captures(&self) {
        let captures = lock(self.captures()).all.clone();
        captures.iter().for_each(|capture| capture.end(CaptureEnd::BrowserEnded));
    }
}

/// A capture that is being started; forgotten where that fails or is given up.
struct Starting<'a> {
    session: &'a Session,
    capture: &'a Capture,
    started: bool,
}

impl Starting<'_> {
    fn done(mut self) {
        self.started = true;
    }
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        if !self.started {
            self.capture.end(CaptureEnd::Stopped);
            self.session.forget_capture(self.capture);
        }
    }
}

impl Page {
    /// The tab is about to be closed: a trace is only there as long as it is.
    pub(crate) async fn before_close(&self) {
        let capture = self.state().capture.clone();
        if let Some(capture) = capture.filter(|capture| capture.ended().is_none()) {
            capture.end(CaptureEnd::TabClosed);
            if capture.mode() == CaptureMode::Trace {
                capture.take_trace().await;
            }
        }
    }
}

/// A trace as it is written: JSON, or gzipped where the name says so. Secrets are replaced by their names.
fn written(path: &Path, gzipped: &[u8], secrets: &Secrets) -> Result<Vec<u8>> {
    let as_gzip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    let has_secrets = secrets.names().next().is_some();
    if as_gzip && !has_secrets {
        return Ok(gzipped.to_vec());
    }
    let mut json = Vec::new();
    GzDecoder::new(gzipped).read_to_end(&mut json).map_err(|error| unwritable(path, error))?;
    if has_secrets {
        json = secrets.redact(&String::from_utf8_lossy(&json)).into_owned().into_bytes();
    }
    if !as_gzip {
        return Ok(json);
    }
    let mut packed = Vec::new();
    let mut encoder = flate2::bufread::GzEncoder::new(json.as_slice(), flate2::Compression::default());
    encoder.read_to_end(&mut packed).map_err(|error| unwritable(path, error))?;
    Ok(packed)
}

fn unwritable(path: &Path, error: std::io::Error) -> Error {
    Error::File { path: path.to_owned(), reason: Arc::new(error) }
}
