//! Which elements of two snapshots differ, as far as a reader would see it.

use std::collections::{HashMap, HashSet};

use super::{
    shape::Shape,
    tree::{Key, Tree},
};

/// A node and its descendants.
pub(crate) fn subtree(tree: &Tree, key: Key) -> Vec<Option<Key>> {
    let Some(at) = tree.nodes.iter().position(|node| node.key == Some(key)) else { return Vec::new() };
    tree.nodes[at..tree.end_of(at)].iter().filter(|node| node.key.is_some()).map(|node| node.key).collect()
}

/// The elements around a node.
pub(crate) fn ancestors(tree: &Tree, key: Key) -> Vec<Option<Key>> {
    let Some(at) = tree.nodes.iter().position(|node| node.key == Some(key)) else { return Vec::new() };
    Shape::of(tree).around(at).map(|around| tree.nodes[around].key).collect()
}

/// Whether only the name of an element changed: it is named after the fields in it, too.
pub(crate) fn only_renamed(old: &Tree, new: &Tree, place: Option<Key>) -> bool {
    let find = |tree: &Tree| tree.nodes.iter().position(|node| node.key == place).filter(|_| place.is_some());
    let (Some(then), Some(now)) = (find(old), find(new)) else { return false };
    let (was, is) = (&old.nodes[then], &new.nodes[now]);
    let below = |tree: &Tree, at: usize| -> Vec<Option<Key>> {
        tree.nodes[at..tree.end_of(at)].iter().map(|node| node.key).collect()
    };
    was.role() == is.role()
        && was.before[was.named..] == is.before[is.named..]
        && was.after == is.after
        && below(old, then) == below(new, now)
}

/// An element's own line and its children.
type NodeContent<'a> = (&'a str, &'a str, Vec<Part<'a>>);

/// A text, or an element by its key.
type Part<'a> = std::result::Result<Key, &'a str>;

/// Elements of both snapshots that differ. An added or removed child changes its parent.
pub(crate) fn changed_nodes(old: &Tree, new: &Tree) -> HashSet<Option<Key>> {
    let (before, after) = (node_contents(old), node_contents(new));
    after
        .iter()
        .filter(|(key, content)| before.get(*key).is_some_and(|then| then != *content))
        .map(|(key, _)| *key)
        .collect()
}

/// An empty element without a name, such as the backdrop of a dialog: no effect that a reader would see.
fn says_nothing(tree: &Tree, at: usize) -> bool {
    let node = &tree.nodes[at];
    let empty = tree.nodes.get(at + 1).is_none_or(|next| next.depth <= node.depth);
    node.key.is_some()
        && empty
        && node.role() == "generic"
        && node.name().is_empty()
        && node.own_text().is_empty()
}

fn node_contents(tree: &Tree) -> HashMap<Option<Key>, NodeContent<'_>> {
    let mut node_contents: HashMap<Option<Key>, NodeContent<'_>> = HashMap::with_capacity(tree.nodes.len());
    node_contents.insert(None, ("", "", Vec::new()));
    let mut path: Vec<(u32, Key)> = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        if says_nothing(tree, at) {
            continue;
        }
        path.truncate(path.iter().position(|(depth, _)| *depth >= node.depth).unwrap_or(path.len()));
        let holder = path.last().map(|(_, key)| *key);
        let entry = node.key.ok_or(&*node.before);
        node_contents.entry(holder).or_insert_with(|| ("", "", Vec::new())).2.push(entry);
        if let Some(key) = node.key {
            node_contents.insert(Some(key), (&node.before, &node.after, Vec::new()));
            path.push((node.depth, key));
        }
    }
    node_contents
}
