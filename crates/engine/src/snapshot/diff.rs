//! What changed between two looks at a page.

use std::collections::{HashMap, HashSet};

use super::tree::{Key, Tree};

/// One difference. Nodes are named by their place in the tree that has them: `Gone` in the old, the others in
/// the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// A whole subtree is there that was not.
    Appeared(usize),
    /// A node says something else of itself.
    Changed(usize),
    /// A whole subtree went, with so many nodes below its first.
    Gone(usize, usize),
}

/// What a node says of itself: its line, and the text directly below it.
type Said<'a> = (&'a str, &'a str, Vec<&'a str>);

/// All differences, in the order of the page; what went comes last.
pub(crate) fn diff(old: &Tree, new: &Tree) -> Vec<Change> {
    let before = said(old);
    let after = said(new);
    let mut changes = Vec::new();
    let mut at = 0;
    while at < new.nodes.len() {
        let node = &new.nodes[at];
        match node.key {
            Some(key) => match before.get(&Some(key)) {
                None => {
                    changes.push(Change::Appeared(at));
                    at = new.end_of(at);
                    continue;
                }
                Some(then) if Some(then) != after.get(&Some(key)) => changes.push(Change::Changed(at)),
                Some(_) => {}
            },
            // Text belongs to what it stands in; at the top it stands for itself.
            None if node.depth == 0 => {
                let known = before.get(&None).is_some_and(|then| then.2.contains(&&*node.before));
                if !known {
                    changes.push(Change::Appeared(at));
                }
            }
            None => {}
        }
        at += 1;
    }
    gone(old, &after, &mut changes);
    changes
}

fn gone(old: &Tree, after: &HashMap<Option<Key>, Said<'_>>, changes: &mut Vec<Change>) {
    let texts: HashSet<&str> =
        after.get(&None).map(|top| top.2.iter().copied().collect()).unwrap_or_default();
    let mut at = 0;
    while at < old.nodes.len() {
        let node = &old.nodes[at];
        let went = match node.key {
            Some(key) => !after.contains_key(&Some(key)),
            None => node.depth == 0 && !texts.contains(&*node.before),
        };
        if went {
            let end = old.end_of(at);
            changes.push(Change::Gone(at, end - at - 1));
            at = end;
        } else {
            at += 1;
        }
    }
}

fn said(tree: &Tree) -> HashMap<Option<Key>, Said<'_>> {
    let mut said: HashMap<Option<Key>, Said<'_>> = HashMap::with_capacity(tree.nodes.len());
    let mut path: Vec<(u32, Option<Key>)> = Vec::new();
    for node in &tree.nodes {
        path.truncate(path.iter().position(|(depth, _)| *depth >= node.depth).unwrap_or(path.len()));
        if node.key.is_some() {
            said.insert(node.key, (&node.before, &node.after, Vec::new()));
            path.push((node.depth, node.key));
        } else {
            let holder = path.last().and_then(|(_, key)| *key);
            said.entry(holder).or_insert_with(|| ("", "", Vec::new())).2.push(&node.before);
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{refs::Document, snapshot::tree::Node};

    /// A tree written as indented lines `number words`; number 0 is text.
    fn tree(text: &str) -> Tree {
        let nodes = text
            .lines()
            .map(|line| {
                let (number, words) = line.trim().split_once(' ').unwrap();
                let number: u32 = number.parse().unwrap();
                Node {
                    depth: u32::try_from(line.len() - line.trim_start().len()).unwrap(),
                    key: (number != 0).then_some((Document(1), number)),
                    frame: 0,
                    shows_ref: false,
                    active: false,
                    before: words.into(),
                    after: "".into(),
                    bounds: None,
                }
            })
            .collect();
        Tree { nodes, ..Tree::default() }
    }

    #[track_caller]
    fn check(old: &str, new: &str, expected: &[Change]) {
        assert_eq!(diff(&tree(old), &tree(new)), expected);
    }

    #[test]
    fn nothing() {
        check("1 a\n 2 b\n  0 text", "1 a\n 2 b\n  0 text", &[]);
    }

    #[test]
    fn appeared_changed_and_gone() {
        check(
            "1 list\n 2 item\n 3 item\n  4 deep",
            "1 list\n 2 item [checked]\n 5 item\n  6 deep",
            &[Change::Changed(1), Change::Appeared(2), Change::Gone(2, 1)],
        );
    }

    #[test]
    fn text_belongs_to_what_it_stands_in() {
        check("1 status\n 0 saving", "1 status\n 0 saved", &[Change::Changed(0)]);
        check("0 hello", "0 good bye", &[Change::Appeared(0), Change::Gone(0, 0)]);
    }
}
