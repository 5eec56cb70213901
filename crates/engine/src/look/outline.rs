//! Snapshots as outlines, of the whole page or of a part.

use cicerone_driver::{FrameId, Point, Size};
use serde_json::json;

use super::{
    part::Part,
    snapshot::{Start, Writing},
};
use crate::{
    Deadline, Page, Result, Snapshot, Target,
    ready::Needs,
    snapshot::{
        budget::fit_levels,
        outline::{Outlining, Stretch},
    },
};

/// What an outline shows.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Which elements.
    pub parts: Parts,
    /// Only what is in this element.
    pub within: Option<Target>,
    /// Only so many levels.
    pub depth: Option<u32>,
    /// No containers that say nothing.
    pub compact: bool,
    /// Texts too.
    pub text: bool,
    /// Where everything is.
    pub bounds: bool,
    /// As a listing, with the ref of every element before its role.
    pub listing: bool,
    /// Only what comes after this element in what it stands in.
    pub after: Option<Target>,
    /// Only the lines with this text or role, and what they stand in.
    pub find: Option<String>,
}

impl Default for Outline {
    fn default() -> Self {
        Self {
            parts: Parts::All,
            within: None,
            depth: None,
            compact: false,
            text: true,
            bounds: false,
            listing: false,
            after: None,
            find: None,
        }
    }
}

/// Which elements an outline shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// All.
    All,
    /// What a person acts on.
    Operable,
    /// What has the focus, with all below it.
    Focused,
}

impl Page {
    /// An outline of the page, or of its frame that is used, within the budget of a snapshot.
    pub async fn outline(&self, outline: &Outline) -> Result<Snapshot> {
        let deadline = self.snapshot_deadline();
        let Outline { parts, compact, text, bounds, .. } = *outline;
        let outlining = Outlining { operable: parts == Parts::Operable, compact, text, bounds };
        let start = match &outline.within {
            Some(target) => {
                let located =
                    self.ready(target, Needs::EXIST, Deadline::after(self.action_timeout())).await?;
                Some(Start { frame: located.frame, root: Some(located.number) })
            }
            None if self.only_frame().is_some() => Some(Start { frame: self.chosen_frame()?, root: None }),
            None => None,
        };
        let after = self.part_root(outline.after.as_ref(), deadline).await?;
        let writing = if outline.listing { Writing::Listing(outlining) } else { Writing::Outline(outlining) };
        let mut tree = self.look_as(writing, start.as_ref(), deadline).await?;
        let lines = tree.other.take().filter(|_| start.is_none());
        if let Some(lines) = &lines {
            self.keep_refs(lines);
        }
        let levels = outline.depth.unwrap_or(u32::MAX);
        let (tree, deepest) = match (parts, &outline.within) {
            (Parts::Focused, _) => (tree.focused(), levels.saturating_sub(1)),
            (_, Some(_)) => (tree, levels.saturating_sub(1)),
            _ if outline.listing => (tree, levels),
            // The document itself is no level.
            (_, None) => (tree.titled(), levels),
        };
        let deepest = if outline.depth.is_some() { deepest } else { u32::MAX };
        let part = Part { depth: outline.depth, find: outline.find.clone(), ..Part::default() };
        let shown = match (&after, &outline.find) {
            (None, None) if matches!(parts, Parts::Operable) && tree.nodes.is_empty() => {
                "(no interactive elements)".to_owned()
            }
            (None, None) => self.written(&tree, &fit_levels(&tree, self.options().snapshot_limit, deepest)),
            _ => self.part(&tree, None, after.as_ref(), &part)?,
        };
        let snapshot = Snapshot { url: self.shown_url(), title: tree.title.clone(), text: shown };
        if let Some(mut lines) = lines {
            lines.other = Some(Box::new(tree));
            *self.seen() = Some(*lines);
        }
        Ok(snapshot)
    }

    /// The size of what is seen of it.
    pub fn viewport(&self) -> Size {
        self.state().viewport
    }

    /// How a frame lies in the page; nothing of one that is just going.
    pub(crate) async fn stretch(&self, frame: &FrameId, deadline: Deadline) -> Option<Stretch> {
        // Two points that are far enough from each other to tell how much larger it is.
        const APART: f64 = 1_000.0;
        let corner = self.carried_out(frame, Point { x: 0.0, y: 0.0 }, deadline).await?;
        let other = self.carried_out(frame, Point { x: APART, y: 0.0 }, deadline).await?;
        Some(Stretch { x: corner.x, y: corner.y, scale: (other.x - corner.x) / APART })
    }

    /// A point of a frame in the page's own coordinates.
    async fn carried_out(&self, frame: &FrameId, mut point: Point, deadline: Deadline) -> Option<Point> {
        let mut frame = frame.clone();
        while let Some((parent, (_, owner))) = self.holder(&frame, deadline).await.ok()? {
            let args = json!({ "num": owner, "x": point.x, "y": point.y, "anywhere": true });
            point = self.ask(&parent, "through", &args, deadline).await.ok()?;
            frame = parent;
        }
        Some(point)
    }
}
