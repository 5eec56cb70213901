//! Actions on a page: wait until ready, act, verify, settle, report.

pub(crate) mod check;
pub(crate) mod click;
pub(crate) mod drag;
pub(crate) mod fill;
pub(crate) mod focus;
pub(crate) mod hover;
pub(crate) mod keys;
pub(crate) mod pointer_target;
pub(crate) mod press;
pub(crate) mod recipient;
pub(crate) mod scroll;
pub(crate) mod select;
pub(crate) mod upload;
pub(crate) mod upload_source;

use crate::{
    Acted, ActionSnapshot, Deadline, Error, Place, Result, UnreportedChanges, effect::Expects,
    page::parts::Actions, settle::Mark,
};

impl Actions<'_> {
    /// Marks the start of an action. Takes a snapshot if the client has none yet: the diff needs a base.
    pub(crate) async fn begin_action(self) -> Result<Mark> {
        self.page.state().acted_on = None;
        let (changed, restless) = self.page.effects().begin_acting().await;
        let unseen = self.page.baseline().is_none();
        if unseen && self.page.settings().shows() == ActionSnapshot::Diff {
            let tree =
                self.page.snapshots().look(Deadline::after(self.page.settings().action_timeout())).await?;
            self.page.writer().remember(tree);
        } else if (changed || self.moved_unreported()) && self.page.settings().shows() == ActionSnapshot::Diff
        {
            self.note_changes(restless).await?;
        }
        self.forget_downloads();
        self.page.state().acting = true;
        Ok(Mark { expects: Expects::Anything, ..self.page.settling().mark() })
    }

    /// Notes the changes since the client's last snapshot, which becomes the new base. They are kept until a reply
    /// tells them: this action may fail.
    async fn note_changes(self, restless: bool) -> Result<()> {
        let tree =
            match self.page.snapshots().look(Deadline::after(self.page.settings().action_timeout())).await {
                Ok(tree) => tree,
                Err(error @ (Error::BrowserEnded | Error::Crashed { .. })) => return Err(error),
                // The action itself will report what is wrong with the page.
                Err(error) => {
                    tracing::debug!(%error, "the page could not be looked at");
                    return Ok(());
                }
            };
        if let Some(baseline) = self.page.baseline().as_ref().filter(|_| restless) {
            self.page.effects().remember_restless(baseline, &tree);
        }
        let view = self.page.writer().changes_to(&tree);
        let moved = self.moved_unreported();
        let moved = moved.then(|| Place { url: self.page.shown_url(), title: tree.title.clone() });
        self.page.writer().remember(tree);
        let since = UnreportedChanges { moved, view };
        if !since.is_empty() {
            let url = self.page.url();
            let mut state = self.page.state();
            state.reported_url = Some(url);
            state.since = Some(match state.since.take() {
                Some(earlier) => earlier.followed_by(since),
                None => since,
            });
        }
        Ok(())
    }

    /// Whether the page went to another URL and no reply has told it.
    fn moved_unreported(self) -> bool {
        let url = self.page.url();
        self.page.state().reported_url.as_ref().is_some_and(|told| *told != url)
    }

    /// Downloads that ended before an action are not what a wait after it means.
    pub(crate) fn forget_downloads(self) {
        if let Some(context) = self.page.context() {
            context.forget_downloads();
        }
    }

    /// Settles and returns the result with its outcome.
    pub(crate) async fn finish_action<T>(self, done: T, mark: Mark) -> Result<Acted<T>> {
        let deadline = Deadline::after(self.page.settings().navigation_timeout());
        Ok(Acted { done, outcome: self.page.settling().outcome(mark, deadline).await? })
    }

    /// Sends input events. A dialog that they open is an outcome, not an error.
    pub(crate) async fn send(self, steps: &[cicerone_driver::Input], deadline: Deadline) -> Result<()> {
        if let Some(trail) = &mut self.page.state().trail {
            trail.follow(steps);
        }
        match self.page.injected().within(deadline, self.page.driver().input(steps)).await {
            Err(Error::DialogOpen(_)) => Ok(()),
            // A click may close its own tab.
            Err(Error::TabClosed) => Ok(()),
            done => done,
        }
    }
}
