//! Telling what changed since the client last looked.

use crate::{
    Page,
    outcome::View,
    snapshot::{
        Tree,
        diff::Diff,
        report::Report,
        tree::{Form, Node, same_main_document},
    },
};

/// How many characters an action's reply says of what changed.
const CHANGES: usize = 3_000;

/// How many characters an action's reply shows of a page that is new.
const OUTLINE: usize = 4_000;

impl Page {
    /// What changed since the client last saw the page; an outline when all of it is new. Refs of elements that were drawn
    /// anew follow.
    pub(crate) fn changes_to(&self, tree: &Tree) -> View {
        let seen = self.seen().take();
        let Some(seen) = seen.as_ref().filter(|seen| same_main_document(seen, tree)) else {
            let room = OUTLINE.min(self.options().snapshot_limit);
            return View::Page(match self.ref_sign() {
                "" => self.shown_anew(tree, seen.as_ref(), room),
                _ => {
                    let signed = Tree { form: Form::Outline, ..tree.clone() };
                    self.shown_anew(&signed, seen.as_ref(), room)
                }
            });
        };
        let diff = Diff::of(seen, tree);
        self.redirect_refs(&diff);
        let reference = |node: &Node| self.node_reference(node);
        View::Changes(Report { diff: &diff, reference, sign: self.ref_sign() }.write(CHANGES))
    }

    /// Lets the refs of the last look follow to the elements that were drawn in their place.
    pub(crate) fn keep_refs(&self, tree: &Tree) {
        if let Some(seen) = self.seen().as_ref().filter(|seen| same_main_document(seen, tree)) {
            self.redirect_refs(&Diff::of(seen, tree));
        }
    }

    fn redirect_refs(&self, diff: &Diff<'_>) {
        let mut refs = self.refs();
        for (old, new) in diff.matching.redrawn(diff.old, diff.new) {
            refs.follow(old, new);
        }
    }
}
