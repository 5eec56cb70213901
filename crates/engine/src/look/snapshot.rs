//! Taking and telling snapshots.

use std::{fmt::Write, time::Duration};

use cicerone_driver::FrameId;
use futures::future::join_all;
use serde_json::json;

use crate::{
    Deadline, Error, Page, Result, Target,
    agent::{Failure, understand},
    outcome::View,
    ready::Needs,
    refs::Document,
    snapshot::{
        Tree,
        budget::{Shown, fit, fit_subtree},
        diff::{Change, diff},
        text::shortened,
        tree::{Key, Look},
    },
};

/// How long one frame inside the page may take; one in an endless loop must not hold up the others.
const FRAME_PATIENCE: Duration = Duration::from_secs(3);

/// How many nodes of one document are looked at, at most.
const MOST_NODES: u32 = 50_000;

/// How many characters an action's reply says of what changed.
const CHANGES: usize = 3_000;

/// How many characters an action's reply shows of a page that is new.
const OUTLINE: usize = 4_000;

/// What a look is for.
#[derive(Clone, Copy)]
enum Writing {
    /// The lines of a snapshot.
    Lines,
    /// The same as HTML.
    Html,
}

/// A frame that is looked at.
struct Glance {
    frame: FrameId,
    number: u32,
    document: Document,
    holder: Option<Key>,
}

impl Page {
    /// A snapshot as text, of all or of one subtree, and remembers it as seen.
    pub async fn snapshot(&self, of: Option<&Target>, depth: Option<u32>) -> Result<Snapshot> {
        let deadline = self.snapshot_deadline();
        let root = match of {
            Some(target) => Some(self.ready(target, Needs::EXIST, deadline).await?),
            None => None,
        };
        let tree = self.look(deadline).await?;
        let limit = self.options().snapshot_limit;
        let levels = depth.unwrap_or(u32::MAX);
        let text = match root {
            None if depth.is_none() => self.shown(&tree, limit),
            None => self.written(&tree, &shallow(&tree, limit, levels)),
            Some(root) => {
                let key = self.state().frame(&root.frame).map(|frame| (frame.document, root.number));
                let at = tree
                    .nodes
                    .iter()
                    .position(|node| node.key == key)
                    .ok_or(Error::Stale { reference: root.element.reference, replaced: false })?;
                self.written(&tree, &fit_subtree(&tree, at, limit, levels))
            }
        };
        let snapshot = Snapshot { url: self.url(), title: tree.title.clone(), text };
        *self.seen() = Some(tree);
        Ok(snapshot)
    }

    /// The last snapshot, for when the page cannot be asked.
    pub fn last_snapshot(&self) -> Option<Snapshot> {
        let seen = self.seen().clone()?;
        let text = self.shown(&seen, self.options().snapshot_limit);
        Some(Snapshot { url: self.url(), title: seen.title, text })
    }

    /// When a snapshot must be there.
    pub(crate) fn snapshot_deadline(&self) -> Deadline {
        Deadline::after(self.action_timeout().max(FRAME_PATIENCE * 2))
    }

    /// One look at the page with all its frames.
    pub(crate) async fn look(&self, deadline: Deadline) -> Result<Tree> {
        self.look_as(Writing::Lines, deadline).await
    }

    /// The same, to be written as HTML.
    pub(crate) async fn look_for_html(&self, deadline: Deadline) -> Result<Tree> {
        self.look_as(Writing::Html, deadline).await
    }

    async fn look_as(&self, writing: Writing, deadline: Deadline) -> Result<Tree> {
        loop {
            let mut glances = self.glances();
            let main = glances.remove(0);
            let patience = deadline.or_after(FRAME_PATIENCE);
            let (tree, others) = futures::join!(
                self.glance(&main, writing, deadline),
                join_all(glances.iter_mut().map(|glance| async {
                    let holder = self.holder(&glance.frame, patience).await;
                    glance.holder = holder.ok().flatten().map(|(_, owner)| owner);
                    self.glance(glance, writing, patience).await
                }))
            );
            let mut tree = match tree {
                Ok(tree) => tree,
                Err(Failure::Gone) if !deadline.passed() => continue,
                Err(failure) => return Err(failure.into_error()),
            };
            // Parents come before their children, so every holder is there when its turn comes.
            for (glance, look) in glances.iter().zip(others) {
                let Some(holder) = glance.holder else { continue };
                match look {
                    Ok(child) => tree.hang(holder, child),
                    Err(Failure::Gone) => {}
                    Err(_) => tree.remark(holder, "(this frame does not answer)"),
                }
            }
            return Ok(tree);
        }
    }

