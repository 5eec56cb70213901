//! The recordings of a session, by tab.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::sync::{mpsc, oneshot};
use tracing::Instrument;

use super::{
    Ended, RecordError, RecordFormat, RecordOptions, RecordStatus,
    encoder::{self, EncodedFile, Encoder},
    recorder::{Command, Progress, Recorder},
    source::Source,
    video::Video,
};
use crate::{Deadline, Error, Page, Result, Session, TabId, look::screenshot::timestamped, session::lock};

/// How long an action waits for a busy recorder.
const TIMEOUT: Duration = Duration::from_millis(200);

/// All recordings.
#[derive(Default)]
pub(crate) struct Recordings {
    running: Mutex<BTreeMap<TabId, Recording>>,
    /// Tabs whose recording is being started.
    starting: Mutex<BTreeSet<TabId>>,
}

/// A tab whose recording is being started, until dropped.
struct Starting<'a> {
    recordings: &'a Recordings,
    tab: TabId,
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        lock(&self.recordings.starting).remove(&self.tab);
    }
}

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

/// A saved recording.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Its file, as shown to the client.
    pub path: PathBuf,
    /// The file size in bytes.
    pub bytes: usize,
    /// Frames in the file.
    pub frames: usize,
    /// Frames that could not be taken or encoded.
    pub lost: usize,
    pub duration: Duration,
    pub options: RecordOptions,
    /// Why it ended before it was stopped.
    pub ended: Option<Ended>,
}

/// An action on a recorded tab.
pub struct ActionMark(mpsc::UnboundedSender<Command>);

impl ActionMark {
    /// Reports the end of the action: its description, and whether the page was watched and did not change.
    pub fn done(self, label: String, unchanged: bool) {
        // A stopped recording ignores it.
        drop(self.0.send(Command::ActionEnded { label, unchanged }));
    }
}

impl Session {
    /// Starts recording a tab.
    pub async fn start_recording(&self, page: &Page, options: RecordOptions) -> Result<RecordStatus> {
        let tab = page.id();
        // Held to the end: the screencast of a second start would replace that of the first.
        let _starting = self.reserve(tab).ok_or(Error::Record(RecordError::Started(tab)))?;
        if let Some(path) = &options.save_path {
            self.files().to_write(path)?;
        }
        let encoder = match options.format {
            RecordFormat::Gif => Encoder::Gif(encoder::empty_gif(options.size)),
            RecordFormat::WebM => {
                let context = page.context().ok_or(Error::TabClosed)?;
                Encoder::Video(Video::begin(&context, options.size, options.fps).await?)
            }
        };
        let encoding = encoder::encode(encoder, options.size);
        let source = Source::of(page, options.size).await?;
        let recorder = Recorder::new(page, options.clone(), source, encoding);
        let (commands, received) = mpsc::unbounded_channel();
        let progress = Arc::clone(&recorder.progress);
        let recording = Recording { options, commands, progress, begun: recorder.begun };
        let status = recording.status();
        self.recordings().insert(tab, recording);
        tokio::spawn(recorder.run(received).in_current_span());
        Ok(status)
    }

    /// The status of a recording; `None` if there is none.
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

    /// Stops a recording and saves it. If saving fails, stop it again with another path.
    pub async fn stop_recording(&self, tab: Option<TabId>, save: Option<PathBuf>) -> Result<Recorded> {
        let tab = self.recorded_tab(tab)?;
        let not_started = || Error::Record(RecordError::NotStarted(Vec::new()));
        let status = self.recordings().get(&tab).map(Recording::status).ok_or_else(not_started)?;
        let extension = status.options.format.extension();
        let name = save.or(status.options.save_path.clone());
        let name = name.unwrap_or_else(|| timestamped("recording", extension).into());
        // Report a forbidden path before the work; the recording goes on.
        self.files().to_write(&name)?;
        let file = self.finished(tab).await?;
        let path = self.files().write(&name, &file.bytes)?;
        let last = self.recordings().remove(&tab).map(|recording| recording.status());
        let (taken, ended) = last.map_or((0, None), |last| (last.frames + last.missed, last.ended));
        // The browser may report the closed tab later.
        let ended = ended.or_else(|| self.tab(tab).is_err().then_some(Ended::Closed));
        let RecordStatus { options, duration, .. } = status;
        let (bytes, frames) = (file.bytes.len(), file.frames);
        let lost = taken.saturating_sub(frames);
        Ok(Recorded { path: self.files().shown(&path), bytes, frames, lost, duration, options, ended })
    }

    /// Ends a recording and returns its file.
    async fn finished(&self, tab: TabId) -> Result<EncodedFile> {
        let not_started = || Error::Record(RecordError::NotStarted(Vec::new()));
        let progress = self.recordings().get(&tab).map(|recording| Arc::clone(&recording.progress));
        let progress = progress.ok_or_else(not_started)?;
        if lock(&progress).file.is_none() {
            let (done, finished) = oneshot::channel();
            // If a cancelled call stopped it, nobody replies, but it ends.
            if self.command(tab, Command::Stop(done)).is_ok() && finished.await.is_err() {
                tracing::debug!("the recording had been stopped already");
            }
        }
        let file = lock(&progress).file.clone().unwrap_or(Err(RecordError::Empty));
        if file.is_err() {
            // Nothing is left to save.
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

    /// Announces an action to the recorder of a tab; `None` if the tab is not recorded. Waits a moment for
    /// the picture of the previous action.
    pub async fn begin_action(&self, tab: Option<TabId>) -> Option<ActionMark> {
        let commands = self.recorder_of(tab)?;
        let (permit, permitted) = oneshot::channel();
        // A stopped recorder does not reply.
        drop(commands.send(Command::ActionBegins(permit)));
        let _ = Deadline::after(TIMEOUT).bound(permitted).await;
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

    /// Reserves a tab for a new recording; `None` if it has one.
    fn reserve(&self, tab: TabId) -> Option<Starting<'_>> {
        let recordings = self.recordings_of();
        let first = lock(&recordings.starting).insert(tab);
        let starting = first.then(|| Starting { recordings, tab })?;
        (!self.recordings().contains_key(&tab)).then_some(starting)
    }

    fn command(&self, tab: TabId, command: Command) -> Result<()> {
        let commands = self.recordings().get(&tab).map(|recording| recording.commands.clone());
        let sent = commands.is_some_and(|commands| commands.send(command).is_ok());
        if sent { Ok(()) } else { Err(Error::Record(RecordError::NotStarted(Vec::new()))) }
    }

    /// The given tab, else the active one, else the only recorded one, whose tab may be closed.
    fn recorded_tab(&self, given: Option<TabId>) -> Result<TabId> {
        let active = || self.context().active().map(|page| page.id());
        let requested = given.or_else(active);
        let running = self.recordings();
        let tabs: Vec<TabId> = running.keys().copied().collect();
        match (requested.filter(|tab| running.contains_key(tab)), &tabs[..]) {
            (Some(tab), _) => Ok(tab),
            (None, [only]) if given.is_none() => Ok(*only),
            (None, _) => Err(Error::Record(RecordError::NotStarted(tabs))),
        }
    }

    fn recordings(&self) -> std::sync::MutexGuard<'_, BTreeMap<TabId, Recording>> {
        lock(&self.recordings_of().running)
    }
}
