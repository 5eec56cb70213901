//! Text on an image.

use ab_glyph::{Font, FontRef, Glyph, GlyphId, PxScale, ScaleFont, point};

use crate::{Picture, draw::Colour};

/// DejaVu Sans, reduced to Latin, Greek, Cyrillic and some symbols; its licence is next to it.
const FONT: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");

/// One laid-out line of text.
pub(crate) struct Line {
    glyphs: Vec<Glyph>,
    font: FontRef<'static>,
    pub(crate) width: f64,
    /// From the top of the tallest glyph to the bottom of the lowest.
    pub(crate) height: f64,
}

impl Line {
    /// Lays out a text of this size, shortened to the maximum width. `None` if the font cannot be read.
    pub(crate) fn new(text: &str, size: f32, most: f64) -> Option<Self> {
        let font = FontRef::try_from_slice(FONT).ok()?;
        let scaled = font.as_scaled(PxScale::from(size));
        let ellipsis = scaled.h_advance(font.glyph_id('…'));
        let (mut glyphs, mut x, mut left_out) = (Vec::new(), 0.0_f32, false);
        for letter in text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }) {
            let known = font.glyph_id(letter) != GlyphId(0);
            // Letters that the font lacks are left out; an ellipsis is in their place.
            if !known && std::mem::replace(&mut left_out, true) {
                continue;
            }
            left_out = !known;
            let id = font.glyph_id(if known { letter } else { '…' });
            let wide = scaled.h_advance(id);
            if f64::from(x + wide + ellipsis) > most {
                glyphs.push(font.glyph_id('…').with_scale_and_position(size, point(x, scaled.ascent())));
                x += ellipsis;
                break;
            }
            glyphs.push(id.with_scale_and_position(size, point(x, scaled.ascent())));
            x += wide;
        }
        let height = f64::from(scaled.height());
        Some(Self { glyphs, width: f64::from(x), height, font })
    }

    /// Draws it with this top left corner.
    #[expect(clippy::cast_possible_truncation, reason = "pictures are small")]
    pub(crate) fn draw(&self, onto: &mut Picture, (left, top): (f64, f64), colour: Colour) {
        for glyph in &self.glyphs {
            let Some(outlined) = self.font.outline_glyph(glyph.clone()) else { continue };
            let corner = outlined.px_bounds().min;
            let (x0, y0) = (left.round() as i64 + corner.x as i64, top.round() as i64 + corner.y as i64);
            outlined.draw(|x, y, cover| onto.blend(x0 + i64::from(x), y0 + i64::from(y), colour, cover));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_many_scripts_leave_ink_and_long_lines_are_shortened() {
        for text in ["Clicked", "Überweisen", "Сохранить", "Αποθήκευση"] {
            let mut picture = Picture::filled(200, 40, [255; 4]);
            Line::new(text, 16.0, 1_000.0).unwrap().draw(&mut picture, (2.0, 2.0), [0, 0, 0, 255]);
            let ink = picture.rgba.chunks_exact(4).filter(|pixel| pixel[0] < 128).count();
            assert!(ink > 30, "{text}: {ink}");
        }
        let drawn = |text: &str| {
            let mut picture = Picture::filled(300, 40, [255; 4]);
            Line::new(text, 16.0, 1_000.0).unwrap().draw(&mut picture, (2.0, 2.0), [0, 0, 0, 255]);
            picture.rgba
        };
        // Letters that the font lacks are neither boxes nor nothing.
        assert!(drawn("Clicked button \"保存\" (@e5)") == drawn("Clicked button \"…\" (@e5)"));
        let whole = Line::new(&"word ".repeat(100), 16.0, 300.0).unwrap();
        assert!(whole.width <= 300.0 && whole.width > 250.0, "{}", whole.width);
    }
}
