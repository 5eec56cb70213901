use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::{
    BadPicture, Picture,
    palette::{Palette, UNCHANGED},
};

/// Writes a GIF frame by frame. Only the changed part of each frame is encoded.
pub struct GifWriter {
    encoder: Option<Encoder<Vec<u8>>>,
    width: u16,
    height: u16,
    palette: Option<Palette>,
    /// Whether the palette differs from the global one.
    local: bool,
    /// The previous frame.
    shown: Option<Picture>,
    /// A frame whose duration is unknown until the next one.
    waiting: Option<Frame<'static>>,
    count: usize,
}

/// Maximum distance of a frame's colours from the palette before it gets its own: 4 steps in each channel.
const TOLERATED: u32 = 48;

impl GifWriter {
    /// An empty GIF of this size.
    pub fn new(width: u16, height: u16) -> Self {
        Self {
            encoder: None,
            width,
            height,
            palette: None,
            local: false,
            shown: None,
            waiting: None,
            count: 0,
        }
    }

    /// The number of frames.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a frame; the previous one gets this duration.
    pub fn add(&mut self, picture: Picture, before: Duration) -> Result<(), BadPicture> {
        self.write_waiting(before)?;
        let area = self.shown.as_ref().map_or_else(
            || Some(Changed { left: 0, top: 0, right: picture.width, bottom: picture.height }),
            |shown| changed(shown, &picture),
        );
        // Nothing changed: encode one transparent pixel, so that the frame counts and has a duration.
        let area = area.unwrap_or(Changed { left: 0, top: 0, right: 1, bottom: 1 });
        self.adapt(&picture, area)?;
        let frame = self.frame(&picture, area);
        self.waiting = Some(frame);
        self.shown = Some(picture);
        self.count += 1;
        Ok(())
    }

    /// Finishes the file; the last frame gets this duration.
    pub fn finish(mut self, last: Duration) -> Result<Vec<u8>, BadPicture> {
        self.write_waiting(last)?;
        let encoder = self.encoder.ok_or_else(|| BadPicture::Encode("it has no frames".into()))?;
        encoder.into_inner().map_err(|error| BadPicture::Encode(error.to_string()))
    }

    /// Takes a new palette if the colours are too far from the current one. The first one is the global palette.
    fn adapt(&mut self, picture: &Picture, area: Changed) -> Result<(), BadPicture> {
        let pixels = area.of(picture);
        if self.palette.as_mut().is_some_and(|palette| palette.error(&pixels) <= TOLERATED) {
            return Ok(());
        }
        let palette = Palette::of(&pixels);
        self.local = self.encoder.is_some();
        if self.encoder.is_none() {
            let failed = |error: gif::EncodingError| BadPicture::Encode(error.to_string());
            let encoder = Encoder::new(Vec::new(), self.width, self.height, &palette.colours);
            let mut encoder = encoder.map_err(failed)?;
            encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
            self.encoder = Some(encoder);
        }
        self.palette = Some(palette);
        Ok(())
    }

    fn frame(&mut self, picture: &Picture, area: Changed) -> Frame<'static> {
        let mut indices = Vec::with_capacity(area.width() * area.height());
        for y in area.top..area.bottom {
            let row = |picture: &Picture| row(picture, area.left, area.right, y).to_vec();
            let now = row(picture);
            let before = self.shown.as_ref().map(row);
            for (x, pixel) in now.chunks_exact(4).enumerate() {
                let same = before.as_ref().is_some_and(|before| before[x * 4..x * 4 + 3] == pixel[..3]);
                let index = self.palette.as_mut().filter(|_| !same).map(|palette| palette.index(pixel));
                indices.push(index.unwrap_or(UNCHANGED));
            }
        }
        let side = |side: usize| u16::try_from(side).unwrap_or(u16::MAX);
        let palette = self.palette.as_ref().filter(|_| self.local).map(|palette| palette.colours.clone());
        Frame {
            left: side(area.left as usize),
            top: side(area.top as usize),
            width: side(area.width()),
            height: side(area.height()),
            buffer: indices.into(),
            transparent: Some(UNCHANGED),
            dispose: DisposalMethod::Keep,
            palette,
            ..Frame::default()
        }
    }

    fn write_waiting(&mut self, shown_for: Duration) -> Result<(), BadPicture> {
        let Some(mut frame) = self.waiting.take() else { return Ok(()) };
        let hundredths = (shown_for.as_millis() / 10).clamp(2, u128::from(u16::MAX));
        frame.delay = u16::try_from(hundredths).unwrap_or(u16::MAX);
        let failed = |error: gif::EncodingError| BadPicture::Encode(error.to_string());
        let encoder = self.encoder.as_mut().ok_or_else(|| BadPicture::Encode("it has not begun".into()))?;
        encoder.write_frame(&frame).map_err(failed)
    }
}

