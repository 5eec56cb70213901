use async_trait::async_trait;

use crate::Result;

/// Ends a page whose scripts do not stop.
#[async_trait]
pub trait Crashing: Send + Sync {
    /// Kills the page's process. The sink receives `Crashed`.
    async fn crash(&self) -> Result<()>;
}
