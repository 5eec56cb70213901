use std::time::Duration;

use cicerone_driver::{Input, Key, Modifier, UnknownKey};

use crate::{Acted, Deadline, Element, Error, Page, Result, Target, snapshot::text::shortened};

/// A key with the modifiers that are held: `Control+Shift+A`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChord {
    keys: Vec<Key>,
    name: String,
}

/// A chord that is to be pressed.
#[derive(Debug, Clone)]
pub struct Press {
    /// On what; whatever has the focus unless told.
    pub on: Option<Target>,
    /// The chord.
    pub chord: KeyChord,
    /// How often.
    pub repeat: u32,
    /// How long to wait in between.
    pub delay: Duration,
}

impl Press {
    /// Once, on whatever has the focus.
    pub fn once(chord: KeyChord) -> Self {
        Self { on: None, chord, repeat: 1, delay: Duration::ZERO }
    }
}

/// A chord that was pressed.
#[derive(Debug, Clone, PartialEq)]
pub struct Pressed {
    /// Its name.
    pub key: String,
    /// On what, where that was told.
    pub element: Option<Element>,
    /// How often, before a dialog opened or the page went away.
    pub count: usize,
    /// What has the focus then, where that is something else than before.
    pub focus: Option<String>,
}

/// How many characters are told of what has the focus.
const SHOWN: usize = 100;

impl std::str::FromStr for KeyChord {
    type Err = UnknownKey;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownKey> {
        let unknown = || UnknownKey(name.to_owned());
        // The last part is the key; a plus may be it.
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
        // With Shift held, the letter that comes is the capital one.
        let shift = keys.iter().any(|held| held.modifier == Some(Modifier::Shift));
        if shift && last.len() == 1 && key.modifier.is_none() {
            let upper = last.to_uppercase();
            if let Some(character) = upper.chars().next() {
                key = Key { code: key.code, ..Key::typing(character) };
            }
        }
        // Only `Shift+` holds Shift: `Control+S` is Save, with Shift it would be Save as.
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

impl Page {
    /// Presses a chord.
    pub async fn press(&self, press: &Press) -> Result<Acted<Pressed>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        let named = press.on.is_some() || self.only_frame().is_some();
        let focus = if named { self.keyboard_on(press.on.as_ref(), deadline).await? } else { None };
        let strokes: Vec<_> = (0..press.repeat).map(|_| press.chord.steps()).collect();
        let count = self.strike(&strokes, press.delay).await?;
        let element = focus.map(|(located, _)| located.element);
        let before = self.shown_focus();
        let mut acted =
            self.told(Pressed { key: press.chord.name.clone(), element, count, focus: None }, mark).await?;
        // A look that was never taken is no reason to tell.
        acted.done.focus =
            before.and_then(|before| self.shown_focus()?.filter(|now| before.as_ref() != Some(now)));
        Ok(acted)
    }

    /// What has the focus in the look that the client saw last, as its line has it; nothing where there was no look.
    fn shown_focus(&self) -> Option<Option<String>> {
        let seen = self.seen();
        let node = seen.as_ref()?.nodes.iter().find(|node| node.active);
        Some(node.map(|node| {
            let reference = self.node_reference(node).map(|reference| format!(" ({reference})"));
            format!("{}{}", shortened(&node.before, SHOWN), reference.unwrap_or_default())
        }))
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
