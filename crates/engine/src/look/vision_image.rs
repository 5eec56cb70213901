//! Screenshots for vision models: JPEG, limited in size and bytes.

use std::time::Duration;

use cicerone_driver::{ImageFormat, Shot, Size};
use cicerone_media::Picture;

use crate::{Deadline, Element, Encoding, Inlined, Result, ShotOf, page::parts::Rendering};

/// The most bytes; base64 adds a third.
const MAX_BYTES: usize = (5 << 20) / 4 * 3;

/// Qualities tried until the image is small enough.
const QUALITIES: [u8; 4] = [85, 70, 50, 35];

/// Time limit; long pages are slow.
const TIMEOUT: Duration = Duration::from_secs(20);

impl Rendering<'_> {
    /// A JPEG with the longer side at most `longest` pixels, and the element it shows.
    pub async fn vision_image(self, of: &ShotOf, longest: u32) -> Result<(Inlined, Option<Element>)> {
        let deadline = Deadline::after(TIMEOUT);
        // Background tabs do not render.
        self.page.injected().within(deadline, self.page.driver().activate()).await?;
        let (clip, element) = self.clip(of, deadline).await?;
        let (width, height) = match &clip {
            Some(clip) => (clip.width, clip.height),
            None => {
                let Size { width, height } = self.page.geometry().viewport();
                (f64::from(width), f64::from(height))
            }
        };
        let mut scale = (f64::from(longest) / width.max(height)).min(1.0);
        loop {
            for quality in QUALITIES {
                let shot = Shot { format: ImageFormat::Jpeg(quality), clip, scale, omit_background: false };
                let bytes =
                    self.page.injected().within(deadline, self.page.driver().screenshot(&shot)).await?;
                self.page.file_access().page_may_be_shown().await?;
                if bytes.len() <= MAX_BYTES {
                    let (width, height) = Picture::size_of(&bytes)?;
                    let size = Size { width, height };
                    return Ok((Inlined { bytes, size, encoding: Encoding::Jpeg }, element));
                }
            }
            scale *= 0.7;
        }
    }
}
