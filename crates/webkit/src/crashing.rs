//! The end of a page that hangs.

use async_trait::async_trait;
use cicerone_driver::{Crashing, DriverError, Result};

use crate::{page::WebKitPage, protocol::host::Crash};

#[async_trait]
impl Crashing for WebKitPage {
    async fn crash(&self) -> Result<()> {
        // The end may come before the answer.
        match self.send(&Crash {}).await {
            Ok(_) => {}
            Err(DriverError::Crashed) => return Ok(()),
            Err(error) => return Err(error),
        }
        match self.lifecycle.ended().await {
            DriverError::Crashed => Ok(()),
            error => Err(error),
        }
    }
}
