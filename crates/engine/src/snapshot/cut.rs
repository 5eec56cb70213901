//! The line at a cut: what is missing, counted by role, and how to get it.

use std::fmt::Write;

use super::{After, Notation, Rest, label::counted, text::shortened, tree::Tree};
use crate::Ref;

/// A range of nodes that is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Their parent; `None` at the top.
    pub(crate) below: Option<usize>,
    /// The first one.
    pub(crate) from: usize,
    /// The end of the range.
    pub(crate) to: usize,
    pub(crate) depth: u32,
}

/// How many missing headings are named.
const HEADINGS: usize = 4;

impl Cut {
    /// The text of the line, with the call for the rest.
    pub(crate) fn words(
        &self,
        tree: &Tree,
        notation: Notation,
        reference: impl Fn(usize) -> Option<Ref>,
    ) -> String {
        let missing = self.missing(tree);
        let within = self.below.and_then(&reference);
        let after = self.after(tree, within, &reference);
        if within.is_none() && after.is_none() {
            return format!("… truncated: {missing}");
        }
        format!("… truncated: {missing}: {}", (notation.rest)(Rest { within, after }))
    }

    /// `183 more rows`, and the missing headings.
    fn missing(&self, tree: &Tree) -> String {
        let range = &tree.nodes[self.from..self.to];
        let tops: Vec<&str> =
            range.iter().filter(|node| node.depth <= self.depth).map(|node| node.role()).collect();
        let role = tops.first().copied().unwrap_or_default();
        let mut words = match tops.iter().filter(|other| **other == role).count() {
            count if count == tops.len() && !role.is_empty() => {
                let inside = range.len() - count;
                let all = counted(count, role).replacen(' ', " more ", 1);
                if count <= 3 && inside > 0 { format!("{all} with {inside} inside") } else { all }
            }
            _ => format!("{} more", range.len()),
        };
        let headings: Vec<&str> =
            range.iter().filter(|node| node.role() == "heading").map(|node| node.name()).collect();
        if !headings.is_empty() {
            let named: Vec<String> = headings
                .iter()
                .take(HEADINGS)
                .map(|heading| format!("\"{}\"", shortened(heading, 40)))
                .collect();
            let _ = write!(words, " under {}", named.join(", "));
            if headings.len() > HEADINGS {
                let _ = write!(words, " and {}", counted(headings.len() - HEADINGS, "heading"));
            }
        }
        words
    }

    /// Where the cut begins: after the last sibling before it. `None` if nothing of its parent is shown.
    fn after(
        &self,
        tree: &Tree,
        within: Option<Ref>,
        reference: impl Fn(usize) -> Option<Ref>,
    ) -> Option<After<Ref>> {
        let first = self.below.map_or(0, |below| below + 1);
        if first == self.from {
            return None;
        }
        let siblings = (first..self.from).filter(|at| tree.nodes[*at].depth == self.depth);
        // What was put first is elsewhere on the page.
        let in_order: Vec<usize> = siblings.filter(|at| !tree.nodes[*at].marks.first).collect();
        let last = in_order.last().and_then(|last| reference(*last));
        Some(last.map_or(After::Children(within, in_order.len()), After::Element))
    }
}

/// The call that shows a truncated text in full.
pub(crate) fn full_text(
    tree: &Tree,
    at: usize,
    notation: Notation,
    reference: impl Fn(usize) -> Option<Ref>,
) -> Option<String> {
    let node = &tree.nodes[at];
    if !node.marks.truncated {
        return None;
    }
    if node.key.is_some() {
        return Some((notation.rest)(Rest { within: reference(at), after: None }));
    }
    let below = (0..at).rev().find(|above| tree.nodes[*above].depth < node.depth);
    let within = below.and_then(reference);
    let before = below.map_or(0, |below| below + 1)..at;
    let before = before.filter(|at| tree.nodes[*at].depth == node.depth && !tree.nodes[*at].marks.first);
    Some((notation.rest)(Rest { within, after: Some(After::Children(within, before.count())) }))
}

/// What a tree says that has not the whole page.
pub(crate) fn beyond(tree: &Tree) -> String {
    format!(
        "… truncated: {} more; the page is too large to be read whole, but all of it can be searched",
        tree.more
    )
}
