//! Pictures of a page.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::{Clip, ImageFormat, Origin, Shot, Size};

use cicerone_media::{BadPicture, Picture as Pixels};

use super::annotate::{Marked, annotated};
use crate::{Deadline, Element, Error, Page, Result, Target, ready::Needs};

/// What a picture shows.
#[derive(Debug, Clone, Default)]
pub enum ShotOf {
    /// What is seen now.
    #[default]
    Viewport,
    /// The whole document.
    FullPage,
    /// One element.
    Element(Target),
    /// A rectangle, of the whole document or of what is seen now.
    Clip(Clip),
}

/// How a picture is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Without loss.
    #[default]
    Png,
    /// With loss.
    Jpeg,
    /// With loss, in fewer bytes.
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

/// Which picture is wanted.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What it shows.
    pub of: ShotOf,
    /// How it is encoded.
    pub encoding: Encoding,
    /// The quality of what is encoded with loss, of 100, where that is not the usual one.
    pub quality: Option<u8>,
    /// How much larger or smaller than CSS pixels.
    pub scale: f64,
    /// Whether the white behind the page is left out.
    pub omit_background: bool,
    /// Whether the refs of what a person can act on are drawn onto it. Not onto a full page.
    pub annotate: bool,
    /// The file that it is kept in, if it is.
    pub keep: Option<Keep>,
    /// What goes into the reply.
    pub inline: Inline,
}

impl Default for Wanted {
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

/// The file that a picture is kept in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keep {
    /// This one.
    Named(PathBuf),
    /// One with a name made from the time.
    Timed,
}

/// What of a picture goes into the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inline {
    /// Nothing.
    #[default]
    Nothing,
    /// A copy that models take without scaling it down themselves.
    Small,
    /// The picture itself, smaller only where a model would refuse it.
    Whole,
    /// The picture itself, in the size that was asked for.
    Exact,
}

/// A picture that was taken.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Its file, as a client in the working directory would write it.
    pub path: Option<PathBuf>,
    /// Its size in pixels.
    pub size: Size,
    /// The element that it shows.
    pub element: Option<Element>,
    /// What goes into the reply.
    pub inline: Option<Inlined>,
    /// The elements whose refs are drawn onto it.
    pub marks: Vec<Marked>,
}

/// A picture in a reply.
#[derive(Debug, Clone)]
pub struct Inlined {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its size.
    pub size: Size,
    /// Its encoding.
    pub encoding: Encoding,
}

/// What models take without scaling it down themselves.
const LONGEST_SIDE: f64 = 1568.0;
const MOST_PIXELS: f64 = 1_150_000.0;
const INLINE_QUALITY: u8 = 80;

/// What is kept in files with loss.
const FILE_QUALITY: u8 = 90;

/// What models refuse.
const LONGEST_TAKEN: f64 = 8_000.0;
const MOST_BYTES: usize = 5 << 20;

/// How much of a picture's size its base64 leaves.
const BASE64: f64 = 0.75;

/// What a browser can draw in one piece; a longer page is scaled to it.
const LONGEST_DRAWN: f64 = 16_000.0;

/// How long a picture may take; one of a whole long page takes its time.
const PATIENCE: Duration = Duration::from_secs(20);

