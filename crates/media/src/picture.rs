use fast_image_resize::{PixelType, ResizeOptions, Resizer, images::Image};
use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};

/// Why an image could not be processed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BadPicture {
    /// Not a valid PNG or JPEG.
    #[error("the image cannot be decoded: {0}")]
    Decode(String),
    /// Scaling failed.
    #[error("the image cannot be scaled: {0}")]
    Scale(String),
    /// Encoding failed.
    #[error("the image cannot be encoded: {0}")]
    Encode(String),
}

/// An RGBA image, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) rgba: Vec<u8>,
}

/// PNG signature.
const PNG: [u8; 4] = [0x89, b'P', b'N', b'G'];

/// The background around an image with another aspect ratio than its frame.
const MAT: [u8; 4] = [32, 33, 36, 255];

impl Picture {
    /// An image of one colour.
    pub fn filled(width: u32, height: u32, colour: [u8; 4]) -> Self {
        let pixels = width as usize * height as usize;
        Self { width, height, rgba: colour.iter().copied().cycle().take(pixels * 4).collect() }
    }

    /// Decodes a PNG or a JPEG.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadPicture> {
        if bytes.starts_with(&PNG) { decode_png(bytes) } else { decode_jpeg(bytes) }
    }

    /// Width and height of a PNG or a JPEG, from its header.
    pub fn size_of(bytes: &[u8]) -> Result<(u32, u32), BadPicture> {
        if bytes.starts_with(&PNG) {
            let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info();
            let reader = reader.map_err(|error| BadPicture::Decode(error.to_string()))?;
            return Ok((reader.info().width, reader.info().height));
        }
        let mut decoder = zune_jpeg::JpegDecoder::new(ZCursor::new(bytes));
        decoder.decode_headers().map_err(|error| BadPicture::Decode(error.to_string()))?;
        let info = decoder.info().ok_or_else(|| BadPicture::Decode("it has no size".into()))?;
        Ok((u32::from(info.width), u32::from(info.height)))
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// A pixel as RGBA; all zero outside the image.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(at..at + 4).and_then(|pixel| pixel.try_into().ok()).unwrap_or_default()
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// Scales the image to fit, centred in a frame of exactly this size; returns scale and position too.
    pub fn fit(&self, width: u32, height: u32) -> Result<(Self, Placed), BadPicture> {
        let scale =
            (f64::from(width) / f64::from(self.width)).min(f64::from(height) / f64::from(self.height));
        let inner = (side(self.width, scale, width), side(self.height, scale, height));
        let resized = if inner == (self.width, self.height) { None } else { Some(self.resize(inner)?) };
        let inside = resized.as_ref().unwrap_or(self);
        let (left, top) = ((width - inside.width) / 2, (height - inside.height) / 2);
        let placed = Placed { scale, left: f64::from(left), top: f64::from(top) };
        if (inside.width, inside.height) == (width, height) {
            return Ok((resized.unwrap_or_else(|| self.clone()), placed));
        }
        let mut frame = Self::filled(width, height, MAT);
        let row = inside.width as usize * 4;
        for (y, pixels) in inside.rgba.chunks_exact(row).enumerate() {
            let at = ((top as usize + y) * width as usize + left as usize) * 4;
            frame.rgba[at..at + row].copy_from_slice(pixels);
        }
        Ok((frame, placed))
    }

    /// Scales the image to exactly this size.
    pub fn resize(&self, (width, height): (u32, u32)) -> Result<Self, BadPicture> {
        let scale = |error: String| BadPicture::Scale(error);
        let source = Image::from_vec_u8(self.width, self.height, self.rgba.clone(), PixelType::U8x4)
            .map_err(|error| scale(error.to_string()))?;
        let mut resized = Image::new(width, height, PixelType::U8x4);
        // Pages are opaque: no alpha premultiplication.
        let options = ResizeOptions::new().use_alpha(false);
        Resizer::new().resize(&source, &mut resized, &options).map_err(|error| scale(error.to_string()))?;
        Ok(Self { width, height, rgba: resized.into_vec() })
    }

    /// Encodes as PNG.
    pub fn png(&self) -> Result<Vec<u8>, BadPicture> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let failed = |error: png::EncodingError| BadPicture::Encode(error.to_string());
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&self.rgba).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }

    /// Encodes as JPEG with a quality of 0 to 100.
    pub fn jpeg(&self, quality: u8) -> Result<Vec<u8>, BadPicture> {
        let mut bytes = Vec::new();
        let encoder = jpeg_encoder::Encoder::new(&mut bytes, quality.max(1));
        let sides = (u16::try_from(self.width), u16::try_from(self.height));
        let (Ok(width), Ok(height)) = sides else { return Err(BadPicture::Encode("it is too large".into())) };
        encoder
            .encode(&self.rgba, width, height, jpeg_encoder::ColorType::Rgba)
            .map_err(|error| BadPicture::Encode(error.to_string()))?;
        Ok(bytes)
    }
}

