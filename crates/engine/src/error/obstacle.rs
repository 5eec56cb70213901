//! What keeps an element from being used, and what to do about it.

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

impl Obstacle {
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Hidden => "something must open or show it first",
            Self::Moving => "wait until it stands still",
            Self::Disabled => "something else must be filled in or done first",
            Self::ReadOnly => "it cannot be typed into",
            Self::Covered(_) => "close or answer what covers it, then try again",
            Self::Outside => "scroll or resize the page",
        }
    }
}
