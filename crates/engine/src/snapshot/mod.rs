//! What a page shows, as text with refs.
//!
//! A [`Tree`] is one look at a page: a flat list of [`Node`]s in document order, frames included, each with the
//! line that tells it. [`fit`](budget::fit) cuts a tree to a budget by whole subtrees, and says where. [`diff`]
//! tells what changed between two looks.

pub(crate) mod budget;
pub(crate) mod diff;
pub(crate) mod html;
pub(crate) mod line;
pub(crate) mod listing;
pub(crate) mod outline;
pub(crate) mod text;
pub(crate) mod tree;

pub use text::{plain, quoted};
pub use tree::{Node, Tree};
