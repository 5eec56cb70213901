//! How near a change is to the element acted on: on it, in its row or item, or in its section.

use std::ops::Range;

use super::{
    diff::{Change, Diff},
    shape::RECORDS,
    tree::Key,
};

/// Parts of a page. Only the innermost one around an element counts.
const SECTIONS: &[&str] =
    &["alertdialog", "dialog", "figure", "form", "group", "radiogroup", "region", "tabpanel", "toolbar"];

/// The element acted on and what it is in, from the inside out, in both trees.
#[derive(Default)]
pub(crate) struct Nearness {
    old: Vec<Option<Range<usize>>>,
    new: Vec<Option<Range<usize>>>,
}

impl Nearness {
    /// From an element of one of the trees, or else from the focused one, which takes the keys.
    pub(crate) fn of(diff: &Diff<'_>, acted_on: Option<Key>) -> Self {
        let (old, new) = (diff.old, diff.new);
        let holds = |key: Option<Key>| key.is_some() && key == acted_on;
        let then = old.nodes.iter().position(|node| holds(node.key));
        let now = new.nodes.iter().position(|node| holds(node.key));
        let focused = || old.nodes.iter().position(|node| node.active);
        let then = if now.is_some() { then } else { then.or_else(focused) };
        let levels: Vec<(Option<usize>, Option<usize>)> = match (then, now) {
            (Some(then), _) => {
                let role = |at: usize| old.nodes[at].role();
                let around = scopes(then, diff.before.around(then), role);
                around.map(|at| (Some(at), diff.matching.new[at])).collect()
            }
            (None, Some(now)) => {
                let role = |at: usize| new.nodes[at].role();
                let around = scopes(now, diff.after.around(now), role);
                around.map(|at| (diff.matching.old[at], Some(at))).collect()
            }
            (None, None) => return Self::default(),
        };
        Self {
            old: levels.iter().map(|(then, _)| then.map(|at| at..old.end_of(at))).collect(),
            new: levels.iter().map(|(_, now)| now.map(|at| at..new.end_of(at))).collect(),
        }
    }

    /// The innermost level that a change is in; `None` if it is elsewhere.
    pub(crate) fn level(&self, change: Change) -> Option<usize> {
        let (levels, at) = match change {
            Change::Gone(at) => (&self.old, at),
            Change::Appeared(at) | Change::Changed(at) | Change::Renewed(at) | Change::Moved(at) => {
                (&self.new, at)
            }
        };
        levels.iter().position(|level| level.as_ref().is_some_and(|level| level.contains(&at)))
    }
}

/// An element, the records around it, and its section.
fn scopes<'a>(
    at: usize,
    around: impl Iterator<Item = usize>,
    role: impl Fn(usize) -> &'a str,
) -> impl Iterator<Item = usize> {
    let mut sections = 0;
    std::iter::once(at).chain(around.filter(move |at| {
        let is_section = SECTIONS.contains(&role(*at));
        sections += usize::from(is_section);
        RECORDS.contains(&role(*at)) || (is_section && sections == 1)
    }))
}
