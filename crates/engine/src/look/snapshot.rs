//! Takes snapshots and renders them as text.

use std::{borrow::Cow, time::Duration};

use cicerone_driver::FrameId;
use futures::future::join_all;
use serde_json::{Value, json};
use url::Url;

use super::part::{Asked, Part};
use crate::{
    Deadline, ElementError, Error, FileError, NavigationError, Obstacle, Result,
    injected::{InjectedError, Refusal, parse_reply},
    page::parts::Snapshots,
    refs::Document,
    snapshot::{
        Tree,
        outline::Outlining,
        tree::{Key, Look},
    },
};

/// Time limit for a child frame: one in an endless loop must not block the others.
const FRAME_TIMEOUT: Duration = Duration::from_secs(3);

/// The most nodes read of one document: each action reads them.
const MAX_NODES: u32 = 50_000;

/// The same where a part of a document is asked for that has more.
pub(crate) const MAX_NODES_OF_A_PART: u32 = 500_000;

/// The format of a snapshot.
#[derive(Clone, Copy)]
pub(crate) enum LookFormat {
    Lines,
    Html,
    Outline(Outlining),
    /// A listing: refs first.
    Listing(Outlining),
}

/// The root of a snapshot.
#[derive(Clone)]
pub(crate) struct Start {
    pub(crate) frame: FrameId,
    /// The element number; `None` for the whole document.
    pub(crate) root: Option<u32>,
    /// Whether to read more nodes than each action does.
    pub(crate) all: bool,
    /// The limit of texts directly in the root, if they are wanted in full.
    pub(crate) full_texts: Option<usize>,
}

/// A frame to read.
struct FrameRead {
    frame: FrameId,
    number: u32,
    document: Document,
    holder: Option<Key>,
    /// The root element.
    root: Option<u32>,
}

