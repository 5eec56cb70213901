//! The shape of a tree: parents and children, and each node's identity by path and by content.

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
};

use super::tree::{Node, Tree};

/// Roles whose value changes while they stay the same thing.
const FIELDS: &[&str] =
    &["textbox", "searchbox", "combobox", "slider", "spinbutton", "progressbar", "meter", "scrollbar"];

/// The shape of one tree, indexed by node.
pub(crate) struct Shape {
    /// A node's parent; `None` at the top.
    pub(crate) parent: Vec<Option<usize>>,
    /// A node's child elements, without texts; the top level comes last.
    children: Vec<Vec<usize>>,
    /// Role and name with those of all ancestors: refs follow by this.
    pub(crate) place: Vec<u64>,
    /// Role, name and text with all descendants, without states and values.
    pub(crate) content: Vec<u64>,
    /// The hash of a node's own texts.
    pub(crate) texts: Vec<u64>,
}

impl Shape {
    pub(crate) fn of(tree: &Tree) -> Self {
        let count = tree.nodes.len();
        let mut shape = Self {
            parent: vec![None; count],
            children: vec![Vec::new(); count + 1],
            place: vec![0; count],
            content: tree.nodes.iter().map(own_content).collect(),
            texts: vec![0; count],
        };
        let mut around: Vec<usize> = Vec::new();
        for (at, node) in tree.nodes.iter().enumerate() {
            while around.last().is_some_and(|last| tree.nodes[*last].depth >= node.depth) {
                around.pop();
            }
            let parent = around.last().copied();
            shape.parent[at] = parent;
            if node.key.is_some() {
                shape.children[parent.unwrap_or(count)].push(at);
                around.push(at);
            } else if let Some(parent) = parent {
                shape.texts[parent] = hashed((shape.texts[parent], &node.before));
            }
        }
        for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.key.is_some()) {
            let above = shape.parent[at].map(|parent| shape.place[parent]);
            // An unnamed record is identified by its text.
            let said = is_nameless_record(node).then(|| (shape.texts[at], node.own_text()));
            shape.place[at] = hashed((above, &node.before[..node.named], said));
        }
        // Backwards, so that children come before their parent.
        for at in (0..count).rev() {
            if let Some(parent) = shape.parent[at] {
                shape.content[parent] = hashed((shape.content[parent], shape.content[at]));
            }
        }
        shape
    }

    /// The child elements of a node, or of the top.
    pub(crate) fn children(&self, parent: Option<usize>) -> &[usize] {
        &self.children[parent.unwrap_or(self.parent.len())]
    }

    /// The ancestors of a node, the nearest first.
    pub(crate) fn around(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent[at], |at| self.parent[*at])
    }
}

/// Roles of which each is a thing of its own: with another text it is another one, not the same one changed.
pub(super) const RECORDS: &[&str] = &["row", "listitem", "option", "article", "treeitem", "menuitem", "tab"];

/// Whether it is one of many that differ only in content.
pub(super) fn is_nameless_record(node: &Node) -> bool {
    node.name().is_empty() && RECORDS.contains(&node.role())
}

fn own_content(node: &Node) -> u64 {
    if node.key.is_none() {
        return hashed(&node.before);
    }
    let after = if FIELDS.contains(&node.role()) { "" } else { &*node.after };
    hashed((&node.before[..node.named], after))
}

/// Stable within one run of the program, which is enough.
fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
