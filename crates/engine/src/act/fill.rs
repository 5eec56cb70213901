//! Putting values into fields, by the hands of a person where that matters, and reading them back.

use cicerone_driver::{Input, Key};
use serde::{Deserialize, Serialize};

use crate::{
    Acted, Deadline, Element, Error, KeyChord, Page, Result, Switched, Target,
    agent::Numbered,
    ready::{Located, Needs},
    snapshot::tree::Key as NodeKey,
};

/// A field and what it is to hold.
#[derive(Debug, Clone)]
pub struct Field {
    /// The field.
    pub target: Target,
    /// Its value.
    pub value: String,
    /// After what it holds already, instead of in its place.
    pub append: bool,
    /// Also where it is not shown or cannot be edited: it is set, not typed.
    pub force: bool,
}

/// A field that was filled.
#[derive(Debug, Clone)]
pub struct Filled {
    /// The field.
    pub element: Element,
    /// Whether its ref followed a replaced element.
    pub healed: bool,
    /// What was asked for; nothing for a secret.
    pub asked: Option<String>,
    /// What it holds, where that is something else.
    pub holds: Option<String>,
    /// All that it holds; nothing for a secret.
    pub value: Option<String>,
    /// Whether it was set without typing.
    pub forced: bool,
    /// Whether it could not be read back, because typing made the page replace it or ask something.
    pub unread: bool,
}

#[derive(Serialize)]
struct Fill<'a> {
    num: u32,
    value: &'a str,
    append: bool,
    force: bool,
    /// The hosts that may get it, where it is a secret.
    secret: Option<Vec<String>>,
}

/// How a field is to be filled.
#[derive(Deserialize)]
#[serde(tag = "how", rename_all = "lowercase")]
enum How {
    /// The agent has done it.
    Set {
        #[serde(default)]
        before: String,
        /// Whether that is against what the page wants.
        #[serde(default)]
        imposed: bool,
    },
    /// The agent has typed it, in one task with giving it the focus: it is a secret, or the field is for one.
    Inserted {
        #[serde(default)]
        before: String,
    },
    /// By typing: it has the focus, and its content is selected.
    Type {
        #[serde(default)]
        before: String,
    },
    /// By a click.
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
}

/// Texts up to this are typed key by key, for pages that listen to keys; longer ones are inserted.
const TYPED: usize = 200;

