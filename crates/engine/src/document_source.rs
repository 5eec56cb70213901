//! Where documents came from. Without a relay the browser resolves names and dials by itself, so the address that a
//! document came from is checked when it arrives, and the document is withheld if it is refused.

use std::net::IpAddr;

use cicerone_driver::{DocumentId, FrameId, PageEvent};
use cicerone_relay::{Refusal, SystemResolver};
use futures::FutureExt;
use tracing::Instrument;
use url::{Host, Url};

use crate::{
    Context, Deadline, Page,
    refs::Document,
    refusals::LOOKUP_TIMEOUT,
    state::{Frame, State},
};

/// Where a frame's document came from.
#[derive(Debug, Clone, Default)]
pub(crate) struct DocumentSource {
    /// The address of the last answered document, which may not be shown yet.
    last: Option<(DocumentId, IpAddr)>,
    /// The address of the document that is shown, if known.
    address: Option<IpAddr>,
    pub(crate) check: SourceCheck,
}

/// Whether a document's source is allowed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum SourceCheck {
    #[default]
    Allowed,
    /// Its name is being resolved.
    Resolving,
    Refused(Refusal),
}

impl From<Result<(), Refusal>> for SourceCheck {
    fn from(checked: Result<(), Refusal>) -> Self {
        checked.map_or_else(Self::Refused, |()| Self::Allowed)
    }
}

impl DocumentSource {
    /// The frame shows this document from now on.
    pub(crate) fn committed(&mut self, document: Option<&DocumentId>) {
        let of_document = self.last.take_if(|(answered, _)| Some(&*answered) == document);
        self.address = of_document.map(|(_, address)| address);
        self.check = SourceCheck::Allowed;
    }
}

impl State {
    /// The response with a frame's document came from this address. It may be shown already.
    pub(crate) fn document_answered(&mut self, frame: &FrameId, document: DocumentId, address: IpAddr) {
        let Some(frame) = self.frame_mut(frame) else { return };
        if frame.loader.as_ref() == Some(&document) {
            frame.source.address = Some(address);
        }
        frame.source.last = Some((document, address));
    }
}

/// The frame whose document's source this event tells of.
pub(crate) fn frame_of(event: &PageEvent) -> Option<FrameId> {
    match event {
        PageEvent::DocumentAnswered { frame, .. }
        | PageEvent::Navigated { frame, same_document: false, .. } => Some(frame.clone()),
        _ => None,
    }
}

impl Context {
    /// Checks the source of a frame's document: the address that it came from, or else those that its name has now.
    pub(crate) fn check_source(&self, page: &Page, frame: &FrameId) {
        let Ok(session) = self.session() else { return };
        // The relay has checked every address.
        if self.has_relay() {
            return;
        }
        let Some((document, address, host)) = shown(page, frame) else { return };
        let policy = std::sync::Arc::clone(session.policy());
        if let Some(address) = address {
            let checked = policy.check_host(&host).and_then(|()| policy.check_address(&host, address));
            return set(page, frame, document, checked.into());
        }
        let resolving = async move {
            let checked = policy.check_resolved(&host, &SystemResolver);
            Deadline::after(LOOKUP_TIMEOUT).bound(checked).await.unwrap_or(Ok(())).into()
        };
        let mut resolving = Box::pin(resolving);
        if let Some(checked) = (&mut resolving).now_or_never() {
            return set(page, frame, document, checked);
        }
        set(page, frame, document, SourceCheck::Resolving);
        let (page, frame) = (page.clone(), frame.clone());
        let check = async move {
            let checked = resolving.await;
            // Its address may have been told meanwhile.
            let waits = |frame: &Frame| frame.source.check == SourceCheck::Resolving;
            let waits = page.state().frame(&frame).is_some_and(waits);
            if waits {
                set(&page, &frame, document, checked);
            }
        };
        tokio::spawn(check.in_current_span());
    }
}

/// The document that a frame shows, where it came from, and its host.
fn shown(page: &Page, frame: &FrameId) -> Option<(Document, Option<IpAddr>, Host)> {
    let state = page.state();
    let frame = state.frame(frame)?;
    let url = Url::parse(&frame.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some((frame.document, frame.source.address, url.host()?.to_owned()))
}

/// Sets the result, unless the frame shows another document by now.
fn set(page: &Page, frame: &FrameId, document: Document, check: SourceCheck) {
    if let Some(frame) = page.state().frame_mut(frame)
        && frame.document == document
    {
        frame.source.check = check;
    }
    page.ring();
}
