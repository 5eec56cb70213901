use async_trait::async_trait;

use crate::{FrameId, Result};

/// Reaches into closed shadow roots. The injected script cannot.
#[async_trait]
pub trait ClosedShadowRoots: Send + Sync {
    /// Hands closed shadow roots to the injected script of a frame, for the elements that it suspects of having one;
    /// returns how many there were.
    async fn report_closed_shadow_roots(&self, frame: &FrameId) -> Result<usize>;
}
