//! Telling what changed since the client last looked.

use std::fmt::Write;

use super::snapshot::indent;
use crate::{
    Page,
    outcome::View,
    snapshot::{
        Tree,
        budget::{Shown, fit_subtree},
        diff::{Change, diff},
        text::shortened,
        tree::same_main_document,
    },
};

/// How many characters an action's reply says of what changed.
const CHANGES: usize = 3_000;

/// How many characters an action's reply shows of a page that is new.
const OUTLINE: usize = 4_000;

impl Page {
    /// What changed since the client last saw the page; an outline when all of it is new.
    pub(crate) fn changes_to(&self, tree: &Tree) -> View {
        let seen = self.seen().take();
        let Some(seen) = seen.filter(|seen| seen.form == tree.form && same_main_document(seen, tree)) else {
            return View::Page(self.shown(tree, OUTLINE.min(self.options().snapshot_limit)));
        };
        let changes = diff(&seen, tree);
        let mut text = String::new();
        let mut told = 0;
        for change in &changes {
            let left = CHANGES.saturating_sub(text.len());
            if left < 40 {
                break;
            }
            self.write_change(&mut text, &seen, tree, change, left);
            told += 1;
        }
        if told < changes.len() {
            let _ = writeln!(text, "… {} more changes; take a snapshot to see all", changes.len() - told);
        }
        text.truncate(text.trim_end().len());
        View::Changes(text)
    }

    fn write_change(&self, text: &mut String, old: &Tree, new: &Tree, change: &Change, budget: usize) {
        match *change {
            Change::Appeared(at) => {
                let depth = new.nodes[at].depth;
                for piece in fit_subtree(new, at, budget, u32::MAX) {
                    let (level, line) = match piece {
                        Shown::Line(at) => {
                            let mut line = String::new();
                            self.write_line(&mut line, new, at);
                            (new.nodes[at].depth, line)
                        }
                        Shown::Cut { nodes, depth, .. } => (depth, format!("… {nodes} more")),
                    };
                    text.push_str("+ ");
                    indent(text, level.saturating_sub(depth));
                    text.push_str(&line);
                    text.push('\n');
                }
            }
            Change::Changed(at) => {
                text.push_str("~ ");
                self.write_line(text, new, at);
                let node = &new.nodes[at];
                let texts = new.nodes[at + 1..new.end_of(at)]
                    .iter()
                    .filter(|below| below.key.is_none() && below.depth == node.depth + 1);
                for below in texts.take(5) {
                    let _ = write!(text, " · {}", shortened(below.before.trim_start_matches("text: "), 200));
                }
                text.push('\n');
            }
            Change::Gone(at, below) => {
                let node = &old.nodes[at];
                let _ = write!(text, "- {}", shortened(&node.before, 120));
                if node.shows_ref
                    && let Some((document, local)) = node.key
                {
                    let reference = self.refs().give(self.id(), node.frame, document, local);
                    let _ = write!(text, " ({reference})");
                }
                match below {
                    0 => {}
                    below => {
                        let _ = write!(text, " with {below} inside");
                    }
                }
                text.push('\n');
            }
        }
    }
}
