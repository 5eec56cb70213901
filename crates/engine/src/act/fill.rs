//! Fills fields, with real key events where pages listen to them, and reads the values back.

use std::time::Duration;

use cicerone_driver::Input;
use serde::{Deserialize, Serialize};

use super::{
    keys::{key_in_field, keystroke_in_field},
    recipient::AllowedRecipients,
};
use crate::{
    Acted, Deadline, Element, ElementError, Error, KeyChord, Result, Switched, Target,
    injected::Numbered,
    page::parts::{Forms, Keyboard},
    ready::{Located, Needs},
    snapshot::tree::Key as NodeKey,
};

/// A field and its new value.
#[derive(Debug, Clone)]
pub struct Field {
    /// The field.
    pub target: Target,
    /// The new value.
    pub value: String,
    /// Append to the current value instead of replacing it.
    pub append: bool,
    /// Set the value by script, even if the field is hidden or read-only.
    pub force: bool,
}

/// The result of filling a field.
#[derive(Debug, Clone)]
pub struct Filled {
    /// The field.
    pub element: Element,
    /// The requested value; `None` for a secret.
    pub asked: Option<String>,
    /// The value the page made of it, if different.
    pub holds: Option<String>,
    /// The whole value now; `None` for a secret.
    pub value: Option<String>,
    /// Set by script, without key events.
    pub forced: bool,
    /// The value could not be read back: typing replaced the field or opened a dialog.
    pub unread: bool,
}

#[derive(Serialize)]
struct Fill<'a> {
    num: u32,
    value: &'a str,
    append: bool,
    force: bool,
    /// For a secret: who may receive it.
    secret: Option<AllowedRecipients>,
}

#[derive(Serialize)]
struct Paste<'a> {
    num: u32,
    text: &'a str,
}

#[derive(Deserialize)]
struct Pasted {
    taken: bool,
}

/// How to fill a field, as the injected script decides.
#[derive(Deserialize)]
#[serde(tag = "how", rename_all = "lowercase")]
enum FillMethod {
    /// The injected script has set the value.
    Set {
        #[serde(default)]
        before: String,
        /// Whether the page does not allow editing.
        #[serde(default, rename = "imposed")]
        readonly: bool,
    },
    /// The injected script has focused the field and inserted the text in one task: the value is a secret, or
    /// the field a password field.
    Inserted {
        #[serde(default)]
        before: String,
    },
    /// Type with the keyboard: the field has the focus and its content is selected.
    Type {
        #[serde(default)]
        before: String,
        /// An editor may keep a selection of its own.
        #[serde(default)]
        editor: bool,
    },
    /// Select and type with the keyboard: an editor that draws its text itself has the focus.
    Keys {
        #[serde(default)]
        before: String,
    },
    /// Click the check box.
    Click { checked: bool },
}

#[derive(Deserialize)]
pub(crate) struct Read {
    #[serde(default)]
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) masked: bool,
    pub(crate) checked: Option<bool>,
    /// The value is what an editor shows of its text.
    #[serde(default)]
    pub(crate) drawn: bool,
}

/// Time limit for an editor to draw what was typed.
const DRAW_TIMEOUT: Duration = Duration::from_secs(1);

/// Longer texts are inserted at once instead of typed key by key.
const MAX_TYPED: usize = 200;