    /// All frames, parents before children.
    fn glances(&self) -> Vec<Glance> {
        let state = self.state();
        let glance = |frame: &crate::state::Frame| Glance {
            frame: frame.id.clone(),
            number: frame.number,
            document: frame.document,
            holder: None,
        };
        let mut glances: Vec<Glance> = state.main().map(glance).into_iter().collect();
        let mut at = 0;
        while at < glances.len() {
            let parent = glances[at].frame.clone();
            glances.extend(
                state.frames.iter().filter(|frame| frame.parent.as_ref() == Some(&parent)).map(glance),
            );
            at += 1;
        }
        if glances.is_empty() {
            glances.push(Glance { frame: self.main_frame(), number: 0, document: Document(0), holder: None });
        }
        glances
    }

    async fn glance(
        &self,
        glance: &Glance,
        writing: Writing,
        deadline: Deadline,
    ) -> std::result::Result<Tree, Failure> {
        let driver = self.driver();
        // Without this the agent sees less, but not wrongly. A page that is busy must leave time to say so.
        let patience = deadline.or_after(deadline.left() / 4);
        let _ = patience.bound(self.unless_dialog(driver.enlighten(&glance.frame))).await;
        let args = match writing {
            Writing::Lines => json!({ "maxNodes": MOST_NODES }),
            Writing::Html => json!({ "maxNodes": MOST_NODES, "html": true }),
        };
        let mut told = self.ask_raw(&glance.frame, "snapshot", &args, deadline).await?;
        let mut look: Look<'_> = understand(&told)?;
        let uncovered = match look.hosts {
            0 => None,
            _ => deadline.bound(self.unless_dialog(driver.uncover(&glance.frame))).await,
        };
        if matches!(uncovered, Some(Ok(Ok(1..)))) {
            drop(look);
            told = self.ask_raw(&glance.frame, "snapshot", &args, deadline).await?;
            look = understand(&told)?;
        }
        // A document that was replaced meanwhile: its numbers are not those of the one that was meant.
        let same = self.state().frame(&glance.frame).is_some_and(|frame| frame.document == glance.document);
        match writing {
            _ if !same => Err(Failure::Gone),
            Writing::Lines => Ok(Tree::of(look, glance.document, glance.number)),
            Writing::Html => Ok(Tree::of_html(look, glance.document, glance.number)),
        }
    }

    /// A tree as text within a budget.
    pub(crate) fn shown(&self, tree: &Tree, limit: usize) -> String {
        self.written(tree, &fit(tree, limit))
    }

    fn written(&self, tree: &Tree, shown: &[Shown]) -> String {
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
                Shown::Cut { below, nodes, depth } => {
                    indent(&mut text, depth.saturating_sub(base));
                    let _ = write!(text, "- … {nodes} more not shown");
                    if let Some(reference) = below.and_then(|at| self.reference(tree, at)) {
                        let _ = write!(text, "; snapshot of {reference} shows them");
                    }
                    text.push('\n');
                }
            }
        }
        if tree.more > 0 {
            let _ = writeln!(text, "- … {} more: the page is too large to be read whole", tree.more);
        }
        if text.is_empty() {
            text.push_str("(the page is empty)\n");
        }
        text.pop();
        text
    }

    fn write_line(&self, text: &mut String, tree: &Tree, at: usize) {
        let node = &tree.nodes[at];
        text.push_str(&node.before);
        if node.active {
            text.push_str(" [active]");
        }
        if node.shows_ref
            && let Some(reference) = self.reference(tree, at)
        {
            let _ = write!(text, " [ref={reference}]");
        }
        text.push_str(&node.after);
    }

    pub(crate) fn reference(&self, tree: &Tree, at: usize) -> Option<crate::Ref> {
        let node = &tree.nodes[at];
        let (document, local) = node.key?;
        Some(self.refs().give(self.id(), node.frame, document, local))
    }

    /// What changed since the client last saw the page; an outline when all of it is new.
    pub(crate) fn changes_to(&self, tree: &Tree) -> View {
        let seen = self.seen().take();
        let Some(seen) = seen.filter(|seen| same_document(seen, tree)) else {
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

/// A snapshot as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Where the page is.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its lines.
    pub text: String,
}

/// Only the upper levels.
fn shallow(tree: &Tree, limit: usize, levels: u32) -> Vec<Shown> {
    let mut shown = Vec::new();
    let mut at = 0;
    while at < tree.nodes.len() {
        shown.extend(fit_subtree(tree, at, limit, levels.saturating_sub(1)));
        at = tree.end_of(at);
    }
    shown
}

/// Whether two looks are at the same main document.
fn same_document(old: &Tree, new: &Tree) -> bool {
    let main = |tree: &Tree| tree.nodes.iter().find_map(|node| node.key).map(|(document, _)| document);
    match (main(old), main(new)) {
        (Some(old), Some(new)) => old == new,
        // A page without elements: what it shows is told whole.
        _ => false,
    }
}

fn indent(text: &mut String, depth: u32) {
    // One blank a level: readers of trees need no more, and every blank is paid for.
    for _ in 0..depth {
        text.push(' ');
    }
}
