//! Takes the frames of one recording: at regular intervals, or after each action.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::{Duration, Instant, SystemTime},
};

use cicerone_media::Overlay;
use tokio::{
    sync::{mpsc, oneshot},
    time::{Interval, MissedTickBehavior, interval, sleep_until},
};

use super::{
    Ended, RecordError, RecordMode, RecordOptions, Trail,
    encoder::{EncodedFile, Encoding, Frame},
    source::Source,
};
use crate::{Deadline, Error, Page, Result, session::lock, state::Fate};

/// How long the picture after an action may take to come.
const PICTURE: Duration = Duration::from_millis(300);

/// How long the next action waits for it. A page that shows nothing new sends no picture.
const NEXT: Duration = Duration::from_millis(50);

/// How long a frame is shown that was taken after an action.
const STEP: Duration = Duration::from_secs(1);

/// How long what was done is written on the frames of a fixed rate.
const LABEL: Duration = Duration::from_millis(1_500);

/// How long the rest of the file may take when the recording is stopped.
const FINISH: Duration = Duration::from_secs(30);

/// What a recorder is told.
pub(crate) enum Command {
    /// An action on the tab is about to begin; when it may.
    ActionBegins(oneshot::Sender<()>),
    /// It is over; what was done, in words.
    ActionEnded(String),
    /// A frame is wanted now.
    Capture { annotation: Option<String>, done: oneshot::Sender<Result<()>> },
    /// The recording is over; the file is wanted, in [`Progress`].
    Stop(oneshot::Sender<()>),
}

/// How far a recording is.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) frames: usize,
    /// How many frames could not be taken.
    pub(crate) missed: usize,
    /// How long it was when it ended.
    pub(crate) ended: Option<(Ended, Duration)>,
    /// The file, once it is made: it stays here until it is saved, though nobody may wait for it any more.
    pub(crate) file: Option<std::result::Result<EncodedFile, RecordError>>,
}

/// A frame after an action, until it is known which picture shows it.
struct Pending {
    overlays: Vec<Overlay>,
    /// When the action began: no earlier picture shows it.
    began: SystemTime,
    /// When the next action began: the picture must be from before that.
    next: Option<SystemTime>,
    /// When no earlier picture can come any more.
    due: Instant,
}

pub(crate) struct Recorder {
    pub(crate) page: Page,
    pub(crate) options: RecordOptions,
    pub(crate) source: Source,
    pub(crate) encoding: Encoding,
    pub(crate) progress: Arc<Mutex<Progress>>,
    pub(crate) begun: Instant,
    pending: VecDeque<Pending>,
    /// When the last action began.
    began: SystemTime,
    /// The next action, and until when it waits for the picture of the last one.
    waiting: Option<(Instant, oneshot::Sender<()>)>,
    label: Option<(Instant, String)>,
    /// When the last frame is shown.
    last: Option<Duration>,
}

impl Recorder {
    pub(crate) fn new(page: &Page, options: RecordOptions, source: Source, encoding: Encoding) -> Self {
        page.state().trail = Some(Trail::default());
        Self {
            page: page.clone(),
            options,
            source,
            encoding,
            progress: Arc::default(),
            begun: Instant::now(),
            pending: VecDeque::new(),
            began: SystemTime::now(),
            waiting: None,
            label: None,
            last: None,
        }
    }

