//! Content that may not be returned: files outside of the roots, downloads that opened as local documents, and documents
//! from addresses that the host policy refuses. Browsers let a `file:` document open any other by link, frame or script.
//! Files and hosts that a client names are checked in [`crate::Address`] and before navigations.

use std::path::PathBuf;

use cicerone_driver::FrameId;
use url::Url;

use crate::{
    Deadline, Error, FileError, Files, NavigationError, Result,
    address::downloaded::is_active,
    document_source::SourceCheck,
    page::parts::FileAccess,
    refusals::LOOKUP_TIMEOUT,
    state::{Frame, State},
};

/// The path of a `file:` URL, if it has one; `None` for other URLs.
pub(crate) fn local_path(url: &str) -> Option<Option<PathBuf>> {
    let local = url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    local.then(|| Url::parse(url).ok().and_then(|url| url.to_file_path().ok()))
}

/// Whether the content of a URL may be returned. Other schemes are checked elsewhere.
fn check_url(url: &str, files: &Files) -> std::result::Result<(), FileError> {
    let Some(path) = local_path(url) else { return Ok(()) };
    match path.and_then(|path| files.to_open(&path).ok()) {
        None => Err(FileError::Withheld(url.to_owned())),
        // A client's own navigation opens it as data; here a local page led to it.
        Some(real) if is_active(&real, files) => Err(FileError::DownloadWithheld(url.to_owned())),
        Some(_) => Ok(()),
    }
}

impl FileAccess<'_> {
    /// An error if this frame shows a forbidden document. Call it after the reply: all earlier navigation events
    /// are processed by then, so a new document cannot leak.
    pub(crate) async fn frame_may_be_shown(self, frame: &FrameId) -> Result<()> {
        let is_it = |known: &Frame| known.id == *frame;
        self.resolved(is_it).await;
        self.check(is_it)
    }

    /// The same for all frames.
    pub(crate) async fn page_may_be_shown(self) -> Result<()> {
        self.resolved(|_| true).await;
        self.check(|_| true)
    }

    /// Whether all frames may be shown, as far as known now.
    pub(crate) fn page_is_allowed(self) -> bool {
        let resolving = self.page.state().frames.iter().any(is_resolving);
        !resolving && self.check(|_| true).is_ok()
    }

    /// Waits until the names of these frames are resolved.
    async fn resolved(self, of: impl Fn(&Frame) -> bool) {
        let resolved = |state: &State| {
            let resolving = state.frames.iter().any(|frame| of(frame) && is_resolving(frame));
            (!resolving).then_some(())
        };
        if resolved(&self.page.state()).is_some() {
            return;
        }
        // The lookup itself ends in time.
        let deadline = Deadline::after(LOOKUP_TIMEOUT * 2);
        self.page.until(deadline, resolved).await;
    }

    fn check(self, of: impl Fn(&Frame) -> bool) -> Result<()> {
        let Some(session) = self.page.context().and_then(|context| context.session().ok()) else {
            return Ok(());
        };
        let state = self.page.state();
        state.frames.iter().filter(|frame| of(frame)).try_for_each(|frame| match &frame.source.check {
            SourceCheck::Refused(refusal) => Err(NavigationError::HostRefused(refusal.clone()).into()),
            _ => check_url(&frame.url, session.files()).map_err(Error::File),
        })
    }
}

fn is_resolving(frame: &Frame) -> bool {
    frame.source.check == SourceCheck::Resolving
}
