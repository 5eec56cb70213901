use cicerone_driver::{Clip, Point, Size};
use cicerone_media::BadPicture;

/// Why a screenshot or a PDF was not made.
#[derive(Debug, Clone)]
pub enum PictureError {
    /// The image could not be decoded, scaled or encoded.
    Invalid(BadPicture),
    /// The point is outside the viewport.
    OffViewport { point: Point, viewport: Size },
    /// The clip does not overlap the page.
    ClipOutside {
        clip: Clip,
        /// The size of the viewport or of the page.
        within: Size,
    },
    /// The browser did not return a PDF.
    NotPdf,
}
