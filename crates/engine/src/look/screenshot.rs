//! Pictures of a page.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::{Clip, ImageFormat, Origin, Shot, Size};

use crate::{Deadline, Element, Page, Result, Target, ready::Needs};

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
}

/// How a picture is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Without loss.
    #[default]
    Png,
    /// With loss.
    Jpeg,
}

/// Which picture is wanted.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// What it shows.
    pub of: ShotOf,
    /// How the file is encoded.
    pub encoding: Encoding,
    /// The file's name; one made from the time unless told.
    pub name: Option<PathBuf>,
    /// Whether a copy that fits what models take is wanted too.
    pub inline: bool,
}

/// A picture that was taken.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Its file, as a client in the working directory would write it.
    pub path: PathBuf,
    /// Its size in pixels.
    pub size: Size,
    /// The element that it shows.
    pub element: Option<Element>,
    /// The copy for models, as JPEG, with its size.
    pub inline: Option<(Vec<u8>, Size)>,
}

/// What models take without scaling it down themselves.
const LONGEST_SIDE: f64 = 1568.0;
const MOST_PIXELS: f64 = 1_150_000.0;
const INLINE_QUALITY: u8 = 80;

/// What a browser can draw in one piece; a longer page is scaled to it.
const LONGEST_DRAWN: f64 = 16_000.0;

/// How long a picture may take; one of a whole long page takes its time.
const PATIENCE: Duration = Duration::from_secs(20);

impl Page {
    /// Takes a picture and keeps it in a file.
    pub async fn screenshot(&self, wanted: &Wanted) -> Result<Picture> {
        let files = self.files()?;
        let extension = match wanted.encoding {
            Encoding::Png => "png",
            Encoding::Jpeg => "jpeg",
        };
        let name = wanted.name.clone().unwrap_or_else(|| timestamped(extension).into());
        // Before the work: a path that may not be used is told at once.
        files.to_write(&name)?;
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
        let drawn = (LONGEST_DRAWN / area.0.max(area.1)).min(1.0);
        let format = match wanted.encoding {
            Encoding::Png => ImageFormat::Png,
            Encoding::Jpeg => ImageFormat::Jpeg(90),
        };
        let bytes =
            self.within(deadline, self.driver().screenshot(&Shot { format, clip, scale: drawn })).await?;
        let size = scaled(area, drawn);
        let path = files.shown(&files.write(&name, &bytes)?);
        let inline = if wanted.inline {
            let scale = fitting(area);
            let shot = Shot { format: ImageFormat::Jpeg(INLINE_QUALITY), clip, scale };
            Some((self.within(deadline, self.driver().screenshot(&shot)).await?, scaled(area, scale)))
        } else {
            None
        };
        Ok(Picture { path, size, element, inline })
    }

    async fn clip(&self, of: &ShotOf, deadline: Deadline) -> Result<(Option<Clip>, Option<Element>)> {
        match of {
            ShotOf::Viewport => Ok((None, None)),
            ShotOf::FullPage => {
                let Size { width, height } = self.within(deadline, self.driver().content_size()).await?;
                let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
                Ok((Some(Clip { origin: Origin::Document, x: 0.0, y: 0.0, width, height }), None))
            }
            ShotOf::Element(target) => {
                let ready = Deadline::after(self.options().action_timeout);
                let located = self.ready(target, Needs::SEE, ready).await?;
                self.scroll(&located, ready).await?;
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

/// How much smaller a picture must be to fit what models take.
fn fitting((width, height): (f64, f64)) -> f64 {
    (LONGEST_SIDE / width.max(height)).min((MOST_PIXELS / (width * height)).sqrt()).min(1.0)
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
fn timestamped(extension: &str) -> String {
    let now = jiff::Timestamp::now();
    let stamp = format!("{now:.3}").replace([':', '.'], "-");
    format!("page-{stamp}.{extension}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_fit_what_models_take() {
        assert!((fitting((1280.0, 720.0)) - 1.0).abs() < f64::EPSILON);
        let size = scaled((2560.0, 1440.0), fitting((2560.0, 1440.0)));
        assert!(
            size.width <= 1568 && u64::from(size.width) * u64::from(size.height) <= 1_152_000,
            "{size:?}"
        );
        let size = scaled((1000.0, 30_000.0), fitting((1000.0, 30_000.0)));
        assert!(size.height <= 1568, "{size:?}");
    }

    #[test]
    fn names_tell_the_time_without_colons_or_dots() {
        let name = timestamped("png");
        assert!(name.starts_with("page-2") && name.ends_with("Z.png"), "{name}");
        assert_eq!(name.matches('.').count(), 1, "{name}");
        assert!(!name.contains(':'), "{name}");
    }
}
