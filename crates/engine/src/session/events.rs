//! Events of a session's pages and contexts.

use std::time::Instant;

use cicerone_driver::{BrowserEvent, FrameId, PageEvent, PageId};

use super::{Session, lock};
use crate::{Context, Page, document_source};

impl Session {
    /// Takes in an event of the browser that belongs to this session.
    pub(crate) fn observe(&self, event: BrowserEvent) {
        let _logged_for = self.inner.span.enter();
        match event {
            BrowserEvent::PageOpened { page, opener, context } => {
                let id = self.next_tab();
                let context = self.by(|known| known.has_id(&context)).unwrap_or_else(|| self.first_context());
                let opener = opener.map(|opener| self.find(&opener).map(|(_, page)| page));
                if let Some(Some(opener)) = &opener {
                    opener.state().tab_opened = Some(Instant::now());
                }
                context.opened(id, page, opener.clone());
                if let Some(Some(opener)) = opener {
                    opener.ring();
                }
            }
            BrowserEvent::Page(id, event) => self.observe_page(&id, event),
            BrowserEvent::DownloadBegan { id, frame, name, path } => {
                let of_frame =
                    |context: &Context| frame.as_ref().is_some_and(|frame| context.has_frame(frame));
                self.by(of_frame).unwrap_or_else(|| self.context()).download_began(id, name, path);
            }
            BrowserEvent::DownloadEnded { id, complete } => {
                if let Some(context) = self.by(|context| context.has_download(&id)) {
                    context.download_ended(&id, complete);
                }
            }
            BrowserEvent::DownloadTooLarge { id, bytes } => {
                if let Some(context) = self.by(|context| context.has_download(&id)) {
                    context.download_too_large(&id, bytes);
                }
            }
            _ => {}
        }
    }

    fn observe_page(&self, id: &PageId, event: PageEvent) {
        let Some((context, page)) = self.find(id) else { return };
        let closed = matches!(event, PageEvent::Closed);
        if let PageEvent::DownloadKept(name) = &event {
            context.download_kept(name.clone());
        }
        context.visited(&event);
        if let PageEvent::Navigated { frame, url, same_document: false, .. } = &event
            && *frame == page.main_frame()
        {
            lock(context.told_refusals()).document_changed(url);
        }
        let arrived = document_source::frame_of(&event);
        page.observe(event);
        if let Some(frame) = arrived {
            context.check_source(&page, &frame);
        }
        if closed {
            context.closed(&page);
        }
    }

    /// Whether one of its pages has this frame.
    pub(crate) fn has_frame(&self, frame: &FrameId) -> bool {
        self.by(|context| context.has_frame(frame)).is_some()
    }

    fn by(&self, is: impl Fn(&Context) -> bool) -> Option<Context> {
        self.contexts().open.iter().find(|context| is(context)).cloned()
    }

    fn find(&self, id: &PageId) -> Option<(Context, Page)> {
        self.contexts().open.iter().find_map(|context| Some((context.clone(), context.find(id)?)))
    }
}
