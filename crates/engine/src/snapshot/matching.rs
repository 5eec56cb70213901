//! Matches the nodes of two snapshots. The same element is the same node. Re-rendered elements are matched by
//! content and position: if that is unambiguous, refs follow; otherwise the match is used only to report
//! changes. An element that is only hidden is never matched with another one.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{
    shape::{RECORDS, Shape, is_nameless_record},
    tree::{Key, Tree},
};

/// Matching nodes of two trees, by index.
pub(crate) struct Matching {
    /// The old node of each new one.
    pub(crate) old: Vec<Option<usize>>,
    /// The new node of each old one.
    pub(crate) new: Vec<Option<usize>>,
    /// For each new node, whether refs of the old one follow to it.
    pub(crate) sure: Vec<bool>,
}

impl Matching {
    pub(crate) fn of(old: (&Tree, &Shape), new: (&Tree, &Shape)) -> Self {
        let matching = Self {
            old: vec![None; new.0.nodes.len()],
            new: vec![None; old.0.nodes.len()],
            sure: vec![false; new.0.nodes.len()],
        };
        let mut pairing = Pairing { old, new, matching };
        pairing.by_identity();
        if pairing.any_left() {
            pairing.by_place();
            pairing.children(None, None, true);
            for at in 0..new.0.nodes.len() {
                if let Some(then) = pairing.matching.old[at] {
                    pairing.children(Some(then), Some(at), pairing.matching.sure[at]);
                }
            }
        }
        pairing.matching
    }

    /// Re-rendered elements: the old one and its replacement.
    pub(crate) fn redrawn<'a>(
        &'a self,
        old: &'a Tree,
        new: &'a Tree,
    ) -> impl Iterator<Item = (Key, Key)> + 'a {
        let pairs = self.old.iter().enumerate().filter(|(at, _)| self.sure[*at]);
        pairs.filter_map(|(at, then)| {
            let (then, now) = (old.nodes[(*then)?].key?, new.nodes[at].key?);
            (then != now).then_some((then, now))
        })
    }
}

struct Pairing<'a> {
    old: (&'a Tree, &'a Shape),
    new: (&'a Tree, &'a Shape),
    matching: Matching,
}

