//! Which frame lives where: its session, and the worlds of its document.

use std::collections::{HashMap, HashSet};

use cicerone_driver::FrameId;
use cicerone_wire::Session;

/// A world of a document: an execution context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct World {
    /// Good within its session.
    pub(crate) id: i64,
    /// Good for ever.
    pub(crate) unique_id: String,
}

/// A frame's whereabouts.
pub(crate) struct Whereabouts {
    pub(crate) session: Session,
    /// The world of the page's own scripts.
    pub(crate) main: Option<World>,
    /// The world of the agent.
    pub(crate) agent: Option<World>,
    /// Nodes whose listeners the agent of this document knows already.
    pub(crate) known_listeners: HashSet<i64>,
    /// The same for listeners to what is typed.
    pub(crate) known_typing_listeners: HashSet<i64>,
}

impl Whereabouts {
    fn in_session(session: Session) -> Self {
        Self {
            session,
            main: None,
            agent: None,
            known_listeners: HashSet::new(),
            known_typing_listeners: HashSet::new(),
        }
    }
}

/// All frames of a page, with the tree that they form.
#[derive(Default)]
pub(crate) struct Frames {
    frames: HashMap<FrameId, Whereabouts>,
}

impl Frames {
    pub(crate) fn get(&self, frame: &FrameId) -> Option<&Whereabouts> {
        self.frames.get(frame)
    }

    pub(crate) fn get_mut(&mut self, frame: &FrameId) -> Option<&mut Whereabouts> {
        self.frames.get_mut(frame)
    }

    /// A frame is in this session, new or moved there from another process.
    pub(crate) fn place(&mut self, frame: FrameId, session: &Session) {
        match self.frames.get_mut(&frame) {
            Some(there) if there.session.id() == session.id() => {}
            _ => {
                self.frames.insert(frame, Whereabouts::in_session(session.clone()));
            }
        }
    }

    /// The sessions that frames are in, without this one.
    pub(crate) fn sessions_beside(&self, own: &Session) -> Vec<Session> {
        let mut sessions: Vec<Session> = Vec::new();
        for Whereabouts { session, .. } in self.frames.values() {
            if session.id() != own.id() && !sessions.iter().any(|known| known.id() == session.id()) {
                sessions.push(session.clone());
            }
        }
        sessions
    }

    pub(crate) fn remove(&mut self, frame: &FrameId) {
        self.frames.remove(frame);
    }

    /// The main frame shows another document: the frames of the old one are gone, told or not.
    pub(crate) fn only(&mut self, main: &FrameId) {
        self.frames.retain(|frame, _| frame == main);
    }

    /// A world appeared. One of a frame that meanwhile lives in another session is of the past.
    pub(crate) fn world_created(&mut self, session: &Session, frame: FrameId, world: World, kind: WorldKind) {
        self.place_if_unknown(&frame, session);
        let Some(there) = self.frames.get_mut(&frame).filter(|there| there.session.id() == session.id())
        else {
            return;
        };
        match kind {
            WorldKind::Main => there.main = Some(world),
            WorldKind::Agent => {
                there.agent = Some(world);
                there.known_listeners.clear();
                there.known_typing_listeners.clear();
            }
        }
    }

    pub(crate) fn world_destroyed(&mut self, session: &Session, id: i64) {
        for there in self.frames.values_mut().filter(|there| there.session.id() == session.id()) {
            there.main.take_if(|world| world.id == id);
            there.agent.take_if(|world| world.id == id);
        }
    }

    pub(crate) fn worlds_cleared(&mut self, session: &Session) {
        for there in self.frames.values_mut().filter(|there| there.session.id() == session.id()) {
            there.main = None;
            there.agent = None;
        }
    }

    fn place_if_unknown(&mut self, frame: &FrameId, session: &Session) {
        if !self.frames.contains_key(frame) {
            self.place(frame.clone(), session);
        }
    }
}

/// Whose world it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorldKind {
    Main,
    Agent,
}
