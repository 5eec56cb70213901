//! Snapshots: a page as text with refs.
//!
//! A [`Tree`] is one snapshot: a flat list of [`Node`]s in document order, frames included, each with its
//! line. [`fit`](budget::fit) truncates a tree to a budget by whole subtrees, and marks where. A
//! [`Matching`](matching::Matching) matches the nodes of two snapshots, [`diff`] finds the changes between
//! them, and [`report`] writes them.

mod behind;
pub(crate) mod budget;
pub(crate) mod changed;
pub(crate) mod cut;
pub(crate) mod diff;
pub(crate) mod digest;
pub(crate) mod find;
pub(crate) mod html;
pub(crate) mod label;
pub(crate) mod line;
pub(crate) mod listing;
pub(crate) mod matching;
pub(crate) mod nearness;
mod notation;
mod options;
mod order;
pub(crate) mod outline;
pub(crate) mod passing;
#[cfg(test)]
mod properties;
mod repeats;
pub(crate) mod report;
pub(crate) mod shape;
pub(crate) mod text;
pub(crate) mod tree;

pub use notation::{After, Notation, Rest};
pub use text::{plain, quoted, quoted_value};
pub use tree::{Node, Tree};

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::refs::Document;

    /// A tree written as indented lines `number role "name" [states]`; number 0 is text. Buttons show their refs.
    pub(crate) fn tree(text: &str) -> Tree {
        let mut nodes: Vec<Node> = text
            .lines()
            .map(|line| {
                let (number, words) = line.trim().split_once(' ').unwrap();
                let number: u32 = number.parse().unwrap();
                let named = words.find(" [").unwrap_or(words.len());
                Node {
                    depth: u32::try_from(line.len() - line.trim_start().len()).unwrap(),
                    key: (number != 0).then_some((Document(1), number)),
                    frame: 0,
                    shows_ref: words.starts_with("button"),
                    active: false,
                    before: if number == 0 { format!("text: {words}") } else { words.to_owned() }.into(),
                    named: if number == 0 { 0 } else { named },
                    after: "".into(),
                    bounds: None,
                    marks: tree::Marks::default(),
                }
            })
            .collect();
        tree::draw_in_texts(&mut nodes);
        Tree { nodes, ..Tree::default() }
    }
}
