//! Tabs: their numbers, which one is active, and what is said of them.

use std::{collections::HashMap, fmt, path::PathBuf};

use serde::Serialize;

use crate::{News, Page};

/// A tab's number: the first is 1, and none is given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct TabId(pub u32);

impl fmt::Display for TabId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a list of tabs says of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TabInfo {
    /// Its place in the list.
    pub index: usize,
    /// Its number.
    pub tab_id: TabId,
    /// Its title.
    pub title: String,
    /// Its URL.
    pub url: String,
    /// Whether calls go to it.
    pub active: bool,
    /// Whether its process died.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub crashed: bool,
}

/// All tabs of a session.
#[derive(Default)]
pub(crate) struct Tabs {
    pub(crate) open: Vec<Page>,
    pub(crate) active: Option<TabId>,
    /// Those that were active before, the latest last.
    pub(crate) earlier: Vec<TabId>,
    pub(crate) news: News,
    pub(crate) downloads: HashMap<String, (String, PathBuf)>,
    /// How many downloads began that no reply has waited for.
    pub(crate) downloads_begun: usize,
    /// Whether the browser ended unexpectedly.
    pub(crate) end: End,
    /// Pages that the client itself asked for are no news.
    pub(crate) opening: usize,
}

impl Tabs {
    pub(crate) fn activate(&mut self, id: TabId) {
        self.earlier.retain(|tab| *tab != id);
        self.earlier.extend(self.active.filter(|active| *active != id));
        self.active = Some(id);
    }

    /// After a tab is gone, the one that was active before it is again; failing that its neighbour.
    pub(crate) fn succeed(&mut self, gone: TabId, place: usize) {
        self.earlier.retain(|tab| *tab != gone);
        if self.active == Some(gone) {
            let neighbour = self.open.get(place).or_else(|| self.open.last()).map(Page::id);
            self.active = self.earlier.pop().or(neighbour);
        }
    }
}

/// Whether the browser ended unexpectedly, and whether anybody was told.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    #[default]
    None,
    Untold,
    Told,
}
