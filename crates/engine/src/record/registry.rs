//! The recordings of a session, by tab.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::sync::{mpsc, oneshot};

use super::{
    Ended, RecordError, RecordFormat, RecordOptions, RecordStatus,
    encoder::{self, EncodedFile, Encoder},
    recorder::{Command, Progress, Recorder},
    source::Source,
    video::Video,
};
use crate::{Deadline, Error, Page, Result, Session, TabId, look::screenshot::timestamped, session::lock};

/// How long an action waits for a recorder that is busy.
const PATIENCE: Duration = Duration::from_millis(200);

/// All recordings.
#[derive(Default)]
pub(crate) struct Recordings(Mutex<BTreeMap<TabId, Recording>>);

/// One recording.
struct Recording {
    options: RecordOptions,
    commands: mpsc::UnboundedSender<Command>,
    progress: Arc<Mutex<Progress>>,
    begun: Instant,
}

impl Recording {
    fn status(&self) -> RecordStatus {
        let progress = lock(&self.progress);
        let (ended, duration) = match progress.ended {
            Some((ended, duration)) => (Some(ended), duration),
            None => (None, self.begun.elapsed()),
        };
        RecordStatus {
            options: self.options.clone(),
            frames: progress.frames,
            missed: progress.missed,
            duration,
            ended,
        }
    }
}

/// A recording that was saved.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Its file, as a client in the working directory would write it.
    pub path: PathBuf,
    /// The size of the file.
    pub bytes: usize,
    /// How many frames the file has.
    pub frames: usize,
    /// How many frames could not be taken, or not be encoded any more.
    pub lost: usize,
    /// How long was recorded.
    pub duration: Duration,
    /// How it was started.
    pub options: RecordOptions,
    /// Why it had ended before it was stopped, if it had.
    pub ended: Option<Ended>,
}

/// An action on a tab that is recorded.
pub struct ActionMark(mpsc::UnboundedSender<Command>);

impl ActionMark {
    /// The action was done: in words, for those who watch.
    pub fn done(self, label: String) {
        // A recording that was stopped meanwhile does not need it.
        drop(self.0.send(Command::ActionEnded(label)));
    }
}

impl Session {
    /// Starts to record a tab.
    pub async fn start_recording(&self, page: &Page, options: RecordOptions) -> Result<RecordStatus> {
        let tab = page.id();
        let started = || Error::Record(RecordError::Started(tab));
        if self.running(tab) {
            return Err(started());
        }
        if let Some(path) = &options.save_path {
            self.files().to_write(path)?;
        }
        let encoder = match options.format {
            RecordFormat::Gif => Encoder::Gif(encoder::empty(options.size)),
            RecordFormat::WebM => {
                let context = page.context().ok_or(Error::TabClosed)?;
                Encoder::Video(Video::begin(&context, options.size, options.fps).await?)
            }
        };
        let encoding = encoder::encode(encoder, options.size);
        let source = Source::of(page, options.size).await?;
        let recorder = Recorder::new(page, options.clone(), source, encoding);
        let (commands, told) = mpsc::unbounded_channel();
        let progress = Arc::clone(&recorder.progress);
        let recording = Recording { options, commands, progress, begun: recorder.begun };
        let status = recording.status();
        let mut running = self.recordings();
        if running.contains_key(&tab) {
            return Err(started());
        }
        running.insert(tab, recording);
        tokio::spawn(recorder.run(told));
        Ok(status)
    }

    /// How far a recording is; nothing where there is none.
    pub fn recording_status(&self, tab: Option<TabId>) -> Option<(TabId, RecordStatus)> {
        let tab = self.recorded_tab(tab).ok()?;
        Some((tab, self.recordings().get(&tab)?.status()))
    }

    /// Takes a frame now.
    pub async fn capture_frame(
        &self,
        tab: Option<TabId>,
        annotation: Option<String>,
    ) -> Result<RecordStatus> {
        let tab = self.recorded_tab(tab)?;
        let (done, captured) = oneshot::channel();
        self.command(tab, Command::Capture { annotation, done })?;
        captured.await.unwrap_or(Err(Error::Record(RecordError::NotStarted(Vec::new()))))?;
        let status = self.recordings().get(&tab).map(Recording::status);
        status.ok_or(Error::Record(RecordError::NotStarted(Vec::new())))
    }

