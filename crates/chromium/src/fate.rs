//! How far a page has come, and whether it still lives.

use std::sync::atomic::Ordering;

use cicerone_driver::{DocumentId, DriverError, Result};

use crate::page::{ChromiumPage, lock};

impl ChromiumPage {
    pub(crate) fn mark_told(&self) {
        self.told.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_told(&self) -> bool {
        self.told.load(Ordering::Relaxed)
    }

    pub(crate) fn mark_navigated(&self) {
        self.navigated.store(true, Ordering::Relaxed);
    }

    /// Whether its main frame was told to have got a document.
    pub(crate) fn has_navigated(&self) -> bool {
        self.navigated.load(Ordering::Relaxed)
    }

    pub(crate) fn mark_complete(&self, document: DocumentId) {
        *lock(&self.complete) = Some(document);
        self.changed.notify_waiters();
    }

    /// Resolves when this document is complete, if it is the one that comes.
    pub(crate) async fn completed(&self, document: &DocumentId) -> Result<()> {
        loop {
            let changed = self.changed.notified();
            self.alive()?;
            if lock(&self.complete).as_ref() == Some(document) {
                return Ok(());
            }
            changed.await;
        }
    }

    pub(crate) fn mark_crashed(&self) {
        self.crashed.store(true, Ordering::Relaxed);
        self.changed.notify_waiters();
    }

    pub(crate) fn mark_closed(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.changed.notify_waiters();
    }

    pub(crate) fn alive(&self) -> Result<()> {
        if self.crashed.load(Ordering::Relaxed) {
            Err(DriverError::Crashed)
        } else if self.closed.load(Ordering::Relaxed) {
            Err(DriverError::Closed)
        } else if self.session.connection().is_closed() {
            Err(DriverError::Disconnected)
        } else {
            Ok(())
        }
    }
}
