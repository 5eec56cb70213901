//! A digest of a tree: the main content first, and short landmarks.

use std::collections::{HashMap, HashSet};

use super::{
    Notation,
    budget::{Shown, fit_subtree},
    label::counted,
    shape::Shape,
    tree::{Marks, Node, Tree},
};
use crate::Ref;

/// Landmarks beside the main content.
pub(crate) const ASIDE: &[&str] = &["banner", "complementary", "contentinfo", "navigation"];

/// The main content, in order.
const FIRST: &[&[&str]] = &[&["alertdialog", "dialog"], &["main"]];

/// Smaller subtrees are not folded.
const SMALL: usize = 4;

/// The share of the budget for each landmark, if the tree does not fit.
const SHARE: usize = 8;

/// The tree with landmarks that the client has seen folded to one line each and, if it does not fit, the main
/// content first.
pub(crate) fn digest(
    tree: &Tree,
    baseline: Option<&Tree>,
    room: usize,
    notation: Notation,
    reference: impl Fn(&Node) -> Option<Ref>,
) -> Tree {
    let mut digest = match baseline {
        Some(baseline) => fold(tree, &as_before(tree, baseline)),
        None => tree.clone(),
    };
    digest.other = None;
    if width(&digest) > room {
        digest = shorten_asides(&digest, room / SHARE, notation, reference);
        digest = with_first(digest);
    }
    digest
}

fn width(tree: &Tree) -> usize {
    tree.nodes.iter().map(|node| tree.width(node)).sum()
}

/// The outermost landmarks.
fn asides(tree: &Tree) -> Vec<usize> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < tree.nodes.len() {
        if ASIDE.contains(&tree.nodes[at].role()) {
            all.push(at);
            at = tree.end_of(at);
        } else {
            at += 1;
        }
    }
    all
}

/// Landmarks that were there before with the same or almost the same content.
fn as_before(tree: &Tree, baseline: &Tree) -> HashSet<usize> {
    let (now, then) = (Shape::of(tree), Shape::of(baseline));
    let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, node) in baseline.nodes.iter().enumerate().filter(|(_, node)| ASIDE.contains(&node.role())) {
        known.entry(&node.before[..node.named]).or_default().push(at);
    }
    let own = |tree: &Tree, at: usize| -> Vec<(usize, String)> {
        let nodes = (at + 1..tree.end_of(at)).map(|at| &tree.nodes[at]);
        nodes.map(|node| (node.named, format!("{}{}", &node.before[..node.named], node.after))).collect()
    };
    let is_known = |at: &usize| {
        let node = &tree.nodes[*at];
        let Some(candidates) = known.get(&node.before[..node.named]) else { return false };
        if candidates.iter().any(|old| then.content[*old] == now.content[*at]) {
            return true;
        }
        let lines = own(tree, *at);
        candidates.iter().any(|old| {
            let before: HashSet<_> = own(baseline, *old).into_iter().collect();
            let same = lines.iter().filter(|line| before.contains(*line)).count();
            same * 10 >= lines.len().max(before.len()) * 9
        })
    };
    let large = |at: &usize| tree.end_of(*at) - at > SMALL;
    asides(tree).into_iter().filter(large).filter(is_known).collect()
}

/// The tree with each of these on one line.
fn fold(tree: &Tree, folded: &HashSet<usize>) -> Tree {
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    let mut at = 0;
    while at < tree.nodes.len() {
        let mut node = tree.nodes[at].clone();
        let end = tree.end_of(at);
        if folded.contains(&at) {
            let links = tree.nodes[at..end].iter().filter(|node| node.role() == "link").count();
            let refs = tree.nodes[at + 1..end].iter().filter(|node| node.shows_ref).count();
            let what = if links > 0 { counted(links, "link") } else { counted(refs, "element") };
            node.after = format!("{} as before, {what}", node.after).into();
            node.shows_ref = true;
            at = end;
        } else {
            at += 1;
        }
        nodes.push(node);
    }
    tree.with_nodes(nodes)
}

/// The tree with the parts beside what it is about cut to so many characters each.
fn shorten_asides(
    tree: &Tree,
    most: usize,
    notation: Notation,
    reference: impl Fn(&Node) -> Option<Ref>,
) -> Tree {
    let asides: HashSet<usize> = asides(tree).into_iter().collect();
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    let mut at = 0;
    while at < tree.nodes.len() {
        if !asides.contains(&at) {
            nodes.push(tree.nodes[at].clone());
            at += 1;
            continue;
        }
        for piece in fit_subtree(tree, at, most, u32::MAX) {
            nodes.push(match piece {
                Shown::Line(line) => tree.nodes[line].clone(),
                Shown::Cut(cut) => {
                    let words = cut.words(tree, notation, |at| reference(&tree.nodes[at]));
                    Node { depth: cut.depth, ..Node::remark(&words) }
                }
            });
        }
        at = tree.end_of(at);
    }
    tree.with_nodes(nodes)
}

/// The tree with dialogs and what the page is about before the rest.
fn with_first(tree: Tree) -> Tree {
    let mut taken = vec![false; tree.nodes.len()];
    let mut nodes = Vec::with_capacity(tree.nodes.len());
    for roles in FIRST {
        let mut at = 0;
        while at < tree.nodes.len() {
            if taken[at] || !roles.contains(&tree.nodes[at].role()) {
                at += 1;
                continue;
            }
            let (end, depth) = (tree.end_of(at), tree.nodes[at].depth);
            for (node, taken) in tree.nodes[at..end].iter().zip(&mut taken[at..end]) {
                if !std::mem::replace(taken, true) {
                    let marks = Marks { first: node.depth == depth, ..node.marks };
                    nodes.push(Node { depth: node.depth - depth, marks, ..node.clone() });
                }
            }
            at = end;
        }
    }
    let rest = tree.nodes.iter().zip(&taken).filter(|(_, taken)| !**taken);
    nodes.extend(rest.map(|(node, _)| node.clone()));
    Tree { nodes, ..tree }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::tests::tree;

    fn lines(tree: &Tree) -> Vec<String> {
        tree.nodes.iter().map(|node| format!("{}{}", node.before, node.after)).collect()
    }

    const NAV: &str = "1 navigation \"Site\"\n 2 link \"A\"\n 3 link \"B\"\n 4 link \"C\"\n 5 link \"D\"\n";

    #[test]
    fn what_was_there_before_is_one_line() {
        let baseline = tree(&format!("{NAV}6 main\n 7 heading \"One\""));
        let now =
            tree(&format!("{}6 main\n 7 heading \"Two\"", NAV.replace("link \"D\"", "link \"D\" [current]")));
        let digest = digest(&now, Some(&baseline), 10_000, Notation::default(), |_| None);
        assert_eq!(lines(&digest), ["navigation \"Site\" as before, 4 links", "main", "heading \"Two\""]);
        let other = tree("1 navigation \"Site\"\n 2 link \"X\"\n 3 link \"Y\"\n 4 link \"Z\"\n 5 link \"D\"");
        assert_eq!(super::digest(&now, Some(&other), 10_000, Notation::default(), |_| None), now);
    }

    #[test]
    fn what_the_page_is_about_comes_first_where_not_all_fits() {
        let now = tree(&format!("{NAV}6 main\n 7 heading \"Two\"\n8 dialog \"Cookies\"\n 9 button \"OK\""));
        let digest = digest(&now, None, 60, Notation::default(), |_| None);
        assert_eq!(lines(&digest)[..4], ["dialog \"Cookies\"", "button \"OK\"", "main", "heading \"Two\""]);
    }
}
