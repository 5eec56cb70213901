//! Input steps as protocol commands, all sent before the first answer is awaited.

use std::collections::HashSet;

use cicerone_driver::{Button, Input, Key, Modifier, Point};
use cicerone_wire::{Empty, PendingReply, Session};

use crate::protocol::input::{DispatchKeyEvent, DispatchMouseEvent, InsertText};

/// Pressed keys and buttons, and the pointer's position.
pub(crate) struct InputState {
    pointer: Point,
    buttons: u8,
    modifiers: HashSet<Modifier>,
}

impl Default for InputState {
    fn default() -> Self {
        Self { pointer: Point { x: 0.0, y: 0.0 }, buttons: 0, modifiers: HashSet::new() }
    }
}

impl InputState {
    /// Sends one step.
    pub(crate) fn send(&mut self, session: &Session, step: &Input) -> PendingReply<Empty> {
        match step {
            Input::Move(to) => {
                self.pointer = *to;
                let held = match self.buttons {
                    0 => "none",
                    held if held & 1 != 0 => "left",
                    held if held & 2 != 0 => "right",
                    _ => "middle",
                };
                session.send(&self.mouse("mouseMoved", held, 0))
            }
            Input::Down(button, count) => {
                self.buttons |= bit(*button);
                session.send(&self.mouse("mousePressed", name(*button), *count))
            }
            Input::Up(button, count) => {
                self.buttons &= !bit(*button);
                session.send(&self.mouse("mouseReleased", name(*button), *count))
            }
            Input::Wheel(right, down) => {
                let mut event = self.mouse("mouseWheel", "none", 0);
                event.delta_x = Some(*right);
                event.delta_y = Some(*down);
                session.send(&event)
            }
            Input::KeyDown(key) => {
                if let Some(modifier) = key.modifier {
                    self.modifiers.insert(modifier);
                }
                self.key(session, key, true)
            }
            Input::KeyUp(key) => {
                if let Some(modifier) = key.modifier {
                    self.modifiers.remove(&modifier);
                }
                self.key(session, key, false)
            }
            Input::Insert(text) => session.send(&InsertText { text }),
        }
    }

    /// Releases whatever an interrupted batch left pressed.
    pub(crate) fn release_all(&mut self) {
        self.buttons = 0;
        self.modifiers.clear();
    }

    fn mouse(&self, kind: &'static str, button: &'static str, click_count: u32) -> DispatchMouseEvent {
        DispatchMouseEvent {
            kind,
            x: self.pointer.x,
            y: self.pointer.y,
            modifiers: self.bits(),
            button,
            buttons: self.buttons,
            click_count,
            delta_x: None,
            delta_y: None,
        }
    }

    fn key(&self, session: &Session, key: &Key, down: bool) -> PendingReply<Empty> {
        // A chord with Control, Alt or Meta is a command and types nothing.
        let chord = [Modifier::Control, Modifier::Alt, Modifier::Meta]
            .iter()
            .any(|modifier| self.modifiers.contains(modifier));
        let text = key.text.as_deref().filter(|_| down && !chord);
        let mut modifiers = self.bits();
        if key.shifted {
            modifiers |= 8;
        }
        session.send(&DispatchKeyEvent {
            kind: match (down, text) {
                (true, Some(_)) => "keyDown",
                (true, None) => "rawKeyDown",
                (false, _) => "keyUp",
            },
            modifiers,
            key: &key.key,
            code: &key.code,
            windows_virtual_key_code: key.key_code,
            text,
            commands: if down { self.editing(key) } else { &[] },
        })
    }

    /// Editing shortcuts that the browser's own UI would handle.
    fn editing(&self, key: &Key) -> &'static [&'static str] {
        let control = self.modifiers.contains(&Modifier::Control) || self.modifiers.contains(&Modifier::Meta);
        if !control || self.modifiers.contains(&Modifier::Alt) {
            return &[];
        }
        let shift = self.modifiers.contains(&Modifier::Shift);
        match (&*key.code, shift) {
            ("KeyA", false) => &["selectAll"],
            ("KeyC", false) => &["copy"],
            ("KeyV", _) => &["paste"],
            ("KeyX", false) => &["cut"],
            ("KeyZ", false) => &["undo"],
            ("KeyZ", true) | ("KeyY", false) => &["redo"],
            _ => &[],
        }
    }

    fn bits(&self) -> u8 {
        self.modifiers.iter().fold(0, |bits, modifier| {
            bits | match modifier {
                Modifier::Alt => 1,
                Modifier::Control => 2,
                Modifier::Meta => 4,
                Modifier::Shift => 8,
            }
        })
    }
}

fn name(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

fn bit(button: Button) -> u8 {
    match button {
        Button::Left => 1,
        Button::Right => 2,
        Button::Middle => 4,
    }
}
