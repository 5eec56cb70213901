//! Driver calls with a deadline.

use std::time::Instant;

use cicerone_driver::DriverError;

use crate::{Deadline, Result, page::parts::Injected};

impl Injected<'_> {
    /// Awaits a command that the browser process answers even while the page hangs.
    pub(crate) async fn with_action_timeout<T>(
        self,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let timeout = self.page.options().action_timeout;
        match Deadline::after(timeout).bound(work).await {
            Some(done) => done.map_err(|error| self.explain(error)),
            None => Err(self.unstick(timeout).await),
        }
    }

    /// Awaits a command with a deadline, or until a dialog opens; explains driver errors.
    pub(crate) async fn within<T>(
        self,
        deadline: Deadline,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let (asked_for, began) = (deadline.left(), Instant::now());
        match self.answered_by(deadline, self.page.dialogs().unless_dialog(work)).await {
            Some(done) => done?.map_err(|error| self.explain(error)),
            None => Err(self.unstick(asked_for.max(began.elapsed())).await),
        }
    }
}
