use futures::future::BoxFuture;

use crate::Page;

/// Runs `then` for a page if a call on it is dropped before it is done: cancelled, or its client
/// disconnected.
pub(crate) struct OnCancel {
    page: Option<Page>,
    then: fn(Page) -> BoxFuture<'static, ()>,
}

impl OnCancel {
    pub(crate) fn new(page: &Page, then: fn(Page) -> BoxFuture<'static, ()>) -> Self {
        Self { page: Some(page.clone()), then }
    }

    /// Disarms the guard.
    pub(crate) fn done(mut self) {
        self.page = None;
    }
}

impl Drop for OnCancel {
    fn drop(&mut self) {
        // Without a runtime the program is ending, and the page with it.
        if let (Some(page), Ok(runtime)) = (self.page.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn((self.then)(page));
        }
    }
}
