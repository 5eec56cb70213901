//! A face: one dialect's row for one capability.

use std::{marker::PhantomData, sync::Arc};

use cicerone_engine::TabId;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::{
    Argument, BadArguments, Call, Cap, Capability, Dialect, Image, Output, Reply, Scope,
    argument::{FrameNumber, Milliseconds, given, parse},
    dialect::Failed,
    toolbox::Listing,
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
}

/// A required argument: its name, and what it says.
pub(crate) struct Must<V>(&'static str, &'static str, PhantomData<fn() -> V>);

/// A required argument.
pub(crate) fn must<V: Argument>(name: &'static str, about: &'static str) -> Must<V> {
    Must(name, about, PhantomData)
}

/// What a listing says of one argument.
pub(crate) struct Spec {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

/// What a capability cannot be made without.
pub(crate) trait Required {
    /// The values, parsed.
    type Values;
    /// The arguments that they are read from.
    fn rows(&self) -> Vec<Spec>;
    /// Reads them.
    fn read(&self, arguments: &Map<String, Value>) -> Result<Self::Values, BadArguments>;
}

impl<V: Argument> Required for Must<V> {
    type Values = V;

    fn rows(&self) -> Vec<Spec> {
        vec![Spec { name: self.0, about: self.1, schema: V::schema(), required: true }]
    }

    fn read(&self, arguments: &Map<String, Value>) -> Result<V, BadArguments> {
        parse(self.0, given(arguments, self.0).ok_or(BadArguments::Missing(self.0))?)
    }
}

impl<A: Required, B: Required> Required for (A, B) {
    type Values = (A::Values, B::Values);

    fn rows(&self) -> Vec<Spec> {
        self.0.rows().into_iter().chain(self.1.rows()).collect()
    }

    fn read(&self, arguments: &Map<String, Value>) -> Result<Self::Values, BadArguments> {
        Ok((self.0.read(arguments)?, self.1.read(arguments)?))
    }
}

impl Required for () {
    type Values = ();

    fn rows(&self) -> Vec<Spec> {
        Vec::new()
    }

    fn read(&self, _: &Map<String, Value>) -> Result<(), BadArguments> {
        Ok(())
    }
}

type Start<C> = Box<dyn Fn(&Map<String, Value>) -> Result<C, BadArguments> + Send + Sync>;
type Check<C> = Box<dyn Fn(&C) -> Result<(), BadArguments> + Send + Sync>;
type Says<C> = Box<dyn Fn(&str, &<C as Capability>::Output) -> String + Send + Sync>;
type Shows<C> = Box<dyn Fn(&<C as Capability>::Output) -> Vec<Image> + Send + Sync>;

/// One dialect's row for one capability.
pub struct Face<C: Capability> {
    dialect: &'static Dialect,
    name: &'static str,
    about: &'static str,
    /// Arguments that show how it is used, as JSON.
    example: &'static str,
    /// What must be switched on for it.
    cap: Option<Cap>,
    rows: Vec<Row<C>>,
    /// What the same tool takes in other dialects.
    borrowed: Vec<(&'static str, Set<C>)>,
    start: Start<C>,
    check: Option<Check<C>>,
    says: Says<C>,
    shows: Option<Shows<C>>,
    /// The argument that says what it is done to.
    subject: Option<&'static str>,
    /// What it does, for the words of an error.
    doing: Option<&'static str>,
}

struct Row<C> {
    spec: Spec,
    /// Accepted, but not worth a line in the listing.
    unlisted: bool,
    set: Set<C>,
}

type Change<C> = dyn Fn(&mut C, &Value) -> Result<(), BadArguments> + Send + Sync;

/// What becomes of an argument's value.
enum Set<C> {
    /// It was read when the capability was made.
    Taken,
    /// It changes the capability.
    On(Arc<Change<C>>),
    /// It says something of the call: which tab it is for, which frame, how long it may take.
    Call(Arc<Arrange>),
}

type Arrange = dyn Fn(&mut Call, &Value) -> Result<(), BadArguments> + Send + Sync;

impl<C> Clone for Set<C> {
    fn clone(&self) -> Self {
        match self {
            Self::Taken => Self::Taken,
            Self::On(set) => Self::On(Arc::clone(set)),
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
        let row = |spec| Row { spec, unlisted: false, set: Set::Taken };
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
            subject: None,
            doing: None,
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
        let on = move |capability: &mut C, value: &Value| {
            set(capability, parse(name, value)?);
            Ok(())
        };
        let spec = Spec { name, about, schema: V::schema(), required: false };
        self.row(spec, Set::On(Arc::new(on)))
    }

    /// The same, accepted but not listed: another spelling, or something that changes little.
    pub fn quietly<V: Argument + 'static>(self, name: &'static str, set: fn(&mut C, V)) -> Self {
        let mut face = self.opt(name, "", set);
        if let Some(row) = face.rows.last_mut() {
            row.unlisted = true;
        }
        face
    }

