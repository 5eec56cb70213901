//! Where the frames of a recording come from: the browser's stream of pictures, or pictures taken one by one.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, SystemTime},
};

use cicerone_driver::{ImageFormat, ScreencastFrame, Shot, Size};
use tokio::sync::mpsc;

use crate::{Deadline, Error, Page, Result};

/// How long a picture may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many pictures are kept while it is not known yet which of them is wanted.
const KEPT: usize = 32;

/// Recordings compress their frames themselves, so these should have lost little.
const QUALITY: u8 = 92;

/// Pictures of a page.
pub(crate) struct Source {
    page: Page,
    /// The browser's stream, where it has one.
    stream: Option<mpsc::UnboundedReceiver<ScreencastFrame>>,
    /// What came of it, the latest last.
    recent: VecDeque<(SystemTime, Arc<[u8]>)>,
}

impl Source {
    /// Begins to watch a page.
    pub(crate) async fn of(page: &Page, fit: Size) -> Result<Self> {
        let deadline = Deadline::after(PATIENCE);
        // A page that another one covers is not drawn.
        page.within(deadline, page.driver().activate()).await?;
        let mut source = Self { page: page.clone(), stream: None, recent: VecDeque::new() };
        if let Some(screencast) = page.driver().screencast() {
            let (sender, stream) = mpsc::unbounded_channel();
            // Nobody listens any more once the recording is over.
            let sink = Arc::new(move |frame| drop(sender.send(frame)));
            page.within(deadline, screencast.start_screencast(fit, sink)).await?;
            source.stream = Some(stream);
            // The first one shows the page as it is.
            deadline.bound(source.came()).await.ok_or(Error::Unresponsive(PATIENCE))?;
        }
        Ok(source)
    }

    /// Whether pictures come by themselves.
    pub(crate) fn streams(&self) -> bool {
        self.stream.is_some()
    }

    /// Waits for the next picture of the stream, and keeps it; for ever where there is no stream.
    pub(crate) async fn came(&mut self) -> SystemTime {
        let frame = match &mut self.stream {
            Some(stream) => stream.recv().await,
            None => None,
        };
        let Some(ScreencastFrame { jpeg, at }) = frame else { return std::future::pending().await };
        if self.page.page_may_be_shown().is_err() {
            return at;
        }
        self.recent.push_back((at, jpeg.into()));
        if self.recent.len() > KEPT {
            self.recent.pop_front();
        }
        at
    }

    /// Whether a picture has come that is not from before this moment.
    pub(crate) fn has_since(&self, moment: SystemTime) -> bool {
        self.recent.back().is_some_and(|(at, _)| *at >= moment)
    }

    /// Keeps only the latest picture.
    pub(crate) fn forget_earlier(&mut self) {
        let earlier = self.recent.len().saturating_sub(1);
        self.recent.drain(..earlier);
    }

    /// The latest picture of the stream, or the latest before a moment; the first there is where all are later.
    pub(crate) fn latest(&self, before: Option<SystemTime>) -> Option<Arc<[u8]>> {
        let early_enough = |(at, _): &&(SystemTime, Arc<[u8]>)| before.is_none_or(|before| *at < before);
        let found = self.recent.iter().rev().find(early_enough).or(self.recent.front());
        found.map(|(_, picture)| Arc::clone(picture))
    }

    /// A picture of the page as it is now.
    pub(crate) async fn shoot(&self) -> Result<Arc<[u8]>> {
        let format = ImageFormat::Jpeg(QUALITY);
        let shot = Shot { format, clip: None, scale: 1.0, omit_background: false };
        let taken = self.page.within(Deadline::after(PATIENCE), self.page.driver().screenshot(&shot)).await?;
        self.page.page_may_be_shown()?;
        Ok(taken.into())
    }

    /// Ends the stream.
    pub(crate) async fn end(&mut self) {
        if self.stream.take().is_some()
            && let Some(screencast) = self.page.driver().screencast()
            && let Some(Err(error)) = Deadline::after(PATIENCE).bound(screencast.stop_screencast()).await
        {
            // It ended with its page.
            tracing::debug!(%error, "the screencast could not be stopped");
        }
    }
}