impl Forms<'_> {
    /// Replaces the value of a field, and presses Enter if `submit`. `slowly` waits for each key to be
    /// handled.
    pub async fn type_text(self, field: &Field, slowly: bool, submit: bool) -> Result<Acted<Filled>> {
        let mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let mut promising = Vec::new();
        let filled = self.fill(field, slowly, submit, &mut promising, deadline).await?;
        if submit {
            let enter = KeyChord::steps(&"Enter".parse()?);
            self.page.actions().send(&enter, deadline.with_grace()).await?;
        }
        self.page.actions().finish_action(filled, mark.typed(promising)).await
    }

    /// Fills fields in order. Stops at the first failure and returns it with the fields filled so far.
    pub async fn fill_form(
        self,
        fields: &[Field],
    ) -> std::result::Result<Acted<Vec<Filled>>, (Vec<Filled>, Error)> {
        let mark = self.page.actions().begin_action().await.map_err(|error| (Vec::new(), error))?;
        let (mut filled, mut promising) = (Vec::new(), Vec::new());
        for field in fields {
            let deadline = Deadline::after(self.page.settings().action_timeout());
            match self.fill(field, false, false, &mut promising, deadline).await {
                Ok(done) => filled.push(done),
                Err(error) => return Err((filled, error)),
            }
        }
        let acted = self.page.actions().finish_action(filled, mark.typed(promising)).await;
        acted.map_err(|error| (Vec::new(), error))
    }

    /// Fills one field. Adds it to `promising` if its page usually reacts later (autocomplete) or it is
    /// submitted.
    async fn fill(
        self,
        field: &Field,
        slowly: bool,
        submit: bool,
        promising: &mut Vec<NodeKey>,
        deadline: Deadline,
    ) -> Result<Filled> {
        let needs = if field.force { Needs::EXIST } else { Needs::EDIT };
        let located = self.page.locator().ready(&field.target, needs, deadline).await?;
        if located.promises || submit {
            promising.push((self.page.locator().numbers(&located.frame).1, located.number));
        }
        let Field { value, append, force, .. } = field;
        let secret = self.allowed_recipients(value);
        let args = Fill { num: located.number, value, append: *append, force: *force, secret };
        let method: FillMethod = self
            .page
            .injected()
            .ask(&located.frame, "fill", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.page.locator().refused_by(&located, failure))?;
        let before = match method {
            FillMethod::Set { before, readonly } => readonly.then_some(before),
            FillMethod::Inserted { before } => Some(before),
            FillMethod::Type { before, editor } => {
                self.type_over(field, slowly, deadline).await?;
                if editor {
                    return self.read_editor(field, located, before, slowly, deadline).await;
                }
                Some(before)
            }
            FillMethod::Keys { before } => {
                let pasted = field.value.contains('\n') && !slowly;
                if pasted && self.paste_over(&located, field, deadline).await? {
                    let done = self.read_back(field, located.clone(), Some(before.clone()), deadline).await;
                    if !matches!(done, Err(Error::Element(ElementError::NotTaken { .. }))) {
                        return done;
                    }
                }
                self.type_by_keys(field, slowly, deadline).await?;
                Some(before)
            }
            FillMethod::Click { checked } => {
                let element = located.element.clone();
                let switched = self.switch(located, checked, field.force, deadline).await?;
                let asked = Some(field.value.clone());
                return Ok(Filled { asked, ..Filled::of(element, &switched, field.force) });
            }
        };
        self.read_back(field, located, before, deadline).await
    }

    /// Types over the selection, or at the caret.
    async fn type_over(self, field: &Field, slowly: bool, deadline: Deadline) -> Result<()> {
        let text = field.value.as_str();
        if field.append && text.is_empty() {
            return Ok(());
        }
        if text.is_empty() {
            let delete = KeyChord::steps(&"Delete".parse()?);
            return self.page.actions().send(&delete, deadline.with_grace()).await;
        }
        if slowly {
            for character in text.chars() {
                let timeout = Deadline::after(self.page.settings().action_timeout());
                self.page.actions().send(&keystroke_in_field(character), timeout).await?;
            }
            return Ok(());
        }
        let typed = text.chars().count() <= MAX_TYPED
            && text.chars().all(|character| key_in_field(character).is_some());
        let steps = if typed {
            text.chars().flat_map(keystroke_in_field).collect()
        } else {
            vec![Input::Insert(text.to_owned())]
        };
        self.page.actions().send(&steps, deadline.with_grace()).await
    }

    /// Selects everything by its key, or moves to the end, and types. The text is inserted at once: an editor
    /// would complete what is typed key by key.
    async fn type_by_keys(self, field: &Field, slowly: bool, deadline: Deadline) -> Result<()> {
        self.select_by_keys(field, deadline).await?;
        if slowly || field.value.is_empty() {
            return self.type_over(field, slowly, deadline).await;
        }
        self.page.actions().send(&[Input::Insert(field.value.clone())], deadline.with_grace()).await
    }

    async fn select_by_keys(self, field: &Field, deadline: Deadline) -> Result<()> {
        if field.append {
            return self.page.keyboard().caret_to_end(deadline).await;
        }
        self.page.actions().send(&KeyChord::steps(&"ControlOrMeta+A".parse()?), deadline.with_grace()).await
    }

    /// Whether an editor took a text as if from the clipboard: what is typed it would indent.
    async fn paste_over(self, located: &Located, field: &Field, deadline: Deadline) -> Result<bool> {
        self.select_by_keys(field, deadline).await?;
        let args = Paste { num: located.number, text: &field.value };
        let pasted =
            self.page.injected().ask::<Pasted>(&located.frame, "paste", &args, deadline.with_grace()).await;
        Ok(pasted.map_err(|failure| self.page.locator().refused_by(located, failure))?.taken)
    }

    /// Reads an editor. If it ignored the selection that was set for it, selects by keys and types again.
    async fn read_editor(
        self,
        field: &Field,
        located: Located,
        before: String,
        slowly: bool,
        deadline: Deadline,
    ) -> Result<Filled> {
        match self.read_back(field, located.clone(), Some(before.clone()), deadline).await {
            Err(Error::Element(ElementError::NotTaken { .. })) if !equal_text(&before, &field.value) => {
                self.type_by_keys(field, slowly, deadline).await?;
                self.read_back(field, located, Some(before), deadline).await
            }
            done => done,
        }
    }

    pub(crate) async fn read(self, located: &Located, deadline: Deadline) -> Result<Read> {
        self.page
            .injected()
            .ask(&located.frame, "read", &Numbered { num: located.number }, deadline.with_grace())
            .await
            .map_err(|failure| self.page.locator().refused_by(located, failure))
    }

    /// Reads a field. An editor that draws its text itself does so in a later frame: reads until it shows what is
    /// wanted, or the time is over.
    pub(crate) async fn read_drawn(
        self,
        located: &Located,
        deadline: Deadline,
        wanted: impl Fn(&Read) -> bool,
    ) -> Result<Read> {
        let timeout = deadline.or_after(DRAW_TIMEOUT);
        loop {
            let read = self.read(located, deadline).await?;
            if !read.drawn || wanted(&read) || timeout.passed() {
                return Ok(read);
            }
            if self.page.settling().after_frames(&located.frame, deadline.with_grace()).await?.is_none() {
                return Ok(read);
            }
        }
    }

    /// Compares the value now: as requested, changed by the page, or not accepted.
    async fn read_back(
        self,
        field: &Field,
        located: Located,
        before: Option<String>,
        deadline: Deadline,
    ) -> Result<Filled> {
        let element = located.element.clone();
        let wanted = |read: &Read| {
            let before = before.as_deref().filter(|_| field.append).unwrap_or_default();
            holds_text(read, &format!("{before}{}", field.value))
        };
        let read = match self.read_drawn(&located, deadline, wanted).await {
            Ok(read) => read,
            // Typing unloaded the field or opened a dialog: nothing to read.
            Err(Error::Element(ElementError::Stale { .. }) | Error::DialogOpen(_)) => {
                let (asked, holds, value, forced) = (None, None, None, field.force);
                return Ok(Filled { element, asked, holds, value, forced, unread: true });
            }
            Err(error) => return Err(error),
        };
        let asked = (!read.masked).then(|| field.value.clone());
        let value = (!read.masked).then(|| read.value.clone());
        let (forced, unread) = (field.force, false);
        let taken = match &before {
            // The earlier value of a password field is unknown here; compare the end only.
            Some(_) if field.append && read.masked => read.value.ends_with(&field.value),
            _ => wanted(&read),
        };
        if taken {
            return Ok(Filled { element, asked, holds: None, value, forced, unread });
        }
        if before.is_some_and(|before| equal_text(&before, &read.value)) || read.masked {
            let holds = (!read.masked).then_some(read.value);
            return Err(Error::Element(ElementError::NotTaken { element: Box::new(element), holds }));
        }
        Ok(Filled { element, asked, holds: Some(read.value), value, forced, unread })
    }
}

