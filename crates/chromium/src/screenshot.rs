//! Screenshots.

use base64::Engine as _;
use cicerone_driver::{Clip, DriverError, ImageFormat, Origin, Result, Shot};

use cicerone_wire::Session;

use crate::{
    page::ChromiumPage,
    protocol::{
        emulation::{Rgba, SetDefaultBackgroundColorOverride},
        page::{CaptureScreenshot, GetLayoutMetrics, Viewport},
    },
};

/// Removes the page's white background until this is dropped, also on cancellation.
struct Transparent<'a>(&'a Session);

impl<'a> Transparent<'a> {
    fn set(session: &'a Session) -> Self {
        session.tell(&SetDefaultBackgroundColorOverride { color: Some(Rgba { r: 0, g: 0, b: 0, a: 0 }) });
        Self(session)
    }
}

impl Drop for Transparent<'_> {
    fn drop(&mut self) {
        self.0.tell(&SetDefaultBackgroundColorOverride { color: None });
    }
}

impl ChromiumPage {
    pub(crate) async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>> {
        let clip = self.clip(shot).await?;
        let (format, quality) = match shot.format {
            ImageFormat::Png => ("png", None),
            ImageFormat::Jpeg(quality) => ("jpeg", Some(quality)),
            ImageFormat::WebP(quality) => ("webp", Some(quality)),
        };
        let _transparent = shot.omit_background.then(|| Transparent::set(&self.session));
        let captured = self
            .send(&CaptureScreenshot {
                format,
                quality,
                capture_beyond_viewport: shot.clip.is_some(),
                clip,
                optimize_for_speed: true,
            })
            .await?;
        base64::engine::general_purpose::STANDARD.decode(captured.data).map_err(|_| DriverError::Refused {
            command: "Page.captureScreenshot",
            message: "the picture is not base64".into(),
        })
    }

    /// The part of the document to capture; `None` for the viewport.
    async fn clip(&self, shot: &Shot) -> Result<Option<Viewport>> {
        let of = |clip: Clip, dx: f64, dy: f64| Viewport {
            x: clip.x + dx,
            y: clip.y + dy,
            width: clip.width,
            height: clip.height,
            scale: shot.scale,
        };
        match shot.clip {
            Some(clip) if clip.origin == Origin::Document => return Ok(Some(of(clip, 0.0, 0.0))),
            #[expect(clippy::float_cmp, reason = "1.0 is a constant that callers pass, not a result")]
            None if shot.scale == 1.0 => return Ok(None),
            _ => {}
        }
        let view = self.send(&GetLayoutMetrics {}).await?.css_visual_viewport;
        let whole = Clip {
            origin: Origin::Viewport,
            x: 0.0,
            y: 0.0,
            width: view.client_width,
            height: view.client_height,
        };
        Ok(Some(of(shot.clip.unwrap_or(whole), view.page_x, view.page_y)))
    }
}
