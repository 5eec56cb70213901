//! The differences between two snapshots.

use std::collections::{HashMap, HashSet};

use super::{
    label::{content, label},
    matching::Matching,
    order::moved,
    shape::Shape,
    tree::Tree,
};

/// One difference. `Gone` has an index in the old tree, the others in the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// A new subtree.
    Appeared(usize),
    /// A node with another line.
    Changed(usize),
    /// A node that was re-rendered unchanged and has a new ref.
    Renewed(usize),
    /// A node in another position.
    Moved(usize),
    /// A removed subtree.
    Gone(usize),
}

/// Two snapshots, compared.
pub(crate) struct Diff<'a> {
    pub(crate) old: &'a Tree,
    pub(crate) new: &'a Tree,
    pub(crate) before: Shape,
    pub(crate) after: Shape,
    pub(crate) matching: Matching,
}

impl<'a> Diff<'a> {
    pub(crate) fn of(old: &'a Tree, new: &'a Tree) -> Self {
        let (before, after) = (Shape::of(old), Shape::of(new));
        let matching = Matching::of((old, &before), (new, &after));
        Self { old, new, before, after, matching }
    }

    /// All differences in page order; moved and removed nodes last.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let mut changes = self.appeared_and_changed();
        let mut told = vec![false; self.new.nodes.len()];
        for change in &changes {
            if let Change::Appeared(at) = *change {
                told[at..self.new.end_of(at)].fill(true);
            }
        }
        changes.extend(self.moved().into_iter().filter(|at| !told[*at]).map(Change::Moved));
        changes.extend(self.gone().into_iter().map(Change::Gone));
        let explained = self.explained(&changes);
        changes.retain_mut(|change| match *change {
            Change::Changed(at) if explained.contains(&at) => {
                *change = Change::Renewed(at);
                self.is_renewed(at)
            }
            _ => true,
        });
        changes
    }

    fn appeared_and_changed(&self) -> Vec<Change> {
        let texts: HashSet<&str> = top_texts(self.old).map(|(_, text)| text).collect();
        let mut changes = Vec::new();
        let mut at = 0;
        while at < self.new.nodes.len() {
            let node = &self.new.nodes[at];
            match self.matching.old[at] {
                None if node.key.is_some() => {
                    changes.push(Change::Appeared(at));
                    at = self.new.end_of(at);
                    continue;
                }
                Some(then) if self.differs(then, at) => changes.push(Change::Changed(at)),
                Some(_) if self.is_renewed(at) => changes.push(Change::Renewed(at)),
                // Text belongs to its parent; at the top it stands alone.
                None if self.after.parent[at].is_none() && !texts.contains(&*node.before) => {
                    changes.push(Change::Appeared(at));
                }
                _ => {}
            }
            at += 1;
        }
        changes
    }

    /// Whether its ref differs from that of the element it replaces.
    fn is_renewed(&self, at: usize) -> bool {
        !self.matching.sure[at] && self.new.nodes[at].shows_ref
    }

    fn differs(&self, then: usize, now: usize) -> bool {
        let (was, is) = (&self.old.nodes[then], &self.new.nodes[now]);
        was.before != is.before || was.after != is.after || self.before.texts[then] != self.after.texts[now]
    }

    /// Elements in another order or another parent.
    fn moved(&self) -> Vec<usize> {
        let mut all = Vec::new();
        for parent in std::iter::once(None).chain((0..self.new.nodes.len()).map(Some)) {
            let children = self.after.children(parent);
            let holder = parent.map(|parent| self.matching.old[parent]);
            // The content of a new element is reported with it.
            if children.is_empty() || holder == Some(None) {
                continue;
            }
            let holder = holder.flatten();
            let (mut stayed, mut places) = (Vec::new(), Vec::new());
            for &child in children {
                let Some(then) = self.matching.old[child] else { continue };
                if self.before.parent[then] == holder {
                    stayed.push(child);
                    places.push(then);
                } else if self.before.parent[then].is_none_or(|was| self.matching.new[was].is_some()) {
                    all.push(child);
                }
            }
            let order = moved(&places);
            all.extend(stayed.into_iter().zip(order).filter_map(|(child, moved)| moved.then_some(child)));
        }
        all.sort_unstable();
        all
    }

    fn gone(&self) -> Vec<usize> {
        let texts: HashSet<&str> = top_texts(self.new).map(|(_, text)| text).collect();
        let mut all = Vec::new();
        let mut at = 0;
        while at < self.old.nodes.len() {
            let node = &self.old.nodes[at];
            let went = match node.key {
                Some(_) => self.matching.new[at].is_none(),
                None => self.before.parent[at].is_none() && !texts.contains(&*node.before),
            };
            if went {
                all.push(at);
                at = self.old.end_of(at);
            } else {
                at += 1;
            }
        }
        all
    }

    /// Elements with only a new name that comes from their content, whose change is reported itself.
    fn explained(&self, changes: &[Change]) -> HashSet<usize> {
        const WORDS: usize = 200;
        let mut renamed: HashMap<usize, usize> = HashMap::new();
        for change in changes {
            if let Change::Changed(at) = *change
                && let Some(then) = self.matching.old[at]
                && self.only_renamed(then, at)
            {
                renamed.insert(at, then);
            }
        }
        let mut explained = HashSet::new();
        if renamed.is_empty() {
            return explained;
        }
        // What is left of the old names without what is gone.
        let mut left: HashMap<usize, String> = HashMap::new();
        for change in changes {
            match *change {
                Change::Appeared(at) | Change::Changed(at) | Change::Moved(at) => {
                    let words = label(self.new, at, WORDS);
                    let named = |around: &usize| {
                        renamed.contains_key(around) && self.new.nodes[*around].name().contains(&words)
                    };
                    explained.extend(self.after.around(at).filter(named));
                }
                Change::Gone(at) => {
                    let words = joined(&content(self.old, at));
                    for around in self.before.around(at) {
                        let Some(now) = self.matching.new[around].filter(|now| renamed.contains_key(now))
                        else {
                            continue;
                        };
                        let left = left.entry(now).or_insert_with(|| joined(self.old.nodes[around].name()));
                        *left = left.replacen(&words, "", 1);
                    }
                }
                Change::Renewed(_) => {}
            }
        }
        let is_new = |(at, left): &(usize, String)| joined(self.new.nodes[*at].name()) == *left;
        explained.extend(left.into_iter().filter(is_new).map(|(at, _)| at));
        explained
    }

    fn only_renamed(&self, then: usize, now: usize) -> bool {
        let (was, is) = (&self.old.nodes[then], &self.new.nodes[now]);
        was.name() != is.name()
            && was.role() == is.role()
            && was.before[was.named..] == is.before[is.named..]
            && was.after == is.after
            && self.before.texts[then] == self.after.texts[now]
    }
}

