//! Live regions that came and went between two snapshots of one action, of which only the last is told.

use std::collections::HashSet;

use super::{label::label, tree::Tree};

const LIVE_ROLES: [&str; 3] = ["alert", "log", "status"];

/// Characters of a text.
const LONGEST: usize = 200;

/// Role and text of the live regions of a snapshot that are neither in the one after it nor in the last one that was told.
pub(crate) fn passed_regions(tree: &Tree, next: &Tree, told: Option<&Tree>) -> Vec<(String, String)> {
    let later_and_told = std::iter::once(next).chain(told);
    let known: HashSet<_> =
        later_and_told.flat_map(|tree| tree.nodes.iter().filter_map(|node| node.key)).collect();
    let passed = tree.nodes.iter().enumerate().filter(|(_, node)| {
        LIVE_ROLES.contains(&node.role()) && node.key.is_some_and(|key| !known.contains(&key))
    });
    passed
        .map(|(at, node)| (node.role().to_owned(), label(tree, at, LONGEST)))
        .filter(|(_, text)| !text.is_empty())
        .collect()
}
