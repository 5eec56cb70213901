//! Pictures of a page. The view is drawn on the main thread; scaling and encoding are done beside it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use gtk::{cairo, gio};
use serde::Deserialize;
use serde_json::json;
use webkit2gtk::{SnapshotOptions, SnapshotRegion, WebViewExt};

use crate::{page::Page, pipe::Responder, webp};

/// What picture is wanted.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Wanted {
    /// Of the whole document, not only of what is seen.
    #[serde(default)]
    document: bool,
    clip: Option<Clip>,
    scale: f64,
    format: Format,
    /// Of a JPEG or a WebP.
    quality: u8,
    #[serde(default)]
    omit_background: bool,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
enum Format {
    Png,
    Jpeg,
    Webp,
}

#[derive(Deserialize, Clone, Copy)]
struct Clip {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Why there is no image.
#[derive(Debug, thiserror::Error)]
enum PictureError {
    #[error("the page could not be drawn: {0}")]
    Drawing(#[from] cairo::Error),
    #[error("the picture is in use: {0}")]
    Borrowed(#[from] cairo::BorrowError),
    #[error("the picture could not be encoded: {0}")]
    Png(#[from] png::EncodingError),
    #[error("the picture could not be encoded: {0}")]
    Jpeg(#[from] jpeg_encoder::EncodingError),
    #[error("the picture could not be encoded as WebP")]
    WebP,
    #[error("the data is not an image")]
    NoImage,
    #[error("it is too large")]
    TooLarge,
}

/// Pixels, four bytes each: red, green, blue and opacity.
struct Pixels {
    width: u16,
    height: u16,
    bytes: Vec<u8>,
}

/// Answers with a picture.
pub(crate) fn take(page: &Page, wanted: Wanted, answer: Responder) {
    let region = if wanted.document { SnapshotRegion::FullDocument } else { SnapshotRegion::Visible };
    let options =
        if wanted.omit_background { SnapshotOptions::TRANSPARENT_BACKGROUND } else { SnapshotOptions::NONE };
    let scale_of_device = f64::from(gtk::prelude::WidgetExt::scale_factor(&page.view));
    page.view.snapshot(region, options, gio::Cancellable::NONE, move |drawn| {
        let drawn = match drawn {
            Ok(drawn) => drawn,
            Err(error) => return answer.refuse(error.message()),
        };
        match pixels(drawn, &wanted, scale_of_device) {
            Ok(pixels) => {
                std::thread::spawn(move || match encode(&pixels, wanted.format, wanted.quality) {
                    Ok(bytes) => answer.give(json!({ "data": STANDARD.encode(bytes) })),
                    Err(error) => answer.refuse(&error.to_string()),
                });
            }
            Err(error) => answer.refuse(&error.to_string()),
        }
    });
}

/// What is wanted of what was drawn.
fn pixels(drawn: cairo::Surface, wanted: &Wanted, device: f64) -> Result<Pixels, PictureError> {
    let image = cairo::ImageSurface::try_from(drawn).map_err(|_| PictureError::NoImage)?;
    let (whole_width, whole_height) = (f64::from(image.width()) / device, f64::from(image.height()) / device);
    let whole = Clip { x: 0.0, y: 0.0, width: whole_width, height: whole_height };
    let clip = wanted.clip.unwrap_or(whole);
    let factor = wanted.scale * device;
    let size = |length: f64| (length * factor).round().max(1.0);
    let (width, height) = (size(clip.width), size(clip.height));
    if width > f64::from(i16::MAX) || height > f64::from(i16::MAX) {
        return Err(PictureError::TooLarge);
    }
    let mut target = cairo::ImageSurface::create(cairo::Format::ARgb32, width as i32, height as i32)?;
    let context = cairo::Context::new(&target)?;
    if wanted.format == Format::Jpeg {
        context.set_source_rgb(1.0, 1.0, 1.0);
        context.paint()?;
    }
    image.set_device_scale(device, device);
    context.scale(factor, factor);
    context.set_source_surface(&image, -clip.x, -clip.y)?;
    context.paint()?;
    drop(context);
    target.flush();
    let stride = target.stride() as usize;
    let data = target.data()?;
    let row = width as usize * 4;
    let mut bytes = Vec::with_capacity(row * height as usize);
    for line in data.chunks(stride) {
        for pixel in line[..row].chunks_exact(4) {
            bytes.extend(straight([pixel[0], pixel[1], pixel[2], pixel[3]]));
        }
    }
    Ok(Pixels { width: width as u16, height: height as u16, bytes })
}

/// Cairo keeps blue, green, red, multiplied by the opacity.
fn straight([blue, green, red, alpha]: [u8; 4]) -> [u8; 4] {
    if alpha == u8::MAX || alpha == 0 {
        return [red, green, blue, alpha];
    }
    let divided =
        |colour: u8| ((u32::from(colour) * 255 + u32::from(alpha) / 2) / u32::from(alpha)).min(255) as u8;
    [divided(red), divided(green), divided(blue), alpha]
}

fn encode(
    Pixels { width, height, bytes }: &Pixels,
    format: Format,
    quality: u8,
) -> Result<Vec<u8>, PictureError> {
    let mut encoded = Vec::new();
    match format {
        Format::Webp => {
            encoded = webp::encode(bytes, *width, *height, quality).ok_or(PictureError::WebP)?;
        }
        Format::Jpeg => {
            let encoder = jpeg_encoder::Encoder::new(&mut encoded, quality);
            encoder.encode(bytes, *width, *height, jpeg_encoder::ColorType::Rgba)?;
        }
        Format::Png => {
            let mut encoder = png::Encoder::new(&mut encoded, (*width).into(), (*height).into());
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_compression(png::Compression::Fast);
            encoder.write_header()?.write_image_data(bytes)?;
        }
    }
    Ok(encoded)
}
