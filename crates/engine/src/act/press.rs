use cicerone_driver::{Input, Key, Modifier, UnknownKey};

use crate::{Acted, Deadline, Error, Page, Result};

/// A key with the modifiers that are held: `Control+Shift+A`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyChord {
    keys: Vec<Key>,
    name: String,
}

/// A chord that was pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pressed {
    /// Its name.
    pub key: String,
}

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
    /// Presses a chord on whatever has the focus.
    pub async fn press(&self, chord: &KeyChord) -> Result<Acted<Pressed>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        self.send(&chord.steps(), deadline).await?;
        self.told(Pressed { key: chord.name.clone() }, mark).await
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
        assert_eq!(keys("Control+Shift+z"), ["Control", "Shift", "Z"]);
        assert_eq!(keys("+"), ["+"]);
        assert_eq!(keys("Control++"), ["Control", "+"]);
        assert!("Control+".parse::<KeyChord>().is_err());
        assert!("Nope+a".parse::<KeyChord>().is_err());
        assert!("a+b".parse::<KeyChord>().is_err());
    }
}
