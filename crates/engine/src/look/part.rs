//! Parts of a snapshot: a subtree, the rest after an element, or matching lines.

use super::snapshot::{LookFormat, MAX_NODES_OF_A_PART, Start};
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

/// A part, with its elements located.
pub(crate) struct Asked<'a> {
    /// The format to read it in.
    pub(crate) format: LookFormat,
    pub(crate) of: Option<Located>,
    pub(crate) after: Option<After<Located>>,
    pub(crate) part: &'a Part,
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

    /// A part of the page as text: of this tree, or of another one if that has not all of it.
    pub(crate) async fn part(self, tree: &Tree, asked: &Asked<'_>) -> Result<String> {
        match self.wider(tree, asked) {
            Some(start) => {
                let wider = self.look_as(asked.format, Some(&start), self.snapshot_deadline()).await?;
                self.written_part(&wider, asked)
            }
            None => self.written_part(tree, asked),
        }
    }

    /// Where to read what the tree has not: what is beyond the limit, elements without a line, texts in full.
    fn wider(self, tree: &Tree, asked: &Asked<'_>) -> Option<Start> {
        let Asked { of, after, part, .. } = asked;
        let root = of.as_ref().map(|of| self.position(tree, of));
        let all = tree.more > 0 && (of.is_some() || after.is_some() || part.find.is_some());
        let without_line = root == Some(None);
        let texts = match root.flatten() {
            Some(root) => has_truncated(tree, Some(root)),
            None => after.is_some() && has_truncated(tree, None),
        };
        (all || without_line || texts).then(|| Start {
            frame: of.as_ref().map_or_else(|| self.page.main_frame(), |of| of.frame.clone()),
            root: of.as_ref().map(|of| of.number),
            all,
            full_texts: (texts || without_line).then(|| self.page.options().snapshot_limit),
        })
    }

    /// A part of a tree as text.
    pub(crate) fn written_part(self, tree: &Tree, asked: &Asked<'_>) -> Result<String> {
        let part = asked.part;
        let limit = self.page.options().snapshot_limit;
        let levels = part.depth.unwrap_or(u32::MAX);
        // An element without a line is the whole tree then.
        let root = asked.of.as_ref().and_then(|of| self.position(tree, of));
        let rest = asked.after.as_ref().map(|after| self.rest_of(tree, root, after)).transpose()?;
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

    fn position(self, tree: &Tree, located: &Located) -> Option<usize> {
        let key = self.page.state().frame(&located.frame).map(|frame| (frame.document, located.number));
        tree.nodes.iter().position(|node| node.key.is_some() && node.key == key)
    }

    fn node_of(self, tree: &Tree, located: &Located) -> Result<usize> {
        let limit = (tree.more > 0).then_some(MAX_NODES_OF_A_PART);
        let reference = located.element.reference;
        self.position(tree, located).ok_or(Error::Element(ElementError::NotShown { reference, limit }))
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
            let unread = match tree.more {
                0 => String::new(),
                more => format!("; {more} more were not searched: the page is too large"),
            };
            return format!("(none of {lines} lines has the text or the role {}{unread})", quoted(text, 200));
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

/// Whether a text directly in a node, or at the top, is truncated.
pub(super) fn has_truncated(tree: &Tree, node: Option<usize>) -> bool {
    let (nodes, depth) = match node {
        Some(at) => (&tree.nodes[at..tree.end_of(at)], tree.nodes[at].depth + 1),
        None => (&*tree.nodes, 0),
    };
    nodes.iter().any(|node| node.marks.truncated && node.depth <= depth)
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
