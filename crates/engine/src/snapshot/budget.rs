//! Truncates a tree to a number of characters, by whole subtrees.
//!
//! If everything fits, everything is shown. Otherwise every child gets an equal share; what small children
//! leave goes to the large ones, which are truncated inside. If the shares are too small to be useful (a list
//! of thousands), the first children are shown whole and the rest is counted.

use std::collections::HashMap;

use super::{cut::Cut, options::folded_options, tree::Tree};

/// A piece of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// A node's line.
    Line(usize),
    /// Omitted nodes.
    Cut(Cut),
}

/// A smaller share is not worth truncating inside.
const MIN_SHARE: usize = 300;

/// No line is wider, except a text in full.
const LONGEST_LINE: usize = 6_000;

/// The width of a line that reports omitted nodes.
const CUT_LINE_WIDTH: usize = 100;

/// The tree within a budget.
pub(crate) fn fit(tree: &Tree, budget: usize) -> Vec<Shown> {
    fit_range(tree, 0, tree.nodes.len(), budget, None, u32::MAX)
}

/// The tree within a budget and a depth.
pub(crate) fn fit_levels(tree: &Tree, budget: usize, deepest: u32) -> Vec<Shown> {
    fit_range(tree, 0, tree.nodes.len(), budget, None, deepest)
}

/// A subtree with its own line, within a budget and a number of levels.
pub(crate) fn fit_subtree(tree: &Tree, at: usize, budget: usize, levels: u32) -> Vec<Shown> {
    let end = tree.end_of(at);
    let deepest = tree.nodes[at].depth.saturating_add(levels);
    let mut shown = vec![Shown::Line(at)];
    shown.extend(fit_range(
        tree,
        at + 1,
        end,
        budget.saturating_sub(tree.width(&tree.nodes[at])),
        Some(at),
        deepest,
    ));
    shown
}

/// The rest of a node's children, or of the top level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RestNodes {
    /// The parent.
    pub(crate) parent: Option<usize>,
    /// The first child of the rest.
    pub(crate) from: usize,
}

/// The end of the child of a parent that a node is or is nested in: a reader has seen what precedes it.
pub(crate) fn end_of_child(tree: &Tree, parent: Option<usize>, at: usize) -> usize {
    let (first, depth) = children_of(tree, parent);
    let child = (first..=at).rev().find(|at| tree.nodes[*at].depth <= depth).unwrap_or(at);
    tree.end_of(child)
}

/// What follows so many children of a parent.
pub(crate) fn after_children(tree: &Tree, parent: Option<usize>, count: usize) -> usize {
    let (first, depth) = children_of(tree, parent);
    let end = parent.map_or(tree.nodes.len(), |parent| tree.end_of(parent));
    (first..end).filter(|at| tree.nodes[*at].depth == depth).nth(count).unwrap_or(end)
}

/// The first child of a parent, and the depth of its children.
fn children_of(tree: &Tree, parent: Option<usize>) -> (usize, u32) {
    parent.map_or((0, 0), |parent| (parent + 1, tree.nodes[parent].depth + 1))
}

/// The rest of a subtree: its own line, then the children from this one.
pub(crate) fn fit_rest(tree: &Tree, rest: RestNodes, budget: usize, levels: u32) -> Vec<Shown> {
    let RestNodes { parent, from } = rest;
    let to = parent.map_or(tree.nodes.len(), |parent| tree.end_of(parent));
    let deepest = parent.map_or(levels, |parent| tree.nodes[parent].depth.saturating_add(levels));
    let mut shown: Vec<Shown> = parent.map(Shown::Line).into_iter().collect();
    shown.extend(fit_range(tree, from, to, budget, parent, deepest));
    shown
}

fn fit_range(
    tree: &Tree,
    from: usize,
    to: usize,
    budget: usize,
    below: Option<usize>,
    deepest: u32,
) -> Vec<Shown> {
    let folded = folded_options(tree, below);
    let mut widths: Vec<usize> = tree.nodes.iter().map(|node| tree.width(node)).collect();
    for fold in &folded {
        widths[fold.from..fold.to].fill(0);
        widths[fold.from] = CUT_LINE_WIDTH;
    }
    let mut sums = Vec::with_capacity(widths.len() + 1);
    sums.push(0usize);
    for width in &widths {
        sums.push(sums.last().copied().unwrap_or_default() + width);
    }
    let folded = folded.into_iter().map(|fold| (fold.from, fold)).collect();
    let mut fitter = Fitter { tree, sums, folded, deepest, shown: Vec::new() };
    fitter.children(from, to, budget, below);
    fitter.shown
}

struct Fitter<'a> {
    tree: &'a Tree,
    /// The total width before each node.
    sums: Vec<usize>,
    /// What is not shown in any case, by its first node.
    folded: HashMap<usize, Cut>,
    deepest: u32,
    shown: Vec<Shown>,
}

