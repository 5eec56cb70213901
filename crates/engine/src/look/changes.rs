//! Changes since the client's last snapshot.

use std::{borrow::Cow, fmt::Write};

use crate::{
    outcome::{Focused, View},
    page::parts::SnapshotWriter,
    snapshot::{
        Tree,
        diff::Diff,
        label::counted,
        nearness::Nearness,
        report::Report,
        text::shortened,
        tree::{Form, Node, focus_since, same_main_document},
    },
};

/// Characters of a diff in an action's reply.
const CHANGES: usize = 3_000;

/// Characters of a new page's snapshot in an action's reply.
const OUTLINE: usize = 4_000;

/// Characters shown of the focused element.
const FOCUSED: usize = 100;

impl SnapshotWriter<'_> {
    /// The diff since the client's last snapshot, or a snapshot if the document is new. Moves refs to
    /// re-rendered elements.
    pub(crate) fn changes_to(self, tree: &Tree) -> View {
        let baseline = self.page.baseline().clone();
        let Some(baseline) = baseline.as_ref().filter(|baseline| same_main_document(baseline, tree)) else {
            let room = OUTLINE.min(self.page.options().snapshot_limit);
            return View::Page(self.shown_anew(&self.with_ref_signs(tree), baseline.as_ref(), room));
        };
        let base = baseline.without_behind(tree);
        let diff = Diff::of(&base, tree);
        self.redirect_refs(&diff);
        let reference = |node: &Node| self.node_reference(node);
        let (notation, opener) = (self.page.settings().notation(), self.opener(tree));
        let near = Nearness::of(&diff, self.page.state().acted_on);
        let mut changes = Report { diff: &diff, reference, notation, opener, near }.write(CHANGES);
        let behind = baseline.went_behind(tree);
        if behind > 0 && !changes.is_empty() {
            let _ = write!(changes, "\n… {} behind it, hidden until it closes", counted(behind, ""));
        }
        View::Changes(changes)
    }

    /// The tree with refs as the client's dialect writes them.
    pub(crate) fn with_ref_signs<'t>(self, tree: &'t Tree) -> Cow<'t, Tree> {
        match self.page.settings().notation().ref_sign {
            "" => Cow::Borrowed(tree),
            _ => Cow::Owned(Tree { form: Form::Outline, ..tree.clone() }),
        }
    }

    /// The element that the action was for, or else the focused one if it has opened something.
    fn opener(self, tree: &Tree) -> Option<usize> {
        let acted_on = self.page.state().acted_on;
        let mut nodes = tree.nodes.iter();
        let focused =
            || tree.nodes.iter().position(|node| node.active && node.before.contains(" [expanded]"));
        nodes.position(|node| node.key.is_some() && node.key == acted_on).or_else(focused)
    }

    /// The focused element, if the client's last snapshot has another one.
    pub(crate) fn moved_focus(self, tree: &Tree) -> Option<Focused> {
        let baseline = self.page.baseline();
        let node = focus_since(baseline.as_ref()?, tree)?;
        let sign = self.page.settings().notation().ref_sign;
        let reference = self.node_reference(node).map(|reference| format!("{sign}{reference}"));
        Some(Focused { line: shortened(&node.before, FOCUSED), reference })
    }

    /// Makes a snapshot the base of the next diff.
    pub(crate) fn remember(self, tree: Tree) {
        let mut baseline = self.page.baseline();
        *baseline = Some(match baseline.as_ref().filter(|baseline| same_main_document(baseline, &tree)) {
            Some(baseline) => tree.with_behind(baseline),
            None => tree,
        });
    }

    /// The client has the whole page now: no earlier changes are left to tell.
    pub(crate) fn mark_all_reported(self) {
        let url = self.page.url();
        let mut state = self.page.state();
        state.since = None;
        state.reported_url = Some(url);
    }

    /// Moves the refs of the last snapshot to the elements that replaced theirs.
    pub(crate) fn keep_refs(self, tree: &Tree) {
        if let Some(baseline) =
            self.page.baseline().as_ref().filter(|baseline| same_main_document(baseline, tree))
        {
            self.redirect_refs(&Diff::of(&baseline.without_behind(tree), tree));
        }
    }

    fn redirect_refs(self, diff: &Diff<'_>) {
        let mut refs = self.page.refs();
        for (old, new) in diff.matching.redrawn(diff.old, diff.new) {
            refs.follow(old, new);
        }
    }
}
