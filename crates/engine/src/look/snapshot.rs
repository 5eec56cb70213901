//! Taking and telling snapshots.

use std::{fmt::Write, time::Duration};

use cicerone_driver::FrameId;
use futures::future::join_all;
use serde_json::json;
use url::Url;

use super::part::Part;
use crate::{
    Deadline, Error, Page, Result,
    agent::{Failure, understand},
    refs::Document,
    snapshot::{
        Tree,
        budget::{Shown, fit},
        digest::digest,
        outline::Outlining,
        tree::{Form, Key, Look, Node},
    },
};

/// How long one frame inside the page may take; one in an endless loop must not hold up the others.
const FRAME_PATIENCE: Duration = Duration::from_secs(3);

/// How many nodes of one document are looked at, at most.
const MOST_NODES: u32 = 50_000;

/// What a look is for.
#[derive(Clone, Copy)]
pub(crate) enum Writing {
    /// The lines of a snapshot.
    Lines,
    /// The same as HTML.
    Html,
    /// The same as an outline.
    Outline(Outlining),
    /// The same as a listing, where refs come first.
    Listing(Outlining),
}

/// Where a look begins.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) frame: FrameId,
    /// The element in it, by its agent's number; the whole document unless told.
    pub(crate) root: Option<u32>,
}

/// A frame that is looked at.
struct Glance {
    frame: FrameId,
    number: u32,
    document: Document,
    holder: Option<Key>,
    /// The element that it begins at.
    root: Option<u32>,
}

impl Page {
    /// A snapshot as text, of all or of one subtree, and remembers it as seen.
    pub async fn snapshot(&self, part: &Part) -> Result<Snapshot> {
        let deadline = self.snapshot_deadline();
        let root = self.part_root(part.of.as_ref(), deadline).await?;
        let after = self.part_root(part.after.as_ref(), deadline).await?;
        let tree = self.look(deadline).await?;
        self.keep_refs(&tree);
        let text = self.part(&tree, root.as_ref(), after.as_ref(), part)?;
        let snapshot = Snapshot { url: self.shown_url(), title: tree.title.clone(), text };
        *self.seen() = Some(tree);
        Ok(snapshot)
    }

    /// The last snapshot, for when the page cannot be asked.
    pub fn last_snapshot(&self) -> Option<Snapshot> {
        let seen = self.seen().clone()?;
        // As it was shown, where it was an outline.
        let shown = seen.other.as_deref().unwrap_or(&seen);
        let text = self.shown(shown, self.options().snapshot_limit);
        Some(Snapshot { url: self.shown_url(), title: seen.title, text })
    }

    /// When a snapshot must be there.
    pub(crate) fn snapshot_deadline(&self) -> Deadline {
        Deadline::after(self.action_timeout().max(FRAME_PATIENCE * 2))
    }

    /// One look at the page with all its frames.
    pub(crate) async fn look(&self, deadline: Deadline) -> Result<Tree> {
        self.look_as(Writing::Lines, None, deadline).await
    }

    /// The same, to be written as HTML.
    pub(crate) async fn look_for_html(&self, deadline: Deadline) -> Result<Tree> {
        self.look_as(Writing::Html, None, deadline).await
    }

