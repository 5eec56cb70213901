//! Pages that went to a local file on their own. Browsers let a document from a file go to any other, by a link, a frame or a
//! script; what it shows then is told to nobody. The files that a client opens itself are checked in [`crate::Address`].

use cicerone_driver::FrameId;
use url::Url;

use crate::{Error, Files, Page, Result};

/// Whether a document at this URL may be shown. Other schemes are decided elsewhere.
fn may_be_shown(url: &str, files: &Files) -> bool {
    if !url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        return true;
    }
    let path = Url::parse(url).ok().and_then(|url| url.to_file_path().ok());
    path.is_some_and(|path| files.to_open(&path).is_ok())
}

impl Page {
    /// An error if this frame shows a file that may not be opened. Asked after an answer came: what the browser told before it
    /// has been seen by then, so that nothing is let out of a document that has just come.
    pub(crate) fn frame_may_be_shown(&self, frame: &FrameId) -> Result<()> {
        let url = self.state().frame(frame).map(|frame| frame.url.clone());
        self.all_may_be_shown(url)
    }

    /// The same for all frames, for what shows the whole page.
    pub(crate) fn page_may_be_shown(&self) -> Result<()> {
        let urls: Vec<String> = self.state().frames.iter().map(|frame| frame.url.clone()).collect();
        self.all_may_be_shown(urls)
    }

    fn all_may_be_shown(&self, urls: impl IntoIterator<Item = String>) -> Result<()> {
        let Some(session) = self.context().and_then(|context| context.session().ok()) else { return Ok(()) };
        let mut urls = urls.into_iter();
        match urls.find(|url| !may_be_shown(url, session.files())) {
            Some(url) => Err(Error::FileWithheld(url)),
            None => Ok(()),
        }
    }
}
