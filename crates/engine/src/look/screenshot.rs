//! Screenshots.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::{Clip, ImageFormat, Origin, Shot, Size};

use cicerone_media::{BadPicture, Picture as Pixels};

use super::annotate::{Marked, annotated};
use crate::{Deadline, Element, Error, PictureError, Result, Target, page::parts::Rendering, ready::Needs};

/// The area of a screenshot.
#[derive(Debug, Clone, Default)]
pub enum ShotOf {
    #[default]
    Viewport,
    /// The whole document.
    FullPage,
    Element(Target),
    /// A rectangle of the document or the viewport.
    Clip(Clip),
}

/// An image format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Lossless.
    #[default]
    Png,
    /// Lossy.
    Jpeg,
    /// Lossy, smaller.
    WebP,
}

impl Encoding {
    /// The media type.
    pub fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::WebP => "webp",
        }
    }
}

/// Options of a screenshot.
#[derive(Debug, Clone)]
pub struct ScreenshotOptions {
    /// The area.
    pub of: ShotOf,
    /// The format.
    pub encoding: Encoding,
    /// Quality of lossy formats, 0 to 100; `None` for the default.
    pub quality: Option<u8>,
    /// Image pixels per CSS pixel.
    pub scale: f64,
    /// Transparent instead of a white background.
    pub omit_background: bool,
    /// Draw the refs of interactive elements. Not with a full page.
    pub annotate: bool,
    /// The file to save it to.
    pub keep: Option<Keep>,
    /// The image in the reply.
    pub inline: Inline,
}

impl Default for ScreenshotOptions {
    fn default() -> Self {
        Self {
            of: ShotOf::default(),
            encoding: Encoding::default(),
            quality: None,
            scale: 1.0,
            omit_background: false,
            annotate: false,
            keep: None,
            inline: Inline::default(),
        }
    }
}

/// The file to save a screenshot to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// This path.
    Named(PathBuf),
    /// A generated name with a timestamp.
    Timed,
}

/// The image in the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inline {
    /// None.
    #[default]
    Nothing,
    /// A copy small enough that models do not downscale it.
    Small,
    /// The image, reduced only if a model would reject it.
    Whole,
    /// The image in the requested size.
    Exact,
}

/// A screenshot.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Its file, as shown to the client.
    pub path: Option<PathBuf>,
    /// Its size in pixels.
    pub size: Size,
    /// The size asked for, if a browser cannot render it at once.
    pub scaled_from: Option<Size>,
    /// The element it shows.
    pub element: Option<Element>,
    /// The image in the reply.
    pub inline: Option<Inlined>,
    /// The elements whose refs are drawn.
    pub marks: Vec<Marked>,
}

/// An image in a reply.
#[derive(Debug, Clone)]
pub struct Inlined {
    pub bytes: Vec<u8>,
    pub size: Size,
    pub encoding: Encoding,
}

/// The largest image that models do not downscale.
const LONGEST_SIDE: f64 = 1568.0;
const MOST_PIXELS: f64 = 1_150_000.0;
const INLINE_QUALITY: u8 = 80;

/// Quality of saved lossy images.
const FILE_QUALITY: u8 = 90;

/// The largest image that models accept.
const MAX_SIDE: f64 = 8_000.0;
const MAX_BYTES: usize = 5 << 20;

/// Image bytes per base64 byte.
const BASE64_RATIO: f64 = 0.75;

/// The longest side a browser can render at once; longer pages are scaled.
const MAX_RENDERED_SIDE: f64 = 16_000.0;

/// Time limit; long pages are slow.
const TIMEOUT: Duration = Duration::from_secs(20);

