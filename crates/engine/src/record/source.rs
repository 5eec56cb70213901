//! The frames of a recording: from the browser's screencast, or single screenshots.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, SystemTime},
};

use cicerone_driver::{ImageFormat, ScreencastFrame, Shot, Size};
use tokio::sync::mpsc;

use crate::{Deadline, Error, Page, Result};

/// Time limit of a screenshot.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Pictures kept until it is known which one shows the action.
const MAX_RECENT: usize = 32;

/// High, because the recording compresses again.
const QUALITY: u8 = 92;

/// The pictures of a page.
pub(crate) struct Source {
    page: Page,
    /// The browser's screencast, if it has one.
    stream: Option<mpsc::UnboundedReceiver<ScreencastFrame>>,
    /// Its latest pictures, oldest first.
    recent: VecDeque<(SystemTime, Arc<[u8]>)>,
}

impl Source {
    /// Starts the screencast of a page.
    pub(crate) async fn of(page: &Page, fit: Size) -> Result<Self> {
        let deadline = Deadline::after(TIMEOUT);
        // Background tabs do not render.
        page.injected().within(deadline, page.driver().activate()).await?;
        let mut source = Self { page: page.clone(), stream: None, recent: VecDeque::new() };
        if let Some(screencast) = page.driver().screencast() {
            let (sender, stream) = mpsc::unbounded_channel();
            // Fails when the recording has ended.
            let sink = Arc::new(move |frame| drop(sender.send(frame)));
            page.injected().within(deadline, screencast.start_screencast(fit, sink)).await?;
            source.stream = Some(stream);
            // The first picture shows the current state.
            deadline.bound(source.next_arrival()).await.ok_or(Error::Unresponsive(TIMEOUT))?;
        }
        Ok(source)
    }

    /// Whether there is a screencast.
    pub(crate) fn streams(&self) -> bool {
        self.stream.is_some()
    }

    /// Waits for the next screencast picture and keeps it; never returns without a screencast.
    pub(crate) async fn next_arrival(&mut self) -> SystemTime {
        let frame = match &mut self.stream {
            Some(stream) => stream.recv().await,
            None => None,
        };
        let Some(ScreencastFrame { jpeg, at }) = frame else { return std::future::pending().await };
        if !self.page.file_access().page_is_allowed() {
            return at;
        }
        self.recent.push_back((at, jpeg.into()));
        if self.recent.len() > MAX_RECENT {
            self.recent.pop_front();
        }
        at
    }

    /// Whether a picture has arrived since a moment.
    pub(crate) fn has_since(&self, moment: SystemTime) -> bool {
        self.recent.back().is_some_and(|(at, _)| *at >= moment)
    }

    /// Keeps only the latest picture.
    pub(crate) fn forget_earlier(&mut self) {
        let earlier = self.recent.len().saturating_sub(1);
        self.recent.drain(..earlier);
    }

    /// The latest picture, or the latest before a moment; if all are later, the first.
    pub(crate) fn latest(&self, before: Option<SystemTime>) -> Option<Arc<[u8]>> {
        let early_enough = |(at, _): &&(SystemTime, Arc<[u8]>)| before.is_none_or(|before| *at < before);
        let found = self.recent.iter().rev().find(early_enough).or(self.recent.front());
        found.map(|(_, picture)| Arc::clone(picture))
    }

    /// Takes a screenshot.
    pub(crate) async fn shoot(&self) -> Result<Arc<[u8]>> {
        let format = ImageFormat::Jpeg(QUALITY);
        let shot = Shot { format, clip: None, scale: 1.0, omit_background: false };
        let taken = self
            .page
            .injected()
            .within(Deadline::after(TIMEOUT), self.page.driver().screenshot(&shot))
            .await?;
        self.page.file_access().page_may_be_shown().await?;
        Ok(taken.into())
    }

    /// Ends the screencast.
    pub(crate) async fn end(&mut self) {
        if self.stream.take().is_some()
            && let Some(screencast) = self.page.driver().screencast()
            && let Some(Err(error)) = Deadline::after(TIMEOUT).bound(screencast.stop_screencast()).await
        {
            // It ended with its page.
            tracing::debug!(%error, "the screencast could not be stopped");
        }
    }
}
