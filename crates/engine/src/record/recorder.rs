//! Takes the frames of a recording: at a fixed rate, or after each action.

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
use crate::{Deadline, Error, Page, Result, session::lock, state::PageStatus};

/// Time limit for the screencast frame after an action.
const PICTURE_TIMEOUT: Duration = Duration::from_millis(300);

/// How long after an action the next one waits for it. An unchanged page sends none.
const NEXT_ACTION_DELAY: Duration = Duration::from_millis(50);

/// Display time of a frame after an action.
const STEP_TIME: Duration = Duration::from_secs(1);

/// Display time of an action's label at a fixed rate.
const LABEL_TIME: Duration = Duration::from_millis(1_500);

/// Time limit for encoding the rest.
const FINISH_TIMEOUT: Duration = Duration::from_secs(30);

/// A command to the recorder.
pub(crate) enum Command {
    /// An action is about to start; reply when it may.
    ActionBegins(oneshot::Sender<()>),
    /// The action has ended; its description, and whether the page was seen not to change.
    ActionEnded { label: String, unchanged: bool },
    /// Take a frame now.
    Capture { annotation: Option<String>, done: oneshot::Sender<Result<()>> },
    /// Stop; the file goes to [`Progress`].
    Stop(oneshot::Sender<()>),
}

/// The progress of a recording.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) frames: usize,
    /// Frames missed.
    pub(crate) missed: usize,
    /// Why it ended, and its duration.
    pub(crate) ended: Option<(Ended, Duration)>,
    /// The encoded file. It stays here until saved, even if the caller was cancelled.
    pub(crate) file: Option<std::result::Result<EncodedFile, RecordError>>,
}

/// A frame after an action that waits for its picture.
struct Pending {
    overlays: Vec<Overlay>,
    /// The action's start: earlier pictures do not show it.
    began: SystemTime,
    /// The next action's start: later pictures show that one.
    next: Option<SystemTime>,
    /// When to stop waiting.
    due: Instant,
    /// Until when the next action waits.
    holds_until: Instant,
}

pub(crate) struct Recorder {
    pub(crate) page: Page,
    pub(crate) options: RecordOptions,
    pub(crate) source: Source,
    pub(crate) encoding: Encoding,
    pub(crate) progress: Arc<Mutex<Progress>>,
    pub(crate) begun: Instant,
    pending: VecDeque<Pending>,
    /// The start of the last action.
    began: SystemTime,
    /// The next action, and until when it waits.
    waiting: Option<(Instant, oneshot::Sender<()>)>,
    label: Option<(Instant, String)>,
    /// The display time of the last frame.
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