impl Page {
    /// Takes a picture, and keeps it in a file if asked to.
    pub async fn screenshot(&self, wanted: &Wanted) -> Result<Picture> {
        let files = self.files()?;
        let name = match &wanted.keep {
            Some(Keep::Named(name)) => Some(name.clone()),
            Some(Keep::Timed) => Some(timestamped("page", wanted.encoding.extension()).into()),
            None => None,
        };
        if let Some(name) = &name {
            // Before the work: a path that may not be used is told at once.
            files.to_write(name)?;
        }
        let deadline = Deadline::after(PATIENCE);
        // A page that another one covers is not drawn.
        self.within(deadline, self.driver().activate()).await?;
        let (clip, element) = self.clip(&wanted.of, deadline).await?;
        let area = match &clip {
            Some(clip) => (clip.width, clip.height),
            None => {
                let Size { width, height } = self.state().viewport;
                (f64::from(width), f64::from(height))
            }
        };
        let drawn = (LONGEST_DRAWN / area.0.max(area.1)).min(wanted.scale);
        let quality = wanted.quality.unwrap_or(FILE_QUALITY);
        let marks = if wanted.annotate { self.marked(deadline).await? } else { Vec::new() };
        let corner = clip.map_or((0.0, 0.0), |clip| (clip.x, clip.y));
        let shoot = |encoding: Encoding, quality, scale| {
            let format = match encoding {
                _ if wanted.annotate => ImageFormat::Png,
                Encoding::Png => ImageFormat::Png,
                Encoding::Jpeg => ImageFormat::Jpeg(quality),
                Encoding::WebP => ImageFormat::WebP(quality),
            };
            let shot = Shot { format, clip, scale, omit_background: wanted.omit_background };
            let marks = &marks;
            async move {
                let bytes = self.within(deadline, self.driver().screenshot(&shot)).await?;
                self.page_may_be_shown()?;
                match wanted.annotate {
                    true => annotated(bytes, marks, corner, scale, (encoding, quality)).await,
                    false => Ok(bytes),
                }
            }
        };
        let mut picture = None;
        let mut path = None;
        if let Some(name) = &name {
            let bytes = shoot(wanted.encoding, quality, drawn).await?;
            path = Some(files.shown(&files.write(name, &bytes)?));
            picture = Some(bytes);
        }
        let inline = match wanted.inline {
            Inline::Nothing => None,
            Inline::Small => {
                let bytes = match picture {
                    Some(bytes) => bytes,
                    None => shoot(wanted.encoding, FILE_QUALITY, drawn).await?,
                };
                Some(small(bytes, wanted.encoding).await?)
            }
            Inline::Exact => {
                let bytes = match picture {
                    Some(bytes) => bytes,
                    None => shoot(wanted.encoding, quality, drawn).await?,
                };
                Some(Inlined { bytes, size: scaled(area, drawn), encoding: wanted.encoding })
            }
            Inline::Whole => {
                let encoding = wanted.encoding;
                let mut scale = (LONGEST_TAKEN / area.0.max(area.1)).min(1.0);
                let mut bytes = match picture.filter(|_| scale >= drawn) {
                    Some(bytes) => bytes,
                    None => shoot(encoding, FILE_QUALITY, scale).await?,
                };
                // A picture is about as large as its area; a little less, to be sure.
                #[expect(clippy::cast_precision_loss, reason = "pictures have less than 2^52 bytes")]
                while bytes.len() as f64 > MOST_BYTES as f64 * BASE64 && scale > 0.05 {
                    scale *= (MOST_BYTES as f64 * BASE64 / bytes.len() as f64).sqrt() * 0.9;
                    bytes = shoot(encoding, FILE_QUALITY, scale).await?;
                }
                Some(Inlined { bytes, size: scaled(area, scale), encoding })
            }
        };
        let size = match (&path, &inline) {
            (None, Some(inline)) => inline.size,
            _ => scaled(area, drawn),
        };
        Ok(Picture { path, size, element, inline, marks })
    }

    pub(crate) async fn clip(
        &self,
        of: &ShotOf,
        deadline: Deadline,
    ) -> Result<(Option<Clip>, Option<Element>)> {
        match of {
            ShotOf::Viewport => Ok((None, None)),
            ShotOf::Clip(clip) => {
                self.overlaps(clip, deadline).await?;
                Ok((Some(*clip), None))
            }
            ShotOf::FullPage => {
                let Size { width, height } = self.within(deadline, self.driver().content_size()).await?;
                let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
                Ok((Some(Clip { origin: Origin::Document, x: 0.0, y: 0.0, width, height }), None))
            }
            ShotOf::Element(target) => {
                let ready = Deadline::after(self.action_timeout());
                let located = self.ready(target, Needs::SEE, ready).await?;
                self.bring_into_view(&located, ready).await?;
                let located = self.ready(target, Needs::SEE, ready).await?;
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

/// A capture as it is where models take it; else a smaller copy of the same capture.
async fn small(bytes: Vec<u8>, encoding: Encoding) -> Result<Inlined> {
    let (width, height) = Pixels::size_of(&bytes)?;
    let size = Size { width, height };
    let fitted = fitted(size);
    if fitted == size && bytes.len() <= MOST_BYTES / 4 * 3 {
        return Ok(Inlined { bytes, size, encoding });
    }
    // Pixels are worked on beside the calls: there is one thread for those.
    let (width, height) = (fitted.width, fitted.height);
    let work = move || Pixels::decode(&bytes)?.resize((width, height))?.jpeg(INLINE_QUALITY);
    let bytes = match tokio::task::spawn_blocking(work).await {
        Ok(made) => made?,
        Err(stopped) => return Err(BadPicture::Scale(stopped.to_string()).into()),
    };
    Ok(Inlined { bytes, size: fitted, encoding: Encoding::Jpeg })
}

/// The largest size in these proportions that models take.
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
    // Rounded down: one pixel more may be one too many.
    let whole = |length: f64| (length * scale).floor().max(1.0) as u32;
    Size { width: whole(width), height: whole(height) }
}

impl Page {
    /// A part that has nothing of the page in it would be a picture of nothing.
    async fn overlaps(&self, clip: &Clip, deadline: Deadline) -> Result<()> {
        let within = match clip.origin {
            Origin::Viewport => self.state().viewport,
            Origin::Document => self.within(deadline, self.driver().content_size()).await?,
        };
        let overlaps = clip.x < f64::from(within.width)
            && clip.y < f64::from(within.height)
            && clip.x + clip.width > 0.0
            && clip.y + clip.height > 0.0;
        if overlaps { Ok(()) } else { Err(Error::ClipOutside { clip: *clip, within }) }
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
