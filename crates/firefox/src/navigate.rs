//! Navigations of a page and their results.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use cicerone_driver::{DocumentId, DriverError, FrameId, Navigation, PageDriver, Result, lock};

use crate::{net_errors, page::FirefoxPage, protocol::browsing_context::Navigate};

/// Results of a navigation other than a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NavigationKind {
    SameDocument,
    Download,
    /// An error page, with its reason.
    Failed(String),
}

/// The state of a page's navigations.
#[derive(Default)]
pub(crate) struct Navigations {
    /// The last ones without a document.
    pub(crate) detours: Mutex<VecDeque<(String, NavigationKind)>>,
    /// Counts starts and ends.
    pub(crate) movements: AtomicU64,
    /// Whether one was aborted by a newer one.
    pub(crate) interrupted: AtomicBool,
    /// Whether a document was reported.
    pub(crate) arrived: AtomicBool,
    /// The last known realm of the injected script in each frame.
    pub(crate) realms: Mutex<HashMap<FrameId, String>>,
}

/// How often the page may interrupt a navigation.
const INTERRUPTIONS: u32 = 50;

impl FirefoxPage {
    /// A navigation ended without a document.
    pub(crate) fn took(&self, kind: NavigationKind, navigation: &str) {
        let mut detours = lock(&self.navigations.detours);
        if detours.len() == 16 {
            detours.pop_front();
        }
        detours.push_back((navigation.to_owned(), kind));
    }

    /// The result of a navigation that ended.
    fn outcome(&self, navigation: Option<String>) -> Navigation {
        let Some(navigation) = navigation else { return Navigation::SameDocument };
        let kind = lock(&self.navigations.detours)
            .iter()
            .find(|(taken, _)| *taken == navigation)
            .map(|(_, to)| to.clone());
        match kind {
            Some(NavigationKind::SameDocument) => Navigation::SameDocument,
            Some(NavigationKind::Download) => Navigation::Download,
            Some(NavigationKind::Failed(why)) => Navigation::Failed(why),
            None => Navigation::Document(DocumentId::from(navigation.as_str())),
        }
    }

    /// Waits for the end of a main-frame navigation; whether its document is shown.
    async fn navigation_done(&self, navigation: &str) -> Result<bool> {
        let frame = self.main_frame();
        let done = || {
            let Some(shared) = self.shared.upgrade() else { return Some(Err(DriverError::Disconnected)) };
            let frames = shared.frames();
            let shown = frames.has_shown(&frame, navigation);
            (shown || !frames.is_loading(&frame, navigation)).then_some(Ok(shown))
        };
        self.lifecycle.until(done).await?
    }

    /// Loads a URL in the main frame.
    pub(crate) async fn navigate(&self, url: &str) -> Result<Navigation> {
        if self.may_not_go_to(url) {
            // The browser's error without system access.
            return Ok(Navigation::Failed(format!("Navigation to \"{url}\" is not allowed in this context")));
        }
        // The browser opens no `data:` URL where it shows a local file.
        let local = self.shared.upgrade().is_some_and(|shared| shared.frames().is_local(&self.main_frame()));
        if local && url.starts_with("data:") {
            self.send(&Navigate { context: self.context(), url: "about:blank", wait: "complete" }).await?;
        }
        // Without waiting, it is answered when the document is committed; before Firefox 153 when the
        // navigation starts.
        let command = Navigate { context: self.context(), url, wait: "none" };
        let mut interrupted = 0;
        loop {
            self.navigations.interrupted.store(false, Ordering::Relaxed);
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
                    if interrupted == INTERRUPTIONS || !self.navigations.interrupted.load(Ordering::Relaxed) {
                        return Ok(Navigation::Failed(net_errors::chromium_name("NS_BINDING_ABORTED")));
                    }
                    interrupted += 1;
                }
                // A page that navigates all the time does not block other navigations.
                Err(DriverError::Refused { .. })
                    if interrupted < INTERRUPTIONS
                        && self.navigations.interrupted.load(Ordering::Relaxed) =>
                {
                    interrupted += 1;
                }
                Err(DriverError::Refused { message, .. }) => {
                    self.still_there().await?;
                    return Ok(Navigation::Failed(net_errors::chromium_name(&message)));
                }
                Err(error) => return Err(error),
            }
        }
    }
}
