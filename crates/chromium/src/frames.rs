//! The frames of a page: each one's session, and the worlds of its document.

use std::collections::{HashMap, HashSet};

use cicerone_driver::FrameId;
use cicerone_wire::Session;

/// A world of a document: an execution context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct World {
    /// Valid within its session.
    pub(crate) id: i64,
    /// Unique in the browser.
    pub(crate) unique_id: String,
}

/// A frame's session and worlds.
pub(crate) struct FrameState {
    pub(crate) session: Session,
    /// The main world.
    pub(crate) main: Option<World>,
    /// The injected script's world.
    pub(crate) injected: Option<World>,
    /// Nodes whose listeners were reported to this document's injected script.
    pub(crate) known_listeners: HashSet<i64>,
    /// The same for input listeners.
    pub(crate) known_typing_listeners: HashSet<i64>,
}

impl FrameState {
    fn in_session(session: Session) -> Self {
        Self {
            session,
            main: None,
            injected: None,
            known_listeners: HashSet::new(),
            known_typing_listeners: HashSet::new(),
        }
    }
}

/// All frames of a page, as a tree.
#[derive(Default)]
pub(crate) struct Frames {
    frames: HashMap<FrameId, FrameState>,
}

impl Frames {
    pub(crate) fn get(&self, frame: &FrameId) -> Option<&FrameState> {
        self.frames.get(frame)
    }

    pub(crate) fn get_mut(&mut self, frame: &FrameId) -> Option<&mut FrameState> {
        self.frames.get_mut(frame)
    }

    /// Adds a frame to this session, or moves it here from another process.
    pub(crate) fn place(&mut self, frame: FrameId, session: &Session) {
        match self.frames.get_mut(&frame) {
            Some(there) if there.session.id() == session.id() => {}
            _ => {
                self.frames.insert(frame, FrameState::in_session(session.clone()));
            }
        }
    }

    /// The sessions of frames, except this one.
    pub(crate) fn sessions_beside(&self, own: &Session) -> Vec<Session> {
        let mut sessions: Vec<Session> = Vec::new();
        for FrameState { session, .. } in self.frames.values() {
            if session.id() != own.id() && !sessions.iter().any(|known| known.id() == session.id()) {
                sessions.push(session.clone());
            }
        }
        sessions
    }

    pub(crate) fn remove(&mut self, frame: &FrameId) {
        self.frames.remove(frame);
    }

    /// The main frame has a new document: all child frames are gone, reported or not.
    pub(crate) fn only(&mut self, main: &FrameId) {
        self.frames.retain(|frame, _| frame == main);
    }

    /// Adds a world. One of a frame that has moved to another session is outdated.
    pub(crate) fn world_created(&mut self, session: &Session, frame: FrameId, world: World, kind: WorldKind) {
        self.place_if_unknown(&frame, session);
        let Some(there) = self.frames.get_mut(&frame).filter(|there| there.session.id() == session.id())
        else {
            return;
        };
        match kind {
            WorldKind::Main => there.main = Some(world),
            WorldKind::Injected => {
                there.injected = Some(world);
                there.known_listeners.clear();
                there.known_typing_listeners.clear();
            }
        }
    }

    pub(crate) fn world_destroyed(&mut self, session: &Session, id: i64) {
        for there in self.frames.values_mut().filter(|there| there.session.id() == session.id()) {
            there.main.take_if(|world| world.id == id);
            there.injected.take_if(|world| world.id == id);
        }
    }

    pub(crate) fn worlds_cleared(&mut self, session: &Session) {
        for there in self.frames.values_mut().filter(|there| there.session.id() == session.id()) {
            there.main = None;
            there.injected = None;
        }
    }

    fn place_if_unknown(&mut self, frame: &FrameId, session: &Session) {
        if !self.frames.contains_key(frame) {
            self.place(frame.clone(), session);
        }
    }
}

/// Which world it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorldKind {
    Main,
    Injected,
}
