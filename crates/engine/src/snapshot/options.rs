//! Folds the options of a native select, of which there may be hundreds.

use super::{cut::Cut, tree::Tree};

/// So many options of a select are shown.
const SHOWN: usize = 50;

/// Fewer than these are not folded.
const FEW: usize = 3;

/// The options that are not shown, in page order. Those of a select that is asked for, or that has what is asked for,
/// are.
pub(crate) fn folded_options(tree: &Tree, asked_for: Option<usize>) -> Vec<Cut> {
    let mut folded = Vec::new();
    let mut at = 0;
    while at < tree.nodes.len() {
        let holds_options = tree.nodes.get(at + 1).is_some_and(|next| {
            next.depth > tree.nodes[at].depth && next.marks.option && !tree.nodes[at].marks.option
        });
        if !holds_options {
            at += 1;
            continue;
        }
        let end = tree.end_of(at);
        if asked_for.is_none_or(|asked_for| !(at..end).contains(&asked_for)) {
            folded.extend(rest_of_options(tree, at, end));
        }
        at = end;
    }
    folded
}

/// What follows the options that are shown: of the group that holds the last one, and of the select.
fn rest_of_options(tree: &Tree, select: usize, end: usize) -> impl Iterator<Item = Cut> {
    let is_option = |at: &usize| tree.end_of(*at) == *at + 1;
    let options: Vec<usize> = (select + 1..end).filter(is_option).collect();
    let (mut of_group, mut of_select) = (None, None);
    if let Some(&last) = options.get(SHOWN - 1).filter(|_| options.len() >= SHOWN + FEW) {
        let cut = |below: usize, from: usize, to: usize| {
            (from < to).then_some(Cut { below: Some(below), from, to, depth: tree.nodes[below].depth + 1 })
        };
        let group = (select + 1..last).rev().find(|at| tree.nodes[*at].depth < tree.nodes[last].depth);
        of_group = group.and_then(|group| cut(group, last + 1, tree.end_of(group)));
        of_select = cut(select, group.map_or(last + 1, |group| tree.end_of(group)), end);
    }
    of_group.into_iter().chain(of_select)
}
