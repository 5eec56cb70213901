//! Parts of a snapshot: a subtree, the rest after an element, or matching lines.

use crate::{
    Deadline, ElementError, Error, Result, Target,
    page::parts::Snapshots,
    ready::{Located, Needs},
    snapshot::{
        After, Tree,
        budget::{RestNodes, after_children, end_of_child, fit, fit_levels, fit_rest, fit_subtree},
        find::found,
        text::quoted,
        tree::Form,
    },
};

/// The part of a page that a snapshot shows.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// Only this subtree.
    pub of: Option<Target>,
    /// Only this many levels.
    pub depth: Option<u32>,
    /// Only what follows this in its parent or in the subtree.
    pub after: Option<After<Target>>,
    /// Only lines with this text or role, and their ancestors.
    pub find: Option<String>,
}

impl Snapshots<'_> {
    /// Locates an element that bounds a part.
    pub(crate) async fn part_root(
        self,
        target: Option<&Target>,
        deadline: Deadline,
    ) -> Result<Option<Located>> {
        match target {
            Some(target) => self.page.locator().ready(target, Needs::EXIST, deadline).await.map(Some),
            None => Ok(None),
        }
    }

    /// Locates the element that a rest is counted from.
    pub(crate) async fn rest_root(
        self,
        after: Option<&After<Target>>,
        deadline: Deadline,
    ) -> Result<Option<After<Located>>> {
        let located = self.part_root(after.and_then(After::element), deadline).await?;
        Ok(match (after, located) {
            (Some(After::Children(_, count)), located) => Some(After::Children(located, *count)),
            (_, located) => located.map(After::Element),
        })
    }

    /// A part of a tree as text.
    pub(crate) fn part(
        self,
        tree: &Tree,
        root: Option<&Located>,
        after: Option<&After<Located>>,
        part: &Part,
    ) -> Result<String> {
        let limit = self.page.options().snapshot_limit;
        let levels = part.depth.unwrap_or(u32::MAX);
        let root = root.map(|root| self.node_of(tree, root)).transpose()?;
        let rest = after.map(|after| self.rest_of(tree, root, after)).transpose()?;
        if let Some(text) = &part.find {
            return Ok(self.matching_lines(tree, root, rest, text));
        }
        let shown = match (root, rest) {
            (_, Some(rest)) => fit_rest(tree, rest, limit, levels),
            (Some(root), None) => fit_subtree(tree, root, limit, levels),
            (None, None) if part.depth.is_some() => fit_levels(tree, limit, levels.saturating_sub(1)),
            (None, None) if tree.form == Form::Html => fit(tree, limit),
            (None, None) => return Ok(self.page.writer().shown(tree, limit)),
        };
        Ok(self.page.writer().written(tree, &shown))
    }

    fn node_of(self, tree: &Tree, located: &Located) -> Result<usize> {
        let key = self.page.state().frame(&located.frame).map(|frame| (frame.document, located.number));
        let at = tree.nodes.iter().position(|node| node.key.is_some() && node.key == key);
        at.ok_or(Error::Element(ElementError::Stale {
            reference: located.element.reference,
            replaced: false,
        }))
    }

    /// The rest of an element, or of the page, that begins at a place in it.
    fn rest_of(self, tree: &Tree, root: Option<usize>, after: &After<Located>) -> Result<RestNodes> {
        match after {
            After::Element(after) => {
                let at = self.node_of(tree, after)?;
                let parent = parent_of(tree, root, at).ok_or(not_inside(after))?;
                Ok(RestNodes { parent, from: end_of_child(tree, parent, at) })
            }
            After::Children(of, count) => {
                let parent = match of {
                    Some(of) => {
                        let at = self.node_of(tree, of)?;
                        let inside = root.is_none_or(|root| (root..tree.end_of(root)).contains(&at));
                        Some(Some(at).filter(|_| inside).ok_or(not_inside(of))?)
                    }
                    None => root.or_else(|| tree.title_line()),
                };
                Ok(RestNodes { parent, from: after_children(tree, parent, *count) })
            }
        }
    }

    fn matching_lines(self, tree: &Tree, root: Option<usize>, rest: Option<RestNodes>, text: &str) -> String {
        let (from, to) = match root {
            Some(root) => (root, tree.end_of(root)),
            None => (0, tree.nodes.len()),
        };
        let from = rest.map_or(from, |rest| rest.from.max(from));
        let (shown, left) = found(tree, from..to, text, self.page.options().snapshot_limit);
        if shown.is_empty() {
            let lines = to.saturating_sub(from);
            return format!("(none of {lines} lines has the text or the role {})", quoted(text, 200));
        }
        let mut text = self.page.writer().written(tree, &shown);
        if left > 0 {
            let left = format!("… truncated: {left} more matches; search for something narrower");
            text.push_str(&match tree.form {
                Form::Html => format!("\n<!-- {left} -->"),
                _ => format!("\n- {left}"),
            });
        }
        text
    }
}

fn not_inside(located: &Located) -> Error {
    Error::Element(ElementError::NotInside { reference: located.element.reference })
}

/// The node whose rest is shown: the requested subtree, or the element's parent.
fn parent_of(tree: &Tree, root: Option<usize>, after: usize) -> Option<Option<usize>> {
    match root {
        Some(root) => (root + 1..tree.end_of(root)).contains(&after).then_some(Some(root)),
        None => {
            let depth = tree.nodes[after].depth;
            Some((0..after).rev().find(|at| tree.nodes[*at].depth < depth))
        }
    }
}
