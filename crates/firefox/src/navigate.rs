//! Going somewhere, and what comes of it.

use std::sync::atomic::Ordering;

use cicerone_driver::{DocumentId, DriverError, Navigation, Result};

use crate::{
    page::{FirefoxPage, lock},
    protocol::browsing_context::Navigate,
    words,
};

/// What a navigation can become beside another document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detour {
    SameDocument,
    Download,
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
        let detour = lock(&self.detours).iter().find(|(taken, _)| *taken == navigation).map(|(_, to)| *to);
        match detour {
            Some(Detour::SameDocument) => Navigation::SameDocument,
            Some(Detour::Download) => Navigation::Download,
            None => Navigation::Document(DocumentId::from(navigation.as_str())),
        }
    }

    /// Loads a URL in the main frame.
    pub(crate) async fn go_to(&self, url: &str) -> Result<Navigation> {
        if self.may_not_go_to(url) {
            // In the words that the browser has without system access.
            return Ok(Navigation::Failed(format!("Navigation to \"{url}\" is not allowed in this context")));
        }
        // Without waiting for anything it is answered when the document is there.
        let command = Navigate { context: self.context(), url, wait: "none" };
        let mut interrupted = 0;
        loop {
            self.interrupted.store(false, Ordering::Relaxed);
            match self.send(&command).await {
                Ok(reply) => return Ok(self.outcome(reply.navigation)),
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
