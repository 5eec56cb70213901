use std::time::Duration;

use cicerone_driver::{Input, Key, Modifier, UnknownKey};

use crate::{Acted, Deadline, Element, Error, Result, Target, page::parts::Keyboard, settle::Mark};

/// A key with modifiers: `Control+Shift+A`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChord {
    keys: Vec<Key>,
    name: String,
}

/// A key chord to press.
#[derive(Debug, Clone)]
pub struct Press {
    /// The element to focus first; by default the focused one.
    pub on: Option<Target>,
    pub chord: KeyChord,
    /// How many times.
    pub repeat: u32,
    /// The pause between repeats.
    pub delay: Duration,
}

impl Press {
    /// Once, on the focused element.
    pub fn once(chord: KeyChord) -> Self {
        Self { on: None, chord, repeat: 1, delay: Duration::ZERO }
    }
}

/// The result of pressing a chord.
#[derive(Debug, Clone, PartialEq)]
pub struct Pressed {
    /// The chord's name.
    pub key: String,
    /// The element, if a target was given.
    pub element: Option<Element>,
    /// Times pressed before a dialog opened or the page closed.
    pub count: usize,
}

impl std::str::FromStr for KeyChord {
    type Err = UnknownKey;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownKey> {
        let unknown = || UnknownKey(name.to_owned());
        // The last part is the key, which may itself be a plus.
        let (held, last) = match name.strip_suffix('+') {
            Some("") => ("", "+"),
            Some(rest) => (rest.strip_suffix('+').ok_or_else(unknown)?, "+"),
            None => name.rsplit_once('+').unwrap_or(("", name)),
        };
        let mut keys = Vec::new();
        for part in held.split('+').filter(|part| !part.is_empty()) {
            let key = Key::named(part)?;
            keys.push(key.modifier.map(Key::modifier).ok_or_else(unknown)?);
        }
        let mut key = Key::named(last)?;
        // With Shift held, the key types the capital letter.
        let shift = keys.iter().any(|held| held.modifier == Some(Modifier::Shift));
        if shift && last.len() == 1 && key.modifier.is_none() {
            let upper = last.to_uppercase();
            if let Some(character) = upper.chars().next() {
                key = Key { code: key.code, ..Key::typing(character) };
            }
        }
        // A capital alone does not hold Shift: `Control+S` is Save, `Control+Shift+S` Save As.
        if !keys.is_empty() && !shift {
            if let (1, Some(letter @ 'A'..='Z')) = (last.len(), last.chars().next()) {
                key = Key::typing(letter.to_ascii_lowercase());
            }
            key.shifted = false;
        }
        keys.push(key);
        Ok(Self { keys, name: name.to_owned() })
    }
}

impl KeyChord {
    pub(crate) fn steps(&self) -> Vec<Input> {
        let down = self.keys.iter().cloned().map(Input::KeyDown);
        down.chain(self.keys.iter().rev().cloned().map(Input::KeyUp)).collect()
    }
}

impl Keyboard<'_> {
    /// Presses a chord.
    pub async fn press(self, press: &Press) -> Result<Acted<Pressed>> {
        let mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let named = press.on.is_some() || self.page.settings().only_frame().is_some();
        let focus = if named { self.keyboard_on(press.on.as_ref(), deadline).await? } else { None };
        let keystrokes: Vec<_> = (0..press.repeat).map(|_| press.chord.steps()).collect();
        let count = self.send_keystrokes(&keystrokes, press.delay).await?;
        let element = focus.map(|(located, _)| located.element);
        let pressed = Pressed { key: press.chord.name.clone(), element, count };
        self.page.actions().finish_action(pressed, Mark { moves_focus: true, ..mark }).await
    }
}

impl From<UnknownKey> for Error {
    fn from(error: UnknownKey) -> Self {
        Self::UnknownKey(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(name: &str) -> Vec<String> {
        let chord: KeyChord = name.parse().unwrap();
        chord.keys.iter().map(|key| key.key.to_string()).collect()
    }

    #[test]
    fn chords() {
        assert_eq!(keys("Enter"), ["Enter"]);
        assert_eq!(keys("Control+a"), ["Control", "a"]);
        assert_eq!(keys("Control+S"), ["Control", "s"]);
        assert_eq!(keys("Control+Shift+S"), ["Control", "Shift", "S"]);
        assert_eq!(keys("A"), ["A"]);
        assert_eq!(keys("Control+Shift+z"), ["Control", "Shift", "Z"]);
        assert_eq!(keys("+"), ["+"]);
        assert_eq!(keys("Control++"), ["Control", "+"]);
        assert!("Control+".parse::<KeyChord>().is_err());
        assert!("Nope+a".parse::<KeyChord>().is_err());
        assert!("a+b".parse::<KeyChord>().is_err());
    }
}
