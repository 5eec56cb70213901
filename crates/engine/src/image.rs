//! Decoded pictures: made smaller and encoded anew, so that one capture serves a file and a reply.

use std::num::NonZeroUsize;

use cicerone_driver::Size;
use fast_image_resize::{PixelType, ResizeOptions, Resizer, images::Image};

use crate::Encoding;

/// Why a picture could not be read or made.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The browser's picture is damaged, or in a form that is not read.
    #[error("the screenshot could not be decoded: {0}")]
    Decode(String),
    /// It could not be scaled.
    #[error("the screenshot could not be scaled: {0}")]
    Scale(String),
    /// It could not be encoded.
    #[error("the screenshot could not be encoded: {0}")]
    Encode(String),
}

/// A decoded picture, three or four bytes a pixel.
pub(crate) struct Pixels {
    size: Size,
    alpha: bool,
    data: Vec<u8>,
}

/// The size of an encoded picture, from its header.
pub(crate) fn size(bytes: &[u8], encoding: Encoding) -> Result<Size, ImageError> {
    match encoding {
        Encoding::Png => {
            let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info();
            let reader = reader.map_err(|error| ImageError::Decode(error.to_string()))?;
            Ok(Size { width: reader.info().width, height: reader.info().height })
        }
        Encoding::Jpeg => {
            let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(bytes));
            decoder.decode_headers().map_err(|error| ImageError::Decode(error.to_string()))?;
            let info = decoder.info().ok_or_else(|| ImageError::Decode("it has no header".into()))?;
            Ok(Size { width: u32::from(info.width), height: u32::from(info.height) })
        }
    }
}

impl Pixels {
    /// Decodes what the browser captured.
    pub(crate) fn decode(bytes: &[u8], encoding: Encoding) -> Result<Self, ImageError> {
        match encoding {
            Encoding::Png => decode_png(bytes),
            Encoding::Jpeg => decode_jpeg(bytes),
        }
    }

    /// The same in another size.
    pub(crate) fn scaled(self, to: Size) -> Result<Self, ImageError> {
        let kind = if self.alpha { PixelType::U8x4 } else { PixelType::U8x3 };
        let failed = |error: String| ImageError::Scale(error);
        let from = Image::from_vec_u8(self.size.width, self.size.height, self.data, kind)
            .map_err(|error| failed(error.to_string()))?;
        let mut scaled = Image::new(to.width, to.height, kind);
        Resizer::new()
            .resize(&from, &mut scaled, &ResizeOptions::default())
            .map_err(|error| failed(error.to_string()))?;
        Ok(Self { size: to, alpha: self.alpha, data: scaled.into_vec() })
    }

    /// Encodes it as a JPEG.
    pub(crate) fn jpeg(&self, quality: u8) -> Result<Vec<u8>, ImageError> {
        let failed = |error: &dyn std::fmt::Display| ImageError::Encode(error.to_string());
        let side = |length: u32| u16::try_from(length).map_err(|error| failed(&error));
        let (width, height) = (side(self.size.width)?, side(self.size.height)?);
        let color = if self.alpha { jpeg_encoder::ColorType::Rgba } else { jpeg_encoder::ColorType::Rgb };
        let mut bytes = Vec::new();
        jpeg_encoder::Encoder::new(&mut bytes, quality)
            .encode(&self.data, width, height, color)
            .map_err(|error| failed(&error))?;
        Ok(bytes)
    }
}

fn decode_png(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let failed = |error: png::DecodingError| ImageError::Decode(error.to_string());
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(failed)?;
    let length = reader.output_buffer_size().and_then(NonZeroUsize::new);
    let mut data = vec![0; length.ok_or_else(|| ImageError::Decode("it is too large".into()))?.get()];
    let info = reader.next_frame(&mut data).map_err(failed)?;
    data.truncate(info.buffer_size());
    let size = Size { width: info.width, height: info.height };
    match info.color_type {
        png::ColorType::Rgb => Ok(Pixels { size, alpha: false, data }),
        png::ColorType::Rgba => Ok(Pixels { size, alpha: true, data }),
        png::ColorType::Grayscale => Ok(Pixels { size, alpha: false, data: repeat_each(&data) }),
        other => Err(ImageError::Decode(format!("unexpected colours: {other:?}"))),
    }
}

/// Grey as red, green and blue.
fn repeat_each(grey: &[u8]) -> Vec<u8> {
    grey.iter().flat_map(|level| [*level; 3]).collect()
}

fn decode_jpeg(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(bytes));
    let data = decoder.decode().map_err(|error| ImageError::Decode(error.to_string()))?;
    let info = decoder.info().ok_or_else(|| ImageError::Decode("it has no header".into()))?;
    let size = Size { width: u32::from(info.width), height: u32::from(info.height) };
    Ok(Pixels { size, alpha: false, data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_scaled_and_encoded() {
        let data = (0..200_u32 * 100).flat_map(|at| [u8::try_from(at % 200).unwrap(), 0, 255, 255]).collect();
        let pixels = Pixels { size: Size { width: 200, height: 100 }, alpha: true, data };
        let small = pixels.scaled(Size { width: 50, height: 25 }).unwrap();
        let jpeg = small.jpeg(80).unwrap();
        let again = Pixels::decode(&jpeg, Encoding::Jpeg).unwrap();
        assert_eq!((again.size, again.alpha), (Size { width: 50, height: 25 }, false));
        let left = &again.data[..3];
        assert!(left[0] < 40 && left[1] < 40 && left[2] > 215, "{left:?}");
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        for encoding in [Encoding::Png, Encoding::Jpeg] {
            assert!(matches!(Pixels::decode(b"no picture", encoding), Err(ImageError::Decode(_))));
        }
    }
}
