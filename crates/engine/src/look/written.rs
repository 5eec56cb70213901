//! Writes snapshots.

use std::fmt::Write;

use crate::{
    page::parts::SnapshotWriter,
    snapshot::{
        Tree,
        budget::{Shown, fit},
        cut::{beyond, full_text},
        digest::digest,
        html,
        tree::{Form, Node},
    },
};

impl SnapshotWriter<'_> {
    /// Renders a tree within a limit.
    pub(crate) fn shown(self, tree: &Tree, limit: usize) -> String {
        self.shown_anew(tree, None, limit)
    }

    /// The same, leaving out what the client saw on the page before.
    pub(crate) fn shown_anew(self, tree: &Tree, baseline: Option<&Tree>, limit: usize) -> String {
        let digest =
            digest(tree, baseline, limit, self.page.settings().notation(), |node| self.node_reference(node));
        self.written(&digest, &fit(&digest, limit))
    }

    pub(crate) fn written(self, tree: &Tree, shown: &[Shown]) -> String {
        if tree.form == Form::Html {
            let notation = self.page.settings().notation();
            return html::write(tree, shown, notation, |at| self.reference(tree, at));
        }
        let indent = |text: &mut String, depth: u32| indent(text, depth * tree.form.indent());
        let base = match shown.first() {
            Some(Shown::Line(at)) => tree.nodes[*at].depth,
            _ => 0,
        };
        let mut text = String::new();
        for piece in shown {
            match *piece {
                Shown::Line(at) => {
                    let node = &tree.nodes[at];
                    indent(&mut text, node.depth.saturating_sub(base));
                    text.push_str("- ");
                    self.write_line(&mut text, tree, at);
                    text.push('\n');
                }
                Shown::Cut(cut) => {
                    indent(&mut text, cut.depth.saturating_sub(base));
                    let _ = writeln!(
                        text,
                        "- {}",
                        cut.words(tree, self.page.settings().notation(), |at| self.reference(tree, at))
                    );
                }
            }
        }
        if tree.more > 0 {
            let _ = writeln!(text, "- {}", beyond(tree));
        }
        if text.is_empty() {
            text.push_str("(the page is empty)\n");
        }
        text.pop();
        text
    }

    pub(crate) fn write_line(self, text: &mut String, tree: &Tree, at: usize) {
        let node = &tree.nodes[at];
        if tree.form == Form::Listing {
            if let Some(reference) = self.reference(tree, at).filter(|_| node.shows_ref) {
                let _ = write!(text, "@{reference}: ");
            }
            text.push_str(&node.before);
        } else {
            text.push_str(&node.before);
            let active = if node.active { " [active]" } else { "" };
            let reference = if node.shows_ref { self.reference(tree, at) } else { None };
            let _ = match reference {
                Some(reference) if tree.form == Form::Outline => write!(text, " [ref=@{reference}]{active}"),
                Some(reference) => write!(text, "{active} [ref={reference}]"),
                None => text.write_str(active),
            };
        }
        text.push_str(&node.after);
        let notation = self.page.settings().notation();
        if let Some(call) = full_text(tree, at, notation, |at| self.reference(tree, at)) {
            let _ = write!(text, ": {call}");
        }
    }

    pub(crate) fn reference(self, tree: &Tree, at: usize) -> Option<crate::Ref> {
        self.node_reference(&tree.nodes[at])
    }

    pub(crate) fn node_reference(self, node: &Node) -> Option<crate::Ref> {
        let (document, local) = node.key?;
        Some(self.page.refs().give(self.page.id(), node.frame, document, local))
    }
}

fn indent(text: &mut String, depth: u32) {
    // One space per level: readers need no more, and each costs tokens.
    for _ in 0..depth {
        text.push(' ');
    }
}
