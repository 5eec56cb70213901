//! How far a page has loaded.

use std::sync::atomic::Ordering;

use cicerone_driver::{DocumentId, Result, lock};

use crate::page::ChromiumPage;

impl ChromiumPage {
    pub(crate) fn mark_reported(&self) {
        self.told.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_reported(&self) -> bool {
        self.told.load(Ordering::Relaxed)
    }

    pub(crate) fn mark_navigated(&self) {
        self.navigated.store(true, Ordering::Relaxed);
    }

    /// Whether a document was reported for its main frame.
    pub(crate) fn has_navigated(&self) -> bool {
        self.navigated.load(Ordering::Relaxed)
    }

    pub(crate) fn mark_complete(&self, document: DocumentId) {
        *lock(&self.complete) = Some(document);
        self.lifecycle.notify();
    }

    /// Resolves when this document has loaded, if it is the next one.
    pub(crate) async fn completed(&self, document: &DocumentId) -> Result<()> {
        let complete = || (lock(&self.complete).as_ref() == Some(document)).then_some(());
        self.lifecycle.until(complete).await
    }
}
