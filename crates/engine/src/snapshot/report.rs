//! The changes as text: small ones first, then large groups, of which the first are shown and the rest is
//! counted.

use std::{collections::HashMap, fmt::Write};

use super::{
    After, Notation, Rest,
    budget::{Shown, fit},
    diff::{Change, Diff},
    digest::ASIDE,
    label::{counted, label, location_of, mention, popup_place},
    nearness::Nearness,
    repeats::without_repeats,
    text::shortened,
    tree::Node,
};
use crate::Ref;

/// Up to this many of one kind in one place are shown one by one.
const FEW: usize = 5;

/// A new subtree with more nodes than this is shown after the others.
const LARGE: usize = 40;

/// Maximum length of a line.
const LINE: usize = 600;

/// Maximum length of a large group.
const MANY: usize = 1_200;

/// Roles that announce something.
const URGENT: &[&str] = &["alert", "alertdialog", "dialog", "status"];

/// Changes of one kind, in one place, of one role.
struct Group {
    changes: Vec<Change>,
    rank: (u8, usize, usize),
}

/// Writes reports.
pub(crate) struct Report<'a, F> {
    pub(crate) diff: &'a Diff<'a>,
    /// The ref of a node.
    pub(crate) reference: F,
    pub(crate) notation: Notation,
    /// What most likely opened a popup, in the new tree.
    pub(crate) opener: Option<usize>,
    /// What the action was for.
    pub(crate) near: Nearness,
}