/// Without white space, which differs between names and the contents that they come from.
pub(super) fn joined(words: &str) -> String {
    words.split_whitespace().collect()
}

/// Top-level texts.
fn top_texts(tree: &Tree) -> impl Iterator<Item = (usize, &str)> {
    let nodes = tree.nodes.iter().enumerate();
    nodes.filter(|(_, node)| node.depth == 0 && node.key.is_none()).map(|(at, node)| (at, &*node.before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::tests::tree;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &[Change]) {
        assert_eq!(Diff::of(&tree(old), &tree(new)).changes(), expected);
    }

    #[test]
    fn nothing() {
        check("1 a\n 2 b\n  0 text", "1 a\n 2 b\n  0 text", &[]);
    }

    #[test]
    fn appeared_changed_and_gone() {
        check(
            "1 list\n 2 item\n 3 item\n  4 deep",
            "1 list\n 2 item [checked]\n 5 other\n  6 deeper",
            &[Change::Changed(1), Change::Appeared(2), Change::Gone(2)],
        );
    }

    #[test]
    fn text_belongs_to_what_it_stands_in() {
        check("1 status\n 0 saving", "1 status\n 0 saved", &[Change::Changed(0)]);
        check("0 hello", "0 good bye", &[Change::Appeared(0), Change::Gone(0)]);
    }

    #[test]
    fn a_list_that_is_drawn_anew_with_one_less_lost_one() {
        let old = "1 list\n 2 listitem\n  0 One\n 3 listitem\n  0 Two\n 4 listitem\n  0 Three";
        let new = "1 list\n 12 listitem\n  0 One\n 14 listitem\n  0 Three";
        check(old, new, &[Change::Gone(2)]);
        let all_new = "11 list\n 12 listitem\n  0 One\n 14 listitem\n  0 Three";
        check(old, all_new, &[Change::Gone(2)]);
    }

    #[test]
    fn twins_that_are_drawn_anew_have_other_refs() {
        let old = "1 list\n 2 button \"Delete\"\n 3 button \"Delete\"";
        let new = "1 list\n 4 button \"Delete\"\n 5 button \"Delete\"";
        check(old, new, &[Change::Renewed(1), Change::Renewed(2)]);
    }

    #[test]
    fn a_panel_that_is_hidden_is_not_the_one_that_is_shown() {
        let one = tree("1 heading \"One\"\n2 button \"Save\"");
        let mut two = tree("11 heading \"Two\"\n12 button \"Save\"");
        assert_eq!(two.missing_from(&one).len(), 2);
        two.hidden = one.nodes.iter().filter_map(|node| node.key).collect();
        let diff = Diff::of(&one, &two);
        let gone_and_new = [Change::Appeared(0), Change::Appeared(1), Change::Gone(0), Change::Gone(1)];
        assert_eq!(diff.changes(), gone_and_new);
        assert_eq!(diff.matching.redrawn(&one, &two).count(), 0);
        assert_eq!(tree("1 heading").missing_from(&one), [], "nothing new");
    }

    #[test]
    fn what_changed_its_place_has_moved() {
        let old = "1 list\n 2 listitem\n 3 listitem\n 4 listitem\n5 list\n 6 listitem";
        check(old, "1 list\n 4 listitem\n 2 listitem\n 3 listitem\n5 list\n 6 listitem", &[Change::Moved(1)]);
        check(old, "1 list\n 2 listitem\n 3 listitem\n5 list\n 6 listitem\n 4 listitem", &[Change::Moved(5)]);
    }

    #[test]
    fn a_name_made_of_what_is_inside_is_told_by_what_changed_there() {
        let old = "1 row \"Ada Viewing\"\n 2 cell \"Ada\"\n 3 cell \"Viewing\"";
        let new = "1 row \"Ada Editing\"\n 2 cell \"Ada\"\n 3 cell \"Editing\"";
        check(old, new, &[Change::Changed(2)]);
    }
}
