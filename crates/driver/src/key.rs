//! Keys by their `KeyboardEvent.key` names, on a US keyboard layout.

use std::borrow::Cow;

/// A key with everything that a keyboard event reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// `KeyboardEvent.key`.
    pub key: Cow<'static, str>,
    /// `KeyboardEvent.code`; empty for characters that no key has.
    pub code: Cow<'static, str>,
    /// The deprecated `KeyboardEvent.keyCode`.
    pub key_code: u16,
    /// The text that it types, if any.
    pub text: Option<Cow<'static, str>>,
    /// Whether Shift must be down to type it.
    pub shifted: bool,
    /// The modifier, if it is one.
    pub modifier: Option<Modifier>,
}

/// A modifier key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Alt or Option.
    Alt,
    Control,
    /// Command or Windows.
    Meta,
    Shift,
}

/// An unknown key name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown key \"{0}\"")]
pub struct UnknownKey(pub String);

/// Named keys: name, code, keyCode, text.
const NAMED: &[(&str, &str, u16, Option<&str>)] = &[
    ("Enter", "Enter", 13, Some("\r")),
    ("Tab", "Tab", 9, None),
    ("Backspace", "Backspace", 8, None),
    ("Delete", "Delete", 46, None),
    ("Escape", "Escape", 27, None),
    ("ArrowUp", "ArrowUp", 38, None),
    ("ArrowDown", "ArrowDown", 40, None),
    ("ArrowLeft", "ArrowLeft", 37, None),
    ("ArrowRight", "ArrowRight", 39, None),
    ("Home", "Home", 36, None),
    ("End", "End", 35, None),
    ("PageUp", "PageUp", 33, None),
    ("PageDown", "PageDown", 34, None),
    ("Insert", "Insert", 45, None),
    ("CapsLock", "CapsLock", 20, None),
    ("NumLock", "NumLock", 144, None),
    ("ScrollLock", "ScrollLock", 145, None),
    ("Pause", "Pause", 19, None),
    ("PrintScreen", "PrintScreen", 44, None),
    ("ContextMenu", "ContextMenu", 93, None),
    ("F1", "F1", 112, None),
    ("F2", "F2", 113, None),
    ("F3", "F3", 114, None),
    ("F4", "F4", 115, None),
    ("F5", "F5", 116, None),
    ("F6", "F6", 117, None),
    ("F7", "F7", 118, None),
    ("F8", "F8", 119, None),
    ("F9", "F9", 120, None),
    ("F10", "F10", 121, None),
    ("F11", "F11", 122, None),
    ("F12", "F12", 123, None),
];