    /// What the last argument is when it is left out, for the listing.
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        if let Some(schema) = self.rows.last_mut().and_then(|row| row.spec.schema.as_object_mut()) {
            schema.insert("default".into(), value.into());
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

    /// The only frame that matters, by its number.
    pub fn in_frame(self, name: &'static str) -> Self {
        self.arranged(name, "", |call, frame: FrameNumber| call.manner.frame = Some(frame.0))
    }

    /// How long it may take, in milliseconds.
    pub fn within(self, name: &'static str, about: &'static str, default: u32) -> Self {
        let patient = |call: &mut Call, time: Milliseconds| call.manner.patience = Some(time.into());
        self.arranged(name, about, patient).default(default)
    }

    /// What an argument says of the call, beside what it says of the capability.
    pub fn also<V: Argument + 'static>(self, name: &'static str, arrange: fn(&mut Call, V)) -> Self {
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
        self.rows.push(Row { spec, unlisted: false, set });
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

    /// What must hold between the arguments.
    pub fn provided(
        mut self,
        check: impl Fn(&C) -> Result<(), BadArguments> + Send + Sync + 'static,
    ) -> Self {
        self.check = Some(Box::new(check));
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

    /// The pictures of the output.
    pub fn shows(mut self, shows: impl Fn(&C::Output) -> Vec<Image> + Send + Sync + 'static) -> Self {
        self.shows = Some(Box::new(shows));
        self
    }

    /// What is done, in words such as `clicking element`, for dialects whose errors say so.
    pub fn doing(mut self, doing: &'static str) -> Self {
        self.doing = Some(doing);
        self
    }

    /// Lets a face take what the same tool takes in its other dialects.
    fn borrow_from(&mut self, others: &[(&'static str, &'static str, Set<C>)]) {
        for (tool, name, set) in others {
            let known = self.rows.iter().any(|row| row.spec.name == *name);
            if *tool == self.name && !known && !matches!(set, Set::Taken) {
                self.borrowed.push((name, set.clone()));
            }
        }
    }

    fn read(&self, arguments: &Map<String, Value>, call: &mut Call) -> Result<C, BadArguments> {
        let mut capability = (self.start)(arguments)?;
        for (name, value) in arguments {
            let sets = self.sets_of(name);
            if sets.is_empty() {
                return Err(self.unknown(name));
            }
            for set in sets.into_iter().filter(|_| !value.is_null()) {
                match set {
                    Set::Taken => {}
                    Set::On(set) => set(&mut capability, value)?,
                    Set::Call(arrange) => arrange(call, value)?,
                }
            }
        }
        if let Some(check) = &self.check {
            check(&capability)?;
        }
        Ok(capability)
    }

    /// What becomes of an argument: as its own rows say, else as a borrowed one does.
    fn sets_of(&self, name: &str) -> Vec<&Set<C>> {
        let own: Vec<_> = self.rows.iter().filter(|row| row.spec.name == name).map(|row| &row.set).collect();
        if !own.is_empty() {
            return own;
        }
        self.borrowed.iter().filter(|(known, _)| *known == name).map(|(_, set)| set).take(1).collect()
    }

    fn unknown(&self, name: &str) -> BadArguments {
        let known: Vec<&str> =
            self.rows.iter().filter(|row| !row.unlisted).map(|row| row.spec.name).collect();
        let known = if known.is_empty() { "no arguments".into() } else { known.join(", ") };
        BadArguments::Unknown { name: name.to_owned(), tool: self.name, known }
    }
}

/// The faces of one capability, out of sight: each takes what the same tool takes in the other dialects.
pub(crate) fn family<C: Capability, const N: usize>(mut faces: [Face<C>; N]) -> [Box<dyn AnyFace>; N] {
    let all: Vec<_> = faces
        .iter()
        .flat_map(|face| face.rows.iter().map(|row| (face.name, row.spec.name, row.set.clone())))
        .collect();
    faces.iter_mut().for_each(|face| face.borrow_from(&all));
    faces.map(|face| Box::new(face) as Box<dyn AnyFace>)
}

/// How well arguments fit a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It does not know some of them, or misses one.
    Not,
    /// With what it borrows from other dialects.
    Borrowed,
    /// All of them are its own.
    Own,
}

/// A face whose capability is out of sight.
pub(crate) trait AnyFace: Send + Sync {
    fn name(&self) -> &'static str;
    fn dialect(&self) -> &'static Dialect;
    fn example(&self) -> &'static str;
    fn cap(&self) -> Option<Cap>;
    fn listing(&self) -> Listing;
    fn fit(&self, arguments: &Map<String, Value>) -> Fit;
    fn call(&self, call: Call, arguments: Map<String, Value>) -> BoxFuture<'_, Result<Reply, BadArguments>>;
}

impl<C: Capability> AnyFace for Face<C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    fn example(&self) -> &'static str {
        self.example
    }

