//! Properties of all differences between snapshots, tested on many random pairs.

use std::{cell::RefCell, collections::HashSet, time::Instant};

use super::{
    Node, Notation, Tree,
    diff::{Change, Diff},
    nearness::Nearness,
    report::Report,
    tests::tree,
    tree::Key,
};
use crate::{
    Ref,
    refs::{Document, Refs, Resolved},
    tabs::TabId,
};

/// A page: the line of each element, its number, and its children.
#[derive(Clone)]
struct Element {
    number: u32,
    words: String,
    inside: Vec<Element>,
}

struct Pages {
    random: fastrand::Rng,
    given: u32,
}

impl Pages {
    fn number(&mut self) -> u32 {
        self.given += 1;
        self.given
    }

    fn element(&mut self, depth: usize) -> Element {
        const ROLES: [&str; 6] = ["listitem", "row", "button \"Delete\"", "group", "list", "dialog"];
        let named = format!("button \"B{}\"", self.random.usize(..8));
        let text = format!("heading \"H{}\"", self.random.usize(..4));
        let words = match self.random.usize(..8) {
            6 => named,
            7 => text,
            nth => ROLES[nth].to_owned(),
        };
        let count = if depth == 0 { 0 } else { self.random.usize(..5) };
        Element {
            number: self.number(),
            words,
            inside: (0..count).map(|_| self.element(depth - 1)).collect(),
        }
    }

    /// Removes, adds, moves, renames and re-renders.
    fn change(&mut self, all: &mut Vec<Element>, depth: usize) {
        match self.random.usize(..8) {
            0 if !all.is_empty() => drop(all.remove(self.random.usize(..all.len()))),
            1 => {
                let at = self.random.usize(..all.len() + 1);
                let new = self.element(depth);
                all.insert(at, new);
            }
            2 if all.len() > 1 => {
                let moved = all.remove(self.random.usize(..all.len()));
                let at = self.random.usize(..all.len() + 1);
                all.insert(at, moved);
            }
            3 if !all.is_empty() => {
                let at = self.random.usize(..all.len());
                all[at].words = format!("button \"B{}\"", self.random.usize(..8));
            }
            4 => all.iter_mut().for_each(|element| self.redraw(element)),
            _ => {
                if let Some(at) = all.len().checked_sub(1).map(|most| self.random.usize(..=most)) {
                    let mut inside = std::mem::take(&mut all[at].inside);
                    self.change(&mut inside, depth.saturating_sub(1));
                    all[at].inside = inside;
                }
            }
        }
    }

    fn redraw(&mut self, element: &mut Element) {
        element.number = self.number();
        element.inside.iter_mut().for_each(|element| self.redraw(element));
    }
}

fn written(all: &[Element], depth: usize, text: &mut String) {
    for element in all {
        text.push_str(&format!("{}{} {}\n", " ".repeat(depth), element.number, element.words));
        written(&element.inside, depth + 1, text);
    }
}

fn look(all: &[Element]) -> Tree {
    let mut text = String::new();
    written(all, 0, &mut text);
    tree(&text)
}

fn keys(tree: &Tree) -> HashSet<Key> {
    tree.nodes.iter().filter_map(|node| node.key).collect()
}

/// Every ref that a line shows: `[ref=e5]`, `(e5)`.
fn refs_in(line: &str) -> impl Iterator<Item = Ref> + '_ {
    line.split(['[', '(', ' ', ']', ')', '=']).filter_map(Ref::parse)
}

#[test]
fn what_is_told_of_changes_is_so() {
    for seed in 0..150 {
        let mut pages = Pages { random: fastrand::Rng::with_seed(seed), given: 0 };
        let mut all: Vec<Element> = (0..4).map(|_| pages.element(3)).collect();
        let refs = RefCell::new(Refs::default());
        let document = refs.borrow_mut().document();
        assert_eq!(document, Document(1));
        let reference = |node: &Node| {
            let (document, local) = node.key?;
            Some(refs.borrow_mut().give(TabId(1), 0, document, local))
        };
        let mut old = look(&all);
        old.nodes.iter().filter(|node| node.shows_ref).for_each(|node| {
            reference(node);
        });
        for _ in 0..6 {
            assert_eq!(Diff::of(&old, &old).changes(), [], "equal looks do not differ");
            let count = pages.random.usize(..4) + 1;
            (0..count).for_each(|_| pages.change(&mut all, 3));
            let new = look(&all);
            let diff = Diff::of(&old, &new);
            for (from, to) in diff.matching.redrawn(&old, &new) {
                refs.borrow_mut().follow(from, to);
            }
            let (before, after) = (keys(&old), keys(&new));
            let near = Nearness::default();
            let notation = Notation::default();
            let report = Report { diff: &diff, reference, notation, opener: None, near }.write(100_000);
            for line in report.lines() {
                for name in refs_in(line) {
                    let Resolved::Element { document, local, .. } = refs.borrow().resolve(name) else {
                        panic!("{name} leads nowhere in:\n{report}");
                    };
                    let there = after.contains(&(document, local));
                    match line.starts_with("- ") {
                        true => {
                            assert!(!there && before.contains(&(document, local)), "{line} in:\n{report}")
                        }
                        false => assert!(there, "{line} in:\n{report}"),
                    }
                }
            }
            let shown: Vec<Ref> =
                new.nodes.iter().filter(|node| node.shows_ref).filter_map(reference).collect();
            assert_eq!(shown.iter().collect::<HashSet<_>>().len(), shown.len(), "refs are unique");
            // Whoever knows the old snapshot and the changes knows all refs of the new one.
            let told: HashSet<usize> = (diff.changes().into_iter())
                .flat_map(|change| match change {
                    Change::Appeared(at) => at..new.end_of(at),
                    Change::Changed(at) | Change::Renewed(at) | Change::Moved(at) => at..at + 1,
                    Change::Gone(_) => 0..0,
                })
                .collect();
            for (at, node) in new.nodes.iter().enumerate().filter(|(_, node)| node.shows_ref) {
                assert!(told.contains(&at) || diff.matching.sure[at], "{} is untold:\n{report}", node.before);
            }
            old = new;
        }
    }
}

#[test]
fn large_pages_are_compared_in_a_moment() {
    let row = |at: usize, number: usize| {
        let name = format!("Person {at}");
        format!(
            "  {number} row \"{name} Delete\"\n   {} cell \"{name}\"\n   {} cell\n    {} button \"Delete\"\n",
            number + 1,
            number + 2,
            number + 3
        )
    };
    let rows = |from: usize, skip: usize| {
        let rows = (0..2_500).filter(|at| *at != skip).map(|at| row(at, from + 4 * at)).collect::<String>();
        tree(&format!("1 main\n 2 table\n{rows}"))
    };
    let old = rows(10, usize::MAX);
    for new in [rows(10, 1_000), rows(100_000, 1_000), rows(100_000, usize::MAX)] {
        let began = Instant::now();
        let diff = Diff::of(&old, &new);
        let changes = diff.changes();
        let took = began.elapsed();
        assert!(changes.len() <= 1, "{} changes", changes.len());
        // Far more than it takes, and far less than anything quadratic would.
        assert!(took.as_millis() < 2_000, "{took:?}");
    }
}
