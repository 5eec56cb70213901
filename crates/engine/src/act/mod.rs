//! Acting on a page: ready, do, verify, settle, tell.

pub(crate) mod aim;
pub(crate) mod check;
pub(crate) mod click;
pub(crate) mod content;
pub(crate) mod drag;
pub(crate) mod fill;
pub(crate) mod focus;
pub(crate) mod hover;
pub(crate) mod keys;
pub(crate) mod press;
pub(crate) mod scroll;
pub(crate) mod select;
pub(crate) mod upload;

use crate::{
    Acted, ActionSnapshot, Deadline, Element, Error, Page, Result, View, effect::Expects, ready::Located,
    settle::Mark,
};

/// An element that was acted on.
pub(crate) fn acted_on(located: &Located) -> (Element, bool) {
    (located.element.clone(), located.healed)
}

impl Page {
    /// The moment before an action. What the client has not seen yet is looked at now, or nothing could be said of
    /// what changes.
    pub(crate) async fn before_acting(&self) -> Result<Mark> {
        let (changed, restless) = self.begin_acting().await;
        let unseen = self.seen().is_none();
        let mut since = None;
        if unseen && self.shows() == ActionSnapshot::Diff {
            let tree = self.look(Deadline::after(self.action_timeout())).await?;
            *self.seen() = Some(tree);
        } else if changed && self.shows() == ActionSnapshot::Diff {
            since = self.changed_since(restless).await?;
        }
        self.forget_downloads();
        self.state().acting = true;
        Ok(Mark { expects: Expects::Anything, since, ..self.mark() })
    }

    /// What changed since the client last saw the page, which sees it by this.
    async fn changed_since(&self, restless: bool) -> Result<Option<View>> {
        let tree = match self.look(Deadline::after(self.action_timeout())).await {
            Ok(tree) => tree,
            Err(error @ (Error::BrowserEnded | Error::Crashed { .. })) => return Err(error),
            // The action will say what is the matter with the page.
            Err(error) => {
                tracing::debug!(%error, "the page could not be looked at");
                return Ok(None);
            }
        };
        if let Some(seen) = self.seen().as_ref().filter(|_| restless) {
            self.remember_restless(seen, &tree);
        }
        let view = self.changes_to(&tree);
        *self.seen() = Some(tree);
        Ok(Some(view).filter(|view| !view.is_empty()))
    }

    /// What ended before an action is not what is waited for after it.
    pub(crate) fn forget_downloads(&self) {
        if let Some(context) = self.context() {
            context.forget_downloads();
        }
    }

    /// What was done, with what came of it.
    pub(crate) async fn told<T>(&self, done: T, mark: Mark) -> Result<Acted<T>> {
        let deadline = Deadline::after(self.navigation_timeout());
        Ok(Acted { done, outcome: self.outcome(mark, deadline).await? })
    }

    /// Sends input. A dialog that it opens is an outcome, not a failure.
    pub(crate) async fn send(&self, steps: &[cicerone_driver::Input], deadline: Deadline) -> Result<()> {
        if let Some(trail) = &mut self.state().trail {
            trail.follow(steps);
        }
        match self.within(deadline, self.driver().input(steps)).await {
            Err(Error::DialogOpen(_)) => Ok(()),
            // A click may close its own page, or carry it away.
            Err(Error::TabClosed) => Ok(()),
            done => done,
        }
    }
}
