use crate::tabs::{TabId, WindowId};

/// Why a tab, a window or a frame was not found.
#[derive(Debug, Clone)]
pub enum TabError {
    /// No tab has this index.
    NoTab {
        index: i64,
        /// The number of tabs.
        count: usize,
    },
    /// No tab has this id.
    NoTabId {
        id: TabId,
        /// The existing ids.
        open: Vec<TabId>,
    },
    /// No window has this id.
    NoWindow {
        id: WindowId,
        /// The existing ids.
        open: Vec<WindowId>,
    },
    /// The page has no frame with this number.
    NoFrame {
        number: u32,
        /// The existing numbers.
        known: Vec<u32>,
    },
}

/// Why a context was not found, created or closed.
#[derive(Debug, Clone)]
pub enum ContextError {
    /// No context has this name.
    Unknown {
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
    /// A context with this name exists.
    Exists(String),
    /// The only context cannot be closed.
    Last,
}
