//! Sizes from the browser's layout.

use async_trait::async_trait;
use cicerone_driver::{LayoutMetrics, Result, Size};

use crate::{page::ChromiumPage, protocol::page::GetLayoutMetrics};

#[async_trait]
impl LayoutMetrics for ChromiumPage {
    async fn content_size(&self) -> Result<Size> {
        let size = self.send(&GetLayoutMetrics {}).await?.css_content_size;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "document sizes are small and positive, and casts saturate"
        )]
        Ok(Size { width: size.width.ceil() as u32, height: size.height.ceil() as u32 })
    }
}
