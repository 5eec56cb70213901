//! Draws the refs of interactive elements onto a screenshot.

use cicerone_media::{BadPicture, Overlay, Picture as Pixels, Spot};

use super::{screenshot::Encoding, snapshot::LookFormat};
use crate::{
    Deadline, Error, PictureError, Ref, Result, page::parts::Rendering, snapshot::outline::Outlining,
};

/// An element whose ref is drawn.
#[derive(Debug, Clone)]
pub struct Marked {
    /// Its ref.
    pub reference: Ref,
    /// Its role and name: `button "Save"`.
    pub kind: String,
    /// Its bounds in the viewport: x, y, width, height.
    bounds: [i32; 4],
}

/// More would hide the page.
const MOST: usize = 200;

impl Rendering<'_> {
    /// The interactive elements in the viewport, in document order.
    pub(crate) async fn marked(self, deadline: Deadline) -> Result<Vec<Marked>> {
        let outlining = Outlining { operable: true, compact: true, text: false, bounds: true };
        let tree = self.page.snapshots().look_as(LookFormat::Outline(outlining), None, deadline).await?;
        let viewport = self.page.geometry().viewport();
        let whole = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        let (right, bottom) = (whole(viewport.width), whole(viewport.height));
        let seen = |[x, y, width, height]: [i32; 4]| {
            width > 0 && height > 0 && x < right && y < bottom && x + width > 0 && y + height > 0
        };
        let mark = |at: usize| {
            let node = &tree.nodes[at];
            let bounds = node.bounds.filter(|bounds| node.shows_ref && seen(*bounds))?;
            let reference = self.page.writer().reference(&tree, at)?;
            Some(Marked { reference, kind: node.before.to_string(), bounds })
        };
        Ok((0..tree.nodes.len()).filter_map(mark).take(MOST).collect())
    }
}

/// Draws the refs onto a PNG whose origin is at `corner` of the viewport, and encodes it.
pub(crate) async fn annotated(
    png: Vec<u8>,
    marks: &[Marked],
    corner: (f64, f64),
    scale: f64,
    (encoding, quality): (Encoding, u8),
) -> Result<Vec<u8>> {
    let overlay = |(colour, mark): (usize, &Marked)| {
        let [x, y, width, height] = mark.bounds.map(f64::from);
        let corner = Spot { x: x - corner.0, y: y - corner.1 };
        Overlay::Element { corner, width, height, name: mark.reference.to_string(), colour }
    };
    let overlays: Vec<Overlay> = marks.iter().enumerate().map(overlay).collect();
    let drawn = tokio::task::spawn_blocking(move || -> std::result::Result<Vec<u8>, BadPicture> {
        let mut pixels = Pixels::decode(&png)?;
        overlays.iter().for_each(|overlay| pixels.draw(overlay, scale, None));
        if encoding == Encoding::Jpeg { pixels.jpeg(quality) } else { pixels.png() }
    });
    let failed = |picture| Error::Picture(PictureError::Invalid(picture));
    drawn.await.unwrap_or_else(|error| Err(BadPicture::Encode(error.to_string()))).map_err(failed)
}
