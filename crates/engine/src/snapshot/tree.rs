use std::collections::HashSet;

use serde::{Deserialize, Deserializer};

use super::line::Told;
use crate::{effect::Announced, page::shown_title, refs::Document};

/// The injected script's answer for one document.
#[derive(Deserialize)]
pub(crate) struct Look<'a> {
    /// Its title for replies, truncated.
    #[serde(deserialize_with = "title")]
    pub(crate) title: String,
    #[serde(borrow)]
    pub(crate) nodes: Vec<Told<'a>>,
    /// How many elements may have a closed shadow root that it cannot see.
    #[serde(default)]
    pub(crate) hosts: u32,
    /// How many nodes were beyond the injected script's limit.
    #[serde(default)]
    pub(crate) more: u32,
    /// The elements hidden by an open popup.
    #[serde(default)]
    pub(crate) behind: Vec<u32>,
    /// Whether the page shows that it is loading more.
    #[serde(default)]
    pub(crate) busy: bool,
    /// The elements that change without an action.
    #[serde(default)]
    pub(crate) restless: Vec<u32>,
    /// Whether the focused element is a field where input has effects elsewhere.
    #[serde(default)]
    pub(crate) promises: bool,
    /// Live region texts that are no longer visible.
    #[serde(default)]
    pub(crate) announced: Vec<Announced>,
}

fn title<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|title| shown_title(&title))
}

/// An element of a snapshot: its document, and the number that the injected script gave it.
pub(crate) type Key = (Document, u32);

/// One line of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub(crate) depth: u32,
    /// Its element; `None` for text.
    pub(crate) key: Option<Key>,
    /// The frame's number, for its ref.
    pub(crate) frame: u32,
    /// Whether its line has a ref.
    pub(crate) shows_ref: bool,
    /// Whether it has the focus. Shown, but not reported as a change.
    pub(crate) active: bool,
    /// Role, name and states.
    pub(crate) before: Box<str>,
    /// The length of role and name in it, in bytes; 0 for text.
    pub(crate) named: usize,
    /// Value, URL and the like.
    pub(crate) after: Box<str>,
    /// Its box in the page's viewport, if requested: left, top, width and height.
    pub(crate) bounds: Option<[i32; 4]>,
    /// What else there is to it.
    pub(crate) marks: Marks,
}

/// What a line is besides its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// It stands before what precedes it on the page.
    pub(crate) first: bool,
    /// An option of a native select, or a group of them.
    pub(crate) option: bool,
    /// Its text is truncated, and can be asked for in full.
    pub(crate) truncated: bool,
}

impl Marks {
    /// The marks of one of the nodes that the injected script reports.
    pub(super) fn of(all: &[Told<'_>], at: usize) -> Self {
        let told = &all[at];
        let is_group =
            told.2 == "group" && all.get(at + 1).is_some_and(|next| next.0 > told.0 && next.4.native);
        Self { first: false, option: told.4.native || is_group, truncated: told.can_be_full() }
    }
}

impl Node {
    /// A line of our own.
    pub(super) fn remark(remark: &str) -> Self {
        Self {
            depth: 0,
            key: None,
            frame: 0,
            shows_ref: false,
            active: false,
            before: remark.into(),
            named: 0,
            after: "".into(),
            bounds: None,
            marks: Marks::default(),
        }
    }

    /// Its role; empty for text.
    pub(crate) fn role(&self) -> &str {
        let named = &self.before[..self.named];
        named.split_once(' ').map_or(named, |(role, _)| role)
    }

    /// Its name as shown, without the quotes.
    pub(crate) fn name(&self) -> &str {
        let name = self.before[..self.named].split_once(' ').map_or("", |(_, name)| name);
        name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
    }

    /// The text on its line, if that is its only content.
    pub(crate) fn own_text(&self) -> &str {
        self.after.strip_prefix(": ").unwrap_or_default()
    }

    /// The approximate width of its line, with the longest possible ref.
    fn width(&self) -> usize {
        let reference = if self.shows_ref { 13 } else { 0 } + if self.active { 9 } else { 0 };
        self.depth as usize + 3 + self.before.chars().count() + reference + self.after.chars().count()
    }
}

/// One snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    pub(crate) title: String,
    pub(crate) nodes: Vec<Node>,
    /// How many nodes were beyond the injected script's limit.
    pub(crate) more: usize,
    /// The form of its lines.
    pub(crate) form: Form,
    /// The same snapshot in another form.
    pub(crate) other: Option<Box<Tree>>,
    /// Whether the page shows that it is loading more.
    pub(crate) busy: bool,
    /// The elements that change without an action.
    pub(crate) restless: HashSet<Key>,
    /// Whether a focused field promises effects elsewhere.
    pub(crate) promises: bool,
    /// The elements hidden by an open popup.
    pub(crate) behind: HashSet<Key>,
    /// Elements of the client's last snapshot that are not in this one but still in the document. No other
    /// element replaced them.
    pub(crate) hidden: HashSet<Key>,
}

/// The width of what names the snapshot of a text in full.
const FULL_TEXT_CALL: usize = 40;

/// The form of a snapshot's lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// `button "Save" [ref=e4]`.
    #[default]
    Lines,
    /// `<button data-ref="e4">`.
    Html,
    /// `button "Save" [ref=@e4]`.
    Outline,
    /// `@e4: button "Save"`.
    Listing,
}

impl Form {
    /// Blanks per level. One is enough; two where a published form has two.
    pub(crate) fn indent(self) -> u32 {
        match self {
            Self::Lines | Self::Html => 1,
            Self::Outline | Self::Listing => 2,
        }
    }
}