impl Rendering<'_> {
    /// Takes a screenshot and saves it if requested.
    pub async fn screenshot(self, options: &ScreenshotOptions) -> Result<Picture> {
        let files = self.page.files()?;
        let name = match &options.keep {
            Some(Keep::Named(name)) => Some(name.clone()),
            Some(Keep::Timed) => Some(timestamped("page", options.encoding.extension()).into()),
            None => None,
        };
        if let Some(name) = &name {
            // Report a forbidden path before the work.
            files.to_write(name)?;
        }
        let deadline = Deadline::after(TIMEOUT);
        // Background tabs do not render.
        self.page.injected().within(deadline, self.page.driver().activate()).await?;
        let (clip, element) = self.clip(&options.of, deadline).await?;
        let area = match &clip {
            Some(clip) => (clip.width, clip.height),
            None => {
                let Size { width, height } = self.page.state().viewport;
                (f64::from(width), f64::from(height))
            }
        };
        let scale_limit = (MAX_RENDERED_SIDE / area.0.max(area.1)).min(options.scale);
        let quality = options.quality.unwrap_or(FILE_QUALITY);
        let marks = if options.annotate { self.marked(deadline).await? } else { Vec::new() };
        let corner = clip.map_or((0.0, 0.0), |clip| (clip.x, clip.y));
        let shoot = |encoding: Encoding, quality, scale| {
            let format = match encoding {
                _ if options.annotate => ImageFormat::Png,
                Encoding::Png => ImageFormat::Png,
                Encoding::Jpeg => ImageFormat::Jpeg(quality),
                Encoding::WebP => ImageFormat::WebP(quality),
            };
            let shot = Shot { format, clip, scale, omit_background: options.omit_background };
            let marks = &marks;
            async move {
                let bytes =
                    self.page.injected().within(deadline, self.page.driver().screenshot(&shot)).await?;
                self.page.file_access().page_may_be_shown().await?;
                match options.annotate {
                    true => annotated(bytes, marks, corner, scale, (encoding, quality)).await,
                    false => Ok(bytes),
                }
            }
        };
        let mut picture = None;
        let mut path = None;
        if let Some(name) = &name {
            let bytes = shoot(options.encoding, quality, scale_limit).await?;
            path = Some(files.shown(&files.write(name, &bytes)?));
            picture = Some(bytes);
        }
        let inline = match options.inline {
            Inline::Nothing => None,
            Inline::Small => {
                let bytes = match picture {
                    Some(bytes) => bytes,
                    None => shoot(options.encoding, FILE_QUALITY, scale_limit).await?,
                };
                Some(downscaled(bytes, options.encoding).await?)
            }
            Inline::Exact => {
                let bytes = match picture {
                    Some(bytes) => bytes,
                    None => shoot(options.encoding, quality, scale_limit).await?,
                };
                Some(Inlined { bytes, size: scaled(area, scale_limit), encoding: options.encoding })
            }
            Inline::Whole => {
                let encoding = options.encoding;
                let mut scale = (MAX_SIDE / area.0.max(area.1)).min(1.0);
                let mut bytes = match picture.filter(|_| scale >= scale_limit) {
                    Some(bytes) => bytes,
                    None => shoot(encoding, FILE_QUALITY, scale).await?,
                };
                // Bytes grow roughly with the area; 0.9 for safety.
                #[expect(clippy::cast_precision_loss, reason = "pictures have less than 2^52 bytes")]
                while bytes.len() as f64 > MAX_BYTES as f64 * BASE64_RATIO && scale > 0.05 {
                    scale *= (MAX_BYTES as f64 * BASE64_RATIO / bytes.len() as f64).sqrt() * 0.9;
                    bytes = shoot(encoding, FILE_QUALITY, scale).await?;
                }
                Some(Inlined { bytes, size: scaled(area, scale), encoding })
            }
        };
        let size = match (&path, &inline) {
            (None, Some(inline)) => inline.size,
            _ => scaled(area, scale_limit),
        };
        let wanted = scaled(area, options.scale);
        let scaled_from = (scale_limit < options.scale).then_some(wanted);
        Ok(Picture { path, size, scaled_from, element, inline, marks })
    }

    pub(crate) async fn clip(
        self,
        of: &ShotOf,
        deadline: Deadline,
    ) -> Result<(Option<Clip>, Option<Element>)> {
        match of {
            ShotOf::Viewport => Ok((None, None)),
            ShotOf::Clip(clip) => {
                self.check_overlap(clip, deadline).await?;
                Ok((Some(*clip), None))
            }
            ShotOf::FullPage => {
                let Size { width, height } = self.page.geometry().content_size(deadline).await?;
                let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
                Ok((Some(Clip { origin: Origin::Document, x: 0.0, y: 0.0, width, height }), None))
            }
            ShotOf::Element(target) => {
                let ready = Deadline::after(self.page.settings().action_timeout());
                let located = self.page.locator().ready(target, Needs::SEE, ready).await?;
                self.page.mouse().bring_into_view(&located, ready).await?;
                let located = self.page.locator().ready(target, Needs::SEE, ready).await?;
                let (dx, dy) = located.offset;
                let clip = Clip {
                    origin: Origin::Viewport,
                    x: located.area.x + dx,
                    y: located.area.y + dy,
                    width: located.area.width.max(1.0),
                    height: located.area.height.max(1.0),
                };
                Ok((Some(clip), Some(located.element)))
            }
        }
    }
}

