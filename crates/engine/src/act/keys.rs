//! Types text key by key into the focused element.

use std::time::Duration;

use cicerone_driver::{Input, Key};

use serde::Serialize;

use super::{
    fill::{Read, equal_text},
    focus::Focused,
    recipient::AllowedRecipients,
};
use crate::{
    Acted, Deadline, Element, ElementError, Error, KeyChord, Result, Target, page::parts::Keyboard,
    ready::Located, state::PageStatus,
};

/// A text to type.
#[derive(Debug, Clone)]
pub struct Typing {
    /// The element to focus first; by default the focused one.
    pub on: Option<Target>,
    /// The text. Line breaks press Enter.
    pub text: String,
    /// The pause between keys.
    pub delay: Duration,
}

/// The result of typing.
#[derive(Debug, Clone)]
pub struct Typed {
    /// The element that received the keys.
    pub element: Option<Element>,
    /// Characters typed.
    pub count: usize,
    /// Characters not typed, because a dialog opened or the page closed.
    pub left: usize,
    /// The value of the field now; `None` for secrets and for elements that are not fields.
    pub value: Option<String>,
}

/// Arguments of the injected `insert` function, which inserts at the caret.
#[derive(Serialize)]
struct Insert<'a> {
    num: u32,
    text: &'a str,
    /// For a secret: who may receive it.
    secret: Option<&'a AllowedRecipients>,
}

/// Keys sent before awaiting the first reply.
const BATCH: usize = 500;

impl Keyboard<'_> {
    /// Types a text key by key at the end of the current value.
    pub async fn type_keys(self, typing: &Typing) -> Result<Acted<Typed>> {
        let mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let focus = self.keyboard_on(typing.on.as_ref(), deadline).await?;
        let secret = self.page.forms().allowed_recipients(&typing.text);
        let count = if secret.is_some() || focus.as_ref().is_some_and(|(_, on)| on.masked) {
            self.insert_lines(focus.as_ref(), &typing.text, secret.as_ref(), deadline).await?
        } else {
            if focus.as_ref().is_some_and(|(_, on)| on.caret) {
                self.caret_to_end(deadline).await?;
            }
            let keystrokes: Vec<Vec<Input>> = typing.text.chars().map(keystroke).collect();
            self.send_keystrokes(&keystrokes, typing.delay).await?
        };
        let left = typing.text.chars().count() - count;
        let mark = match &focus {
            Some((located, _)) if located.promises => {
                mark.typed(vec![(self.page.locator().numbers(&located.frame).1, located.number)])
            }
            _ => mark,
        };
        let (element, value) = match focus {
            None => (None, None),
            Some((located, focused)) => {
                let value = match focused.value {
                    Some(before) if left == 0 => self.typed_value(&located, typing, &before).await?,
                    _ => None,
                };
                (Some(located.element), value)
            }
        };
        self.page.actions().finish_action(Typed { element, count, left, value }, mark).await
    }

    /// Inserts a secret line by line; each line in one task with focusing its field. Returns the number of
    /// characters sent before a dialog opened or the page closed.
    async fn insert_lines(
        self,
        focus: Option<&(Located, Focused)>,
        text: &str,
        secret: Option<&AllowedRecipients>,
        deadline: Deadline,
    ) -> Result<usize> {
        let Some((located, _)) = focus.filter(|(_, focused)| focused.value.is_some()) else {
            return Err(Error::Element(ElementError::NoFieldForSecret));
        };
        let (enter, mut sent) = (KeyChord::steps(&"Enter".parse()?), 0);
        for line in text.split_inclusive(['\n', '\r']) {
            let over = self.page.state().dialog.is_some() || self.page.status() != PageStatus::Alive;
            if over {
                break;
            }
            let words = line.trim_end_matches(['\n', '\r']);
            if !words.is_empty() {
                let args = Insert { num: located.number, text: words, secret };
                self.page
                    .injected()
                    .ask::<serde_json::Value>(&located.frame, "insert", &args, deadline.with_grace())
                    .await
                    .map_err(|failure| self.page.locator().refused_by(located, failure))?;
            }
            if words.len() < line.len() {
                self.page.actions().send(&enter, deadline.with_grace()).await?;
            }
            sent += line.chars().count();
        }
        Ok(sent)
    }

    /// Sends keystrokes, with pauses or as fast as the page takes them. Returns how many were sent before a
    /// dialog opened or the page closed.
    pub(crate) async fn send_keystrokes(self, keystrokes: &[Vec<Input>], delay: Duration) -> Result<usize> {
        let batch = if delay.is_zero() { BATCH } else { 1 };
        let mut sent = 0;
        for keystrokes in keystrokes.chunks(batch) {
            if sent > 0 && !delay.is_zero() {
                // An opening dialog ends the pause.
                self.page.until(Deadline::after(delay), |state| (state.dialog.is_some()).then_some(())).await;
            }
            let over = self.page.state().dialog.is_some() || self.page.status() != PageStatus::Alive;
            if over {
                break;
            }
            let steps = keystrokes.concat();
            self.page
                .actions()
                .send(&steps, Deadline::after(self.page.settings().action_timeout()).with_grace())
                .await?;
            sent += keystrokes.len();
        }
        Ok(sent)
    }

    /// The value of the field after typing; an error if it did not change.
    async fn typed_value(self, located: &Located, typing: &Typing, before: &str) -> Result<Option<String>> {
        let changed = |read: &Read| !equal_text(before, &read.value);
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let read = match self.page.forms().read_drawn(located, deadline, changed).await {
            Ok(read) => read,
            // Typing unloaded the field or opened a dialog: nothing to read.
            Err(Error::Element(ElementError::Stale { .. }) | Error::DialogOpen(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        // Enter may have submitted and cleared the field.
        let lines = typing.text.contains(['\n', '\r']);
        if !typing.text.is_empty() && !lines && equal_text(before, &read.value) {
            let holds = (!read.masked).then_some(read.value);
            return Err(Error::Element(ElementError::NotTaken {
                element: Box::new(located.element.clone()),
                holds,
            }));
        }
        Ok((!read.masked).then_some(read.value))
    }
}

/// The key that types a character into a field. Line breaks have none: Enter would submit.
pub(super) fn key_in_field(character: char) -> Option<Key> {
    Some(Key::typing(character)).filter(|key| !key.code.is_empty() && key.code != "Enter")
}

/// A key press in a field; an IME insertion for characters that no key types there.
pub(super) fn keystroke_in_field(character: char) -> Vec<Input> {
    match key_in_field(character) {
        Some(_) => keystroke(character),
        None => vec![Input::Insert(character.to_string())],
    }
}

/// A key press, or an IME insertion for characters that no key has.
fn keystroke(character: char) -> Vec<Input> {
    let key = Key::typing(character);
    if key.code.is_empty() {
        vec![Input::Insert(character.to_string())]
    } else {
        vec![Input::KeyDown(key.clone()), Input::KeyUp(key)]
    }
}