    /// Records until it is told to stop.
    pub(crate) async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>) {
        let mut ticks = self.ticks();
        let page = self.page.clone();
        let limit = Deadline::after(self.options.max_duration);
        let over = page.until(limit, |state| (state.fate != Fate::Alive).then_some(state.fate));
        tokio::pin!(over);
        let done = loop {
            let due = self.pending.front().map(|pending| pending.due);
            let waiting = self.waiting.as_ref().map(|(until, _)| *until);
            let running = self.running();
            tokio::select! {
                biased;
                command = commands.recv() => match command {
                    None => break None,
                    Some(Command::Stop(done)) => break Some(done),
                    Some(command) => self.told(command).await,
                },
                fate = &mut over, if running => self.end(over_by(fate)).await,
                at = self.source.came(), if running => self.picture_came(at).await,
                () = due_at(waiting), if waiting.is_some() => self.begin_action(),
                () = due_at(due), if due.is_some() => self.take_pending().await,
                () = tick(&mut ticks), if running => self.tick().await,
            }
        };
        self.finish(done).await;
    }

    fn ticks(&self) -> Option<Interval> {
        let fixed = self.options.mode == RecordMode::FixedFps;
        fixed.then(|| {
            let mut ticks = interval(Duration::from_secs_f64(1.0 / self.options.fps));
            ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
            ticks
        })
    }

    fn running(&self) -> bool {
        lock(&self.progress).ended.is_none()
    }

    async fn told(&mut self, command: Command) {
        match command {
            Command::ActionBegins(may) => {
                self.waiting = Some((Instant::now() + NEXT, may));
                if !self.awaits_picture() {
                    self.begin_action();
                }
            }
            Command::ActionEnded(label) if self.running() => self.action_ended(label).await,
            Command::Capture { annotation, done } => {
                // Whoever asked may have given up.
                drop(done.send(self.capture(annotation).await));
            }
            Command::ActionEnded(_) | Command::Stop(_) => {}
        }
    }

    /// Whether no picture has come yet that may show the last action.
    fn awaits_picture(&self) -> bool {
        self.pending.back().is_some_and(|pending| !self.source.has_since(pending.began))
    }

    /// The action that waits may begin.
    fn begin_action(&mut self) {
        let Some((_, may)) = self.waiting.take() else { return };
        self.began = SystemTime::now();
        self.pending.iter_mut().for_each(|pending| pending.next = pending.next.or(Some(self.began)));
        // The call may have been cancelled.
        let _ = may.send(());
    }

    async fn action_ended(&mut self, label: String) {
        if self.options.mode == RecordMode::FixedFps {
            self.label = Some((Instant::now(), label));
            return;
        }
        let wanted = self.options.overlays;
        let mut overlays = self.gestures(|trail| trail.take(wanted));
        overlays.extend(wanted.action_labels.then_some(Overlay::Label(label)));
        if self.source.streams() {
            self.pending.push_back(Pending {
                overlays,
                began: self.began,
                next: None,
                due: Instant::now() + PICTURE,
            });
            return;
        }
        // Before the next action changes the page.
        let _turn = self.page.turn().await;
        match self.source.shoot().await {
            Ok(picture) => self.add(picture, overlays).await,
            Err(error) => {
                tracing::debug!(%error, "no frame could be taken after an action");
                lock(&self.progress).missed += 1;
            }
        }
    }

    /// A picture of the stream came: those before it are all there.
    async fn picture_came(&mut self, at: SystemTime) {
        while self.pending.front().is_some_and(|pending| pending.next.is_some_and(|next| at >= next)) {
            self.take_pending().await;
        }
        if self.waiting.is_some() && !self.awaits_picture() {
            self.begin_action();
        }
        if self.pending.is_empty() {
            self.source.forget_earlier();
        }
    }

    async fn take_pending(&mut self) {
        let Some(Pending { overlays, next, .. }) = self.pending.pop_front() else { return };
        match self.source.latest(next) {
            Some(picture) => self.add(picture, overlays).await,
            None => lock(&self.progress).missed += 1,
        }
    }

    async fn tick(&mut self) {
        let picture = match self.source.streams() {
            true => self.source.latest(None),
            // One that cannot be taken is left out: the page may be held by a dialog.
            false => self.source.shoot().await.ok(),
        };
        let Some(picture) = picture else { return };
        let wanted = self.options.overlays;
        let mut overlays = self.gestures(|trail| trail.recent(wanted));
        self.label = self.label.take().filter(|(since, _)| since.elapsed() < LABEL);
        if let (Some((_, label)), true) = (&self.label, wanted.action_labels) {
            overlays.push(Overlay::Label(label.clone()));
        }
        self.add(picture, overlays).await;
    }

    /// A frame of the page as it is now.
    async fn capture(&mut self, annotation: Option<String>) -> Result<()> {
        if let Some((ended, _)) = lock(&self.progress).ended {
            return Err(Error::Record(RecordError::Ended(ended)));
        }
        // Earlier frames come first.
        while !self.pending.is_empty() {
            self.take_pending().await;
        }
        let picture = self.source.shoot().await?;
        self.add(picture, annotation.map(Overlay::Annotation).into_iter().collect()).await;
        Ok(())
    }

    fn gestures(&self, read: impl FnOnce(&mut Trail) -> Vec<Overlay>) -> Vec<Overlay> {
        self.page.state().trail.as_mut().map(read).unwrap_or_default()
    }

    async fn add(&mut self, picture: Arc<[u8]>, overlays: Vec<Overlay>) {
        let next = self.last.map_or(Duration::ZERO, |last| last + Duration::from_millis(20));
        let at = match (self.options.mode, self.last) {
            (RecordMode::FixedFps, _) => self.begun.elapsed().max(next),
            (RecordMode::AutoCapture, last) => last.map_or(Duration::ZERO, |last| last + STEP),
        };
        let page_width = self.page.state().viewport.width;
        let frame = Frame { picture, page_width, overlays, at };
        let sent = match self.options.mode {
            // Rather a frame less than one that comes late.
            RecordMode::FixedFps => match self.encoding.frames.try_send(frame) {
                Err(mpsc::error::TrySendError::Full(_)) => return,
                sent => sent.is_ok(),
            },
            RecordMode::AutoCapture => self.encoding.frames.send(frame).await.is_ok(),
        };
        if !sent {
            return self.end(Ended::Encoder).await;
        }
        self.last = Some(at);
        let frames = {
            let mut progress = lock(&self.progress);
            progress.frames += 1;
            progress.frames
        };
        if frames >= self.options.max_frames {
            self.end(Ended::Frames).await;
        }
    }

    /// Takes no more frames.
    async fn end(&mut self, why: Ended) {
        if why != Ended::Frames {
            // Boxed: a frame that is taken may end the recording, which takes what frames wait.
            Box::pin(self.take_all_pending()).await;
        }
        {
            let mut progress = lock(&self.progress);
            progress.ended.get_or_insert((why, self.begun.elapsed()));
        }
        self.pending.clear();
        self.page.state().trail = None;
        self.source.end().await;
    }

    async fn take_all_pending(&mut self) {
        while !self.pending.is_empty() && self.running() {
            self.take_pending().await;
        }
    }

    /// Takes what frames are still to come, and hands the file over.
    async fn finish(mut self, done: Option<oneshot::Sender<()>>) {
        while let Some(due) = self.pending.front().map(|pending| pending.due) {
            tokio::select! {
                at = self.source.came() => self.picture_came(at).await,
                () = due_at(Some(due)) => self.take_pending().await,
            }
        }
        if self.running() && lock(&self.progress).frames == 0 {
            // Nothing was done: the page as it is.
            if let Ok(picture) = self.source.shoot().await {
                self.add(picture, Vec::new()).await;
            }
        }
        self.page.state().trail = None;
        self.source.end().await;
        drop(self.encoding.frames);
        let file = Deadline::after(FINISH).bound(self.encoding.file).await;
        let file = file.and_then(std::result::Result::ok).unwrap_or(Err(RecordError::Empty));
        lock(&self.progress).file = Some(file);
        if let Some(done) = done {
            // Whoever asked may have given up.
            let _ = done.send(());
        }
    }
}

fn over_by(fate: Option<Fate>) -> Ended {
    match fate {
        Some(Fate::Closed) => Ended::Closed,
        Some(Fate::Crashed) => Ended::Crashed,
        Some(Fate::Lost) => Ended::Lost,
        Some(Fate::Alive) | None => Ended::Duration,
    }
}

async fn due_at(due: Option<Instant>) {
    match due {
        Some(due) => sleep_until(due.into()).await,
        None => std::future::pending().await,
    }
}

async fn tick(ticks: &mut Option<Interval>) {
    match ticks {
        Some(ticks) => drop(ticks.tick().await),
        None => std::future::pending().await,
    }
}