impl Page {
    /// Replaces what a field holds, and presses Enter if asked to. Slowly: each key waits for the one before.
    pub async fn type_text(&self, field: &Field, slowly: bool, submit: bool) -> Result<Acted<Filled>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        let mut promising = Vec::new();
        let filled = self.fill(field, slowly, submit, &mut promising, deadline).await?;
        if submit {
            let enter = KeyChord::steps(&"Enter".parse()?);
            self.send(&enter, deadline.with_grace()).await?;
        }
        self.told(filled, mark.typed(promising)).await
    }

    /// Fills several fields, in order. At the first that cannot be filled it stops: the error, with those before.
    pub async fn fill_form(
        &self,
        fields: &[Field],
    ) -> std::result::Result<Acted<Vec<Filled>>, (Vec<Filled>, Error)> {
        let mark = self.before_acting().await.map_err(|error| (Vec::new(), error))?;
        let (mut filled, mut promising) = (Vec::new(), Vec::new());
        for field in fields {
            let deadline = Deadline::after(self.action_timeout());
            match self.fill(field, false, false, &mut promising, deadline).await {
                Ok(done) => filled.push(done),
                Err(error) => return Err((filled, error)),
            }
        }
        self.told(filled, mark.typed(promising)).await.map_err(|error| (Vec::new(), error))
    }

    /// Fills one field; it joins those that promise more, or are submitted.
    async fn fill(
        &self,
        field: &Field,
        slowly: bool,
        submit: bool,
        promising: &mut Vec<NodeKey>,
        deadline: Deadline,
    ) -> Result<Filled> {
        let needs = if field.force { Needs::EXIST } else { Needs::EDIT };
        let located = self.ready(&field.target, needs, deadline).await?;
        if located.promises || submit {
            promising.push((self.numbers(&located.frame).1, located.number));
        }
        let Field { value, append, force, .. } = field;
        let secret = self.hosts_of_secret(value);
        let args = Fill { num: located.number, value, append: *append, force: *force, secret };
        let how: How = self
            .ask(&located.frame, "fill", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.refused_by(&located, failure))?;
        let before = match how {
            How::Set { before, imposed } => imposed.then_some(before),
            How::Inserted { before } => Some(before),
            How::Type { before } => {
                self.type_over(field, slowly, deadline).await?;
                Some(before)
            }
            How::Click { checked } => {
                let element = located.element.clone();
                let switched = self.switch(located, checked, field.force, deadline).await?;
                let asked = Some(field.value.clone());
                return Ok(Filled { asked, ..Filled::of(element, &switched, field.force) });
            }
        };
        self.read_back(field, located, before, deadline).await
    }

    /// Types over what is selected, or where the caret is.
    async fn type_over(&self, field: &Field, slowly: bool, deadline: Deadline) -> Result<()> {
        let text = field.value.as_str();
        if field.append && text.is_empty() {
            return Ok(());
        }
        if text.is_empty() {
            return self.send(&KeyChord::steps(&"Delete".parse()?), deadline.with_grace()).await;
        }
        if slowly {
            for character in text.chars() {
                let patience = Deadline::after(self.action_timeout());
                self.send(&stroke(character), patience).await?;
            }
            return Ok(());
        }
        let typed =
            text.chars().count() <= TYPED && text.chars().all(|character| on_a_key(character).is_some());
        let steps = if typed {
            text.chars().flat_map(stroke).collect()
        } else {
            vec![Input::Insert(text.to_owned())]
        };
        self.send(&steps, deadline.with_grace()).await
    }

    /// The hosts that a text may be typed into, if it is a secret. Secrets are inserted in one piece. A frame of another site may take the focus between two keys and get the rest; and a
    /// page that tells what it holds after each key would tell all but the end, which nobody could recognise and hide.
    pub(crate) fn hosts_of_secret(&self, text: &str) -> Option<Vec<String>> {
        let session = self.context().and_then(|context| context.session().ok())?;
        session.secrets().hosts_of(text).map(<[String]>::to_vec)
    }

    pub(crate) async fn read(&self, located: &Located, deadline: Deadline) -> Result<Read> {
        self.ask(&located.frame, "read", &Numbered { num: located.number }, deadline.with_grace())
            .await
            .map_err(|failure| self.refused_by(located, failure))
    }

    /// What the field holds now decides: the same, something that the page made of it, or nothing of it.
    async fn read_back(
        &self,
        field: &Field,
        located: Located,
        before: Option<String>,
        deadline: Deadline,
    ) -> Result<Filled> {
        let (element, healed) = super::acted_on(&located);
        let read = match self.read(&located, deadline).await {
            Ok(read) => read,
            // Typing made the page go on, or ask something: the field is past reading.
            Err(Error::Stale { .. } | Error::DialogOpen(_)) => {
                let (asked, holds, value, forced) = (None, None, None, field.force);
                return Ok(Filled { element, healed, asked, holds, value, forced, unread: true });
            }
            Err(error) => return Err(error),
        };
        let asked = (!read.masked).then(|| field.value.clone());
        let value = (!read.masked).then(|| read.value.clone());
        let (forced, unread) = (field.force, false);
        let taken = match &before {
            // What was there before a secret is not known here; how it ends is.
            Some(_) if field.append && read.masked => read.value.ends_with(&field.value),
            Some(before) if field.append => same(&read.value, &format!("{before}{}", field.value)),
            _ => same(&read.value, &field.value),
        };
        if taken {
            return Ok(Filled { element, healed, asked, holds: None, value, forced, unread });
        }
        if before.is_some_and(|before| same(&before, &read.value)) || read.masked {
            let holds = if read.masked { "something else".into() } else { read.value };
            return Err(Error::NotTaken { element: Box::new(element), holds });
        }
        Ok(Filled { element, healed, asked, holds: Some(read.value), value, forced, unread })
    }
}

impl Filled {
    fn of(element: Element, switched: &Switched, forced: bool) -> Self {
        let (healed, value) = (switched.healed, Some(switched.on.to_string()));
        Self { element, healed, asked: None, holds: None, value, forced, unread: switched.unread }
    }
}

/// The key that types a character. A line break would be Enter, which submits; it has none here.
fn on_a_key(character: char) -> Option<Key> {
    Some(Key::typing(character)).filter(|key| !key.code.is_empty() && key.code != "Enter")
}

/// A character as its key, or as an input method gives it where it is on no key.
fn stroke(character: char) -> Vec<Input> {
    match on_a_key(character) {
        Some(key) => vec![Input::KeyDown(key.clone()), Input::KeyUp(key)],
        None => vec![Input::Insert(character.to_string())],
    }
}

/// Equal but for what browsers do to white space.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let plain =
        |text: &str| text.replace("\r\n", "\n").replace('\u{a0}', " ").trim_end_matches('\n').to_owned();
    plain(one) == plain(other)
}
