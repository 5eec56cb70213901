//! Mouse and keyboard input, as a batch that a driver sends without waiting in between.

use crate::Key;

/// A point in the page's viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    /// Distance from the left edge.
    pub x: f64,
    /// Distance from the top edge.
    pub y: f64,
}

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Button {
    /// The primary button.
    #[default]
    Left,
    /// The wheel button.
    Middle,
    /// The secondary button; opens context menus.
    Right,
}

/// One input action.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Moves the pointer.
    Move(Point),
    /// Presses a button at the pointer's position; the count is 2 for the second press of a double click.
    Down(Button, u32),
    /// Releases a button.
    Up(Button, u32),
    /// Turns the wheel at the pointer's position: CSS pixels to the right and down.
    Wheel(f64, f64),
    /// Presses a key; modifiers stay down until released.
    KeyDown(Key),
    /// Releases a key.
    KeyUp(Key),
    /// Inserts text at the caret at once, like an input method.
    Insert(String),
}