impl Snapshots<'_> {
    /// Takes a snapshot as text, of the page or a part, and makes it the base of the next diff.
    pub async fn snapshot(self, part: &Part) -> Result<Snapshot> {
        let deadline = self.snapshot_deadline();
        let root = self.part_root(part.of.as_ref(), deadline).await?;
        let after = self.rest_root(part.after.as_ref(), deadline).await?;
        let tree = self.look(deadline).await?;
        self.page.writer().keep_refs(&tree);
        let asked = Asked { format: LookFormat::Lines, of: root, after, part };
        let text = self.part(&tree, &asked).await?;
        let snapshot = Snapshot { url: self.page.shown_url(), title: tree.title.clone(), text };
        self.page.writer().remember(tree);
        self.page.writer().mark_all_reported();
        Ok(snapshot)
    }

    /// The last snapshot, for a page that cannot answer.
    pub fn last_snapshot(self) -> Option<Snapshot> {
        let baseline = self.page.baseline().clone()?;
        // In the format it was shown in.
        let writer = self.page.writer();
        let shown = match baseline.other.as_deref() {
            Some(other) => Cow::Borrowed(other),
            None => writer.with_ref_signs(&baseline),
        };
        let text = writer.shown(&shown, self.page.options().snapshot_limit);
        Some(Snapshot { url: self.page.shown_url(), title: baseline.title, text })
    }

    pub(crate) fn snapshot_deadline(self) -> Deadline {
        Deadline::after(self.page.settings().action_timeout().max(FRAME_TIMEOUT * 2))
    }

    /// Reads the page with all its frames.
    pub(crate) async fn look(self, deadline: Deadline) -> Result<Tree> {
        self.look_as(LookFormat::Lines, None, deadline).await
    }

    /// Reads the page for HTML output.
    pub(crate) async fn look_for_html(self, deadline: Deadline) -> Result<Tree> {
        self.look_as(LookFormat::Html, None, deadline).await
    }

    /// Reads the page or a part of it.
    pub(crate) async fn look_as(
        self,
        format: LookFormat,
        from: Option<&Start>,
        deadline: Deadline,
    ) -> Result<Tree> {
        loop {
            let mut frames_to_read = self.frames_to_read(from);
            let main = frames_to_read.remove(0);
            let timeout = deadline.or_after(FRAME_TIMEOUT);
            let (tree, others) = futures::join!(
                self.read_frame(&main, format, from, deadline),
                join_all(frames_to_read.iter_mut().map(|target| async {
                    let holder = self.page.locator().holder(&target.frame, timeout).await;
                    target.holder = holder.ok().flatten().map(|(_, owner)| owner);
                    self.read_frame(target, format, from, timeout).await
                }))
            );
            let mut tree = match tree {
                Ok(tree) => tree,
                // A root element is gone with its document.
                Err(InjectedError::Gone) if !deadline.passed() && main.root.is_none() => continue,
                Err(failure) => return Err(self.unread(&main, failure)),
            };
            // Parents come first, so every owner element is in the tree already.
            for (target, look) in frames_to_read.iter().zip(others) {
                let Some(holder) = target.holder else { continue };
                match look {
                    Ok(child) => tree.hang(holder, child),
                    Err(InjectedError::Gone) => {}
                    Err(InjectedError::Failed(Error::File(
                        FileError::Withheld(_) | FileError::DownloadWithheld(_),
                    ))) => {
                        tree.remark(holder, "(this frame shows a file that may not be opened)");
                    }
                    Err(InjectedError::Failed(Error::Navigation(NavigationError::HostRefused(_)))) => {
                        tree.remark(holder, "(this frame shows a host that may not be reached)");
                    }
                    Err(_) => tree.remark(holder, "(this frame does not answer)"),
                }
            }
            if from.is_none() {
                let hidden = self.hidden_since(tree.other.as_deref().unwrap_or(&tree)).await;
                match &mut tree.other {
                    Some(lines) => lines.hidden = hidden,
                    None => tree.hidden = hidden,
                }
            }
            return Ok(tree);
        }
    }

    /// Why a document, or the root in it, was not read.
    fn unread(self, main: &FrameRead, failure: InjectedError) -> Error {
        let Some(root) = main.root else { return failure.into_error() };
        let reference = self.page.refs().give(self.page.id(), main.number, main.document, root);
        match failure {
            InjectedError::Gone => Error::Element(ElementError::Stale { reference, replaced: true }),
            InjectedError::Refused(Refusal::Stale | Refusal::Unknown) => {
                Error::Element(ElementError::Stale { reference, replaced: false })
            }
            InjectedError::Refused(Refusal::Timeout(hidden)) => match hidden.element {
                Some(summary) => Error::Element(ElementError::NotReady {
                    element: Box::new(self.page.locator().element(main.number, main.document, summary)),
                    obstacle: Obstacle::Hidden,
                }),
                None => Error::Element(ElementError::NotShown { reference, limit: None }),
            },
            other => other.into_error(),
        }
    }

    /// All frames, parents before children.
    fn frames_to_read(self, from: Option<&Start>) -> Vec<FrameRead> {
        let state = self.page.state();
        let target = |frame: &crate::state::Frame| FrameRead {
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
        let mut frames_to_read: Vec<FrameRead> = first.map(target).into_iter().collect();
        if let (Some(first), Some(start)) = (frames_to_read.first_mut(), from) {
            first.root = start.root;
        }
        let mut at = 0;
        while at < frames_to_read.len() {
            let parent = frames_to_read[at].frame.clone();
            frames_to_read.extend(
                state.frames.iter().filter(|frame| frame.parent.as_ref() == Some(&parent)).map(target),
            );
            at += 1;
        }
        if frames_to_read.is_empty() {
            let frame = from.map_or_else(|| self.page.main_frame(), |start| start.frame.clone());
            frames_to_read.push(FrameRead {
                frame,
                number: 0,
                document: Document(0),
                holder: None,
                root: None,
            });
        }
        frames_to_read
    }

    async fn read_frame(
        self,
        target: &FrameRead,
        format: LookFormat,
        from: Option<&Start>,
        deadline: Deadline,
    ) -> std::result::Result<Tree, InjectedError> {
        let driver = self.page.driver();
        // Optional: without listener reports the snapshot has less detail. A quarter of the time, so that a
        // busy page can still be reported.
        let timeout = deadline.or_after(deadline.left() / 4);
        if let Some(power) = driver.listeners() {
            let _ =
                timeout.bound(self.page.dialogs().unless_dialog(power.report_listeners(&target.frame))).await;
        }
        let args = snapshot_args(format, target.root, from);
        let mut reply = self.page.injected().ask_raw(&target.frame, "snapshot", &args, deadline).await?;
        let mut look: Look<'_> = parse_reply(&reply)?;
        let revealed = match driver.closed_shadow_roots() {
            Some(power) if look.hosts > 0 => {
                deadline
                    .bound(self.page.dialogs().unless_dialog(power.report_closed_shadow_roots(&target.frame)))
                    .await
            }
            _ => None,
        };
        if matches!(revealed, Some(Ok(Ok(1..)))) {
            drop(look);
            reply = self.page.injected().ask_raw(&target.frame, "snapshot", &args, deadline).await?;
            look = parse_reply(&reply)?;
        }
        self.page.effects().note_announced(std::mem::take(&mut look.announced));
        let transform = match format {
            LookFormat::Outline(Outlining { bounds: true, .. }) => {
                self.page.geometry().transform(&target.frame, deadline).await
            }
            _ => None,
        };
        // The document was replaced: its element numbers are not the expected ones.
        let same =
            self.page.state().frame(&target.frame).is_some_and(|frame| frame.document == target.document);
        match format {
            _ if !same => Err(InjectedError::Gone),
            LookFormat::Lines => Ok(Tree::of(look, target.document, target.number)),
            LookFormat::Html => Ok(Tree::of_html(look, target.document, target.number)),
            LookFormat::Outline(outlining) => {
                let tree = Tree::of_outline(&look, (target.document, target.number), outlining, transform);
                let lines = Tree::of(look, target.document, target.number);
                Ok(Tree { other: Some(Box::new(lines)), ..tree })
            }
            LookFormat::Listing(outlining) => {
                let base =
                    self.page.state().frame(&target.frame).and_then(|frame| Url::parse(&frame.url).ok());
                let tree =
                    Tree::of_listing(&look, (target.document, target.number), outlining, base.as_ref());
                let lines = Tree::of(look, target.document, target.number);
                Ok(Tree { other: Some(Box::new(lines)), ..tree })
            }
        }
    }
}

/// The arguments of the injected script's function. Only a look at the whole page is one that the client is told.
fn snapshot_args(format: LookFormat, root: Option<u32>, from: Option<&Start>) -> Value {
    let all = from.is_some_and(|start| start.all);
    let mut args = json!({ "maxNodes": if all { MAX_NODES_OF_A_PART } else { MAX_NODES } });
    match format {
        LookFormat::Lines if from.is_none() => args["told"] = true.into(),
        LookFormat::Lines => {}
        LookFormat::Html => args["html"] = true.into(),
        LookFormat::Outline(Outlining { bounds, .. }) | LookFormat::Listing(Outlining { bounds, .. }) => {
            args["bounds"] = bounds.into();
        }
    }
    if let Some(root) = root {
        args["root"] = root.into();
    }
    if let Some(limit) = from.and_then(|start| start.full_texts) {
        args["fullTexts"] = limit.into();
    }
    args
}

/// A snapshot as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The page's URL.
    pub url: String,
    pub title: String,
    /// The lines.
    pub text: String,
}
