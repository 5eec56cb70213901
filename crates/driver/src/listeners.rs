use async_trait::async_trait;

use crate::{FrameId, Result};

/// Knows which elements have event listeners. The injected script cannot see them.
#[async_trait]
pub trait Listeners: Send + Sync {
    /// Reports the elements with pointer or keyboard listeners to the injected script of a frame.
    async fn report_listeners(&self, frame: &FrameId) -> Result<()>;
}