impl Pairing<'_> {
    fn pair(&mut self, old: usize, new: usize, sure: bool) {
        self.matching.old[new] = Some(old);
        self.matching.new[old] = Some(new);
        self.matching.sure[new] = sure;
    }

    fn by_identity(&mut self) {
        let nodes = self.old.0.nodes.iter().enumerate();
        let then: HashMap<Key, usize> = nodes.filter_map(|(at, node)| Some((node.key?, at))).collect();
        for (at, node) in self.new.0.nodes.iter().enumerate() {
            if let Some(&old) = node.key.as_ref().and_then(|key| then.get(key))
                && self.matching.new[old].is_none()
            {
                self.pair(old, at, true);
            }
        }
    }

    /// Whether both sides have unmatched elements.
    fn any_left(&self) -> bool {
        let elements = |tree: &Tree| {
            let nodes = tree.nodes.iter().enumerate();
            nodes.filter(|(_, node)| node.key.is_some()).map(|(at, _)| at).collect::<Vec<_>>()
        };
        elements(self.old.0).into_iter().any(|at| self.is_left(at))
            && elements(self.new.0).into_iter().any(|at| self.matching.old[at].is_none())
    }

    /// Whether an old node has no match and may get one.
    fn is_left(&self, old: usize) -> bool {
        self.matching.new[old].is_none() && !self.is_hidden(old)
    }

    fn is_hidden(&self, old: usize) -> bool {
        self.old.0.nodes[old].key.is_some_and(|key| self.new.0.hidden.contains(&key))
    }

    /// Elements with a unique path before and now, in the same frame: paths do not include frames.
    fn by_place(&mut self) {
        let then = unmistakable(self.old);
        let now = unmistakable(self.new);
        for (place, old) in then {
            if let Some(&new) = now.get(&place)
                && self.is_free(old, new)
                && self.old.0.nodes[old].frame == self.new.0.nodes[new].frame
            {
                self.pair(old, new, true);
            }
        }
    }

    fn is_free(&self, old: usize, new: usize) -> bool {
        self.is_left(old) && self.matching.old[new].is_none()
    }

    /// The children of two matching nodes.
    fn children(&mut self, old: Option<usize>, new: Option<usize>, sure: bool) {
        let (then, now) = (self.old.1.children(old), self.new.1.children(new));
        let left = |this: &Self| {
            then.iter().any(|at| this.is_left(*at)) && now.iter().any(|at| this.matching.old[*at].is_none())
        };
        if left(self) {
            self.by_content(then, now, sure);
        }
        if left(self) {
            self.by_name(then, now, sure);
        }
        if left(self) {
            self.by_gaps(then, now);
        }
    }

    /// Those with the same content: unambiguous if there is only one, else in order.
    fn by_content(&mut self, then: &[usize], now: &[usize], sure: bool) {
        let (before, after) = (self.old.1, self.new.1);
        let count = |shape: &Shape, all: &[usize]| {
            let mut counts: HashMap<u64, usize> = HashMap::new();
            all.iter().for_each(|at| *counts.entry(shape.content[*at]).or_default() += 1);
            counts
        };
        let (were, are) = (count(before, then), count(after, now));
        let mut free: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for at in then.iter().filter(|at| self.is_left(**at)) {
            free.entry(before.content[*at]).or_default().push_back(*at);
        }
        for &at in now {
            let content = after.content[at];
            if self.matching.old[at].is_none()
                && let Some(old) = free.get_mut(&content).and_then(VecDeque::pop_front)
            {
                let one = were[&content] == 1 && are[&content] == 1;
                self.pair(old, at, sure && one);
            }
        }
    }

    /// Those with a unique role and name.
    fn by_name(&mut self, then: &[usize], now: &[usize], sure: bool) {
        let were = only_ones(self.old.0, then);
        for (named, new) in only_ones(self.new.0, now) {
            if let Some(&Some(old)) = were.get(named)
                && let Some(new) = new
                && self.is_free(old, new)
            {
                self.pair(old, new, sure);
            }
        }
    }

    /// Similar ones between the same neighbours.
    fn by_gaps(&mut self, then: &[usize], now: &[usize]) {
        let mut gaps: HashMap<Option<usize>, (Vec<usize>, Vec<usize>)> = HashMap::new();
        let mut after = None;
        for &at in then.iter().filter(|at| !self.is_hidden(**at)) {
            match self.matching.new[at] {
                Some(_) => after = Some(at),
                None => gaps.entry(after).or_default().0.push(at),
            }
        }
        after = None;
        for &at in now {
            match self.matching.old[at] {
                Some(old) => after = Some(old),
                None => gaps.entry(after).or_default().1.push(at),
            }
        }
        for (olds, news) in gaps.into_values().filter(|(olds, news)| olds.len() == news.len()) {
            let alone = olds.len() == 1;
            for (old, new) in olds.into_iter().zip(news) {
                if self.are_alike(old, new, alone) {
                    self.pair(old, new, false);
                }
            }
        }
    }

    fn are_alike(&self, old: usize, new: usize, alone: bool) -> bool {
        let (was, is) = (&self.old.0.nodes[old], &self.new.0.nodes[new]);
        if was.role() != is.role() {
            return false;
        }
        if alone && !RECORDS.contains(&is.role()) {
            return true;
        }
        let (then, now) = (self.old.1.children(Some(old)), self.new.1.children(Some(new)));
        let contents: HashSet<u64> = then.iter().map(|at| self.old.1.content[*at]).collect();
        let same = now.iter().filter(|at| contents.contains(&self.new.1.content[**at])).count();
        same * 2 > then.len().max(now.len())
    }
}

/// The elements with a unique path.
fn unmistakable((tree, shape): (&Tree, &Shape)) -> HashMap<u64, usize> {
    let mut places: HashMap<u64, Option<usize>> = HashMap::with_capacity(tree.nodes.len());
    for (at, _) in tree.nodes.iter().enumerate().filter(|(_, node)| node.key.is_some()) {
        places.entry(shape.place[at]).and_modify(|one| *one = None).or_insert(Some(at));
    }
    places.into_iter().filter_map(|(place, at)| Some((place, at?))).collect()
}

/// Elements by role and name; `None` for several.
fn only_ones<'a>(tree: &'a Tree, all: &[usize]) -> HashMap<&'a str, Option<usize>> {
    let mut ones: HashMap<&str, Option<usize>> = HashMap::new();
    for (at, node) in all.iter().map(|at| (*at, &tree.nodes[*at])) {
        if is_nameless_record(node) {
            continue;
        }
        ones.entry(&node.before[..node.named]).and_modify(|one| *one = None).or_insert(Some(at));
    }
    ones
}
