//! A face: one dialect's row for one capability.

mod any;
mod borrowed;
mod read;
mod required;

pub(crate) use any::{AnyFace, Fit, Null, family};
pub(crate) use required::{Required, Spec, must};

use std::sync::Arc;

use borrowed::Borrowed;
use cicerone_engine::TabId;
use serde_json::{Map, Value};

use crate::{
    Argument, BadArguments, Call, Cap, Capability, Dialect, Image,
    argument::{FrameNumber, Milliseconds, SessionName, parse, with_default},
};

/// What a capability does to the world; becomes the annotations of its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Only looks.
    Looks,
    /// Changes things.
    Acts,
    /// Changes things of the browser only, the same however often it is done.
    Arranges,
    /// Changes things of the browser only; done again, it does more or fails.
    Controls,
}

type Start<C> = Box<dyn Fn(&Map<String, Value>) -> Result<C, BadArguments> + Send + Sync>;
type Check<C> = dyn Fn(&C) -> Result<(), BadArguments> + Send + Sync;
type Says<C> = Box<dyn Fn(&str, &<C as Capability>::Output) -> String + Send + Sync>;
type Shows<C> = Box<dyn Fn(&<C as Capability>::Output) -> Vec<Image> + Send + Sync>;

/// A fact by name, with its type, and how it is read from the output.
struct Fact<C: Capability> {
    name: &'static str,
    kind: &'static str,
    read: fn(&C::Output) -> Option<Value>,
}

/// One dialect's row for one capability.
pub struct Face<C: Capability> {
    dialect: &'static Dialect,
    name: &'static str,
    about: &'static str,
    /// Arguments that show how it is used, as JSON.
    example: &'static str,
    /// The cap that it requires.
    cap: Option<Cap>,
    rows: Vec<Row<C>>,
    /// What the same tool takes in other dialects.
    borrowed: Vec<Borrowed<C>>,
    start: Start<C>,
    check: Option<Arc<Check<C>>>,
    says: Says<C>,
    shows: Option<Shows<C>>,
    /// Facts that only this dialect has.
    facts: Vec<Fact<C>>,
    /// Facts that this dialect renames.
    renamed_facts: Vec<(&'static str, &'static str)>,
    /// The facts in its replies, if not all.
    only_facts: Option<&'static [&'static str]>,
    /// The argument that names its subject.
    subject: Option<&'static str>,
    /// What it does, for the words of an error.
    operation: Option<&'static str>,
    /// What the dialect's document advises after every error.
    advice: Option<&'static str>,
    /// Whether it types secrets.
    types_secrets: bool,
    /// Other names for arguments, unlisted: the alias, and the argument.
    aliases: Vec<(&'static str, &'static str)>,
}

struct Row<C> {
    spec: Spec,
    /// Accepted, but not listed.
    unlisted: bool,
    /// The cap that it requires.
    cap: Option<Cap>,
    set: Set<C>,
}

/// Reads a value, and changes the capability, where there is one.
type Change<C> = dyn Fn(Option<&mut C>, &Value) -> Result<(), BadArguments> + Send + Sync;

/// What becomes of an argument's value.
enum Set<C> {
    /// It was read when the capability was made.
    Taken,
    /// It changes the capability.
    On(Arc<Change<C>>),
    /// The same, and `null` does so too: it removes what was set before.
    OrNull(Arc<Change<C>>),
    /// It says something of the call: which tab it is for, which frame, how long it may take.
    Call(Arc<Arrange>),
}

type Arrange = dyn Fn(&mut Call, &Value) -> Result<(), BadArguments> + Send + Sync;

impl<C> Clone for Set<C> {
    fn clone(&self) -> Self {
        match self {
            Self::Taken => Self::Taken,
            Self::On(set) => Self::On(Arc::clone(set)),
            Self::OrNull(set) => Self::OrNull(Arc::clone(set)),
            Self::Call(arrange) => Self::Call(Arc::clone(arrange)),
        }
    }
}

