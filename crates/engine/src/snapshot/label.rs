//! What a node is called where it is mentioned: in short, and by what it stands in.

use super::{
    shape::Shape,
    text::shortened,
    tree::{Node, Tree},
};

/// Roles that tell where something is, if they have a name.
const PLACES: &[&str] = &[
    "alertdialog",
    "article",
    "columnheader",
    "complementary",
    "dialog",
    "feed",
    "figure",
    "form",
    "grid",
    "group",
    "iframe",
    "list",
    "listbox",
    "listitem",
    "menu",
    "menubar",
    "navigation",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "search",
    "table",
    "tablist",
    "tabpanel",
    "toolbar",
    "tree",
    "treegrid",
    "treeitem",
];

/// How much of a name is told of what a change is in.
const PLACE: usize = 40;

/// Its name; of a nameless one, the text in it.
pub(crate) fn label(tree: &Tree, at: usize, most: usize) -> String {
    let node = &tree.nodes[at];
    let own = [node.name(), node.own_text()].into_iter().find(|text| !text.is_empty());
    if let Some(own) = own {
        return shortened(own, most);
    }
    let inside = &tree.nodes[at + 1..tree.end_of(at)];
    // Its controls say what can be done with it, not what it is.
    let words = words_of(inside, most, |at| !is_control(inside, at));
    if words.is_empty() { words_of(inside, most, |_| true) } else { words }
}

/// Whether it is a button, or holds nothing but buttons.
fn is_control(nodes: &[Node], at: usize) -> bool {
    let mut below = nodes[at + 1..].iter().take_while(|below| below.depth > nodes[at].depth).peekable();
    nodes[at].role() == "button" || (below.peek().is_some() && below.all(|node| node.role() == "button"))
}

fn words_of(inside: &[Node], most: usize, counts: impl Fn(usize) -> bool) -> String {
    let mut words = String::new();
    // What a name says, what is below it says again.
    let mut named = u32::MAX;
    for (at, below) in inside.iter().enumerate() {
        if below.depth > named {
            continue;
        }
        named = if below.name().is_empty() { u32::MAX } else { below.depth };
        let said = match below.key {
            None => below.before.trim_start_matches("text: "),
            Some(_) if !counts(at) => "",
            Some(_) if below.name().is_empty() => below.own_text(),
            Some(_) => below.name(),
        };
        if !said.is_empty() {
            words.push_str(if words.is_empty() { "" } else { " " });
            words.push_str(said);
        }
        if words.len() > most {
            break;
        }
    }
    shortened(&words, most)
}

/// Role and label: `listitem "Two"`.
pub(crate) fn mention(tree: &Tree, at: usize, most: usize) -> String {
    with_role(&tree.nodes[at], &label(tree, at, most))
}

fn with_role(node: &Node, label: &str) -> String {
    match (node.role(), label) {
        ("", _) => shortened(&node.before, 80),
        (role, "") => role.to_owned(),
        (role, label) => format!("{role} \"{label}\""),
    }
}

/// What a node stands in: the nearest element around it that has a name to tell it by.
pub(crate) fn whereabouts(tree: &Tree, shape: &Shape, at: usize) -> Option<String> {
    let own = tree.nodes[at].name();
    // A column is told by its header, wherever that stands.
    let rows = tree.nodes[at].role() != "columnheader";
    let place = |&around: &usize| {
        let role = tree.nodes[around].role();
        PLACES.contains(&role) && (rows || !role.starts_with("row"))
    };
    let place = shape.around(at).filter(place).find_map(|around| {
        let name = match tree.nodes[around].role() {
            // All that is in it would be said again.
            "row" | "listitem" | "article" | "treeitem" => record_name(tree, shape, around),
            _ => shortened(tree.nodes[around].name(), PLACE),
        };
        (!name.is_empty()).then_some((around, name))
    });
    // What is named after it says nothing of where it is.
    let (around, name) = place.filter(|(_, name)| own.is_empty() || !name.contains(own))?;
    Some(with_role(&tree.nodes[around], &name))
}

/// What tells a record from others: its header, or what comes first in it.
fn record_name(tree: &Tree, shape: &Shape, at: usize) -> String {
    let children = shape.children(Some(at));
    let header = children.iter().find(|child| tree.nodes[**child].role() == "rowheader");
    let first = || children.iter().map(|child| label(tree, *child, PLACE)).find(|label| !label.is_empty());
    match tree.nodes[at].role() {
        "row" => header.map(|header| label(tree, *header, PLACE)).or_else(first).unwrap_or_default(),
        _ => label(tree, at, PLACE),
    }
}

/// So many of a role: `3 rows`.
pub(crate) fn counted(count: usize, role: &str) -> String {
    let word = match role {
        "" | "generic" => "element",
        "listitem" => "item",
        "gridcell" => "cell",
        "img" => "image",
        role => role,
    };
    match count {
        1 => format!("1 {word}"),
        _ => match word.as_bytes() {
            [.., b's' | b'x' | b'h'] => format!("{count} {word}es"),
            [.., b'r', b'y'] => format!("{count} {}ies", &word[..word.len() - 1]),
            _ => format!("{count} {word}s"),
        },
    }
}
