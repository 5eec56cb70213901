//! Dialects: the published interfaces. They hold names and words, no behaviour.

mod browser;

pub(crate) use browser::{BROWSER, bounded};

use crate::{Output, face::Unstarted};

/// One published interface.
pub struct Dialect {
    /// What `--dialect` calls it.
    pub name: &'static str,
    /// What a reply says: the sentence of the face, and what the dialect tells beside it.
    pub(crate) voice: fn(&str, &dyn Spoken) -> String,
}

/// What of an output a voice may speak of.
pub(crate) trait Spoken {
    /// What came of an action.
    fn outcome(&self) -> Option<&cicerone_engine::Outcome>;
    /// What happened meanwhile.
    fn news(&self) -> &[cicerone_engine::NewsItem];
}

impl<O: Output> Spoken for O {
    fn outcome(&self) -> Option<&cicerone_engine::Outcome> {
        Output::outcome(self)
    }

    fn news(&self) -> &[cicerone_engine::NewsItem] {
        Output::news(self)
    }
}

impl Dialect {
    /// All of them, the default first.
    pub const ALL: [&'static Self; 1] = [&BROWSER];

    /// A row of this dialect.
    pub(crate) fn tool(&'static self, name: &'static str, about: &'static str) -> Unstarted {
        Unstarted { dialect: self, name, about }
    }

    pub(crate) fn voice(&self, sentence: &str, output: &dyn Spoken) -> String {
        (self.voice)(sentence, output)
    }
}