/// A face that does not know yet what its capability is made of.
pub(crate) struct Unstarted {
    pub(crate) dialect: &'static Dialect,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

impl Unstarted {
    /// The arguments that the capability is made of.
    pub(crate) fn takes<C: Capability, R: Required + Send + Sync + 'static>(
        self,
        required: R,
        make: fn(R::Values) -> C,
    ) -> Face<C> {
        let row = |spec| Row { spec, unlisted: false, cap: None, set: Set::Taken };
        Face {
            dialect: self.dialect,
            name: self.name,
            about: self.about,
            example: "",
            cap: None,
            rows: required.rows().into_iter().map(row).collect(),
            borrowed: Vec::new(),
            start: Box::new(move |arguments| Ok(make(required.read(arguments)?))),
            check: None,
            says: Box::new(|_, _| String::new()),
            shows: None,
            facts: Vec::new(),
            renamed_facts: Vec::new(),
            only_facts: None,
            subject: None,
            operation: None,
            advice: None,
            types_secrets: false,
            aliases: Vec::new(),
        }
    }
}

impl<C: Capability> Face<C> {
    /// An argument that may be left out, and its effect on the capability.
    pub fn opt<V: Argument + 'static>(
        self,
        name: &'static str,
        about: &'static str,
        set: fn(&mut C, V),
    ) -> Self {
        let on = move |capability: Option<&mut C>, value: &Value| {
            let value = parse(name, value)?;
            if let Some(capability) = capability {
                set(capability, value);
            }
            Ok(())
        };
        let spec = Spec { name, about, schema: V::schema(), required: false };
        self.row(spec, Set::On(Arc::new(on)))
    }

    /// An argument whose `null` says something else than leaving it out: it removes what an earlier call set.
    pub fn opt_or_null<V: Argument + 'static>(
        self,
        name: &'static str,
        about: &'static str,
        set: fn(&mut C, Option<V>),
    ) -> Self {
        let on = move |capability: Option<&mut C>, value: &Value| {
            let value = if value.is_null() { None } else { Some(parse(name, value)?) };
            if let Some(capability) = capability {
                set(capability, value);
            }
            Ok(())
        };
        let spec = Spec { name, about, schema: V::schema(), required: false };
        self.row(spec, Set::OrNull(Arc::new(on)))
    }

    /// The same, accepted but not listed: another spelling, or something that changes little.
    pub fn unlisted<V: Argument + 'static>(self, name: &'static str, set: fn(&mut C, V)) -> Self {
        let mut face = self.opt(name, "", set);
        if let Some(row) = face.rows.last_mut() {
            row.unlisted = true;
        }
        face
    }

    /// What the last argument is when it is left out, for the listing.
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        if let Some(row) = self.rows.last_mut() {
            row.spec.schema = with_default(std::mem::take(&mut row.spec.schema), value);
        }
        self
    }

    /// The last argument is listed as required, as it is published; whether it is missed depends on the others.
    pub fn required(mut self) -> Self {
        if let Some(row) = self.rows.last_mut() {
            row.spec.required = true;
        }
        self
    }

    /// A description of the element for people; it has no effect.
    pub fn described(self, name: &'static str) -> Self {
        self.described_as(name, "")
    }

    /// The same, with words in the listing.
    pub fn described_as(self, name: &'static str, about: &'static str) -> Self {
        self.opt(name, about, |_, _: String| {})
    }

    /// The tab that the call is for, instead of the active one.
    pub fn on_tab(self, name: &'static str, about: &'static str) -> Self {
        self.arranged(name, about, |call, tab: TabId| call.tab = Some(tab))
    }

    /// The context that the call is for, by its name.
    pub(crate) fn in_context(self, name: &'static str, about: &'static str) -> Self {
        self.arranged(name, about, |call, SessionName(name)| call.context_name = Some(name))
    }

    /// The only frame that matters, by its number.
    pub fn in_frame(self, name: &'static str) -> Self {
        self.arranged(name, "", |call, frame: FrameNumber| call.options.frame = Some(frame.0))
    }

    /// How long it may take, in milliseconds.
    pub fn within(self, name: &'static str, about: &'static str, default: u32) -> Self {
        let patient = |call: &mut Call, time: Milliseconds| call.options.timeout = Some(time.into());
        self.arranged(name, about, patient).default(default)
    }

    /// What an argument sets in the call, in addition to the capability.
    pub fn sets_call<V: Argument + 'static>(self, name: &'static str, arrange: fn(&mut Call, V)) -> Self {
        let mut face = self.arranged(name, "", arrange);
        if let Some(row) = face.rows.last_mut() {
            row.unlisted = true;
        }
        face
    }

    fn arranged<V: Argument + 'static>(
        self,
        name: &'static str,
        about: &'static str,
        arrange: fn(&mut Call, V),
    ) -> Self {
        let arrange = move |call: &mut Call, value: &Value| {
            arrange(call, parse(name, value)?);
            Ok(())
        };
        let spec = Spec { name, about, schema: V::schema(), required: false };
        self.row(spec, Set::Call(Arc::new(arrange)))
    }

    fn row(mut self, spec: Spec, set: Set<C>) -> Self {
        self.rows.push(Row { spec, unlisted: false, cap: None, set });
        self
    }

    /// Arguments that show how it is used, for the reference. A test calls the tools of a dialect so, one after the other.
    pub fn example(mut self, arguments: &'static str) -> Self {
        self.example = arguments;
        self
    }

    /// It is there only when this is switched on.
    pub fn needs(mut self, cap: Cap) -> Self {
        self.cap = Some(cap);
        self
    }

    /// The last argument is there only when this is switched on.
    pub fn needs_for_argument(mut self, cap: Cap) -> Self {
        if let Some(row) = self.rows.last_mut() {
            row.cap = Some(cap);
        }
        self
    }

    /// What must hold between the arguments.
    pub fn validate(
        mut self,
        check: impl Fn(&C) -> Result<(), BadArguments> + Send + Sync + 'static,
    ) -> Self {
        self.check = Some(Arc::new(check));
        self
    }

    /// The sentence for the output.
    pub fn says(mut self, says: impl Fn(&C::Output) -> String + Send + Sync + 'static) -> Self {
        self.says = Box::new(move |_, output| says(output));
        self
    }

    /// The sentence for the output, with what this argument says, as it was given.
    pub fn says_of(
        mut self,
        subject: &'static str,
        says: impl Fn(&str, &C::Output) -> String + Send + Sync + 'static,
    ) -> Self {
        self.subject = Some(subject);
        self.says = Box::new(says);
        self
    }

    /// A fact that other dialects lack: its name, its JSON type, and a function that reads it from the output.
    pub(crate) fn fact(
        mut self,
        name: &'static str,
        kind: &'static str,
        read: fn(&C::Output) -> Option<Value>,
    ) -> Self {
        self.facts.push(Fact { name, kind, read });
        self
    }

    /// Limits the facts in this tool's replies to these.
    pub(crate) fn only_facts(mut self, facts: &'static [&'static str]) -> Self {
        self.only_facts = Some(facts);
        self
    }

    /// Another word for a fact.
    pub(crate) fn rename_fact(mut self, fact: &'static str, word: &'static str) -> Self {
        self.renamed_facts.push((fact, word));
        self
    }

    /// The pictures of the output.
    pub fn shows(mut self, shows: impl Fn(&C::Output) -> Vec<Image> + Send + Sync + 'static) -> Self {
        self.shows = Some(Box::new(shows));
        self
    }

    /// The context of errors, such as `clicking element`, for dialects whose errors have one.
    pub fn error_context(mut self, operation: &'static str) -> Self {
        self.operation = Some(operation);
        self
    }

    /// What the dialect's document advises after every error.
    pub fn advises(mut self, advice: &'static str) -> Self {
        self.advice = Some(advice);
        self
    }

    /// It types the value of a secret for its name.
    pub fn types_secrets(mut self) -> Self {
        self.types_secrets = true;
        self
    }

    /// Another name for an argument, accepted but not listed.
    pub fn alias(mut self, alias: &'static str, argument: &'static str) -> Self {
        self.aliases.push((alias, argument));
        self
    }
}
