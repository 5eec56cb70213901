//! Pictures of a page.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Clip, DriverError, ImageFormat, Origin, Result, Shot, Size};
use serde::Deserialize;
use serde_json::json;

use crate::{
    page::FirefoxPage,
    protocol::browsing_context::{self, BoxClip, CaptureScreenshot},
};

/// What the agent says of a document's size.
#[derive(Deserialize)]
struct Extent {
    width: f64,
    height: f64,
}

/// What the agent made of a picture.
#[derive(Deserialize)]
struct Scaled {
    data: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer<T> {
    Ok(T),
    Error(serde_json::Value),
}

impl FirefoxPage {
    pub(crate) async fn picture(&self, shot: &Shot) -> Result<Vec<u8>> {
        if shot.omit_background {
            return Err(DriverError::Unsupported("take pictures with a transparent background"));
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

    /// The browser takes pictures in one size only; the agent makes another of them.
    async fn scaled(&self, data: &str, shot: &Shot) -> Result<String> {
        let format = format(shot.format);
        let args = json!({
            "data": data,
            "scale": shot.scale,
            "type": format.kind,
            "quality": format.quality,
        });
        Ok(self.ask_agent::<Scaled>("scale", &args).await?.data)
    }

    /// The size of the whole document.
    pub(crate) async fn extent(&self) -> Result<Size> {
        let Extent { width, height } = self.ask_agent("extent", &json!({})).await?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "document sizes are small and positive, and casts saturate"
        )]
        Ok(Size { width: width.ceil() as u32, height: height.ceil() as u32 })
    }

    pub(crate) async fn ask_agent<T: for<'a> Deserialize<'a>>(
        &self,
        function: &str,
        args: &serde_json::Value,
    ) -> Result<T> {
        use cicerone_driver::PageDriver;
        let answer = self.call_agent(&self.main_frame(), function, &args.to_string()).await?;
        match serde_json::from_str(&answer) {
            Ok(Answer::Ok(value)) => Ok(value),
            Ok(Answer::Error(why)) => {
                Err(DriverError::Refused { command: "the page agent's function", message: why.to_string() })
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