impl Keyboard<'_> {
    /// Moves the caret of the focused editor to the end of its text, by the keys of this system.
    pub(crate) async fn caret_to_end(self, deadline: Deadline) -> Result<()> {
        let keys = if cfg!(target_os = "macos") { "Meta+ArrowDown" } else { "Control+End" };
        self.page.actions().send(&KeyChord::steps(&keys.parse()?), deadline.with_grace()).await
    }
}

impl Filled {
    fn of(element: Element, switched: &Switched, forced: bool) -> Self {
        let value = Some(switched.on.to_string());
        Self { element, asked: None, holds: None, value, forced, unread: switched.unread }
    }
}

/// Whether a field holds a text, as far as it can be read: an editor shows the part that fits its box, with lines
/// of its own, and paragraphs are separated by blank lines.
fn holds_text(read: &Read, wanted: &str) -> bool {
    const ENOUGH: usize = 40;
    if read.drawn {
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let (shown, wanted) = (letters(&read.value), letters(wanted));
        return shown == wanted || (shown.len() > ENOUGH && wanted.contains(&shown));
    }
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.replace('\u{a0}', " ").trim_end().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    equal_text(&read.value, wanted) || (read.kind == "editable" && lines(&read.value) == lines(wanted))
}

/// Equal apart from white space that browsers normalise.
pub(crate) fn equal_text(one: &str, other: &str) -> bool {
    let plain =
        |text: &str| text.replace("\r\n", "\n").replace('\u{a0}', " ").trim_end_matches('\n').to_owned();
    plain(one) == plain(other)
}