/// The position of an image in its frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// The scale factor.
    pub scale: f64,
    /// Distance from the left edge.
    pub left: f64,
    /// Distance from the top edge.
    pub top: f64,
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sides are small and positive")]
fn side(length: u32, scale: f64, most: u32) -> u32 {
    ((f64::from(length) * scale).round() as u32).clamp(1, most)
}

fn decode_png(bytes: &[u8]) -> Result<Picture, BadPicture> {
    let failed = |error: png::DecodingError| BadPicture::Decode(error.to_string());
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader.output_buffer_size().ok_or_else(|| BadPicture::Decode("it is too large".into()))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(failed)?;
    pixels.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::Rgba => pixels,
        png::ColorType::GrayscaleAlpha => {
            pixels.chunks_exact(2).flat_map(|grey| [grey[0], grey[0], grey[0], grey[1]]).collect()
        }
        other => return Err(BadPicture::Decode(format!("{other:?} is not a usual kind of pixels"))),
    };
    Ok(Picture { width: info.width, height: info.height, rgba })
}

fn decode_jpeg(bytes: &[u8]) -> Result<Picture, BadPicture> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let rgba = decoder.decode().map_err(|error| BadPicture::Decode(error.to_string()))?;
    let (width, height) = decoder.dimensions().ok_or_else(|| BadPicture::Decode("it has no size".into()))?;
    let whole = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    Ok(Picture { width: whole(width), height: whole(height), rgba })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_survive_png_and_nearly_survive_jpeg() {
        let picture = Picture::filled(40, 30, [10, 200, 30, 255]);
        assert_eq!(Picture::decode(&picture.png().unwrap()).unwrap(), picture);
        let again = Picture::decode(&picture.jpeg(90).unwrap()).unwrap();
        assert_eq!((again.width, again.height), (40, 30));
        assert!(again.rgba[1].abs_diff(200) < 8, "{:?}", &again.rgba[..4]);
        assert!(Picture::decode(b"no picture").is_err());
        for bytes in [picture.png().unwrap(), picture.jpeg(90).unwrap()] {
            assert_eq!(Picture::size_of(&bytes).unwrap(), (40, 30));
        }
        assert!(Picture::size_of(b"no picture").is_err());
    }

    #[test]
    fn a_frame_has_exactly_the_size_that_is_asked_for() {
        let picture = Picture::filled(1280, 720, [255; 4]);
        for (width, height) in [(800, 600), (101, 33), (1, 1), (1280, 720), (2000, 2000)] {
            let (frame, placed) = picture.fit(width, height).unwrap();
            assert_eq!((frame.width, frame.height), (width, height));
            assert_eq!(frame.rgba.len(), width as usize * height as usize * 4);
            assert!(placed.left >= 0.0 && placed.top >= 0.0);
        }
        let (frame, placed) = picture.fit(800, 600).unwrap();
        assert_eq!((placed.left, placed.top), (0.0, 75.0));
        assert_eq!((&frame.rgba[..4], &frame.rgba[800 * 300 * 4..][..4]), (&MAT[..], &[255u8; 4][..]));
    }
}