    /// Records until stopped.
    pub(crate) async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>) {
        let mut ticks = self.ticks();
        let page = self.page.clone();
        let limit = Deadline::after(self.options.max_duration);
        let page_ended =
            page.until(limit, |state| (state.status != PageStatus::Alive).then_some(state.status));
        tokio::pin!(page_ended);
        let done = loop {
            let due = self.pending.front().map(|pending| pending.due);
            let waiting = self.waiting.as_ref().map(|(until, _)| *until);
            let running = self.running();
            tokio::select! {
                biased;
                command = commands.recv() => match command {
                    None => break None,
                    Some(Command::Stop(done)) => break Some(done),
                    Some(command) => self.handle_command(command).await,
                },
                status = &mut page_ended, if running => self.end(end_reason(status)).await,
                at = self.source.next_arrival(), if running => self.on_picture(at).await,
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

    async fn handle_command(&mut self, command: Command) {
        match command {
            Command::ActionBegins(permit) => {
                let until = self.pending.back().map(|pending| pending.holds_until);
                self.waiting = Some((until.unwrap_or_else(Instant::now), permit));
                if !self.awaits_picture() {
                    self.begin_action();
                }
            }
            Command::ActionEnded { label, unchanged } if self.running() => {
                self.action_ended(label, unchanged).await;
            }
            Command::Capture { annotation, done } => {
                // The caller may have been cancelled.
                drop(done.send(self.capture(annotation).await));
            }
            Command::ActionEnded { .. } | Command::Stop(_) => {}
        }
    }

    /// Whether no picture has arrived since the last action started.
    fn awaits_picture(&self) -> bool {
        let has_since = |began| self.source.screencast().is_some_and(|pictures| pictures.has_since(began));
        self.pending.back().is_some_and(|pending| !has_since(pending.began))
    }

    /// Lets the waiting action start.
    fn begin_action(&mut self) {
        let Some((_, permit)) = self.waiting.take() else { return };
        self.began = SystemTime::now();
        self.pending.iter_mut().for_each(|pending| pending.next = pending.next.or(Some(self.began)));
        // The caller may have been cancelled.
        let _ = permit.send(());
    }

    async fn action_ended(&mut self, label: String, unchanged: bool) {
        if self.options.mode == RecordMode::FixedFps {
            self.label = Some((Instant::now(), label));
            return;
        }
        let shown = self.options.overlays;
        let mut overlays = self.gestures(|trail| trail.take(shown));
        overlays.extend(shown.action_labels.then_some(Overlay::Label(label)));
        if self.source.screencast().is_some() {
            let now = Instant::now();
            self.pending.push_back(Pending {
                overlays,
                began: self.began,
                next: None,
                due: now + PICTURE_TIMEOUT,
                holds_until: if unchanged { now } else { now + NEXT_ACTION_DELAY },
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

    /// A screencast frame arrived: all earlier ones have, too.
    async fn on_picture(&mut self, at: SystemTime) {
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
        let Some(Pending { overlays, began, next, .. }) = self.pending.pop_front() else { return };
        match self.source.screencast().and_then(|pictures| pictures.of_action(began, next)) {
            Some(picture) => self.add(picture, overlays).await,
            None => lock(&self.progress).missed += 1,
        }
    }

    async fn tick(&mut self) {
        let picture = match self.source.screencast() {
            Some(pictures) => pictures.latest(),
            // Skip a failed frame: a dialog may block the page.
            None => self.source.shoot().await.ok(),
        };
        let Some(picture) = picture else { return };
        let shown = self.options.overlays;
        let mut overlays = self.gestures(|trail| trail.recent(shown));
        self.label = self.label.take().filter(|(since, _)| since.elapsed() < LABEL_TIME);
        if let (Some((_, label)), true) = (&self.label, shown.action_labels) {
            overlays.push(Overlay::Label(label.clone()));
        }
        self.add(picture, overlays).await;
    }

    /// Takes a frame now.
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
            (RecordMode::AutoCapture, last) => last.map_or(Duration::ZERO, |last| last + STEP_TIME),
        };
        let page_width = self.page.state().viewport.width;
        let frame = Frame { picture, page_width, overlays, at };
        let sent = match self.options.mode {
            // Rather drop a frame than delay it.
            RecordMode::FixedFps => match self.encoding.frames.try_send(frame) {
                Err(mpsc::error::TrySendError::Full(_)) => {
                    lock(&self.progress).missed += 1;
                    return;
                }
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

    /// Stops taking frames.
    async fn end(&mut self, why: Ended) {
        if why != Ended::Frames {
            // Boxed because of recursion: taking a pending frame may end the recording.
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

    /// Takes the remaining frames and finishes the file.
    async fn finish(mut self, done: Option<oneshot::Sender<()>>) {
        while let Some(due) = self.pending.front().map(|pending| pending.due) {
            tokio::select! {
                at = self.source.next_arrival() => self.on_picture(at).await,
                () = due_at(Some(due)) => self.take_pending().await,
            }
        }
        if self.running() && lock(&self.progress).frames == 0 {
            // No action: take the page as it is.
            if let Ok(picture) = self.source.shoot().await {
                self.add(picture, Vec::new()).await;
            }
        }
        self.page.state().trail = None;
        self.source.end().await;
        drop(self.encoding.frames);
        let file = Deadline::after(FINISH_TIMEOUT).bound(self.encoding.file).await;
        let file = file.and_then(std::result::Result::ok).unwrap_or(Err(RecordError::Empty));
        lock(&self.progress).file = Some(file);
        if let Some(done) = done {
            // The caller may have been cancelled.
            let _ = done.send(());
        }
    }
}

fn end_reason(status: Option<PageStatus>) -> Ended {
    match status {
        Some(PageStatus::Closed) => Ended::Closed,
        Some(PageStatus::Crashed) => Ended::Crashed,
        Some(PageStatus::Lost) => Ended::Lost,
        Some(PageStatus::Alive) | None => Ended::Duration,
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
