//! Reads arguments by the rows of a face; reports all errors at once.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Check, Face, Set, borrowed::Borrowed};
use crate::{BadArguments, Call, Capability, argument::given, bad_arguments::nearest};

impl<C: Capability> Face<C> {
    /// The capability that these arguments make, and what they say of the call.
    pub(super) fn read(&self, arguments: &Map<String, Value>, call: &mut Call) -> Result<C, BadArguments> {
        let mut bad = Vec::new();
        let mut capability = (self.start)(arguments).map_err(|start| bad.push(start)).ok();
        for (name, value) in arguments {
            for set in self.sets_of(name) {
                let done = match set {
                    Set::OrNull(set) => set(capability.as_mut(), value),
                    // Some clients write out what they leave out.
                    _ if value.is_null() => Ok(()),
                    Set::Taken => Ok(()),
                    Set::On(set) => set(capability.as_mut(), value),
                    Set::Call(arrange) => arrange(call, value),
                };
                bad.extend(done.err());
            }
        }
        // What must hold between the arguments can be said only once each of them is right.
        if let (Some(capability), true) = (&capability, bad.is_empty()) {
            bad.extend(self.checks(arguments).filter_map(|check| check(capability).err()));
        }
        bad.extend(self.unknown(arguments));
        match (capability, BadArguments::all(bad)) {
            (Some(capability), None) => Ok(capability),
            // Without a capability, its start has said why.
            (_, bad) => Err(bad.unwrap_or(BadArguments::Together("The arguments do not fit"))),
        }
    }

    /// How many of these arguments it knows.
    pub(super) fn known_among(&self, arguments: &Map<String, Value>) -> usize {
        self.unaliased(arguments).keys().filter(|name| !self.sets_of(name).is_empty()).count()
    }

    /// The arguments by the names that the rows have.
    pub(super) fn unaliased<'a>(&self, arguments: &'a Map<String, Value>) -> Cow<'a, Map<String, Value>> {
        let mut renamed = Cow::Borrowed(arguments);
        for (alias, name) in &self.aliases {
            // Given by both names, the alias is one argument too many.
            if given(arguments, alias).is_some() && given(arguments, name).is_none() {
                let arguments = renamed.to_mut();
                if let Some(value) = arguments.remove(*alias) {
                    arguments.insert((*name).to_owned(), value);
                }
            }
        }
        renamed
    }

    /// What becomes of an argument: as its own rows say, else as a borrowed one does.
    pub(super) fn sets_of(&self, name: &str) -> Vec<&Set<C>> {
        let own: Vec<_> = self.rows.iter().filter(|row| row.spec.name == name).map(|row| &row.set).collect();
        if !own.is_empty() {
            return own;
        }
        self.borrowed.iter().filter(|known| known.name == name).map(|known| &known.set).collect()
    }

    /// What is checked for these arguments: what it says itself, and what those say from which it borrows them.
    fn checks<'a>(&'a self, arguments: &'a Map<String, Value>) -> impl Iterator<Item = &'a Check<C>> {
        let used = |known: &&Borrowed<C>| given(arguments, known.name).is_some();
        let lenders = self.borrowed.iter().filter(used).filter_map(|known| known.check.as_deref());
        self.check.as_deref().into_iter().chain(lenders)
    }

    fn unknown(&self, arguments: &Map<String, Value>) -> Option<BadArguments> {
        let own = || self.rows.iter().map(|row| row.spec.name);
        let borrowed = || self.borrowed.iter().filter(|known| known.suggested).map(|known| known.name);
        let takes = || own().chain(borrowed());
        let unknown = arguments.keys().filter(|name| self.sets_of(name).is_empty());
        let names: Vec<_> = unknown.map(|name| (name.clone(), nearest(name, takes(), ""))).collect();
        let known = self.rows.iter().filter(|row| !row.unlisted).map(|row| row.spec.name).collect();
        (!names.is_empty()).then_some(BadArguments::Unknown { names, known })
    }
}