/// The screenshot itself if models accept it, else a smaller copy.
async fn downscaled(bytes: Vec<u8>, encoding: Encoding) -> Result<Inlined> {
    let (width, height) = Pixels::size_of(&bytes)?;
    let size = Size { width, height };
    let fitted = fitted(size);
    if fitted == size && bytes.len() <= MAX_BYTES / 4 * 3 {
        return Ok(Inlined { bytes, size, encoding });
    }
    // Off the async thread, which serves all calls.
    let (width, height) = (fitted.width, fitted.height);
    let work = move || Pixels::decode(&bytes)?.resize((width, height))?.jpeg(INLINE_QUALITY);
    let bytes = match tokio::task::spawn_blocking(work).await {
        Ok(encoded) => encoded?,
        Err(stopped) => return Err(BadPicture::Scale(stopped.to_string()).into()),
    };
    Ok(Inlined { bytes, size: fitted, encoding: Encoding::Jpeg })
}

/// The largest size with this aspect ratio that models do not downscale.
fn fitted(size: Size) -> Size {
    let (width, height) = (f64::from(size.width), f64::from(size.height));
    let scale = (LONGEST_SIDE / width.max(height)).min((MOST_PIXELS / (width * height)).sqrt());
    if scale >= 1.0 {
        return size;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes of pictures are small and positive, and casts saturate"
    )]
    // Rounded down: one more pixel may exceed the limit.
    let whole = |length: f64| (length * scale).floor().max(1.0) as u32;
    Size { width: whole(width), height: whole(height) }
}

impl Rendering<'_> {
    /// An error for a clip outside the page.
    async fn check_overlap(self, clip: &Clip, deadline: Deadline) -> Result<()> {
        let within = match clip.origin {
            Origin::Viewport => self.page.state().viewport,
            Origin::Document => self.page.geometry().content_size(deadline).await?,
        };
        let overlaps = clip.x < f64::from(within.width)
            && clip.y < f64::from(within.height)
            && clip.x + clip.width > 0.0
            && clip.y + clip.height > 0.0;
        if overlaps { Ok(()) } else { Err(Error::Picture(PictureError::ClipOutside { clip: *clip, within })) }
    }
}

fn scaled((width, height): (f64, f64), scale: f64) -> Size {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes of pictures are small and positive, and casts saturate"
    )]
    let whole = |length: f64| (length * scale).round() as u32;
    Size { width: whole(width), height: whole(height) }
}

/// `page-2026-11-15T10-20-30-123Z.png`.
pub(crate) fn timestamped(kind: &str, extension: &str) -> String {
    let now = jiff::Timestamp::now();
    let stamp = format!("{now:.3}").replace([':', '.'], "-");
    format!("{kind}-{stamp}.{extension}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_fit_what_models_take() {
        let fits = Size { width: 1280, height: 720 };
        assert_eq!(fitted(fits), fits);
        for (width, height) in [(2560, 1440), (1600, 1067), (1313, 876), (1000, 30_000), (30_000, 1)] {
            let size = fitted(Size { width, height });
            assert!(size.width.max(size.height) <= 1568 && size.width * size.height <= 1_150_000, "{size:?}");
            assert!(size.width > 0 && size.height > 0, "{size:?}");
        }
    }

    #[test]
    fn names_tell_the_time_without_colons_or_dots() {
        let name = timestamped("page", "png");
        assert!(name.starts_with("page-2") && name.ends_with("Z.png"), "{name}");
        assert_eq!(name.matches('.').count(), 1, "{name}");
        assert!(!name.contains(':'), "{name}");
    }
}
