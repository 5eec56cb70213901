//! Who receives a text that is typed, and who may receive a secret.

use cicerone_driver::FrameId;
use serde::Serialize;
use url::Url;

use crate::{Deadline, Page, Result, Target, page::parts::Forms, ready::Needs, secrets::Recipients};

/// The document that receives a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// Its origin, or its URL if that has none.
    pub origin: String,
    /// Its host; empty if it has none.
    pub host: String,
}

/// Who may receive a secret, for the injected script. It compares them in the document that receives the text: another
/// one may have replaced it.
#[derive(Debug, Serialize)]
pub(crate) struct AllowedRecipients {
    hosts: Vec<String>,
    /// Only fields that mask their value.
    masked: bool,
}

impl Forms<'_> {
    /// The document of an element, or else of the focused one. Waits until the element exists.
    pub async fn recipient(self, target: Option<&Target>) -> Result<Recipient> {
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let frame = match target {
            Some(target) => self.page.locator().ready(target, Needs::EXIST, deadline).await?.frame,
            None => match self.page.keyboard().focus_holder(deadline).await? {
                Some(located) => located.frame,
                None => self.page.main_frame(),
            },
        };
        Ok(recipient_in(self.page, &frame))
    }

    /// Who may receive a text, if it is a secret. Secrets are inserted in one piece: between two keys a frame of
    /// another site could take the focus and receive the rest, and a page that reports its value after each key would
    /// disclose prefixes, which redaction cannot recognise.
    pub(crate) fn allowed_recipients(self, text: &str) -> Option<AllowedRecipients> {
        let session = self.page.context().and_then(|context| context.session().ok())?;
        let Recipients { hosts, masked } = session.secrets().recipients_of(text)?;
        Some(AllowedRecipients { hosts, masked })
    }
}

/// A frame without a URL of its own has its parent's origin.
fn recipient_in(page: &Page, frame: &FrameId) -> Recipient {
    let state = page.state();
    let mut at = state.frame(frame);
    while let Some(inherits) = at.filter(|frame| frame.url.is_empty() || frame.url.starts_with("about:")) {
        at = inherits.parent.as_ref().and_then(|parent| state.frame(parent));
    }
    let url = at.map(|frame| frame.url.clone()).unwrap_or_default();
    let parsed = Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    match parsed {
        Some(url) => Recipient {
            origin: url.origin().ascii_serialization(),
            host: url.host_str().unwrap_or_default().to_owned(),
        },
        None => Recipient { origin: crate::snapshot::text::shortened(&url, 200), host: String::new() },
    }
}
