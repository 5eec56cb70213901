//! Pictures of a page.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Clip, DriverError, ImageFormat, Origin, Result, Shot};

use crate::{
    page::WebKitPage,
    protocol::host::{self, Screenshot},
};

impl WebKitPage {
    pub(crate) async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>> {
        let (format, quality) = match shot.format {
            ImageFormat::Jpeg(quality) => ("jpeg", quality),
            ImageFormat::Png => ("png", 100),
            ImageFormat::WebP(quality) => ("webp", quality),
        };
        let command = Screenshot {
            document: matches!(shot.clip, Some(Clip { origin: Origin::Document, .. })),
            clip: shot.clip.map(|clip| host::Clip {
                x: clip.x,
                y: clip.y,
                width: clip.width,
                height: clip.height,
            }),
            scale: shot.scale,
            format,
            quality,
            omit_background: shot.omit_background,
        };
        let data = self.send(&command).await?.data;
        STANDARD.decode(data).map_err(|_| DriverError::Refused {
            command: "Host.screenshot",
            message: "the picture is not base64".into(),
        })
    }
}
