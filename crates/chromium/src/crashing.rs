//! Crashes a hung page.

use async_trait::async_trait;
use cicerone_driver::{Crashing, Result};

use crate::{page::ChromiumPage, protocol::page::Crash};

#[async_trait]
impl Crashing for ChromiumPage {
    async fn crash(&self) -> Result<()> {
        self.lifecycle.alive()?;
        // A crashed page never answers; the event reports it.
        self.session.tell(&Crash {});
        Ok(())
    }
}
