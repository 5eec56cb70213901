use async_trait::async_trait;

use crate::Result;

/// Terminates scripts of a page, which goes on living.
#[async_trait]
pub trait Interruption: Send + Sync {
    /// Terminates running scripts, endless loops included.
    async fn interrupt(&self) -> Result<()>;
}