/// The bounding box of the differences between two frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Changed {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Changed {
    fn width(self) -> usize {
        (self.right - self.left) as usize
    }

    fn height(self) -> usize {
        (self.bottom - self.top) as usize
    }

    fn of(self, picture: &Picture) -> Vec<u8> {
        (self.top..self.bottom).flat_map(|y| row(picture, self.left, self.right, y)).copied().collect()
    }
}

fn row(picture: &Picture, left: u32, right: u32, y: u32) -> &[u8] {
    let start = y as usize * picture.width as usize;
    &picture.rgba[(start + left as usize) * 4..(start + right as usize) * 4]
}

fn changed(before: &Picture, now: &Picture) -> Option<Changed> {
    let width = now.width;
    let differs = |y: &u32| row(before, 0, width, *y) != row(now, 0, width, *y);
    let top = (0..now.height).find(differs)?;
    let bottom = (0..now.height).rev().find(differs)? + 1;
    let (mut left, mut right) = (width, 0);
    for y in top..bottom {
        let pairs = row(before, 0, width, y).chunks_exact(4).zip(row(now, 0, width, y).chunks_exact(4));
        let mut differing = (0..width).zip(pairs).filter(|(_, (before, now))| before != now).map(|(x, _)| x);
        let Some(first) = differing.next() else { continue };
        left = left.min(first);
        right = right.max(differing.next_back().unwrap_or(first) + 1);
    }
    Some(Changed { left, top, right, bottom })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The displayed frames of a GIF, with durations in hundredths of a second.
    fn shown(gif: &[u8]) -> Vec<(Vec<u8>, u16)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(gif).unwrap();
        let width = usize::from(decoder.width());
        let mut canvas = vec![0; width * usize::from(decoder.height()) * 4];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let row = usize::from(frame.width) * 4;
            for (y, pixels) in frame.buffer.chunks_exact(row).enumerate() {
                for (x, pixel) in pixels.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                    let at = ((usize::from(frame.top) + y) * width + usize::from(frame.left) + x) * 4;
                    canvas[at..at + 4].copy_from_slice(pixel);
                }
            }
            pictures.push((canvas.clone(), frame.delay));
        }
        pictures
    }

    #[test]
    fn a_gif_shows_its_pictures_with_their_times() {
        let mut writer = GifWriter::new(120, 80);
        let white = Picture::filled(120, 80, [255; 4]);
        let mut dotted = white.clone();
        dotted.rgba[(40 * 120 + 60) * 4] = 0;
        let blue = Picture::filled(120, 80, [10, 20, 220, 255]);
        let mut pictures = Vec::new();
        for picture in [&white, &white, &dotted, &blue, &white] {
            writer.add(picture.clone(), Duration::from_millis(200)).unwrap();
            pictures.push(picture.rgba.clone());
        }
        assert_eq!(writer.count(), 5);
        let gif = writer.finish(Duration::from_millis(1_500)).unwrap();
        assert!(gif.len() < 6_000, "{} bytes", gif.len());
        let found = shown(&gif);
        assert_eq!(found.iter().map(|(_, delay)| *delay).collect::<Vec<_>>(), [20, 20, 20, 20, 150]);
        for (at, ((found, _), wanted)) in found.iter().zip(&pictures).enumerate() {
            assert!(found == wanted, "picture {at} differs");
        }
    }

    #[test]
    fn photographs_keep_their_colours_nearly() {
        let mut photograph = Picture::filled(256, 256, [255; 4]);
        for (at, pixel) in photograph.rgba.chunks_exact_mut(4).enumerate() {
            let (x, y) = (u8::try_from(at % 256).unwrap(), u8::try_from(at / 256).unwrap());
            pixel[..3].copy_from_slice(&[x, y, x / 2 + y / 2]);
        }
        let mut writer = GifWriter::new(256, 256);
        writer.add(Picture::filled(256, 256, [255; 4]), Duration::ZERO).unwrap();
        writer.add(photograph.clone(), Duration::from_millis(100)).unwrap();
        let found = shown(&writer.finish(Duration::from_secs(1)).unwrap());
        let off = |(a, b): (&u8, &u8)| u64::from(a.abs_diff(*b));
        let error: u64 = found[1].0.iter().zip(&photograph.rgba).map(off).sum();
        assert!(error / (256 * 256 * 3) < 10, "{}", error / (256 * 256 * 3));
    }

    #[test]
    fn a_gif_without_pictures_is_an_error() {
        assert!(GifWriter::new(10, 10).finish(Duration::ZERO).is_err());
    }
}
