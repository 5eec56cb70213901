//! Answers of a page's driver, by a deadline.

use std::time::Instant;

use cicerone_driver::DriverError;

use crate::{Deadline, Page, Result};

impl Page {
    /// The answer to a command that the browser itself gives, whatever holds the page; by a deadline all the same.
    pub(crate) async fn promptly<T>(
        &self,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let patience = self.options().action_timeout;
        match Deadline::after(patience).bound(work).await {
            Some(done) => done.map_err(|error| self.explain(error)),
            None => Err(self.unstick(patience).await),
        }
    }

    /// The driver's answer, with what this page knows about its errors, by a deadline.
    pub(crate) async fn within<T>(
        &self,
        deadline: Deadline,
        work: impl Future<Output = std::result::Result<T, DriverError>>,
    ) -> Result<T> {
        let (asked_for, began) = (deadline.left(), Instant::now());
        match self.answered_by(deadline, self.unless_dialog(work)).await {
            Some(done) => done?.map_err(|error| self.explain(error)),
            None => Err(self.unstick(asked_for.max(began.elapsed())).await),
        }
    }
}