impl Fitter<'_> {
    fn width(&self, from: usize, to: usize) -> usize {
        self.sums[to] - self.sums[from]
    }

    fn children(&mut self, from: usize, to: usize, budget: usize, below: Option<usize>) {
        if from >= to {
            return;
        }
        let depth = self.tree.nodes[from].depth;
        if depth > self.deepest {
            self.shown.push(Shown::Cut(Cut { below, from, to, depth }));
            return;
        }
        if self.width(from, to) <= budget && self.deepest == u32::MAX {
            self.whole(from, to);
            return;
        }
        let mut children = Vec::new();
        let mut at = from;
        while at < to {
            let end = self.folded.get(&at).map_or_else(|| self.tree.end_of(at), |fold| fold.to).min(to);
            children.push((at, end));
            at = end;
        }
        let share = self.share(&children, budget);
        // A text in full is what was asked for.
        let full_first = self.width(from, from + 1) > LONGEST_LINE;
        if share >= MIN_SHARE && !full_first {
            for (at, end) in children {
                match self.width(at, at + 1) > share.max(LONGEST_LINE) {
                    true => self.shown.push(Shown::Cut(Cut { below, from: at, to: end, depth })),
                    false => self.subtree(at, end, share),
                }
            }
            return;
        }
        let mut left = budget.saturating_sub(CUT_LINE_WIDTH);
        for (nth, &(at, end)) in children.iter().enumerate() {
            let width = self.width(at, end);
            // Always show the first child, truncated if needed: a cut must not hide everything.
            if width > left && nth > 0 {
                self.shown.push(Shown::Cut(Cut { below, from: at, to, depth }));
                return;
            }
            self.subtree(at, end, left);
            left = left.saturating_sub(width);
        }
    }

    fn whole(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let fold = self.folded.get(&at);
            self.shown.push(fold.map_or(Shown::Line(at), |fold| Shown::Cut(*fold)));
            at = fold.map_or(at + 1, |fold| fold.to);
        }
    }

    fn subtree(&mut self, at: usize, end: usize, budget: usize) {
        if let Some(fold) = self.folded.get(&at) {
            self.shown.push(Shown::Cut(*fold));
            return;
        }
        self.shown.push(Shown::Line(at));
        let rest = budget.saturating_sub(self.width(at, at + 1));
        self.children(at + 1, end, rest, Some(at));
    }

    /// The largest equal share: small children take less and leave the rest to the others.
    fn share(&self, children: &[(usize, usize)], budget: usize) -> usize {
        let mut widths: Vec<usize> = children.iter().map(|&(at, end)| self.width(at, end)).collect();
        widths.sort_unstable();
        let mut left = budget;
        for (nth, width) in widths.iter().enumerate() {
            let share = left / (widths.len() - nth);
            if *width > share {
                return share;
            }
            left -= width;
        }
        usize::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        refs::Document,
        snapshot::tree::{Marks, Node},
    };

    /// A tree from indented words.
    fn tree(text: &str) -> Tree {
        let nodes = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .enumerate()
            .map(|(at, line)| {
                let depth = u32::try_from(line.len() - line.trim_start().len()).unwrap();
                let key = Some((Document(1), u32::try_from(at).unwrap() + 1));
                let before = line.trim().into();
                Node {
                    depth,
                    key,
                    frame: 0,
                    shows_ref: false,
                    active: false,
                    named: 0,
                    before,
                    after: "".into(),
                    bounds: None,
                    marks: Marks::default(),
                }
            })
            .collect();
        Tree { nodes, ..Tree::default() }
    }

    fn lines(shown: &[Shown]) -> usize {
        shown.iter().filter(|shown| matches!(shown, Shown::Line(_))).count()
    }

    #[test]
    fn what_fits_is_whole() {
        let page = tree("a\n b\n  c\nd");
        assert_eq!(fit(&page, 1_000), (0..4).map(Shown::Line).collect::<Vec<_>>());
    }

    #[test]
    fn a_long_list_shows_its_first_items_and_counts_the_rest() {
        let page = tree(&format!("nav\nlist\n{}footer", " item of the list\n".repeat(1_000)));
        let shown = fit(&page, 2_000);
        assert!(
            shown.contains(&Shown::Line(0)) && shown.contains(&Shown::Line(1_002)),
            "its neighbours stay"
        );
        let cuts: Vec<_> = shown.iter().filter(|shown| matches!(shown, Shown::Cut(_))).collect();
        let [Shown::Cut(Cut { below: Some(1), from, to, .. })] = cuts[..] else { panic!("{cuts:?}") };
        assert_eq!(to - from + lines(&shown), page.nodes.len(), "nothing is dropped in silence");
        let mut last = *from;
        let mut all = lines(&shown);
        while last < 1_002 {
            let rest = RestNodes { parent: Some(1), from: end_of_child(&page, Some(1), last - 1) };
            let rest = fit_rest(&page, rest, 2_000, u32::MAX);
            all += lines(&rest) - 1;
            last = match rest.last() {
                Some(Shown::Cut(cut)) => cut.from,
                _ => 1_002,
            };
        }
        assert_eq!(all, page.nodes.len(), "all of it can be reached");
    }

    #[test]
    fn a_subtree_can_be_asked_for_and_bounded_in_depth() {
        let page = tree("a\n b\n  c\n   d\nz");
        let shown = fit_subtree(&page, 1, 1_000, 1);
        let cut = Shown::Cut(Cut { below: Some(2), from: 3, to: 4, depth: 3 });
        assert_eq!(shown, vec![Shown::Line(1), Shown::Line(2), cut]);
    }
}
