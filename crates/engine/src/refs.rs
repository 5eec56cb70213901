//! Refs: short names of elements. A number is given to one element of one document, and never reused in a
//! session.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use crate::tabs::TabId;

/// A document of a frame, numbered by the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Document(pub(crate) u32);

/// A ref as a client writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RefName {
    frame: u32,
    number: u32,
}

/// A ref as the session writes it: `e12`, or `f2e12` in frame 2.
pub type Ref = RefName;

impl RefName {
    /// `e12`, `@e12`, `f2e12`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('@').unwrap_or(text);
        let (frame, rest) = match text.strip_prefix('f') {
            Some(rest) => {
                let (frame, rest) = rest.split_once('e')?;
                (digits(frame)?, rest)
            }
            None => (0, text.strip_prefix('e')?),
        };
        Some(Self { frame, number: digits(rest)? })
    }
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for RefName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.frame {
            0 => write!(f, "e{}", self.number),
            frame => write!(f, "f{frame}e{}", self.number),
        }
    }
}

/// What a ref resolves to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resolved {
    /// An element, by the number of the injected script.
    Element { tab: TabId, document: Document, local: u32 },
    /// No longer exists: its document was replaced or its tab closed.
    Past,
    /// Never given out.
    Never,
}

/// All refs of a session.
#[derive(Default)]
pub(crate) struct Refs {
    last_number: u32,
    documents: u32,
    by_number: HashMap<u32, (TabId, Document, u32)>,
    by_element: HashMap<(Document, u32), u32>,
    /// Moved to another element, but not reported yet.
    followed: HashSet<u32>,
}

impl Refs {
    /// Numbers a new document.
    pub(crate) fn document(&mut self) -> Document {
        self.documents += 1;
        Document(self.documents)
    }

    /// The ref of an element, created on first use.
    pub(crate) fn give(&mut self, tab: TabId, frame: u32, document: Document, local: u32) -> Ref {
        let number = *self.by_element.entry((document, local)).or_insert_with(|| {
            self.last_number += 1;
            self.last_number
        });
        self.by_number.entry(number).or_insert((tab, document, local));
        RefName { frame, number }
    }

    pub(crate) fn resolve(&self, name: RefName) -> Resolved {
        match self.by_number.get(&name.number) {
            Some(&(tab, document, local)) => Resolved::Element { tab, document, local },
            None if name.number == 0 || name.number > self.last_number => Resolved::Never,
            None => Resolved::Past,
        }
    }

    /// Moves the ref of a re-rendered element to its replacement. The replacement keeps its own ref, too.
    pub(crate) fn follow(&mut self, old: (Document, u32), new: (Document, u32)) {
        let Some(number) = self.by_element.remove(&old) else { return };
        if let Some((_, document, local)) = self.by_number.get_mut(&number) {
            (*document, *local) = new;
        }
        self.by_element.entry(new).or_insert(number);
        self.followed.insert(number);
    }

    /// Whether a ref has moved and that was not reported yet.
    pub(crate) fn take_followed(&mut self, name: RefName) -> bool {
        self.followed.remove(&name.number)
    }

    /// Forgets the refs of a document that is gone.
    pub(crate) fn forget(&mut self, gone: Document) {
        self.by_number.retain(|_, (_, document, _)| *document != gone);
        self.by_element.retain(|(document, _), _| *document != gone);
        let Self { by_number, followed, .. } = self;
        followed.retain(|number| by_number.contains_key(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_given_once() {
        let mut refs = Refs::default();
        let (tab, first) = (TabId(1), refs.document());
        let one = refs.give(tab, 0, first, 7);
        assert_eq!(one.to_string(), "e1");
        assert_eq!(refs.give(tab, 0, first, 7), one, "the same element keeps its ref");
        let second = refs.document();
        refs.forget(first);
        let two = refs.give(tab, 3, second, 7);
        assert_eq!(two.to_string(), "f3e2", "another document's element gets another number");
        assert_eq!(refs.resolve(one), Resolved::Past);
        assert_eq!(refs.resolve(two), Resolved::Element { tab, document: second, local: 7 });
        assert_eq!(refs.resolve(RefName { frame: 0, number: 3 }), Resolved::Never);
    }

    #[test]
    fn a_ref_follows_once_told() {
        let mut refs = Refs::default();
        let (tab, document) = (TabId(1), refs.document());
        let one = refs.give(tab, 0, document, 1);
        refs.follow((document, 1), (document, 5));
        assert_eq!(refs.resolve(one), Resolved::Element { tab, document, local: 5 });
        assert_eq!(refs.give(tab, 0, document, 5), one);
        assert_ne!(refs.give(tab, 0, document, 1), one, "what it was before is another element now");
        assert!(refs.take_followed(one) && !refs.take_followed(one));
        refs.follow((document, 9), (document, 1));
    }

    #[test]
    fn what_is_a_ref_and_what_is_css() {
        assert_eq!(RefName::parse("@f2e12"), Some(RefName { frame: 2, number: 12 }));
        for text in ["e", "e1x", "f2", "fe1", "em", "e-1", "e1 b"] {
            assert_eq!(RefName::parse(text), None, "{text}");
        }
    }
}
