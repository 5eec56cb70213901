//! Documents that existed before we attached: reports their frames and load stage as if they were new.

use std::sync::{Arc, atomic::Ordering};

use cicerone_driver::{BrowserEvent, DocumentId, FrameId, LoadStage, PageEvent, Sink, lock};
use cicerone_wire::Session;

use crate::{
    events::navigated,
    page::ChromiumPage,
    protocol::page::{FrameTree, GetFrameTree},
};

/// Reports what a page shows. A tab that the browser opened itself (Control-click) may have its document
/// before setup; a tab of an attached browser has one.
pub(crate) async fn page(page: Arc<ChromiumPage>, session: Session, sink: Sink) {
    tell_document(&page, &session, &sink).await;
    page.adopted.store(true, Ordering::Relaxed);
    page.lifecycle.notify();
}

impl ChromiumPage {
    /// Resolves when the page's content was reported, or never will be.
    pub(crate) async fn until_adopted(&self) {
        let adopted = || self.adopted.load(Ordering::Relaxed).then_some(());
        if let Err(error) = self.lifecycle.until(adopted).await {
            tracing::debug!(%error, "a page closed before its URL was reported");
        }
    }
}

async fn tell_document(page: &ChromiumPage, session: &Session, sink: &Sink) {
    let Ok(tree) = session.send(&GetFrameTree {}).await else { return };
    let FrameTree { frame, child_frames } = tree.frame_tree;
    if frame.url == "about:blank" || page.has_navigated() {
        return;
    }
    let document = DocumentId::from(frame.loader_id.as_str());
    // The browser repeated this on request, before the document was known.
    let complete = lock(&page.complete).as_ref() == Some(&document);
    let adopted = Adopted { page, sink, complete };
    adopted.document(frame);
    adopted.children(child_frames);
}

/// Reports what a frame in another process shows.
pub(crate) async fn frame(page: Arc<ChromiumPage>, session: Session, sink: Sink) {
    if let Ok(tree) = session.send(&GetFrameTree {}).await {
        Adopted { page: &page, sink: &sink, complete: true }.children(vec![tree.frame_tree]);
    }
}

struct Adopted<'a> {
    page: &'a ChromiumPage,
    sink: &'a Sink,
    complete: bool,
}

impl Adopted<'_> {
    fn tell(&self, event: PageEvent) {
        if self.page.is_reported() {
            (self.sink)(BrowserEvent::Page(self.page.id.clone(), event));
        }
    }

    fn document(&self, frame: crate::protocol::page::Frame) {
        let (id, document) = (FrameId::from(frame.id.as_str()), DocumentId::from(frame.loader_id.as_str()));
        self.tell(navigated(frame));
        if self.complete {
            self.tell(PageEvent::Loaded { frame: id, document, stage: LoadStage::Complete });
        }
    }

    fn children(&self, children: Vec<FrameTree>) {
        for FrameTree { frame, child_frames } in children {
            let parent = frame.parent_id.as_deref().map(FrameId::from);
            self.tell(PageEvent::FrameAttached { frame: frame.id.as_str().into(), parent });
            self.document(frame);
            self.children(child_frames);
        }
    }
}
