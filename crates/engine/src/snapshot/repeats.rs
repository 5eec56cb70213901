//! Leaves out what a reader has just read: the content that the name of its container consists of.

use super::{
    label::{is_named_by_content, label},
    tree::{Form, Node, Tree},
};

/// A subtree without lines that repeat the names above them, of which this many characters count.
pub(crate) fn without_repeats(tree: &Tree, at: usize, most: usize) -> Tree {
    let (end, base) = (tree.end_of(at), tree.nodes[at].depth);
    let mut nodes = Vec::new();
    let mut names: Vec<(u32, &str)> = Vec::new();
    let mut next = at;
    while next < end {
        let node = &tree.nodes[next];
        while names.last().is_some_and(|(depth, _)| *depth >= node.depth) {
            names.pop();
        }
        let (said, below) = (label(tree, next, most), tree.end_of(next));
        let said = if node.key.is_none() { node.before.trim_start_matches("text: ") } else { &*said };
        let repeats = names.iter().any(|(_, name)| name.contains(said))
            && !tree.nodes[next..below].iter().any(|node| node.shows_ref);
        if repeats {
            next = below;
            continue;
        }
        // Other names have words of the content by chance: a table of 2026 has a column 2026.
        if is_named_by_content(tree, next) {
            names.push((node.depth, node.name()));
        }
        nodes.push(Node { depth: node.depth - base, ..node.clone() });
        next += 1;
    }
    Tree { nodes, form: Form::Lines, ..Tree::default() }
}
