//! Terminates running scripts.

use async_trait::async_trait;
use cicerone_driver::{Interruption, Result};

use crate::{page::ChromiumPage, protocol::runtime::TerminateExecution};

#[async_trait]
impl Interruption for ChromiumPage {
    async fn interrupt(&self) -> Result<()> {
        self.send(&TerminateExecution {}).await.map(drop)
    }
}
