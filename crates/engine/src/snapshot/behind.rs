//! Elements that a popup hides while it is open. Menus and dialogs take the page behind them out of the
//! accessibility tree and put it back when they close. Those elements are neither removed nor new: they are
//! remembered as last shown.

use std::{borrow::Cow, collections::HashSet};

use super::{
    shape::Shape,
    tree::{Node, Tree},
};

impl Tree {
    /// This tree without the elements that are behind a popup in another one, for comparison.
    pub(crate) fn without_behind(&self, now: &Tree) -> Cow<'_, Tree> {
        let hidden = self.hidden_in(now);
        if hidden.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut kept = self.clone();
        for &at in hidden.iter().rev() {
            kept.nodes.drain(at..self.end_of(at));
        }
        Cow::Owned(kept)
    }

    /// The number of elements with a ref that went behind a popup since.
    pub(crate) fn went_behind(&self, now: &Tree) -> usize {
        let went = |node: &&Node| {
            node.key.is_some_and(|key| now.behind.contains(&key) && !self.behind.contains(&key))
        };
        self.nodes.iter().filter(|node| node.shows_ref).filter(went).count()
    }

    /// This tree with the elements of an older one that are behind a popup now.
    pub(crate) fn with_behind(mut self, old: &Tree) -> Tree {
        let hidden = old.hidden_in(&self);
        if hidden.is_empty() {
            return self;
        }
        let shape = Shape::of(old);
        for at in hidden.into_iter().rev() {
            let (place, depth) = self.place_for(old, &shape, at);
            let shift = |node: &Node| node.depth - old.nodes[at].depth + depth;
            let nodes: Vec<Node> = old.nodes[at..old.end_of(at)]
                .iter()
                .map(|node| Node { depth: shift(node), active: false, ..node.clone() })
                .collect();
            self.nodes.splice(place..place, nodes);
        }
        self
    }

    /// The roots of the subtrees that are behind a popup in another tree, and the top-level texts next to
    /// them.
    fn hidden_in(&self, now: &Tree) -> Vec<usize> {
        if now.behind.is_empty() {
            return Vec::new();
        }
        let texts: HashSet<&str> =
            now.nodes.iter().filter(|node| node.key.is_none()).map(|node| &*node.before).collect();
        let shown: HashSet<_> = now.nodes.iter().filter_map(|node| node.key).collect();
        let mut hidden = Vec::new();
        let mut at = 0;
        while at < self.nodes.len() {
            let node = &self.nodes[at];
            let behind = match node.key {
                Some(key) => now.behind.contains(&key) && !shown.contains(&key),
                None => node.depth == 0 && !texts.contains(&*node.before),
            };
            if behind {
                hidden.push(at);
                at = self.end_of(at);
            } else {
                at += 1;
            }
        }
        let any = hidden.iter().any(|at| self.nodes[*at].key.is_some());
        if any { hidden } else { Vec::new() }
    }

    /// The position and depth of an older tree's node in this one: before its next sibling, in its
    /// parent.
    fn place_for(&self, old: &Tree, shape: &Shape, at: usize) -> (usize, u32) {
        let find = |key| self.nodes.iter().position(|node| node.key == Some(key));
        let parent = shape.parent[at].and_then(|parent| find(old.nodes[parent].key?));
        let (start, end, depth) = match parent {
            Some(parent) => (parent + 1, self.end_of(parent), self.nodes[parent].depth + 1),
            None => (0, self.nodes.len(), 0),
        };
        let mut next = old.end_of(at);
        while let Some(node) = old.nodes.get(next).filter(|node| node.depth == old.nodes[at].depth) {
            let same = |other: &Node| match node.key {
                Some(_) => other.key == node.key,
                None => other.key.is_none() && other.before == node.before,
            };
            let found = (start..end).find(|at| self.nodes[*at].depth == depth && same(&self.nodes[*at]));
            if let Some(found) = found {
                return (found, depth);
            }
            next = old.end_of(next);
        }
        // None of its next siblings is left: popups come last, so it goes before new nodes.
        let known: HashSet<_> = old.nodes.iter().filter_map(|node| node.key).collect();
        let mut place = start;
        while place < end && self.nodes[place].key.is_some_and(|key| known.contains(&key)) {
            place = self.end_of(place);
        }
        (place, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{refs::Document, snapshot::tests::tree};

    fn behind(text: &str, numbers: &[u32]) -> Tree {
        Tree { behind: numbers.iter().map(|number| (Document(1), *number)).collect(), ..tree(text) }
    }

    const PAGE: &str = "1 heading\n0 words\n2 main\n 3 button \"Menu\"";

    #[test]
    fn what_is_behind_a_popup_is_not_gone() {
        let now = behind("4 menu\n 5 button \"Print\"", &[1, 2, 3]);
        assert!(tree(PAGE).without_behind(&now).nodes.is_empty());
        assert_eq!(tree(PAGE).went_behind(&now), 1);
    }

    #[test]
    fn what_is_behind_a_popup_is_remembered_in_its_place() {
        let now = behind("4 menu\n 5 button \"Print\"", &[1, 2, 3]);
        let kept = now.with_behind(&tree(PAGE));
        assert_eq!(kept.nodes, tree(&format!("{PAGE}\n4 menu\n 5 button \"Print\"")).nodes);
        assert_eq!(kept.went_behind(&kept), 0);
        let still = behind("2 main\n 6 dialog", &[3]).with_behind(&tree(PAGE));
        assert_eq!(still.nodes.len(), 4, "the text at the top, the main part, its button, the dialog");
    }

    #[test]
    fn without_a_popup_nothing_is_kept() {
        let now = tree("1 heading");
        assert_eq!(tree(PAGE).without_behind(&now).nodes.len(), 4);
        assert_eq!(now.clone().with_behind(&tree(PAGE)).nodes, now.nodes);
    }
}
