//! Which frames a page has, what they show, and the worlds of their documents.

use std::{collections::HashMap, sync::Arc};

use cicerone_driver::{DocumentId, FrameId};
use tokio::sync::OnceCell;

/// A world of a document: an execution context.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) id: i64,
    /// Its global object, as soon as somebody needs it.
    pub(crate) global: Arc<OnceCell<String>>,
}

/// Whose world it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum WorldKind {
    Main,
    Injected,
    Sandbox,
}

/// A frame.
#[derive(Default)]
pub(crate) struct Place {
    pub(crate) parent: Option<FrameId>,
    pub(crate) document: Option<DocumentId>,
    pub(crate) url: String,
    pub(crate) is_loading: bool,
    /// Whether its document was reported to be parsed.
    is_parsed: bool,
    worlds: HashMap<WorldKind, World>,
}

/// All frames of a page.
#[derive(Default)]
pub(crate) struct Frames {
    frames: HashMap<FrameId, Place>,
}

impl Frames {
    pub(crate) fn get(&self, frame: &FrameId) -> Option<&Place> {
        self.frames.get(frame)
    }

    pub(crate) fn all(&self) -> Vec<FrameId> {
        self.frames.keys().cloned().collect()
    }

    pub(crate) fn world(&self, frame: &FrameId, kind: WorldKind) -> Option<&World> {
        self.frames.get(frame)?.worlds.get(&kind)
    }

    /// Whether a world is still the one of its frame.
    pub(crate) fn has_world(&self, frame: &FrameId, id: i64) -> bool {
        self.frames.get(frame).is_some_and(|place| place.worlds.values().any(|world| world.id == id))
    }

    /// A frame is there; whether that is news.
    pub(crate) fn attach(&mut self, frame: &FrameId, parent: Option<&FrameId>) -> bool {
        let news = !self.frames.contains_key(frame);
        let place = self.frames.entry(frame.clone()).or_default();
        if parent.is_some() {
            place.parent = parent.cloned();
        }
        news
    }

    /// A frame shows another document; the frames below it are gone, and are returned.
    pub(crate) fn shows(&mut self, frame: &FrameId, document: DocumentId, url: &str) -> Vec<FrameId> {
        let gone = self.below(frame);
        for frame in &gone {
            self.frames.remove(frame);
        }
        let place = self.frames.entry(frame.clone()).or_default();
        (place.document, place.url, place.is_parsed) = (Some(document), url.to_owned(), false);
        place.worlds.clear();
        gone
    }

    /// A document is at another URL; whether that is news.
    pub(crate) fn moved(&mut self, frame: &FrameId, url: &str) -> bool {
        match self.frames.get_mut(frame) {
            Some(place) if place.document.is_some() && place.url != url => {
                url.clone_into(&mut place.url);
                true
            }
            _ => false,
        }
    }

    /// Whether that is news.
    pub(crate) fn set_loading(&mut self, frame: &FrameId, is_loading: bool) -> bool {
        match self.frames.get_mut(frame) {
            Some(place) => std::mem::replace(&mut place.is_loading, is_loading) != is_loading,
            None => false,
        }
    }

    /// A document is parsed; whether that is news.
    pub(crate) fn set_parsed(&mut self, frame: &FrameId) -> bool {
        self.frames.get_mut(frame).is_some_and(|place| !std::mem::replace(&mut place.is_parsed, true))
    }

    /// Those that load, below the main frame.
    pub(crate) fn loading_below(&self) -> Vec<FrameId> {
        let loading = self.frames.iter().filter(|(_, place)| place.is_loading && place.parent.is_some());
        loading.map(|(frame, _)| frame.clone()).collect()
    }

    /// A frame is gone, with those below it.
    pub(crate) fn remove(&mut self, frame: &FrameId) {
        for below in self.below(frame) {
            self.frames.remove(&below);
        }
        self.frames.remove(frame);
    }

    pub(crate) fn world_created(&mut self, frame: &FrameId, kind: WorldKind, id: i64) {
        let place = self.frames.entry(frame.clone()).or_default();
        if place.worlds.get(&kind).is_none_or(|known| known.id != id) {
            place.worlds.insert(kind, World { id, global: Arc::default() });
        }
    }

    fn below(&self, frame: &FrameId) -> Vec<FrameId> {
        let mut found = vec![frame.clone()];
        let mut next = 0;
        while let Some(parent) = found.get(next).cloned() {
            let children = self.frames.iter().filter(|(_, place)| place.parent.as_ref() == Some(&parent));
            found.extend(children.map(|(child, _)| child.clone()));
            next += 1;
        }
        found.split_off(1)
    }
}
