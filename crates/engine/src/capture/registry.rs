//! The captures of a session, one per tab: start, status, stop and save.

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
use crate::{
    Error, FileError, Page, Result, Secrets, Session, TabId, Unsupported, look::screenshot::timestamped,
    session::lock, storage::aside,
};

/// The captures of a session.
#[derive(Default)]
pub struct Captures {
    /// Oldest first.
    all: Vec<Capture>,
    /// The summary of the last stopped trace.
    last_trace: Option<(TabId, TraceSummary)>,
}

/// The status of a capture.
#[derive(Debug, Clone)]
pub struct CaptureStatus {
    pub tab: TabId,
    /// What is captured.
    pub mode: CaptureMode,
    /// Why it ended; `None` while it runs.
    pub end: Option<CaptureEnd>,
    /// Its duration so far.
    pub elapsed: Duration,
    /// Requests captured.
    pub count: usize,
    /// The summary of a stopped trace.
    pub trace: Option<TraceSummary>,
    /// Why an ended trace cannot be read.
    pub lost: Option<CaptureError>,
}

/// A stopped capture.
#[derive(Debug, Clone)]
pub struct Captured {
    pub tab: TabId,
    /// Why it ended.
    pub end: CaptureEnd,
    /// Its duration.
    pub elapsed: Duration,
    /// The summary.
    pub caught: Caught,
    /// The file it was saved to.
    pub path: Option<PathBuf>,
}

/// Where a stopped capture is saved.
#[derive(Debug, Clone, Copy)]
pub enum SaveCapture<'a> {
    /// In this file.
    To(&'a Path),
    /// In the output directory, if the summary of a network capture is cut, as this says: the rest would be lost.
    IfCut(fn(&NetworkSummary) -> bool),
}

/// A capture's summary.
#[derive(Debug, Clone)]
pub enum Caught {
    /// Requests.
    Network(Box<NetworkSummary>),
    /// A performance trace.
    Trace(Box<TraceSummary>),
}

impl Session {
    /// Starts a capture in a page. Returns whether it replaced one that had ended unread.
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

    /// Registers the tab's capture and returns the ended one it replaces; an error if one is running.
    fn register(&self, capture: &Capture) -> Result<Option<Capture>> {
        let tab = capture.inner.tab;
        let mut captures = lock(self.captures());
        let index = captures.all.iter().position(|known| known.inner.tab == tab);
        if index.is_some_and(|at| captures.all[at].ended().is_none()) {
            return Err(CaptureError::AlreadyRunning(tab).into());
        }
        let earlier = index.map(|at| captures.all.remove(at));
        captures.all.push(capture.clone());
        Ok(earlier)
    }

    async fn begin(&self, page: &Page, capture: &Capture) -> Result<()> {
        let driver = page.driver();
        // Before the first event arrives.
        page.state().capture = Some(capture.clone());
        if capture.mode() == CaptureMode::Trace {
            let tracing = driver.tracing().ok_or(Error::Unsupported(Unsupported::Traces))?;
            let refused = |error| match error {
                Error::Driver(error @ DriverError::Refused { .. }) => {
                    Error::from(CaptureError::TraceRefused(error))
                }
                other => other,
            };
            page.injected().with_action_timeout(tracing.start()).await.map_err(refused)?;
        } else {
            let network = driver.network_capture();
            let network = network.ok_or(Error::Unsupported(Unsupported::NetworkCapture))?;
            if let Some(bodies) = driver.bodies() {
                match page.injected().with_action_timeout(bodies.keep()).await {
                    // Without bodies only the posted data is missing.
                    Err(Error::Unsupported(_)) if !capture.inner.options.include_bodies => {}
                    kept => kept?,
                }
            }
            page.injected().with_action_timeout(network.start()).await?;
        }
        Ok(())
    }

