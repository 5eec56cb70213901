//! The lines of a tree that match a text or a role, with their ancestors.

use std::ops::Range;

use super::{budget::Shown, tree::Tree};

/// Containers that are shown whole if a line in them matches.
const WHOLE: &[&str] = &["row", "listitem", "article", "treeitem"];

/// A larger container is not shown whole.
const SMALL: usize = 12;

/// The matching lines in a range with their ancestors, within a budget; and the number of further matches.
pub(crate) fn found(tree: &Tree, range: Range<usize>, wanted: &str, budget: usize) -> (Vec<Shown>, usize) {
    let wanted = wanted.trim().to_lowercase();
    let mut shown = vec![false; tree.nodes.len()];
    let (mut room, mut left) = (budget, 0);
    let mut around: Vec<usize> = Vec::new();
    for at in 0..range.end {
        let node = &tree.nodes[at];
        while around.last().is_some_and(|last| tree.nodes[*last].depth >= node.depth) {
            around.pop();
        }
        around.push(at);
        if !range.contains(&at) || !matches(tree, at, &wanted) {
            continue;
        }
        let mut lines: Vec<usize> = around.clone();
        let whole = around.iter().rev().find(|at| WHOLE.contains(&tree.nodes[**at].role()));
        if let Some(&whole) = whole.filter(|whole| tree.end_of(**whole) - **whole <= SMALL) {
            lines.extend(whole..tree.end_of(whole));
        }
        lines.retain(|line| !shown[*line]);
        lines.sort_unstable();
        lines.dedup();
        let width: usize = lines.iter().map(|line| tree.width(&tree.nodes[*line])).sum();
        if width > room {
            room = 0;
            left += 1;
            continue;
        }
        room -= width;
        lines.into_iter().for_each(|line| shown[line] = true);
    }
    ((0..tree.nodes.len()).filter(|at| shown[*at]).map(Shown::Line).collect(), left)
}

fn matches(tree: &Tree, at: usize, wanted: &str) -> bool {
    let node = &tree.nodes[at];
    node.role() == wanted
        || [&*node.before, &*node.after].iter().any(|part| part.to_lowercase().contains(wanted))
}
