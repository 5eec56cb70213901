//! Typing with keys, one after the other, into whatever has the focus.

use std::time::Duration;

use cicerone_driver::{Input, Key};

use serde::Serialize;

use super::{fill::same, focus::Focused};
use crate::{Acted, Deadline, Element, Error, KeyChord, Page, Result, Target, ready::Located, state::Fate};

/// A text to be typed.
#[derive(Debug, Clone)]
pub struct Typing {
    /// Into what; whatever has the focus unless told.
    pub on: Option<Target>,
    /// The text. A line break in it is the Enter key.
    pub text: String,
    /// How long to wait between two keys.
    pub delay: Duration,
}

/// A text that was typed.
#[derive(Debug, Clone)]
pub struct Typed {
    /// What had the focus.
    pub element: Option<Element>,
    /// How many characters were typed.
    pub count: usize,
    /// How many were left, because a dialog opened or the page went away.
    pub left: usize,
    /// What the field holds then; nothing for a secret, and for what is no field.
    pub value: Option<String>,
}

/// Text that the agent puts where the caret of an element is.
#[derive(Serialize)]
struct Insert<'a> {
    num: u32,
    text: &'a str,
    /// The hosts that may get it, where it is a secret.
    secret: Option<&'a [String]>,
}

/// How many keys are sent before the first answer is awaited.
const BATCH: usize = 500;

impl Page {
    /// Types a text after what is there, key by key.
    pub async fn type_keys(&self, typing: &Typing) -> Result<Acted<Typed>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        let focus = self.keyboard_on(typing.on.as_ref(), deadline).await?;
        let secret = self.hosts_of_secret(&typing.text);
        let count = if secret.is_some() || focus.as_ref().is_some_and(|(_, on)| on.masked) {
            self.insert_lines(focus.as_ref(), &typing.text, secret.as_deref(), deadline).await?
        } else {
            let strokes: Vec<Vec<Input>> = typing.text.chars().map(stroke).collect();
            self.strike(&strokes, typing.delay).await?
        };
        let left = typing.text.chars().count() - count;
        let mark = match &focus {
            Some((located, _)) if located.promises => {
                mark.typed(vec![(self.numbers(&located.frame).1, located.number)])
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
        self.told(Typed { element, count, left, value }, mark).await
    }

    /// Types a secret line by line, each in one task with giving the focus to its field. How many characters, before a dialog
    /// or the page's end.
    async fn insert_lines(
        &self,
        focus: Option<&(Located, Focused)>,
        text: &str,
        secret: Option<&[String]>,
        deadline: Deadline,
    ) -> Result<usize> {
        let Some((located, _)) = focus.filter(|(_, focused)| focused.value.is_some()) else {
            return Err(Error::NoFieldForSecret);
        };
        let (enter, mut sent) = (KeyChord::steps(&"Enter".parse()?), 0);
        for line in text.split_inclusive(['\n', '\r']) {
            let over = self.state().dialog.is_some() || self.fate() != Fate::Alive;
            if over {
                break;
            }
            let words = line.trim_end_matches(['\n', '\r']);
            if !words.is_empty() {
                let args = Insert { num: located.number, text: words, secret };
                self.ask::<serde_json::Value>(&located.frame, "insert", &args, deadline.with_grace())
                    .await
                    .map_err(|failure| self.refused_by(located, failure))?;
            }
            if words.len() < line.len() {
                self.send(&enter, deadline.with_grace()).await?;
            }
            sent += line.chars().count();
        }
        Ok(sent)
    }

    /// Sends strokes, with pauses or as fast as they are taken; how many, before a dialog or the page's end.
    pub(crate) async fn strike(&self, strokes: &[Vec<Input>], delay: Duration) -> Result<usize> {
        let batch = if delay.is_zero() { BATCH } else { 1 };
        let mut sent = 0;
        for strokes in strokes.chunks(batch) {
            if sent > 0 && !delay.is_zero() {
                // A dialog that opens meanwhile ends the pause.
                self.until(Deadline::after(delay), |state| (state.dialog.is_some()).then_some(())).await;
            }
            let over = self.state().dialog.is_some() || self.fate() != Fate::Alive;
            if over {
                break;
            }
            let steps = strokes.concat();
            self.send(&steps, Deadline::after(self.action_timeout()).with_grace()).await?;
            sent += strokes.len();
        }
        Ok(sent)
    }

    /// What a field holds after it was typed into; an error if nothing of it arrived.
    async fn typed_value(&self, located: &Located, typing: &Typing, before: &str) -> Result<Option<String>> {
        let read = match self.read(located, Deadline::after(self.action_timeout())).await {
            Ok(read) => read,
            // Typing made the page go on, or ask something: the field is past reading.
            Err(Error::Stale { .. } | Error::DialogOpen(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        // Enter may have sent it off and emptied it.
        let lines = typing.text.contains(['\n', '\r']);
        if !typing.text.is_empty() && !lines && same(before, &read.value) {
            let holds = if read.masked { "what it held before".into() } else { read.value };
            return Err(Error::NotTaken { element: Box::new(located.element.clone()), holds });
        }
        Ok((!read.masked).then_some(read.value))
    }
}

/// A character as its key, or as an input method gives it where it is on no key.
fn stroke(character: char) -> Vec<Input> {
    let key = Key::typing(character);
    if key.code.is_empty() {
        vec![Input::Insert(character.to_string())]
    } else {
        vec![Input::KeyDown(key.clone()), Input::KeyUp(key)]
    }
}
