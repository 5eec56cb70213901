use async_trait::async_trait;

use crate::{Result, Size};

/// Reads sizes from the browser's layout. Without it the injected script measures the document.
#[async_trait]
pub trait LayoutMetrics: Send + Sync {
    /// The size of the whole document, in CSS pixels.
    async fn content_size(&self) -> Result<Size>;
}
