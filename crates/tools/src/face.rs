//! A face: one dialect's row for one capability.

use std::marker::PhantomData;

use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::{
    Argument, BadArguments, Call, Capability, Dialect, Image, Output, Reply, Scope,
    argument::{given, parse},
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

/// What a capability cannot be made without.
pub(crate) trait Required {
    /// The values, parsed.
    type Values;
    /// Name, words and schema of each.
    fn rows(&self) -> Vec<(&'static str, &'static str, Value)>;
    /// Reads them.
    fn read(&self, arguments: &Map<String, Value>) -> Result<Self::Values, BadArguments>;
}

impl<V: Argument> Required for Must<V> {
    type Values = V;

    fn rows(&self) -> Vec<(&'static str, &'static str, Value)> {
        vec![(self.0, self.1, V::schema())]
    }

    fn read(&self, arguments: &Map<String, Value>) -> Result<V, BadArguments> {
        parse(self.0, given(arguments, self.0).ok_or(BadArguments::Missing(self.0))?)
    }
}

impl<A: Argument, B: Argument> Required for (Must<A>, Must<B>) {
    type Values = (A, B);

    fn rows(&self) -> Vec<(&'static str, &'static str, Value)> {
        [self.0.rows(), self.1.rows()].concat()
    }

    fn read(&self, arguments: &Map<String, Value>) -> Result<(A, B), BadArguments> {
        Ok((self.0.read(arguments)?, self.1.read(arguments)?))
    }
}

impl Required for () {
    type Values = ();

    fn rows(&self) -> Vec<(&'static str, &'static str, Value)> {
        Vec::new()
    }

    fn read(&self, _: &Map<String, Value>) -> Result<(), BadArguments> {
        Ok(())
    }
}

type Start<C> = Box<dyn Fn(&Map<String, Value>) -> Result<C, BadArguments> + Send + Sync>;
type Set<C> = Box<dyn Fn(&mut C, &Value) -> Result<(), BadArguments> + Send + Sync>;
type Check<C> = Box<dyn Fn(&C) -> Result<(), BadArguments> + Send + Sync>;
type Says<C> = Box<dyn Fn(&<C as Capability>::Output) -> String + Send + Sync>;
type Shows<C> = Box<dyn Fn(&<C as Capability>::Output) -> Vec<Image> + Send + Sync>;

/// One dialect's row for one capability.
pub struct Face<C: Capability> {
    dialect: &'static Dialect,
    name: &'static str,
    about: &'static str,
    rows: Vec<Row<C>>,
    start: Start<C>,
    check: Option<Check<C>>,
    says: Says<C>,
    shows: Option<Shows<C>>,
}

struct Row<C> {
    name: &'static str,
    about: &'static str,
    schema: Value,
    required: bool,
    /// Accepted, but not worth a line in the listing.
    unlisted: bool,
    set: Option<Set<C>>,
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
        let row =
            |(name, about, schema)| Row { name, about, schema, required: true, unlisted: false, set: None };
        Face {
            dialect: self.dialect,
            name: self.name,
            about: self.about,
            rows: required.rows().into_iter().map(row).collect(),
            start: Box::new(move |arguments| Ok(make(required.read(arguments)?))),
            check: None,
            says: Box::new(|_| String::new()),
            shows: None,
        }
    }
}

impl<C: Capability> Face<C> {
    /// An argument that may be left out, and its effect on the capability.
    pub fn opt<V: Argument + 'static>(
        mut self,
        name: &'static str,
        about: &'static str,
        set: fn(&mut C, V),
    ) -> Self {
        self.rows.push(Row {
            name,
            about,
            schema: V::schema(),
            required: false,
            unlisted: false,
            set: Some(Box::new(move |capability, value| {
                set(capability, parse(name, value)?);
                Ok(())
            })),
        });
        self
    }

    /// The same, accepted but not listed: another spelling, or something that changes little.
    pub fn quietly<V: Argument + 'static>(self, name: &'static str, set: fn(&mut C, V)) -> Self {
        let mut face = self.opt(name, "", set);
        if let Some(row) = face.rows.last_mut() {
            row.unlisted = true;
        }
        face
    }

    /// A description of the element for people; it has no effect.
    pub fn described(self, name: &'static str) -> Self {
        self.opt(name, "", |_, _: String| {})
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
        self.says = Box::new(says);
        self
    }

    /// The pictures of the output.
    pub fn shows(mut self, shows: impl Fn(&C::Output) -> Vec<Image> + Send + Sync + 'static) -> Self {
        self.shows = Some(Box::new(shows));
        self
    }

    fn read(&self, arguments: &Map<String, Value>) -> Result<C, BadArguments> {
        let mut capability = (self.start)(arguments)?;
        for (name, value) in arguments {
            let row = self.rows.iter().find(|row| row.name == name).ok_or_else(|| self.unknown(name))?;
            if let Some(set) = &row.set
                && !value.is_null()
            {
                set(&mut capability, value)?;
            }
        }
        if let Some(check) = &self.check {
            check(&capability)?;
        }
        Ok(capability)
    }

    fn unknown(&self, name: &str) -> BadArguments {
        let known: Vec<&str> = self.rows.iter().filter(|row| !row.unlisted).map(|row| row.name).collect();
        let known = if known.is_empty() { "no arguments".into() } else { known.join(", ") };
        BadArguments::Unknown { name: name.to_owned(), tool: self.name, known }
    }
}

/// A face whose capability is out of sight.
pub(crate) trait AnyFace: Send + Sync {
    fn name(&self) -> &'static str;
    fn dialect(&self) -> &'static Dialect;
    fn listing(&self) -> Listing;
    fn call(&self, call: Call, arguments: Map<String, Value>) -> BoxFuture<'_, Result<Reply, BadArguments>>;
}

impl<C: Capability> AnyFace for Face<C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    fn listing(&self) -> Listing {
        let mut properties = Map::new();
        for row in self.rows.iter().filter(|row| !row.unlisted) {
            let mut schema = row.schema.clone();
            if let (Some(schema), false) = (schema.as_object_mut(), row.about.is_empty()) {
                schema.insert("description".into(), row.about.into());
            }
            properties.insert(row.name.into(), schema);
        }
        let required: Vec<&str> = self.rows.iter().filter(|row| row.required).map(|row| row.name).collect();
        let mut input = Map::from_iter([("type".to_owned(), json!("object"))]);
        input.insert("properties".into(), properties.into());
        if !required.is_empty() {
            input.insert("required".into(), required.into());
        }
        let mut facts = C::Output::schema();
        facts.insert("error".into(), json!({ "type": "object" }));
        let output =
            Map::from_iter([("type".to_owned(), json!("object")), ("properties".to_owned(), facts.into())]);
        Listing { name: self.name, about: self.about, input, output, effect: C::EFFECT }
    }

    fn call(&self, call: Call, arguments: Map<String, Value>) -> BoxFuture<'_, Result<Reply, BadArguments>> {
        Box::pin(async move {
            let capability = self.read(&arguments)?;
            let session = call.session.clone();
            let run = async {
                let scope = C::On::enter(call).await?;
                capability.run(scope).await
            };
            Ok(match run.await {
                Err(failure) => {
                    failure.told_to(&session);
                    failure.into_reply()
                }
                Ok(output) => Reply {
                    text: self.dialect.voice(&(self.says)(&output), &output),
                    images: self.shows.as_ref().map(|shows| shows(&output)).unwrap_or_default(),
                    facts: output.facts(),
                    failed: false,
                },
            })
        })
    }
}