    /// One look at the page, or at what is in a part of it.
    pub(crate) async fn look_as(
        &self,
        writing: Writing,
        from: Option<&Start>,
        deadline: Deadline,
    ) -> Result<Tree> {
        loop {
            let mut glances = self.glances(from);
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
                // An element that it begins at goes with its document.
                Err(Failure::Gone) if !deadline.passed() && main.root.is_none() => continue,
                Err(failure) => return Err(failure.into_error()),
            };
            // Parents come before their children, so every holder is there when its turn comes.
            for (glance, look) in glances.iter().zip(others) {
                let Some(holder) = glance.holder else { continue };
                match look {
                    Ok(child) => tree.hang(holder, child),
                    Err(Failure::Gone) => {}
                    Err(Failure::Failed(Error::FileWithheld(_))) => {
                        tree.remark(holder, "(this frame shows a file that may not be opened)");
                    }
                    Err(_) => tree.remark(holder, "(this frame does not answer)"),
                }
            }
            return Ok(tree);
        }
    }

    /// All frames, parents before children.
    fn glances(&self, from: Option<&Start>) -> Vec<Glance> {
        let state = self.state();
        let glance = |frame: &crate::state::Frame| Glance {
            frame: frame.id.clone(),
            number: frame.number,
            document: frame.document,
            holder: None,
            root: None,
        };
        let first = match from {
            Some(start) => state.frame(&start.frame),
            None => state.main(),
        };
        let mut glances: Vec<Glance> = first.map(glance).into_iter().collect();
        if let (Some(first), Some(start)) = (glances.first_mut(), from) {
            first.root = start.root;
        }
        let mut at = 0;
        while at < glances.len() {
            let parent = glances[at].frame.clone();
            glances.extend(
                state.frames.iter().filter(|frame| frame.parent.as_ref() == Some(&parent)).map(glance),
            );
            at += 1;
        }
        if glances.is_empty() {
            let frame = from.map_or_else(|| self.main_frame(), |start| start.frame.clone());
            glances.push(Glance { frame, number: 0, document: Document(0), holder: None, root: None });
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
            Writing::Lines => json!({ "maxNodes": MOST_NODES, "told": true }),
            Writing::Html => json!({ "maxNodes": MOST_NODES, "html": true }),
            Writing::Outline(Outlining { bounds, .. }) | Writing::Listing(Outlining { bounds, .. }) => {
                match glance.root {
                    Some(root) => json!({ "maxNodes": MOST_NODES, "bounds": bounds, "root": root }),
                    None => json!({ "maxNodes": MOST_NODES, "bounds": bounds }),
                }
            }
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
        self.note_announced(std::mem::take(&mut look.announced));
        let stretch = match writing {
            Writing::Outline(Outlining { bounds: true, .. }) => self.stretch(&glance.frame, deadline).await,
            _ => None,
        };
        // A document that was replaced meanwhile: its numbers are not those of the one that was meant.
        let same = self.state().frame(&glance.frame).is_some_and(|frame| frame.document == glance.document);
        match writing {
            _ if !same => Err(Failure::Gone),
            Writing::Lines => Ok(Tree::of(look, glance.document, glance.number)),
            Writing::Html => Ok(Tree::of_html(look, glance.document, glance.number)),
            Writing::Outline(outlining) => {
                let tree = Tree::of_outline(&look, (glance.document, glance.number), outlining, stretch);
                let lines = Tree::of(look, glance.document, glance.number);
                Ok(Tree { other: Some(Box::new(lines)), ..tree })
            }
            Writing::Listing(outlining) => {
                let base = self.state().frame(&glance.frame).and_then(|frame| Url::parse(&frame.url).ok());
                let tree =
                    Tree::of_listing(&look, (glance.document, glance.number), outlining, base.as_ref());
                let lines = Tree::of(look, glance.document, glance.number);
                Ok(Tree { other: Some(Box::new(lines)), ..tree })
            }
        }
    }

    /// A tree as text within a budget.
    pub(crate) fn shown(&self, tree: &Tree, limit: usize) -> String {
        self.shown_anew(tree, None, limit)
    }

    /// The same for one who has seen another page before.
    pub(crate) fn shown_anew(&self, tree: &Tree, seen: Option<&Tree>, limit: usize) -> String {
        let digest = digest(tree, seen, limit, |node| self.node_reference(node));
        self.written(&digest, &fit(&digest, limit))
    }

    pub(crate) fn written(&self, tree: &Tree, shown: &[Shown]) -> String {
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
                    let _ = writeln!(text, "- {}", cut.words(tree, |at| self.reference(tree, at)));
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

    pub(crate) fn write_line(&self, text: &mut String, tree: &Tree, at: usize) {
        let node = &tree.nodes[at];
        if tree.form == Form::Listing {
            if let Some(reference) = self.reference(tree, at).filter(|_| node.shows_ref) {
                let _ = write!(text, "@{reference}: ");
            }
            let _ = write!(text, "{}{}", node.before, node.after);
            return;
        }
        text.push_str(&node.before);
        let active = if node.active { " [active]" } else { "" };
        let reference = if node.shows_ref { self.reference(tree, at) } else { None };
        let _ = match reference {
            Some(reference) if tree.form == Form::Outline => write!(text, " [ref=@{reference}]{active}"),
            Some(reference) => write!(text, "{active} [ref={reference}]"),
            None => text.write_str(active),
        };
        text.push_str(&node.after);
    }

    pub(crate) fn reference(&self, tree: &Tree, at: usize) -> Option<crate::Ref> {
        self.node_reference(&tree.nodes[at])
    }

    pub(crate) fn node_reference(&self, node: &Node) -> Option<crate::Ref> {
        let (document, local) = node.key?;
        Some(self.refs().give(self.id(), node.frame, document, local))
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

pub(super) fn indent(text: &mut String, depth: u32) {
    // One blank a level: readers of trees need no more, and every blank is paid for.
    for _ in 0..depth {
        text.push(' ');
    }
}
