use std::fmt;

use serde::Serialize;

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