    /// The status of the capture of a tab, by default the active one; `None` if there is none.
    pub async fn capture_status(
        &self,
        tab: Option<TabId>,
        mode: Option<CaptureMode>,
    ) -> Result<Option<CaptureStatus>> {
        match self.find_capture(tab, mode) {
            Ok(capture) => {
                let lost = capture.lost().await;
                let (end, elapsed) = match capture.ended() {
                    Some((end, elapsed)) => (Some(end), elapsed),
                    None => (None, capture.inner.started.elapsed()),
                };
                let record = lock(&capture.inner.record);
                let count = record.entries.len() + record.dropped;
                let (tab, mode) = (capture.inner.tab, capture.mode());
                Ok(Some(CaptureStatus { tab, mode, end, elapsed, count, trace: None, lost }))
            }
            Err(Error::Capture(CaptureError::NotStarted { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The status of the last stopped trace.
    pub fn last_trace(&self) -> Option<CaptureStatus> {
        let (tab, trace) = lock(self.captures()).last_trace.clone()?;
        Some(CaptureStatus {
            tab,
            mode: CaptureMode::Trace,
            end: Some(CaptureEnd::Stopped),
            elapsed: Duration::ZERO,
            count: 0,
            trace: Some(trace),
            lost: None,
        })
    }

    /// Stops the capture of a tab, by default the active one. It is forgotten only on success, so that a
    /// failed save can be repeated elsewhere.
    pub async fn stop_capture(
        &self,
        tab: Option<TabId>,
        mode: Option<CaptureMode>,
        save: SaveCapture<'_>,
    ) -> Result<Captured> {
        let capture = self.find_capture(tab, mode)?;
        capture.end(CaptureEnd::Stopped);
        let (end, elapsed) = capture.ended().unwrap_or((CaptureEnd::Stopped, Duration::ZERO));
        let (caught, path) = match capture.mode() {
            CaptureMode::Network => self.stop_network(&capture, save).await?,
            CaptureMode::Trace => match save {
                SaveCapture::To(path) => self.stop_trace(&capture, Some(path)).await?,
                SaveCapture::IfCut(_) => self.stop_trace(&capture, None).await?,
            },
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
        save: SaveCapture<'_>,
    ) -> Result<(Caught, Option<PathBuf>)> {
        capture.released().await;
        let summary = NetworkSummary::of(&lock(&capture.inner.record));
        let path = match save {
            SaveCapture::To(path) => Some(path.to_owned()),
            SaveCapture::IfCut(is_cut) => is_cut(&summary).then(|| timestamped("capture", "har").into()),
        };
        let path = match path {
            Some(path) => {
                let capture = capture.clone();
                let (files, secrets) = (self.shared_files(), self.shared_secrets());
                let encode_trace = aside(move || {
                    let har = har::write(&lock(&capture.inner.record), &secrets);
                    let bytes = har.map_err(|error| write_error(&path, error.into()))?;
                    files.write(&path, &bytes)
                });
                Some(encode_trace.await?)
            }
            None => None,
        };
        Ok((Caught::Network(Box::new(summary)), path))
    }

    async fn stop_trace(&self, capture: &Capture, save: Option<&Path>) -> Result<(Caught, Option<PathBuf>)> {
        // In its own task: a cancelled caller must not lose the trace.
        let reading = capture.clone();
        let _ = tokio::spawn(async move { reading.take_trace().await }).await;
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
                Some(path) => Some(files.write(&path, &encode_trace(&path, &bytes, &secrets)?)?),
                None => None,
            };
            Ok((summary, path))
        })
        .await?;
        Ok((Caught::Trace(Box::new(summary)), path))
    }

    /// The capture of a tab, by default the active one. If that has none, the latest capture whose tab is
    /// closed.
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
        let is_same = |known: &Capture| Arc::ptr_eq(&known.inner, &capture.inner);
        lock(self.captures()).all.retain(|known| !is_same(known));
        if let Ok((_, page)) = self.tab(capture.inner.tab) {
            page.state().capture.take_if(|known| is_same(known));
        }
    }

    /// Ends all captures with the browser.
    pub(crate) fn end_captures(&self) {
        let captures = lock(self.captures()).all.clone();
        captures.iter().for_each(|capture| capture.end(CaptureEnd::BrowserEnded));
    }
}

/// A capture being started; forgotten if that fails or is cancelled.
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
    /// Reads the trace before the tab closes, because the browser drops it then.
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

/// The trace as JSON, or gzipped for a `.gz` path, with secrets replaced by their names.
fn encode_trace(path: &Path, gzipped: &[u8], secrets: &Secrets) -> Result<Vec<u8>> {
    let as_gzip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    let has_secrets = secrets.names().next().is_some();
    if as_gzip && !has_secrets {
        return Ok(gzipped.to_vec());
    }
    let mut json = Vec::new();
    GzDecoder::new(gzipped).read_to_end(&mut json).map_err(|error| write_error(path, error))?;
    if has_secrets {
        json = secrets.redact(&String::from_utf8_lossy(&json)).into_owned().into_bytes();
    }
    if !as_gzip {
        return Ok(json);
    }
    let mut packed = Vec::new();
    let mut encoder = flate2::bufread::GzEncoder::new(json.as_slice(), flate2::Compression::default());
    encoder.read_to_end(&mut packed).map_err(|error| write_error(path, error))?;
    Ok(packed)
}

fn write_error(path: &Path, error: std::io::Error) -> Error {
    Error::File(FileError::Io { path: path.to_owned(), reason: Arc::new(error) })
}