impl Tree {
    /// The same snapshot with other lines.
    pub(crate) fn with_nodes(&self, nodes: Vec<Node>) -> Self {
        Self {
            nodes,
            title: self.title.clone(),
            more: self.more,
            form: self.form,
            busy: self.busy,
            ..Self::default()
        }
    }

    /// The lines of one document, without its frames.
    pub(crate) fn of(look: Look<'_>, document: Document, frame: u32) -> Self {
        let mut nodes: Vec<Node> = look
            .nodes
            .iter()
            .enumerate()
            .map(|(at, told)| Node {
                depth: told.0,
                key: (told.1 != 0).then_some((document, told.1)),
                frame,
                shows_ref: told.shows_ref(),
                active: told.4.active,
                before: told.before_ref().into(),
                named: if told.is_text() { 0 } else { told.named().len() },
                after: told.after_ref().into(),
                bounds: None,
                marks: Marks::of(&look.nodes, at),
            })
            .collect();
        draw_in_texts(&mut nodes);
        let restless = look.restless.iter().map(|number| (document, *number)).collect();
        let behind = look.behind.iter().map(|number| (document, *number)).collect();
        Self {
            title: look.title,
            nodes,
            more: look.more as usize,
            busy: look.busy,
            promises: look.promises,
            restless,
            behind,
            ..Self::default()
        }
    }

    /// The elements of an older tree that are neither in this one nor behind a popup; none if nothing new can
    /// have replaced them.
    pub(crate) fn missing_from(&self, old: &Tree) -> Vec<Key> {
        let keys = |tree: &Tree| -> HashSet<Key> { tree.nodes.iter().filter_map(|node| node.key).collect() };
        let (then, now) = (keys(old), keys(self));
        if now.is_subset(&then) {
            return Vec::new();
        }
        then.difference(&now).filter(|key| !self.behind.contains(key)).copied().collect()
    }

    /// Puts a child frame's lines below its owner element.
    pub(crate) fn hang(&mut self, holder: Key, mut child: Tree) {
        if let (Some(other), Some(child)) = (&mut self.other, child.other.take()) {
            other.hang(holder, *child);
        }
        let Some(at) = self.nodes.iter().position(|node| node.key == Some(holder)) else { return };
        let depth = self.nodes[at].depth + 1;
        self.more += child.more;
        self.busy |= child.busy;
        self.promises |= child.promises;
        self.behind.extend(child.behind);
        self.restless.extend(child.restless);
        let lines = child.nodes.into_iter().map(|node| Node { depth: node.depth + depth, ..node });
        self.nodes.splice(at + 1..=at, lines);
    }

    /// Adds a remark below a frame's owner element.
    pub(crate) fn remark(&mut self, holder: Key, remark: &str) {
        let remark = || Tree { nodes: vec![Node::remark(remark)], ..Tree::default() };
        self.hang(holder, Tree { other: Some(Box::new(remark())), ..remark() });
    }

    /// The width of a node.
    pub(crate) fn width(&self, node: &Node) -> usize {
        let call = if node.marks.truncated { FULL_TEXT_CALL } else { 0 };
        call + match self.form {
            // Twice the blanks, and a sign before the ref.
            Form::Outline | Form::Listing => node.width() + node.depth as usize + 1,
            Form::Html => super::html::width(node),
            Form::Lines => node.width(),
        }
    }

    /// The line of the document above all others, if there is one.
    pub(crate) fn title_line(&self) -> Option<usize> {
        let titled = self.nodes.first().is_some_and(|first| first.key.is_none()) && self.end_of(0) > 1;
        titled.then_some(0)
    }

    /// The end of a node's subtree.
    pub(crate) fn end_of(&self, at: usize) -> usize {
        let depth = self.nodes[at].depth;
        self.nodes[at + 1..]
            .iter()
            .position(|node| node.depth <= depth)
            .map_or(self.nodes.len(), |n| at + 1 + n)
    }
}

/// Whether two snapshots have the same main document.
pub(crate) fn same_main_document(old: &Tree, new: &Tree) -> bool {
    let main = |tree: &Tree| tree.nodes.iter().find_map(|node| node.key).map(|(document, _)| document);
    match (main(old), main(new)) {
        (Some(old), Some(new)) => old == new,
        // A page without elements is always reported in full.
        _ => false,
    }
}

/// The focused element of a snapshot, if an older one of the same document has another.
pub(crate) fn focus_since<'a>(old: &Tree, new: &'a Tree) -> Option<&'a Node> {
    let focused = |tree: &'a Tree| tree.nodes.iter().find(|node| node.active);
    let before = old.nodes.iter().find(|node| node.active).and_then(|node| node.key);
    focused(new).filter(|node| same_main_document(old, new) && node.key != before)
}

/// Puts an element's only text on the element's line.
pub(super) fn draw_in_texts(nodes: &mut Vec<Node>) {
    let mut at = 0;
    let mut drawn = Vec::with_capacity(nodes.len());
    while at < nodes.len() {
        let mut node = std::mem::replace(&mut nodes[at], Node::remark(""));
        let depth = node.depth;
        let below = |n: usize| nodes.get(at + n).is_some_and(|next| next.depth > depth);
        let alone = node.key.is_some() && below(1) && !below(2) && nodes[at + 1].key.is_none();
        // A marked text keeps its own line.
        let text = nodes.get(at + 1).filter(|_| alone).and_then(|text| text.before.strip_prefix("text: "));
        if let Some(text) = text.filter(|_| !node.after.contains(": ")) {
            node.after = format!("{}: {text}", node.after).into();
            node.marks.truncated |= nodes[at + 1].marks.truncated;
            at += 1;
        }
        drawn.push(node);
        at += 1;
    }
    *nodes = drawn;
}
