//! Termination of scripts.

use async_trait::async_trait;
use cicerone_driver::{Interruption, Result};

use crate::{page::WebKitPage, protocol::host::Interrupt};

#[async_trait]
impl Interruption for WebKitPage {
    async fn interrupt(&self) -> Result<()> {
        self.send(&Interrupt {}).await.map(drop)
    }
}
