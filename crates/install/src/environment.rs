//! An [`Environment`] provides variables: those of the process, or given ones, so that tests never touch global state.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// A source of environment variables.
#[derive(Debug, Clone, Default)]
pub enum Environment {
    /// The variables of this process.
    #[default]
    Process,
    /// Only these variables.
    Given(BTreeMap<String, OsString>),
}

impl Environment {
    /// An environment of only these variables.
    pub fn given<Name, Value>(variables: impl IntoIterator<Item = (Name, Value)>) -> Self
    where
        Name: Into<String>,
        Value: Into<OsString>,
    {
        let own = |(name, value): (Name, Value)| (name.into(), value.into());
        Environment::Given(variables.into_iter().map(own).collect())
    }

    /// A variable's value; empty counts as unset.
    pub fn get(&self, name: &str) -> Option<OsString> {
        let value = match self {
            Environment::Process => std::env::var_os(name),
            Environment::Given(variables) => variables.get(name).cloned(),
        };
        value.filter(|value| !value.is_empty())
    }

    /// A variable's value as a path.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from)
    }

    /// The user's home directory.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        match self {
            // Uses the user database too, for services started without HOME.
            Environment::Process => std::env::home_dir(),
            Environment::Given(_) => self.path("HOME"),
        }
    }
}
