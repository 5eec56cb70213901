use std::{fmt, str::FromStr};

use crate::{Ref, Target, refs::RefName, target::BadTarget};

/// How snapshots write refs, and how they name the snapshot that shows what was cut. Its tool and arguments are the
/// client's, so the caller has the words.
#[derive(Debug, Clone, Copy)]
pub struct Notation {
    /// Stands before each ref.
    pub ref_sign: &'static str,
    /// Names the snapshot of the rest.
    pub rest: fn(Rest) -> String,
}

/// What was cut from a snapshot: within an element, after an element, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// The element.
    pub within: Option<Ref>,
    /// The last sibling that is shown.
    pub after: Option<After<Ref>>,
}

/// Where the rest of an element begins: `e5`, `e4+340`, `+340`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After<T> {
    /// After an element in it.
    Element(T),
    /// After so many children of this element, or of the page: texts have no refs.
    Children(Option<T>, usize),
}

impl<T> After<T> {
    /// The element that it is written with.
    pub(crate) fn element(&self) -> Option<&T> {
        match self {
            Self::Element(element) => Some(element),
            Self::Children(element, _) => element.as_ref(),
        }
    }
}

impl fmt::Display for After<Ref> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(element) => element.fmt(f),
            Self::Children(Some(element), count) => write!(f, "{element}+{count}"),
            Self::Children(None, count) => write!(f, "+{count}"),
        }
    }
}

impl FromStr for After<Target> {
    type Err = BadTarget;

    fn from_str(text: &str) -> Result<Self, BadTarget> {
        let counted = text.trim().rsplit_once('+').and_then(|(element, count)| {
            let element = match element {
                "" | "@" => None,
                element => Some(Target::Ref(RefName::parse(element)?)),
            };
            Some(Self::Children(element, count.parse().ok()?))
        });
        counted.map_or_else(|| text.parse().map(Self::Element), Ok)
    }
}

impl Default for Notation {
    fn default() -> Self {
        Self { ref_sign: "", rest: in_words }
    }
}

fn in_words(Rest { within, after }: Rest) -> String {
    let within = within.map(|within| format!(" of {within}")).unwrap_or_default();
    let after = after.map(|after| format!(" after {after}")).unwrap_or_default();
    format!("snapshot{within}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_understood() {
        for text in ["e5", "e4+340", "f2e4+1", "+0"] {
            let after = match text.parse().unwrap() {
                After::Element(Target::Ref(of)) => After::Element(of),
                After::Children(Some(Target::Ref(of)), count) => After::Children(Some(of), count),
                After::Children(None, count) => After::Children(None, count),
                other => panic!("{other:?}"),
            };
            assert_eq!(after.to_string(), text);
        }
        for (signed, bare) in [("@e4+3", "e4+3"), ("@+3", "+3")] {
            assert_eq!(signed.parse::<After<Target>>(), bare.parse());
        }
        assert!(matches!("h1 + p".parse(), Ok(After::Element(Target::Query(_)))));
    }
}