/// Common alternative names.
const ALIASES: &[(&str, &str)] = &[
    ("return", "Enter"),
    ("esc", "Escape"),
    ("del", "Delete"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("ctrl", "Control"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("win", "Meta"),
    ("option", "Alt"),
    ("spacebar", "Space"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
];

/// Other characters: plain, with Shift, code, keyCode.
const SYMBOLS: &[(char, char, &str, u16)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];

/// The digits with Shift.
const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

impl Key {
    /// Looks up a key by name: `Enter`, `a`, `Control`, `Space`, `KeyA` ….
    pub fn named(name: &str) -> Result<Self, UnknownKey> {
        let mut characters = name.chars();
        if let (Some(only), None) = (characters.next(), characters.next()) {
            return Ok(Self::typing(only));
        }
        let lower = name.to_ascii_lowercase();
        let canonical = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(name, |(_, to)| to);
        if canonical.eq_ignore_ascii_case("Space") {
            return Ok(Self::typing(' '));
        }
        if let Some(modifier) = Modifier::named(canonical) {
            return Ok(Self::modifier(modifier));
        }
        if let Some(row) = NAMED.iter().find(|row| row.0.eq_ignore_ascii_case(canonical)) {
            return Ok(Self::row(row));
        }
        Self::by_code(canonical).ok_or_else(|| UnknownKey(name.to_owned()))
    }

    /// The key that types a character.
    pub fn typing(character: char) -> Self {
        let text = Some(Cow::Owned(character.to_string()));
        let of = |code: Cow<'static, str>, key_code: u16, shifted: bool| Self {
            key: character.to_string().into(),
            code,
            key_code,
            text: text.clone(),
            shifted,
            modifier: None,
        };
        match character {
            '\r' | '\n' => Self::row(&NAMED[0]),
            ' ' => of("Space".into(), 32, false),
            'a'..='z' | 'A'..='Z' => {
                let upper = character.to_ascii_uppercase();
                of(format!("Key{upper}").into(), upper as u16, character.is_ascii_uppercase())
            }
            '0'..='9' => of(format!("Digit{character}").into(), character as u16, false),
            _ => {
                if let Some(digit) = SHIFTED_DIGITS.chars().position(|c| c == character) {
                    let digit = u16::try_from(digit).unwrap_or_default();
                    return of(format!("Digit{digit}").into(), 48 + digit, true);
                }
                match SYMBOLS.iter().find(|row| row.0 == character || row.1 == character) {
                    Some(row) => of(row.2.into(), row.3, row.1 == character),
                    None => of("".into(), 0, false),
                }
            }
        }
    }

    /// The left key of a modifier.
    pub fn modifier(modifier: Modifier) -> Self {
        let (key, code, key_code) = match modifier {
            Modifier::Alt => ("Alt", "AltLeft", 18),
            Modifier::Control => ("Control", "ControlLeft", 17),
            Modifier::Meta => ("Meta", "MetaLeft", 91),
            Modifier::Shift => ("Shift", "ShiftLeft", 16),
        };
        Self {
            key: key.into(),
            code: code.into(),
            key_code,
            text: None,
            shifted: false,
            modifier: Some(modifier),
        }
    }

    fn row((key, code, key_code, text): &(&'static str, &'static str, u16, Option<&'static str>)) -> Self {
        Self {
            key: (*key).into(),
            code: (*code).into(),
            key_code: *key_code,
            text: text.map(Cow::Borrowed),
            shifted: false,
            modifier: None,
        }
    }

    /// Looks up a typing key by `KeyboardEvent.code`: `KeyA`, `Digit1`, `Minus`.
    fn by_code(code: &str) -> Option<Self> {
        let one = |rest: &str| rest.chars().next().filter(|_| rest.len() == 1);
        let character = if let Some(letter) = code.strip_prefix("Key").and_then(one) {
            letter.to_ascii_lowercase()
        } else if let Some(digit) = code.strip_prefix("Digit").or(code.strip_prefix("Numpad")).and_then(one) {
            digit
        } else {
            SYMBOLS.iter().find(|row| row.2 == code)?.0
        };
        Some(Self::typing(character))
    }
}

impl Modifier {
    /// Looks up a modifier by name; `ControlOrMeta` is the shortcut modifier of this system.
    pub fn named(name: &str) -> Option<Self> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        match () {
            () if is("Alt") => Some(Self::Alt),
            () if is("Control") => Some(Self::Control),
            () if is("Meta") => Some(Self::Meta),
            () if is("Shift") => Some(Self::Shift),
            () if is("ControlOrMeta") && cfg!(target_os = "macos") => Some(Self::Meta),
            () if is("ControlOrMeta") => Some(Self::Control),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(name: &str) -> (String, String, u16, bool) {
        let key = Key::named(name).unwrap();
        (key.key.into(), key.code.into(), key.key_code, key.shifted)
    }

    #[test]
    fn keys_are_known_by_name_character_and_code() {
        assert_eq!(described("Enter"), ("Enter".into(), "Enter".into(), 13, false));
        assert_eq!(described("esc"), ("Escape".into(), "Escape".into(), 27, false));
        assert_eq!(described("a"), ("a".into(), "KeyA".into(), 65, false));
        assert_eq!(described("A"), ("A".into(), "KeyA".into(), 65, true));
        assert_eq!(described("!"), ("!".into(), "Digit1".into(), 49, true));
        assert_eq!(described("KeyZ"), ("z".into(), "KeyZ".into(), 90, false));
        assert_eq!(described("Space"), (" ".into(), "Space".into(), 32, false));
        assert_eq!(described("ü"), ("ü".into(), "".into(), 0, false));
        assert_eq!(Key::named("Hyperdrive"), Err(UnknownKey("Hyperdrive".into())));
    }
}
