use super::Obstacle;
use crate::{Element, TabId, Target, refs::RefName};

/// Why an element was not found, or not acted on.
#[derive(Debug, Clone)]
pub enum ElementError {
    /// The element of the ref no longer exists.
    Stale {
        /// The ref.
        reference: RefName,
        /// Whether the whole document was replaced.
        replaced: bool,
    },
    /// No snapshot gave out this ref.
    UnknownRef(RefName),
    /// The element is not in the requested subtree.
    NotInside {
        /// Its ref.
        reference: RefName,
    },
    /// The element has no line in the snapshot.
    NotShown {
        /// Its ref.
        reference: RefName,
        /// So many lines were read of a page that has more.
        limit: Option<u32>,
    },
    /// The ref belongs to another tab.
    ForeignRef {
        /// The ref.
        reference: RefName,
        tab: TabId,
        /// The context of that tab, if it is another one.
        context: Option<String>,
    },
    /// No element matches.
    NoMatch { target: Target },
    /// Several elements match.
    Ambiguous {
        target: Target,
        /// The number of matches.
        count: usize,
        /// The first few.
        matches: Vec<Element>,
    },
    /// The target cannot be parsed.
    BadTarget {
        target: Target,
        /// The message of the page's parser.
        reason: String,
    },
    /// The element did not become actionable in time.
    NotReady {
        element: Box<Element>,
        /// What prevents the action.
        obstacle: Obstacle,
    },
    /// The element does not support the action or the value.
    Misfit {
        element: Box<Element>,
        /// Why not.
        reason: Misfit,
        /// Values that it accepts.
        options: Vec<String>,
    },
    /// The element holds another value after it was filled.
    NotTaken {
        element: Box<Element>,
        /// Its value, if it may be shown.
        holds: Option<String>,
    },
    /// The click hit another element.
    Missed {
        element: Box<Element>,
        /// The one that was hit.
        by: Option<Box<Element>>,
    },
    /// The click hit a document of another frame.
    HitAnotherFrame(Box<Element>),
    /// A secret was not typed because no text field has the focus.
    NoFieldForSecret,
}

/// Why an element does not support an action or a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// It has no checked state.
    NotCheckable,
    /// Radio buttons cannot be unchecked.
    RadioStaysChecked,
    /// It cannot be focused.
    NotFocusable,
    /// The message of the injected script.
    InPage(String),
}
