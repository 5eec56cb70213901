//! Crashes a hung page.

use async_trait::async_trait;
use cicerone_driver::{Crashing, PageEvent, Result};

use crate::{page::FirefoxPage, protocol::browsing_context::Close};

#[async_trait]
impl Crashing for FirefoxPage {
    async fn crash(&self) -> Result<()> {
        self.lifecycle.alive()?;
        // A hung page closes at once, which ends its script. It is reported as crashed.
        self.root.tell(&Close { context: self.context(), prompt_unload: false });
        self.crashed();
        Ok(())
    }
}

impl FirefoxPage {
    /// Reports the crash, once.
    pub(crate) fn crashed(&self) {
        if self.mark_crashed() {
            self.tell(PageEvent::Crashed);
        }
    }
}
