use futures::future::BoxFuture;

use crate::Page;

/// What is to be done for a page when a call on it is given up (cancelled, or its client gone) before it is done.
pub(crate) struct IfAbandoned {
    page: Option<Page>,
    then: fn(Page) -> BoxFuture<'static, ()>,
}

impl IfAbandoned {
    pub(crate) fn new(page: &Page, then: fn(Page) -> BoxFuture<'static, ()>) -> Self {
        Self { page: Some(page.clone()), then }
    }

    /// It was not.
    pub(crate) fn done(mut self) {
        self.page = None;
    }
}

impl Drop for IfAbandoned {
    fn drop(&mut self) {
        // Without a runtime the whole program is ending, and the page with it.
        if let (Some(page), Ok(runtime)) = (self.page.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn((self.then)(page));
        }
    }
}
