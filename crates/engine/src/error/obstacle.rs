use crate::Element;

/// What prevents an action on an element.
#[derive(Debug, Clone, PartialEq)]
pub enum Obstacle {
    /// It has no box, or is invisible.
    Hidden,
    /// Its box keeps moving.
    Moving,
    /// It is disabled.
    Disabled,
    /// It is read-only.
    ReadOnly,
    /// Another element covers it.
    Covered(Option<Box<Cover>>),
    /// It has `pointer-events: none`; the pointer would hit this element.
    LetsPointerThrough(Option<Box<Cover>>),
    /// It cannot be scrolled into view.
    Outside,
}

/// An element that covers another.
#[derive(Debug, Clone, PartialEq)]
pub struct Cover {
    /// The element, or the dialog or the like that it is in.
    pub element: Element,
    /// Its clickable descendants: one of them usually closes it.
    pub has: Vec<Element>,
}
