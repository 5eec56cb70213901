//! Which session an event of the browser belongs to.

use std::collections::{HashMap, VecDeque};

use cicerone_driver::{BrowserEvent, ContextId, FrameId, PageEvent, PageId};

use super::{BrowserHost, Sharing};
use crate::{
    Session,
    session::{WeakSession, lock},
};

/// How many main frames are remembered for downloads that are reported after their page was closed.
const REMEMBERED_FRAMES: usize = 256;

/// The owners of contexts and pages in the running browser.
#[derive(Default)]
pub(super) struct Owners {
    contexts: HashMap<ContextId, WeakSession>,
    pages: HashMap<PageId, WeakSession>,
    /// The main frames of the pages that were opened last, closed ones included.
    frames: VecDeque<(FrameId, WeakSession)>,
}

impl Owners {
    fn page_opened(&mut self, page: PageId, frame: FrameId, owner: &WeakSession) {
        self.pages.insert(page, owner.clone());
        if self.frames.len() == REMEMBERED_FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back((frame, owner.clone()));
    }

    fn main_frame(&self, frame: &FrameId) -> Option<&WeakSession> {
        self.frames.iter().rev().find(|(known, _)| known == frame).map(|(_, owner)| owner)
    }
}

impl BrowserHost {
    /// Sets the owner of a context.
    pub(crate) fn own_context(&self, context: ContextId, session: &Session) {
        lock(&self.inner.owners).contexts.insert(context, session.downgrade());
    }

    /// Removes a context.
    pub(crate) fn disown_context(&self, context: &ContextId) {
        lock(&self.inner.owners).contexts.remove(context);
    }

    /// Routes an event of the browser with this number to its session. Events without an owner are
    /// dropped.
    pub(super) fn observe(&self, number: u64, event: BrowserEvent) {
        if self.browser_number() != number {
            return;
        }
        match event {
            BrowserEvent::Disconnected => self.ended(number),
            // The session that knows the download takes it.
            BrowserEvent::DownloadEnded { id, complete } => {
                for session in self.sessions() {
                    session.observe(BrowserEvent::DownloadEnded { id: id.clone(), complete });
                }
            }
            BrowserEvent::DownloadTooLarge { id, bytes } => {
                for session in self.sessions() {
                    session.observe(BrowserEvent::DownloadTooLarge { id: id.clone(), bytes });
                }
            }
            event => {
                if let Some(session) = self.owner(&event) {
                    session.observe(event);
                }
            }
        }
    }

    fn owner(&self, event: &BrowserEvent) -> Option<Session> {
        match event {
            BrowserEvent::PageOpened { page, opener, context } => {
                let owner = self.owner_of_new_page(context, opener.as_ref())?;
                let mut owners = lock(&self.inner.owners);
                owners.page_opened(page.id(), page.main_frame(), &owner.downgrade());
                Some(owner)
            }
            BrowserEvent::Page(id, event) => {
                let mut owners = lock(&self.inner.owners);
                let owner = match event {
                    PageEvent::Closed => owners.pages.remove(id),
                    _ => owners.pages.get(id).cloned(),
                };
                drop(owners);
                owner?.upgrade()
            }
            BrowserEvent::DownloadBegan { frame, .. } => self.owner_of_frame(frame.as_ref()),
            _ => None,
        }
    }

    /// A page belongs to the session of its context. A popup is in the context of its opener.
    fn owner_of_new_page(&self, context: &ContextId, opener: Option<&PageId>) -> Option<Session> {
        let owner = {
            let owners = lock(&self.inner.owners);
            let by_opener = || owners.pages.get(opener?);
            owners.contexts.get(context).or_else(by_opener).cloned()
        };
        match owner {
            Some(owner) => owner.upgrade(),
            None => self.owner_of_default_context(),
        }
    }

    fn owner_of_frame(&self, frame: Option<&FrameId>) -> Option<Session> {
        let known = frame.and_then(|frame| {
            let remembered = lock(&self.inner.owners).main_frame(frame).cloned();
            match remembered {
                Some(owner) => owner.upgrade(),
                None => self.sessions().into_iter().find(|session| session.has_frame(frame)),
            }
        });
        known.or_else(|| self.owner_of_default_context())
    }

    /// In a shared browser nobody owns the default context.
    fn owner_of_default_context(&self) -> Option<Session> {
        match self.sharing() {
            Sharing::Exclusive => self.sessions().into_iter().next(),
            Sharing::Shared => None,
        }
    }
}