    fn cap(&self) -> Option<Cap> {
        self.cap
    }

    fn listing(&self) -> Listing {
        let mut properties = Map::new();
        for Row { spec, .. } in self.rows.iter().filter(|row| !row.unlisted) {
            let mut schema = spec.schema.clone();
            if let (Some(schema), false) = (schema.as_object_mut(), spec.about.is_empty()) {
                schema.insert("description".into(), spec.about.into());
            }
            properties.insert(spec.name.into(), schema);
        }
        let required: Vec<&str> =
            self.rows.iter().filter(|row| row.spec.required).map(|row| row.spec.name).collect();
        let mut input = Map::from_iter([("type".to_owned(), json!("object"))]);
        input.insert("properties".into(), properties.into());
        if !required.is_empty() {
            input.insert("required".into(), required.into());
        }
        let output = self.dialect.envelope.schema(C::Output::schema());
        Listing { name: self.name, about: self.about, input, output, effect: C::EFFECT }
    }

    fn fit(&self, arguments: &Map<String, Value>) -> Fit {
        let there = |row: &&Row<C>| given(arguments, row.spec.name).is_some();
        if !self.rows.iter().filter(|row| row.spec.required).all(|row| there(&row)) {
            return Fit::Not;
        }
        let own = |name: &String| self.rows.iter().any(|row| row.spec.name == name);
        match () {
            () if arguments.keys().all(own) => Fit::Own,
            () if arguments.keys().all(|name| !self.sets_of(name).is_empty()) => Fit::Borrowed,
            () => Fit::Not,
        }
    }

    fn call(
        &self,
        mut call: Call,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'_, Result<Reply, BadArguments>> {
        Box::pin(async move {
            call.manner.shows = self.dialect.shows;
            let capability = self.read(&arguments, &mut call)?;
            let subject = self.subject.and_then(|name| Some((name, arguments.get(name)?.as_str()?)));
            let session = call.session.clone();
            let run = async {
                let scope = C::On::enter(call).await?;
                capability.run(scope).await
            };
            Ok(match run.await {
                Err(failure) => {
                    failure.told_to(&session);
                    let doing = self.doing;
                    let text = failure.in_words((self.dialect.failure)(&Failed {
                        failure: &failure,
                        doing,
                        subject,
                    }));
                    Reply {
                        text,
                        facts: self.dialect.envelope.bad(&failure),
                        failed: true,
                        ..Reply::default()
                    }
                }
                Ok(output) => Reply {
                    text: self
                        .dialect
                        .voice(&(self.says)(subject.map_or("", |(_, given)| given), &output), &output),
                    images: self.shows.as_ref().map(|shows| shows(&output)).unwrap_or_default(),
                    images_first: self.dialect.images_first,
                    facts: self.dialect.envelope.good(output.facts()),
                    failed: false,
                },
            })
        })
    }
}
