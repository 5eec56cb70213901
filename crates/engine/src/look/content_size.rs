//! The size of the whole document.

use cicerone_driver::Size;
use serde::Deserialize;
use serde_json::json;

use crate::{Deadline, Result, injected::InjectedError, page::parts::Geometry};

/// As the injected script measures it, in CSS pixels.
#[derive(Deserialize)]
struct Extent {
    width: f64,
    height: f64,
}

impl Geometry<'_> {
    /// In CSS pixels: as the browser has laid it out, or as the injected script measures it.
    pub(crate) async fn content_size(self, deadline: Deadline) -> Result<Size> {
        if let Some(power) = self.page.driver().layout_metrics() {
            return self.page.injected().within(deadline, power.content_size()).await;
        }
        let measured =
            self.page.injected().ask::<Extent>(&self.page.main_frame(), "extent", &json!({}), deadline).await;
        let Extent { width, height } = measured.map_err(InjectedError::into_error)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "document sizes are small and positive, and casts saturate"
        )]
        Ok(Size { width: width.ceil() as u32, height: height.ceil() as u32 })
    }
}
