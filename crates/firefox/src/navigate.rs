//! Going somewhere, and what comes of it.

use std::sync::atomic::Ordering;

use cicerone_driver::{DocumentId, DriverError, Navigation, PageDriver, Result};

use crate::{
    page::{FirefoxPage, lock},
    protocol::browsing_context::Navigate,
    words,
};

/// What a navigation can become beside another document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Detour {
    SameDocument,
    Download,
    /// An error page, and why.
    Failed(String),
}

/// How often the page may come in the way of a navigation.
const INTERRUPTIONS: u32 = 50;

impl FirefoxPage {
    /// A navigation became something else than a document.
    pub(crate) fn took(&self, detour: Detour, navigation: &str) {
        let mut detours = lock(&self.detours);
        if detours.len() == 16 {
            detours.pop_front();
        }
        detours.push_back((navigation.to_owned(), detour));
    }

    /// What came of a navigation that the browser has done with.
    fn outcome(&self, navigation: Option<String>) -> Navigation {
        let Some(navigation) = navigation else { return Navigation::SameDocument };
        let detour =
            lock(&self.detours).iter().find(|(taken, _)| *taken == navigation).map(|(_, to)| to.clone());
        match detour {
            Some(Detour::SameDocument) => Navigation::SameDocument,
            Some(Detour::Download) => Navigation::Download,
            Some(Detour::Failed(why)) => Navigation::Failed(why),
            None => Navigation::Document(DocumentId::from(navigation.as_str())),
        }
    }

    /// Waits until a navigation of the main frame is no longer under way; whether its document is shown.
    async fn navigation_done(&self, navigation: &str) -> Result<bool> {
        let frame = self.main_frame();
        loop {
            let changed = self.changed.notified();
            self.alive()?;
            let Some(shared) = self.shared.upgrade() else { return Err(DriverError::Disconnected) };
            if shared.places().has_shown(&frame, navigation) {
                return Ok(true);
            }
            if !shared.places().is_loading(&frame, navigation) {
                return Ok(shared.places().has_shown(&frame, navigation));
            }
            changed.await;
        }
    }

    /// Loads a URL in the main frame.
    pub(crate) async fn go_to(&self, url: &str) -> Result<Navigation> {
        if self.may_not_go_to(url) {
            // In the words that the browser has without system access.
            return Ok(Navigation::Failed(format!("Navigation to \"{url}\" is not allowed in this context")));
        }
        // Without waiting for anything it is answered when the document is there; before Firefox 153 when it has begun.
        let command = Navigate { context: self.context(), url, wait: "none" };
        let mut interrupted = 0;
        loop {
            self.interrupted.store(false, Ordering::Relaxed);
            match self.send(&command).await {
                Ok(reply) => {
                    let committed = match &reply.navigation {
                        Some(navigation) => self.navigation_done(navigation).await?,
                        None => true,
                    };
                    match self.outcome(reply.navigation) {
                        Navigation::Document(_) if !committed => {}
                        outcome => return Ok(outcome),
                    }
                    if interrupted == INTERRUPTIONS || !self.interrupted.load(Ordering::Relaxed) {
                        return Ok(Navigation::Failed(words::told("NS_BINDING_ABORTED")));
                    }
                    interrupted += 1;
                }
                // A page that goes somewhere all the time does not keep others from going elsewhere.
                Err(DriverError::Refused { .. })
                    if interrupted < INTERRUPTIONS && self.interrupted.load(Ordering::Relaxed) =>
                {
                    interrupted += 1;
                }
                Err(DriverError::Refused { message, .. }) => {
                    self.still_there().await?;
                    return Ok(Navigation::Failed(words::told(&message)));
                }
                Err(error) => return Err(error),
            }
        }
    }
}
