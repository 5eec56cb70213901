//! What keeps an element from being used.

use crate::ready::Element;

/// What keeps an element from being used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Obstacle {
    /// It has no box, or is invisible.
    #[error("is not visible")]
    Hidden,
    /// It keeps moving.
    #[error("keeps moving")]
    Moving,
    /// It is disabled.
    #[error("is disabled")]
    Disabled,
    /// It cannot be edited.
    #[error("is read-only")]
    ReadOnly,
    /// Something is in front of it.
    #[error("is covered{}", .0.as_ref().map_or_else(String::new, |by| format!(" by {by}")))]
    Covered(Option<Box<Element>>),
    /// It cannot be scrolled into view.
    #[error("is outside of the viewport and cannot be scrolled into it")]
    Outside,
}
