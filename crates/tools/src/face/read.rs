//! Reading arguments by the rows of a face: all that is wrong with them is told at once.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Face, Set};
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
        if let (Some(check), Some(capability), true) = (&self.check, &capability, bad.is_empty()) {
            bad.extend(check(capability).err());
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
        self.borrowed.iter().filter(|(known, _)| *known == name).map(|(_, set)| set).take(1).collect()
    }

    fn unknown(&self, arguments: &Map<String, Value>) -> Option<BadArguments> {
        let own = || self.rows.iter().map(|row| row.spec.name);
        let takes = || own().chain(self.borrowed.iter().map(|(name, _)| *name));
        let unknown = arguments.keys().filter(|name| self.sets_of(name).is_empty());
        let names: Vec<_> = unknown.map(|name| (name.clone(), nearest(name, takes(), ""))).collect();
        let known = self.rows.iter().filter(|row| !row.unlisted).map(|row| row.spec.name).collect();
        (!names.is_empty()).then_some(BadArguments::Unknown { names, known })
    }
}
