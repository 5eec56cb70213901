//! What a person's hands do, as a batch that a driver sends without waiting in between.

use crate::Key;

/// A place in the page's viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Button {
    /// The main one.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The one that opens context menus.
    Right,
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Move the pointer, with whatever buttons are down.
    Move(Point),
    /// Press a button where the pointer is; `count` is 2 for the second press of a double click.
    Down(Button, u32),
    /// Release it.
    Up(Button, u32),
    /// Turn the wheel where the pointer is, by CSS pixels to the right and down.
    Wheel(f64, f64),
    /// Press a key; modifiers stay down until released.
    KeyDown(Key),
    /// Release it.
    KeyUp(Key),
    /// Insert text at the caret in one go, as an input method does.
    Insert(String),
}
