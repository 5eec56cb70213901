//! The shape of a tree: who holds whom, and what each node is by its place and by its content.

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
};

use super::tree::{Node, Tree};

/// Roles whose value changes while they stay what they are.
const FIELDS: &[&str] =
    &["textbox", "searchbox", "combobox", "slider", "spinbutton", "progressbar", "meter", "scrollbar"];

/// The shape of one tree. Everything is by a node's index in it.
pub(crate) struct Shape {
    /// What holds a node; nothing at the top.
    pub(crate) parent: Vec<Option<usize>>,
    /// The elements in a node, without texts; those at the top come last.
    children: Vec<Vec<usize>>,
    /// Role and name with those of everything around it: what a ref follows by.
    pub(crate) place: Vec<u64>,
    /// Role, name and text with everything inside, but no states and values.
    pub(crate) content: Vec<u64>,
    /// The texts directly in a node, hashed.
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
            // A record without a name is what its text says.
            let said = is_nameless_record(node).then(|| (shape.texts[at], node.own_text()));
            shape.place[at] = hashed((above, &node.before[..node.named], said));
        }
        // From the last to the first, so that all in a node is known before it.
        for at in (0..count).rev() {
            if let Some(parent) = shape.parent[at] {
                shape.content[parent] = hashed((shape.content[parent], shape.content[at]));
            }
        }
        shape
    }

    /// The elements in a node, or those at the top.
    pub(crate) fn children(&self, parent: Option<usize>) -> &[usize] {
        &self.children[parent.unwrap_or(self.parent.len())]
    }

    /// Everything around a node, the nearest first.
    pub(crate) fn around(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent[at], |at| self.parent[*at])
    }
}

/// Roles of which each stands for a thing of its own: another text is another thing, not the same one changed.
pub(super) const RECORDS: &[&str] = &["row", "listitem", "option", "article", "treeitem", "menuitem", "tab"];

/// Whether it is one of many that only their content tells apart.
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

/// The same within one run of the program, which is all that is compared.
fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
