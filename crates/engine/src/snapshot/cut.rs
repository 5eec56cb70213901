//! What is said where a tree was cut: what is missing, counted in rows, items and the like, and how to see it.

use std::fmt::Write;

use super::{
    label::counted,
    text::shortened,
    tree::{Form, Tree},
};
use crate::Ref;

/// A range of nodes that is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// What they stand in; nothing for the top.
    pub(crate) below: Option<usize>,
    /// The first of them.
    pub(crate) from: usize,
    /// Where those after them begin.
    pub(crate) to: usize,
    /// How deep they stand.
    pub(crate) depth: u32,
}

/// How many headings of what is missing are named.
const HEADINGS: usize = 4;

impl Cut {
    /// In words, with the snapshot to ask for.
    pub(crate) fn words(&self, tree: &Tree, reference: impl Fn(usize) -> Option<Ref>) -> String {
        let mut words = format!("… {} not shown", self.missing(tree));
        let of = self.below.and_then(&reference);
        let after = self.shown_before(tree).and_then(&reference);
        if of.is_none() && after.is_none() {
            return words;
        }
        words.push_str(match tree.form {
            Form::Html => ": snapshot of",
            _ => ": snapshot",
        });
        let (sign, element) = (tree.form.sign(), tree.form.argument());
        // Writing to a string cannot fail.
        if let Some(of) = of {
            let _ = write!(words, " {element}{sign}{of}");
        }
        if let Some(after) = after {
            let _ = write!(words, " after{}{sign}{after}", if tree.form == Form::Html { " " } else { "=" });
        }
        words
    }

    /// `183 more rows`, and the headings among what is missing.
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

    /// The last element before the cut that stands beside what is missing.
    fn shown_before(&self, tree: &Tree) -> Option<usize> {
        let first = self.below.map_or(0, |below| below + 1);
        (first..self.from)
            .rev()
            .find(|at| tree.nodes[*at].depth == self.depth && tree.nodes[*at].key.is_some())
    }
}
