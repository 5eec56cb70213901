//! Arguments that a capability cannot be made without.

use std::marker::PhantomData;

use serde_json::{Map, Value};

use crate::{
    Argument, BadArguments,
    argument::{given, parse},
    bad_arguments::both,
};

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
        both(self.0.read(arguments), self.1.read(arguments))
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
