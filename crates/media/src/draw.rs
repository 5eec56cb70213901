//! Anti-aliased shapes on an image.

use crate::Picture;

/// Red, green, blue and opacity.
pub(crate) type Colour = [u8; 4];

impl Picture {
    /// Blends a colour into one pixel; `cover` is the covered share of the pixel.
    pub(crate) fn blend(&mut self, x: i64, y: i64, colour: Colour, cover: f32) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if x >= self.width || y >= self.height {
            return;
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        let alpha = f32::from(colour[3]) / 255.0 * cover.clamp(0.0, 1.0);
        for (below, above) in self.rgba[at..at + 3].iter_mut().zip(colour) {
            *below = mixed(*below, above, alpha);
        }
        self.rgba[at + 3] = self.rgba[at + 3].max(mixed(0, 255, alpha));
    }

    /// Fills a rectangle.
    pub(crate) fn rectangle(&mut self, area: Area, colour: Colour) {
        for y in area.rows() {
            for x in area.columns() {
                self.blend(x, y, colour, 1.0);
            }
        }
    }

    /// Draws the edge of a rectangle, on its inside.
    pub(crate) fn outline(&mut self, area: Area, thick: f64, colour: Colour) {
        let Area { x, y, width, height } = area;
        let thick = thick.min(width / 2.0).min(height / 2.0);
        self.rectangle(Area { x, y, width, height: thick }, colour);
        self.rectangle(Area { x, y: y + height - thick, width, height: thick }, colour);
        self.rectangle(Area { x, y: y + thick, width: thick, height: height - 2.0 * thick }, colour);
        let right = x + width - thick;
        self.rectangle(Area { x: right, y: y + thick, width: thick, height: height - 2.0 * thick }, colour);
    }

    /// Draws a ring, or a disc if the inner radius is zero.
    pub(crate) fn ring(&mut self, (cx, cy): (f64, f64), inner: f64, outer: f64, colour: Colour) {
        let around = Area {
            x: cx - outer - 1.0,
            y: cy - outer - 1.0,
            width: outer * 2.0 + 2.0,
            height: outer * 2.0 + 2.0,
        };
        self.shade(around, colour, |x, y| {
            let distance = (x - cx).hypot(y - cy);
            (outer - distance + 0.5).min(distance - inner + 0.5)
        });
    }

    /// Draws a line with round ends.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), thick: f64, colour: Colour) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).max(f64::EPSILON);
        let half = thick / 2.0 + 1.0;
        let around = Area {
            x: from.0.min(to.0) - half,
            y: from.1.min(to.1) - half,
            width: dx.abs() + half * 2.0,
            height: dy.abs() + half * 2.0,
        };
        self.shade(around, colour, |x, y| {
            let along = (((x - from.0) * dx + (y - from.1) * dy) / length).clamp(0.0, 1.0);
            thick / 2.0 - (x - from.0 - along * dx).hypot(y - from.1 - along * dy) + 0.5
        });
    }

    /// Blends a colour into an area, weighted per pixel by how far its centre is inside the shape.
    fn shade(&mut self, area: Area, colour: Colour, inside: impl Fn(f64, f64) -> f64) {
        for y in area.rows() {
            for x in area.columns() {
                #[expect(clippy::cast_precision_loss, reason = "pictures are small")]
                let depth = inside(x as f64 + 0.5, y as f64 + 0.5);
                if depth > 0.0 {
                    #[expect(clippy::cast_possible_truncation, reason = "it is between 0 and 1")]
                    self.blend(x, y, colour, depth.min(1.0) as f32);
                }
            }
        }
    }
}

fn mixed(below: u8, above: u8, alpha: f32) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 255")]
    let mixed = (f32::from(below) + (f32::from(above) - f32::from(below)) * alpha).round() as u8;
    mixed
}

/// A rectangle, in image pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Coordinates are clamped to this.
const FAR: f64 = 100_000.0;

impl Area {
    fn columns(self) -> std::ops::Range<i64> {
        between(self.x, self.x + self.width)
    }

    fn rows(self) -> std::ops::Range<i64> {
        between(self.y, self.y + self.height)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
fn between(from: f64, to: f64) -> std::ops::Range<i64> {
    (from.clamp(-1.0, FAR).round() as i64)..(to.clamp(-1.0, FAR).round() as i64)
}
