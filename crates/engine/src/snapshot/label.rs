//! Short names of nodes: a label, and a named ancestor.

use super::{
    diff::joined,
    shape::Shape,
    text::shortened,
    tree::{Node, Tree},
};

/// Roles that say where something is, if they have a name.
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

/// Maximum length of an ancestor's name.
const PLACE: usize = 40;

/// Its name, or else its text.
pub(crate) fn label(tree: &Tree, at: usize, most: usize) -> String {
    let node = &tree.nodes[at];
    let own = [node.name(), node.own_text()].into_iter().find(|text| !text.is_empty());
    let inside = &tree.nodes[at + 1..tree.end_of(at)];
    if let Some(own) = own.filter(|own| !starts_with_control(own, node, inside)) {
        return shortened(own, most);
    }
    // Controls say what can be done with it, not what it is.
    let words = words_of(inside, most, |at| !is_control(inside, at));
    if words.is_empty() { words_of(inside, most, |_| true) } else { words }
}

/// Actions on a record, such as selecting it, do not identify it.
const CONTROLS: &[&str] = &["button", "checkbox", "radio", "switch"];

/// Whether a row is named after its cells and the first one has a control.
fn starts_with_control(name: &str, row: &Node, inside: &[Node]) -> bool {
    let first = || inside.first().filter(|first| !first.name().is_empty() && is_control(inside, 0));
    row.role() == "row"
        && first().is_some_and(|first| name.len() > first.name().len() && name.starts_with(first.name()))
}

/// Whether it is a control, or contains only controls.
fn is_control(nodes: &[Node], at: usize) -> bool {
    let is = |node: &Node| CONTROLS.contains(&node.role());
    let mut below = nodes[at + 1..].iter().take_while(|below| below.depth > nodes[at].depth).peekable();
    is(&nodes[at]) || (below.peek().is_some() && below.all(is))
}

fn words_of(inside: &[Node], most: usize, counts: impl Fn(usize) -> bool) -> String {
    let mut words = String::new();
    // Descendants repeat what the name says.
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

/// Its name or else its text, with that of its controls.
pub(crate) fn content(tree: &Tree, at: usize) -> String {
    let node = &tree.nodes[at];
    let own = [node.name(), node.own_text()].into_iter().find(|text| !text.is_empty());
    let inside = || words_of(&tree.nodes[at + 1..tree.end_of(at)], usize::MAX, |_| true);
    own.map_or_else(inside, str::to_owned)
}

/// Whether the name of an element is all of its content, such as that of a row.
pub(crate) fn is_named_by_content(tree: &Tree, at: usize) -> bool {
    let name = tree.nodes[at].name();
    let inside = &tree.nodes[at + 1..tree.end_of(at)];
    let content = words_of(inside, 2 * name.len(), |_| true);
    !name.is_empty() && joined(&content) == joined(name)
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

/// The nearest ancestor with a useful name.
pub(crate) fn location_of(tree: &Tree, shape: &Shape, at: usize) -> Option<String> {
    let own = tree.nodes[at].name();
    // A column is identified by its header, wherever that is.
    let rows = tree.nodes[at].role() != "columnheader";
    let place = |&around: &usize| {
        let role = tree.nodes[around].role();
        PLACES.contains(&role) && (rows || !role.starts_with("row"))
    };
    let place = shape.around(at).filter(place).find_map(|around| {
        let name = match tree.nodes[around].role() {
            // It would repeat all of its content.
            "row" | "listitem" | "article" | "treeitem" => record_name(tree, shape, around),
            _ => shortened(tree.nodes[around].name(), PLACE),
        };
        (!name.is_empty()).then_some((around, name))
    });
    // An ancestor named after the node adds nothing.
    let (around, name) = place.filter(|(_, name)| own.is_empty() || !name.contains(own))?;
    Some(with_role(&tree.nodes[around], &name))
}

/// Roles of what is often put at the end of the document, whatever opened it.
const POPUPS: &[&str] = &["dialog", "grid", "listbox", "menu", "tooltip", "tree"];

/// The column or row that a popup was opened from: `for columnheader "Price"`, `in row "Ada"`.
pub(crate) fn popup_place(tree: &Tree, shape: &Shape, popup: usize, opener: usize) -> Option<String> {
    let inside = &tree.nodes[popup..tree.end_of(popup)];
    let popup = inside.iter().find(|node| node.role() != "generic")?;
    if !POPUPS.contains(&popup.role()) {
        return None;
    }
    let mut around = std::iter::once(opener).chain(shape.around(opener));
    let around = around.find(|at| ["columnheader", "row"].contains(&tree.nodes[*at].role()))?;
    let (word, name) = match tree.nodes[around].role() {
        "row" => ("in", record_name(tree, shape, around)),
        _ => ("for", label(tree, around, PLACE)),
    };
    (!name.is_empty()).then(|| format!("{word} {}", with_role(&tree.nodes[around], &name)))
}

/// What identifies a record: its header, or its first content.
fn record_name(tree: &Tree, shape: &Shape, at: usize) -> String {
    let children = shape.children(Some(at));
    let header = children.iter().find(|child| tree.nodes[**child].role() == "rowheader");
    let tells = |child: &&usize| !is_control(&tree.nodes[..tree.end_of(**child)], **child);
    let named = |child: &usize| Some(label(tree, *child, PLACE)).filter(|label| !label.is_empty());
    let first = || children.iter().filter(tells).find_map(named).or_else(|| children.iter().find_map(named));
    match tree.nodes[at].role() {
        "row" => header.map(|header| label(tree, *header, PLACE)).or_else(first).unwrap_or_default(),
        _ => label(tree, at, PLACE),
    }
}

/// A count of a role: `3 rows`.
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
            [.., b's' | b'x'] | [.., b'c' | b's', b'h'] => format!("{count} {word}es"),
            [.., b'r', b'y'] => format!("{count} {}ies", &word[..word.len() - 1]),
            _ => format!("{count} {word}s"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn counts_are_plurals() {
        for (role, words) in [
            ("paragraph", "2 paragraphs"),
            ("switch", "2 switches"),
            ("textbox", "2 textboxes"),
            ("directory", "2 directories"),
            ("listitem", "2 items"),
        ] {
            assert_eq!(counted(2, role), words);
        }
        assert_eq!(counted(1, "paragraph"), "1 paragraph");
    }
}