    /// Stops a recording and saves it. Where it cannot be saved, it can be stopped again with another path.
    pub async fn stop_recording(&self, tab: Option<TabId>, save: Option<PathBuf>) -> Result<Recorded> {
        let tab = self.recorded_tab(tab)?;
        let not_started = || Error::Record(RecordError::NotStarted(Vec::new()));
        let status = self.recordings().get(&tab).map(Recording::status).ok_or_else(not_started)?;
        let extension = status.options.format.extension();
        let name = save.or(status.options.save_path.clone());
        let name = name.unwrap_or_else(|| timestamped("recording", extension).into());
        // Before the work: a path that may not be used is told at once, and the recording goes on.
        self.files().to_write(&name)?;
        let file = self.finished(tab).await?;
        let path = self.files().write(&name, &file.bytes)?;
        let last = self.recordings().remove(&tab).map(|recording| recording.status());
        let (taken, ended) = last.map_or((0, None), |last| (last.frames + last.missed, last.ended));
        // The browser may say later that it has closed the tab.
        let ended = ended.or_else(|| self.tab(tab).is_err().then_some(Ended::Closed));
        let RecordStatus { options, duration, .. } = status;
        let (bytes, frames) = (file.bytes.len(), file.frames);
        let lost = taken.saturating_sub(frames);
        Ok(Recorded { path: self.files().shown(&path), bytes, frames, lost, duration, options, ended })
    }

    /// The file of a recording, which takes no more frames.
    async fn finished(&self, tab: TabId) -> Result<EncodedFile> {
        let not_started = || Error::Record(RecordError::NotStarted(Vec::new()));
        let progress = self.recordings().get(&tab).map(|recording| Arc::clone(&recording.progress));
        let progress = progress.ok_or_else(not_started)?;
        if lock(&progress).file.is_none() {
            let (done, finished) = oneshot::channel();
            // One that was stopped by a call that gave up answers nobody, but ends.
            if self.command(tab, Command::Stop(done)).is_ok() && finished.await.is_err() {
                tracing::debug!("the recording had been stopped already");
            }
        }
        let file = lock(&progress).file.clone().unwrap_or(Err(RecordError::Empty));
        if file.is_err() {
            // There is nothing that could be saved later.
            self.recordings().remove(&tab);
        }
        file.map_err(Error::Record)
    }

    /// The format of a recording.
    pub fn recording_format(&self, tab: Option<TabId>) -> Result<RecordFormat> {
        let status = self.recorded_tab(tab).map(|tab| self.recording_status(Some(tab)))?;
        status
            .map(|(_, status)| status.options.format)
            .ok_or(Error::Record(RecordError::NotStarted(Vec::new())))
    }

    /// An action on a tab begins; something to tell its end to, where the tab is recorded. It waits a moment for the
    /// picture of the action before it.
    pub async fn begin_action(&self, tab: Option<TabId>) -> Option<ActionMark> {
        let commands = self.recorder_of(tab)?;
        let (may, begins) = oneshot::channel();
        // One that was stopped neither needs it nor answers.
        drop(commands.send(Command::ActionBegins(may)));
        let _ = Deadline::after(PATIENCE).bound(begins).await;
        Some(ActionMark(commands))
    }

    fn recorder_of(&self, tab: Option<TabId>) -> Option<mpsc::UnboundedSender<Command>> {
        let running = self.recordings();
        if running.is_empty() {
            return None;
        }
        let tab = tab.or_else(|| self.context().active().map(|page| page.id()))?;
        running.get(&tab).map(|recording| recording.commands.clone())
    }

    fn running(&self, tab: TabId) -> bool {
        self.recordings().contains_key(&tab)
    }

    fn command(&self, tab: TabId, command: Command) -> Result<()> {
        let commands = self.recordings().get(&tab).map(|recording| recording.commands.clone());
        let sent = commands.is_some_and(|commands| commands.send(command).is_ok());
        if sent { Ok(()) } else { Err(Error::Record(RecordError::NotStarted(Vec::new()))) }
    }

    /// The tab whose recording is meant: the given or the active one; failing that the only one that is recorded, for
    /// its tab may be closed.
    fn recorded_tab(&self, given: Option<TabId>) -> Result<TabId> {
        let active = || self.context().active().map(|page| page.id());
        let wanted = given.or_else(active);
        let running = self.recordings();
        let tabs: Vec<TabId> = running.keys().copied().collect();
        match (wanted.filter(|tab| running.contains_key(tab)), &tabs[..]) {
            (Some(tab), _) => Ok(tab),
            (None, [only]) if given.is_none() => Ok(*only),
            (None, _) => Err(Error::Record(RecordError::NotStarted(tabs))),
        }
    }

    fn recordings(&self) -> std::sync::MutexGuard<'_, BTreeMap<TabId, Recording>> {
        lock(&self.recordings_of().0)
    }
}
