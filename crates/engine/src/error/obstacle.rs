//! What keeps an element from being used, and what to do about it.

use std::fmt;

use crate::{ready::Element, snapshot::plain};

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
    Covered(Option<Box<Cover>>),
    /// The pointer goes through it.
    #[error("takes no pointer (pointer-events: none){}", .0.as_ref().map_or_else(String::new, |by| format!(": it would hit {}", by.element)))]
    LetsPointerThrough(Option<Box<Cover>>),
    /// It cannot be scrolled into view.
    #[error("is outside of the viewport and cannot be scrolled into it")]
    Outside,
}

/// What is in front of an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Cover {
    /// It, or what it belongs to.
    pub element: Element,
    /// What is in it to be clicked; one of that closes it, mostly.
    pub has: Vec<Element>,
}

impl fmt::Display for Cover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.element.fmt(f)?;
        for (nth, button) in self.has.iter().enumerate() {
            let before = if nth == 0 { "; it has" } else { "," };
            write!(f, "{before} {} ({})", plain(&button.name, 60), button.reference)?;
        }
        Ok(())
    }
}

impl Obstacle {
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Hidden => "something must open or show it first",
            Self::Moving => "wait until it stands still",
            Self::Disabled => "something else must be filled in or done first",
            Self::ReadOnly => "it cannot be typed into",
            Self::Covered(_) => "close or answer what covers it, then try again",
            Self::LetsPointerThrough(_) => "something must enable it first; or click what is around it",
            Self::Outside => "scroll or resize the page",
        }
    }
}
