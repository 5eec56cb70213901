//! Snapshots as outlines, of the page or of a subtree.

use cicerone_driver::{FrameId, Point, Size};
use serde_json::json;

use super::{
    part::{Asked, Part, has_truncated},
    snapshot::{LookFormat, Start},
};
use crate::{
    Deadline, Result, Snapshot, Target,
    page::parts::{Geometry, Snapshots},
    ready::{Located, Needs},
    snapshot::{
        After, Tree,
        budget::fit_levels,
        outline::{FrameTransform, Outlining},
    },
};

/// Options of an outline.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Which elements to show.
    pub parts: Parts,
    /// Only this element's subtree.
    pub within: Option<Target>,
    /// Only this many levels.
    pub depth: Option<u32>,
    /// Omit empty containers.
    pub compact: bool,
    /// Include texts.
    pub text: bool,
    /// Include bounds.
    pub bounds: bool,
    /// As a listing: each ref before its role.
    pub listing: bool,
    /// Only what follows this in its parent.
    pub after: Option<After<Target>>,
    /// Only lines with this text or role, and their ancestors.
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
    All,
    /// Interactive elements.
    Operable,
    /// The focused element and its descendants.
    Focused,
}

impl Snapshots<'_> {
    /// An outline of the page or of the selected frame, within the snapshot limit.
    pub async fn outline(self, outline: &Outline) -> Result<Snapshot> {
        let deadline = self.snapshot_deadline();
        let Outline { parts, compact, text, bounds, .. } = *outline;
        let outlining = Outlining { operable: parts == Parts::Operable, compact, text, bounds };
        let full_texts = Some(self.page.options().snapshot_limit);
        let start = match &outline.within {
            Some(target) => {
                let located = self
                    .page
                    .locator()
                    .ready(target, Needs::EXIST, Deadline::after(self.page.settings().action_timeout()))
                    .await?;
                Some(Start { frame: located.frame, root: Some(located.number), all: false, full_texts })
            }
            None if self.page.settings().only_frame().is_some() => {
                let frame = self.page.locator().chosen_frame()?;
                Some(Start { frame, root: None, all: false, full_texts: None })
            }
            None => None,
        };
        let after = self.rest_root(outline.after.as_ref(), deadline).await?;
        let format =
            if outline.listing { LookFormat::Listing(outlining) } else { LookFormat::Outline(outlining) };
        let mut tree = self.look_as(format, start.as_ref(), deadline).await?;
        let lines = tree.other.take().filter(|_| start.is_none());
        if let Some(lines) = &lines {
            self.page.writer().keep_refs(lines);
        }
        let all = tree.more > 0 && (after.is_some() || outline.find.is_some());
        let texts = after.is_some() && start.is_none() && has_truncated(&tree, None);
        let wider = match start {
            start if all || texts => {
                let main = || Start { frame: self.page.main_frame(), root: None, all, full_texts };
                let start = start.map_or_else(main, |start| Start { all, ..start });
                Some(self.look_as(format, Some(&start), self.snapshot_deadline()).await?)
            }
            _ => None,
        };
        let arranged = |tree: Tree| match (parts, &outline.within) {
            (Parts::Focused, _) => tree.focused(),
            (_, None) if !outline.listing => tree.titled(),
            _ => tree,
        };
        let (tree, wider) = (arranged(tree), wider.map(arranged));
        let shown = self.written_outline(wider.as_ref().unwrap_or(&tree), outline, format, after)?;
        let snapshot = Snapshot { url: self.page.shown_url(), title: tree.title.clone(), text: shown };
        if let Some(mut lines) = lines {
            lines.other = Some(Box::new(tree));
            self.page.writer().remember(*lines);
            self.page.writer().mark_all_reported();
        }
        Ok(snapshot)
    }

    fn written_outline(
        self,
        tree: &Tree,
        outline: &Outline,
        format: LookFormat,
        after: Option<After<Located>>,
    ) -> Result<String> {
        if after.is_some() || outline.find.is_some() {
            let part = Part { depth: outline.depth, find: outline.find.clone(), ..Part::default() };
            return self.written_part(tree, &Asked { format, of: None, after, part: &part });
        }
        if outline.parts == Parts::Operable && tree.nodes.is_empty() {
            return Ok("(no interactive elements)".to_owned());
        }
        // The document does not count as a level.
        let titled = outline.parts != Parts::Focused && outline.within.is_none();
        let deepest = match outline.depth {
            Some(levels) if titled => levels,
            Some(levels) => levels.saturating_sub(1),
            None => u32::MAX,
        };
        let shown = fit_levels(tree, self.page.options().snapshot_limit, deepest);
        Ok(self.page.writer().written(tree, &shown))
    }
}

impl Geometry<'_> {
    /// The viewport size.
    pub fn viewport(self) -> Size {
        self.page.state().viewport
    }

    /// The offset and scale of a frame in the page; `None` if it is being removed.
    pub(crate) async fn transform(self, frame: &FrameId, deadline: Deadline) -> Option<FrameTransform> {
        // Far enough apart to measure the scale.
        const APART: f64 = 1_000.0;
        let corner = self.to_page_point(frame, Point { x: 0.0, y: 0.0 }, deadline).await?;
        let other = self.to_page_point(frame, Point { x: APART, y: 0.0 }, deadline).await?;
        Some(FrameTransform { x: corner.x, y: corner.y, scale: (other.x - corner.x) / APART })
    }

    /// Converts a frame's point to page coordinates.
    async fn to_page_point(self, frame: &FrameId, mut point: Point, deadline: Deadline) -> Option<Point> {
        let mut frame = frame.clone();
        while let Some((parent, (_, owner))) = self.page.locator().holder(&frame, deadline).await.ok()? {
            let args = json!({ "num": owner, "x": point.x, "y": point.y, "anywhere": true });
            point = self.page.injected().ask(&parent, "frameOffset", &args, deadline).await.ok()?;
            frame = parent;
        }
        Some(point)
    }
}
