//! Screenshots.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Clip, DriverError, Feature, ImageFormat, Origin, Result, Shot};
use serde::Deserialize;
use serde_json::json;

use crate::{
    page::FirefoxPage,
    protocol::browsing_context::{self, BoxClip, CaptureScreenshot},
};

/// An image as the injected script encoded it.
#[derive(Deserialize)]
struct Scaled {
    data: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScriptResult<T> {
    Ok(T),
    Error(serde_json::Value),
}

impl FirefoxPage {
    pub(crate) async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>> {
        if shot.omit_background {
            return Err(DriverError::Unsupported(Feature::TransparentScreenshots));
        }
        #[expect(clippy::float_cmp, reason = "1.0 is a constant that callers pass, not a result")]
        let in_size = shot.scale == 1.0;
        let format = if in_size { format(shot.format) } else { format(ImageFormat::Png) };
        let origin = match shot.clip {
            Some(Clip { origin: Origin::Document, .. }) => "document",
            _ => "viewport",
        };
        let command =
            CaptureScreenshot { context: self.context(), origin, format, clip: shot.clip.map(clip) };
        let data = self.send_to_document(&command).await?.data;
        let data = if in_size { data } else { self.scaled(&data, shot).await? };
        STANDARD.decode(data).map_err(|_| DriverError::Refused {
            command: "browsingContext.captureScreenshot",
            message: "the picture is not base64".into(),
        })
    }

    /// The browser takes screenshots in one size only; the injected script scales them.
    async fn scaled(&self, data: &str, shot: &Shot) -> Result<String> {
        let format = format(shot.format);
        let args = json!({
            "data": data,
            "scale": shot.scale,
            "type": format.kind,
            "quality": format.quality,
        });
        Ok(self.ask_injected::<Scaled>("scale", &args).await?.data)
    }

    pub(crate) async fn ask_injected<T: for<'a> Deserialize<'a>>(
        &self,
        function: &str,
        args: &serde_json::Value,
    ) -> Result<T> {
        use cicerone_driver::PageDriver;
        let answer = self.call(&self.main_frame(), function, &args.to_string()).await?;
        match serde_json::from_str(&answer) {
            Ok(ScriptResult::Ok(value)) => Ok(value),
            Ok(ScriptResult::Error(why)) => {
                Err(DriverError::Refused { command: "the injected function", message: why.to_string() })
            }
            Err(error) => Err(DriverError::Garbled(std::sync::Arc::new(error))),
        }
    }
}

fn format(format: ImageFormat) -> browsing_context::ImageFormat {
    let (kind, quality) = match format {
        ImageFormat::Png => ("image/png", None),
        ImageFormat::Jpeg(quality) => ("image/jpeg", Some(quality)),
        ImageFormat::WebP(quality) => ("image/webp", Some(quality)),
    };
    browsing_context::ImageFormat { kind, quality: quality.map(|quality| f64::from(quality) / 100.0) }
}

fn clip(clip: Clip) -> BoxClip {
    BoxClip { kind: "box", x: clip.x, y: clip.y, width: clip.width, height: clip.height }
}