impl<F: Fn(&Node) -> Option<Ref>> Report<'_, F> {
    /// All changes in about this many characters; empty if there are none.
    pub(crate) fn write(&self, budget: usize) -> String {
        let groups = self.groups();
        let mut left: usize = groups.iter().map(|group| group.changes.len()).sum();
        let mut text = String::new();
        for group in groups {
            let room = budget.saturating_sub(text.len());
            if room < 80 {
                let _ = writeln!(text, "… {left} more changes; take a snapshot to see all");
                break;
            }
            left -= group.changes.len();
            match group.changes[..] {
                [Change::Moved(at)] => self.moved(&mut text, at),
                [Change::Moved(at), ..] => self.moved_together(&mut text, at, group.changes.len()),
                ref changes if changes.len() > FEW => self.many(&mut text, changes, room.min(MANY)),
                ref changes => {
                    changes.iter().for_each(|change| self.one(&mut text, *change, room / changes.len()));
                }
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// The changes, in the order of the report.
    fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known = HashMap::new();
        for change in self.diff.changes().into_iter().filter(|change| self.says_something(*change)) {
            let kind = std::mem::discriminant(&change);
            // One item of many is not lost among them if it is the one acted on. New ones stay in order: what is left
            // out is asked for by the last one shown.
            let level = match change {
                Change::Changed(_) | Change::Renewed(_) => self.near.level(change),
                Change::Appeared(_) | Change::Moved(_) | Change::Gone(_) => None,
            };
            let key = (kind, self.holder(change), self.node(change).role(), level);
            let at = *known.entry(key).or_insert_with(|| {
                groups.push(Group { changes: Vec::new(), rank: (0, 0, 0) });
                groups.len() - 1
            });
            groups[at].changes.push(change);
        }
        groups.iter_mut().for_each(|group| group.rank = self.rank(&group.changes));
        groups.sort_by_key(|group| group.rank);
        groups
    }

    /// Whether it matters to a reader: an empty unnamed element does not.
    fn says_something(&self, change: Change) -> bool {
        let (tree, at) = match change {
            Change::Appeared(at) => (self.diff.new, at),
            Change::Gone(at) => (self.diff.old, at),
            Change::Changed(_) | Change::Renewed(_) | Change::Moved(_) => return true,
        };
        tree.nodes[at].role() != "generic" || !label(tree, at, 1).is_empty() || tree.end_of(at) > at + 1
    }

    /// What announces something, then what the action touched, then the rest; large groups last.
    fn rank(&self, changes: &[Change]) -> (u8, usize, usize) {
        let Some(&first) = changes.first() else { return (0, 0, 0) };
        let level = changes.iter().filter_map(|change| self.near.level(*change)).min();
        let size = match first {
            Change::Appeared(at) if changes.len() == 1 => self.diff.new.end_of(at) - at,
            Change::Moved(_) => 1,
            _ if level.is_some() => changes.len(),
            _ if changes.len() > FEW => LARGE + changes.len(),
            _ => changes.len(),
        };
        let (tree, shape, at) = match first {
            Change::Gone(at) => (self.diff.old, &self.diff.before, at),
            Change::Appeared(at) | Change::Changed(at) | Change::Renewed(at) | Change::Moved(at) => {
                (self.diff.new, &self.diff.after, at)
            }
        };
        let within = |roles: &[&str]| {
            std::iter::once(at).chain(shape.around(at)).any(|at| roles.contains(&tree.nodes[at].role()))
        };
        let near = level.unwrap_or(usize::MAX);
        match size {
            _ if within(URGENT) => (0, 0, 0),
            0..=LARGE if level.is_none() && within(ASIDE) => (2, near, 0),
            0..=LARGE => (1, near, 0),
            _ => (3, near, size),
        }
    }

    /// The parent of a change in the new tree.
    fn holder(&self, change: Change) -> Option<usize> {
        match change {
            Change::Gone(at) => self.diff.before.parent[at].and_then(|parent| self.diff.matching.new[parent]),
            // Re-rendered elements are grouped by the outermost re-rendered one.
            Change::Renewed(at) => {
                let drawn = |at: &usize| !self.diff.matching.sure[*at];
                let outermost = self.diff.after.around(at).take_while(drawn).last().unwrap_or(at);
                self.diff.after.parent[outermost]
            }
            Change::Appeared(at) | Change::Changed(at) | Change::Moved(at) => self.diff.after.parent[at],
        }
    }

    fn node(&self, change: Change) -> &Node {
        match change {
            Change::Gone(at) => &self.diff.old.nodes[at],
            Change::Appeared(at) | Change::Changed(at) | Change::Renewed(at) | Change::Moved(at) => {
                &self.diff.new.nodes[at]
            }
        }
    }

    fn one(&self, text: &mut String, change: Change, room: usize) {
        match change {
            Change::Appeared(at) => self.appeared(text, at, room),
            Change::Changed(at) | Change::Renewed(at) => self.changed(text, at, LINE),
            Change::Moved(at) => self.moved(text, at),
            Change::Gone(at) => {
                let _ = write!(text, "- {}", mention(self.diff.old, at, 100));
                let node = &self.diff.old.nodes[at];
                if let Some(reference) = (self.reference)(node).filter(|_| node.shows_ref) {
                    let _ = write!(text, " ({}{reference})", self.notation.ref_sign);
                }
                // With a name of its own, it needs no place.
                if let Some(place) = location_of(self.diff.old, &self.diff.before, at)
                    && self.is_ambiguous(at)
                {
                    let _ = write!(text, " in {place}");
                }
                text.push('\n');
            }
        }
    }

    /// Whether nothing identifies a removed node.
    fn is_ambiguous(&self, at: usize) -> bool {
        let said = label(self.diff.old, at, 100);
        said.is_empty()
            || self.diff.before.around(at).any(|around| self.diff.old.nodes[around].role() == "row")
    }

    fn appeared(&self, text: &mut String, at: usize, room: usize) {
        let tree = without_repeats(self.diff.new, at, LINE);
        let place = location_of(self.diff.new, &self.diff.after, at).map(|place| format!("in {place}"));
        let place = place.or_else(|| popup_place(self.diff.new, &self.diff.after, at, self.opener?));
        for piece in fit(&tree, room) {
            text.push_str("+ ");
            match piece {
                Shown::Line(at) => {
                    let node = &tree.nodes[at];
                    (0..node.depth).for_each(|_| text.push(' '));
                    self.line(text, node, place.as_deref().filter(|_| at == 0), LINE);
                }
                Shown::Cut(cut) => {
                    (0..cut.depth).for_each(|_| text.push(' '));
                    text.push_str(&cut.words(&tree, self.notation, |at| (self.reference)(&tree.nodes[at])));
                }
            }
            text.push('\n');
        }
    }

    fn changed(&self, text: &mut String, at: usize, most: usize) {
        let node = &self.diff.new.nodes[at];
        let mut line = String::new();
        let place = location_of(self.diff.new, &self.diff.after, at).map(|place| format!("in {place}"));
        self.line(&mut line, node, place.as_deref(), most);
        let texts = self.diff.new.nodes[at + 1..self.diff.new.end_of(at)]
            .iter()
            .filter(|below| below.key.is_none() && below.depth == node.depth + 1);
        for below in texts.take(5) {
            let _ = write!(line, " · {}", shortened(below.before.trim_start_matches("text: "), 200));
        }
        let _ = writeln!(text, "~ {line}");
    }

    /// A moved element: after which one, and where.
    fn moved(&self, text: &mut String, at: usize) {
        let (tree, shape) = (self.diff.new, &self.diff.after);
        let _ = write!(text, "~ moved: {}", mention(tree, at, 80));
        let node = &tree.nodes[at];
        if let Some(reference) = (self.reference)(node).filter(|_| node.shows_ref) {
            let _ = write!(text, " ({}{reference})", self.notation.ref_sign);
        }
        let beside = shape.children(shape.parent[at]);
        let before = beside.iter().take_while(|other| **other != at).last();
        let _ = match before {
            Some(before) => write!(text, " after {}", mention(tree, *before, 40)),
            None => write!(text, " to the front"),
        };
        match (location_of(tree, shape, at), before, beside.get(1)) {
            (Some(place), ..) => {
                let _ = write!(text, " in {place}");
            }
            // Without a named ancestor, the next sibling says where.
            (None, None, Some(next)) => {
                let _ = write!(text, ", before {}", mention(tree, *next, 40));
            }
            _ => {}
        }
        text.push('\n');
    }

    /// Several moved siblings: their new order.
    fn moved_together(&self, text: &mut String, first: usize, count: usize) {
        const SHOWN: usize = 10;
        let (tree, shape) = (self.diff.new, &self.diff.after);
        let role = tree.nodes[first].role();
        let all: Vec<usize> = shape
            .children(shape.parent[first])
            .iter()
            .copied()
            .filter(|at| tree.nodes[*at].role() == role)
            .collect();
        let _ = write!(text, "~ moved: {}", counted(count, role));
        if let Some(place) = location_of(tree, shape, first) {
            let _ = write!(text, " in {place}");
        }
        let order: Vec<String> =
            all.iter().take(SHOWN).map(|at| format!("\"{}\"", label(tree, *at, 40))).collect();
        let _ = write!(text, "; now {}", order.join(", "));
        if all.len() > SHOWN {
            let _ = write!(text, ", … {} more", all.len() - SHOWN);
        }
        text.push('\n');
    }

    fn many(&self, text: &mut String, changes: &[Change], room: usize) {
        let first = changes[0];
        let role = self.node(first).role();
        if let Change::Gone(_) = first {
            let labels = changes.iter().take(3).map(|change| match *change {
                Change::Gone(at) if self.diff.old.nodes[at].key.is_none() => {
                    format!(
                        "\"{}\"",
                        shortened(self.diff.old.nodes[at].before.trim_start_matches("text: "), 40)
                    )
                }
                Change::Gone(at) => format!("\"{}\"", label(self.diff.old, at, 40)),
                _ => String::new(),
            });
            let labels = labels.collect::<Vec<_>>().join(", ");
            let _ =
                writeln!(text, "- {}: {labels}, … {} more", counted(changes.len(), role), changes.len() - 3);
            return;
        }
        let start = text.len();
        let mut told = 0;
        let mut last = None;
        for change in changes {
            match *change {
                // The first one is shown with its content.
                Change::Appeared(at) if told == 0 => self.appeared(text, at, room / 2),
                Change::Appeared(at) => {
                    text.push_str("+ ");
                    self.in_short(text, at);
                    text.push('\n');
                }
                Change::Changed(at) | Change::Renewed(at) | Change::Moved(at) | Change::Gone(at) => {
                    self.changed(text, at, 120);
                }
            }
            told += 1;
            last = Some(*change);
            if text.len() - start > room.saturating_sub(150) {
                break;
            }
        }
        let rest = changes.len() - told;
        if rest > 0 {
            self.rest(text, first, rest, last);
        }
    }

    /// How many more there are, and how to see them.
    fn rest(&self, text: &mut String, first: Change, rest: usize, last: Option<Change>) {
        let (mark, how) = match first {
            Change::Appeared(_) => ('+', "new "),
            Change::Renewed(_) => ('~', "redrawn "),
            _ => ('~', "changed "),
        };
        let what = counted(rest, self.node(first).role());
        let of = |at: usize| (self.reference)(&self.diff.new.nodes[at]);
        let _ = write!(text, "{mark} … truncated: {}", what.replacen(' ', &format!(" more {how}"), 1));
        match self.holder(first).and_then(of) {
            Some(within) => {
                let after = match last {
                    Some(Change::Appeared(last)) => of(last).map(After::Element),
                    _ => None,
                };
                let rest = (self.notation.rest)(Rest { within: Some(within), after });
                let _ = writeln!(text, ": {rest}");
            }
            None => text.push_str("; take a snapshot to see them\n"),
        }
    }

    /// One of many: its name, or else its content.
    fn in_short(&self, text: &mut String, at: usize) {
        const MOST: usize = 100;
        let node = &self.diff.new.nodes[at];
        if !node.name().is_empty() || !node.own_text().is_empty() || node.key.is_none() {
            return self.line(text, node, None, MOST);
        }
        text.push_str(&mention(self.diff.new, at, MOST));
        if let Some(reference) = (self.reference)(node).filter(|_| node.shows_ref) {
            let _ = write!(text, " [ref={}{reference}]", self.notation.ref_sign);
        }
    }

    /// A node's line, with its place.
    fn line(&self, text: &mut String, node: &Node, place: Option<&str>, most: usize) {
        let mut line = shortened(&node.before, most);
        if node.active {
            line.push_str(" [active]");
        }
        if let Some(reference) = (self.reference)(node).filter(|_| node.shows_ref) {
            let _ = write!(line, " [ref={}{reference}]", self.notation.ref_sign);
        }
        if let Some(place) = place {
            let _ = write!(line, " {place}");
        }
        line.push_str(&shortened(&node.after, most));
        text.push_str(&line);
    }
}
