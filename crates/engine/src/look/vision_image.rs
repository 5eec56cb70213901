//! Pictures for vision models: JPEG, within a size and a number of bytes.

use std::time::Duration;

use cicerone_driver::{ImageFormat, Shot, Size};
use cicerone_media::Picture;

use crate::{Deadline, Element, Encoding, Inlined, Page, Result, ShotOf};

/// How many bytes a picture may have. Clients send it in base64, which takes a third more.
const MOST_BYTES: usize = (5 << 20) / 4 * 3;

/// The qualities that are tried, until one is small enough.
const QUALITIES: [u8; 4] = [85, 70, 50, 35];

/// How long a picture may take; one of a whole long page takes its time.
const PATIENCE: Duration = Duration::from_secs(20);

impl Page {
    /// A JPEG whose longer side has at most so many pixels, and the element that it shows.
    pub async fn vision_image(&self, of: &ShotOf, longest: u32) -> Result<(Inlined, Option<Element>)> {
        let deadline = Deadline::after(PATIENCE);
        // A page that another one covers is not drawn.
        self.within(deadline, self.driver().activate()).await?;
        let (clip, element) = self.clip(of, deadline).await?;
        let (width, height) = match &clip {
            Some(clip) => (clip.width, clip.height),
            None => {
                let Size { width, height } = self.viewport();
                (f64::from(width), f64::from(height))
            }
        };
        let mut scale = (f64::from(longest) / width.max(height)).min(1.0);
        loop {
            for quality in QUALITIES {
                let shot = Shot { format: ImageFormat::Jpeg(quality), clip, scale, omit_background: false };
                let bytes = self.within(deadline, self.driver().screenshot(&shot)).await?;
                self.page_may_be_shown()?;
                if bytes.len() <= MOST_BYTES {
                    let (width, height) = Picture::size_of(&bytes)?;
                    let size = Size { width, height };
                    return Ok((Inlined { bytes, size, encoding: Encoding::Jpeg }, element));
                }
            }
            scale *= 0.7;
        }
    }
}
