//! The frames of a recording: from the browser's screencast, or single screenshots.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use cicerone_driver::{ImageFormat, Shot, Size};

use super::pictures::Pictures;
use crate::{Deadline, Error, Page, Result};

/// Time limit of a screenshot.
const TIMEOUT: Duration = Duration::from_secs(5);

/// High, because the recording compresses again.
const QUALITY: u8 = 92;

/// The pictures of a page.
pub(crate) struct Source {
    page: Page,
    /// Those of the browser's screencast, while it has one.
    screencast: Option<Pictures>,
}

impl Source {
    /// Starts the screencast of a page.
    pub(crate) async fn of(page: &Page, fit: Size) -> Result<Self> {
        let deadline = Deadline::after(TIMEOUT);
        // Background tabs do not render.
        page.injected().within(deadline, page.driver().activate()).await?;
        let mut source = Self { page: page.clone(), screencast: None };
        if let Some(screencast) = page.driver().screencast() {
            let (sink, pictures) = Pictures::of_sink();
            page.injected().within(deadline, screencast.start_screencast(fit, sink)).await?;
            source.screencast = Some(pictures);
            // The first picture shows the current state.
            deadline.bound(source.next_arrival()).await.ok_or(Error::Unresponsive(TIMEOUT))?;
        }
        Ok(source)
    }

    /// The pictures of the screencast, if there is one.
    pub(crate) fn screencast(&self) -> Option<&Pictures> {
        self.screencast.as_ref()
    }

    /// Keeps only the latest of them.
    pub(crate) fn forget_earlier(&mut self) {
        self.screencast.iter_mut().for_each(Pictures::forget_earlier);
    }

    /// Waits for the next screencast picture and keeps it; never returns without a screencast.
    pub(crate) async fn next_arrival(&mut self) -> SystemTime {
        let Some(pictures) = &mut self.screencast else { return std::future::pending().await };
        let picture = pictures.next().await;
        let at = picture.0;
        if self.page.file_access().page_is_allowed() {
            pictures.keep(picture);
        }
        at
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
        if self.screencast.take().is_some()
            && let Some(screencast) = self.page.driver().screencast()
            && let Some(Err(error)) = Deadline::after(TIMEOUT).bound(screencast.stop_screencast()).await
        {
            // It ended with its page.
            tracing::debug!(%error, "the screencast could not be stopped");
        }
    }
}
