use async_trait::async_trait;

use crate::Result;

/// Adds headers to the requests of a page.
#[async_trait]
pub trait ExtraHeaders: Send + Sync {
    /// Sends these headers with every further request, replacing earlier ones.
    async fn set_extra_headers(&self, headers: &[(String, String)]) -> Result<()>;
}
