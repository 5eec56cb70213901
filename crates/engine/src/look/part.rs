//! Parts of a snapshot: a subtree, what comes after an element in it, or only the lines that match.

use crate::{
    Deadline, Error, Page, Result, Target,
    ready::{Located, Needs},
    snapshot::{
        Tree,
        budget::{fit_after, fit_levels, fit_subtree},
        find::found,
        text::quoted,
    },
};

/// Which part of a page a snapshot shows.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// Only this subtree.
    pub of: Option<Target>,
    /// Only so many levels.
    pub depth: Option<u32>,
    /// Only what comes after this element in what it stands in, or in the subtree.
    pub after: Option<Target>,
    /// Only the lines with this text or role, and what they stand in.
    pub find: Option<String>,
}

impl Page {
    /// An element that bounds a part.
    pub(crate) async fn part_root(
        &self,
        target: Option<&Target>,
        deadline: Deadline,
    ) -> Result<Option<Located>> {
        match target {
            Some(target) => self.ready(target, Needs::EXIST, deadline).await.map(Some),
            None => Ok(None),
        }
    }

    /// A part of a tree as text.
    pub(crate) fn part(
        &self,
        tree: &Tree,
        root: Option<&Located>,
        after: Option<&Located>,
        part: &Part,
    ) -> Result<String> {
        let limit = self.options().snapshot_limit;
        let levels = part.depth.unwrap_or(u32::MAX);
        let root = root.map(|root| self.node_of(tree, root)).transpose()?;
        let after = after.map(|after| self.node_of(tree, after).map(|at| (at, after.element.reference)));
        let after = after.transpose()?;
        if let Some(wanted) = &part.find {
            return Ok(self.matching_lines(tree, root, after.map(|(at, _)| at), wanted));
        }
        Ok(match (root, after) {
            (root, Some((after, reference))) => {
                let root = holder_of(tree, root, after).ok_or(Error::NotInside { reference })?;
                self.written(tree, &fit_after(tree, root, after, limit, levels))
            }
            (Some(root), None) => self.written(tree, &fit_subtree(tree, root, limit, levels)),
            (None, None) if part.depth.is_none() => self.shown(tree, limit),
            (None, None) => self.written(tree, &fit_levels(tree, limit, levels.saturating_sub(1))),
        })
    }

    fn node_of(&self, tree: &Tree, located: &Located) -> Result<usize> {
        let key = self.state().frame(&located.frame).map(|frame| (frame.document, located.number));
        let at = tree.nodes.iter().position(|node| node.key.is_some() && node.key == key);
        at.ok_or(Error::Stale { reference: located.element.reference, replaced: false })
    }

    fn matching_lines(&self, tree: &Tree, root: Option<usize>, after: Option<usize>, wanted: &str) -> String {
        let (from, to) = match root {
            Some(root) => (root, tree.end_of(root)),
            None => (0, tree.nodes.len()),
        };
        let from = after.map_or(from, |after| tree.end_of(after).max(from));
        let (shown, left) = found(tree, from..to, wanted, self.options().snapshot_limit);
        if shown.is_empty() {
            let lines = to.saturating_sub(from);
            return format!("(none of {lines} lines has the text or the role {})", quoted(wanted, 200));
        }
        let mut text = self.written(tree, &shown);
        if left > 0 {
            text.push_str(&format!("\n- … {left} more matches not shown; look for something narrower"));
        }
        text
    }
}

/// What the rest is shown of: the subtree that was asked for, or what the element stands in.
fn holder_of(tree: &Tree, root: Option<usize>, after: usize) -> Option<Option<usize>> {
    match root {
        Some(root) => (root + 1..tree.end_of(root)).contains(&after).then_some(Some(root)),
        None => {
            let depth = tree.nodes[after].depth;
            Some((0..after).rev().find(|at| tree.nodes[*at].depth < depth))
        }
    }
}
