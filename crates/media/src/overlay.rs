use crate::{
    Picture,
    draw::{Area, Colour},
    picture::Placed,
    text::Line,
};

/// A point in CSS pixels of the viewport.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Distance from the left edge.
    pub x: f64,
    /// Distance from the top edge.
    pub y: f64,
}

/// Something to draw onto a screenshot.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// A mouse click.
    Click(Spot),
    /// A drag along these points.
    Drag(Vec<Spot>),
    /// Text at the lower edge: the action.
    Label(String),
    /// Text at the upper edge: an annotation.
    Annotation(String),
    /// An element with its name.
    Element {
        /// Its top left corner.
        corner: Spot,
        width: f64,
        height: f64,
        name: String,
        /// An index that selects the colour.
        colour: usize,
    },
}

const ACCENT: Colour = [234, 67, 53, 255];
const HALO: Colour = [234, 67, 53, 90];
const PAPER: Colour = [20, 20, 24, 215];
const NOTE: Colour = [255, 214, 10, 240];
const WHITE: Colour = [255, 255, 255, 255];
const BLACK: Colour = [0, 0, 0, 255];

/// Colours that distinguish neighbours and are readable with white text.
const NAMES: [Colour; 6] = [
    [200, 30, 30, 255],
    [20, 100, 200, 255],
    [20, 120, 60, 255],
    [150, 50, 160, 255],
    [170, 90, 0, 255],
    [60, 60, 70, 255],
];

/// Font sizes of bars and element names.
const BAR_LETTERS: f32 = 16.0;
const NAME_LETTERS: f32 = 12.0;

impl Picture {
    /// Draws an overlay. `per_css_pixel` is the number of image pixels per CSS pixel, `placed` the position of the page
    /// in the image.
    pub fn draw(&mut self, overlay: &Overlay, per_css_pixel: f64, placed: Option<Placed>) {
        let placed = placed.unwrap_or(Placed { scale: 1.0, left: 0.0, top: 0.0 });
        let scale = placed.scale * per_css_pixel;
        let at = |spot: &Spot| (placed.left + spot.x * scale, placed.top + spot.y * scale);
        match overlay {
            Overlay::Click(spot) => self.click(at(spot)),
            Overlay::Drag(path) => self.path(&path.iter().map(at).collect::<Vec<_>>()),
            Overlay::Label(words) => self.bar(words, false),
            Overlay::Annotation(words) => self.bar(words, true),
            Overlay::Element { corner, width, height, name, colour } => {
                let (x, y) = at(corner);
                let area = Area { x, y, width: width * scale, height: height * scale };
                self.named_box(area, name, NAMES[colour % NAMES.len()]);
            }
        }
    }

    fn click(&mut self, at: (f64, f64)) {
        self.ring(at, 0.0, 18.0, HALO);
        self.ring(at, 11.0, 14.0, ACCENT);
        self.ring(at, 0.0, 4.0, ACCENT);
    }

    /// A line with an arrowhead.
    fn path(&mut self, points: &[(f64, f64)]) {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], 4.0, ACCENT);
        }
        self.ring(*first, 0.0, 7.0, ACCENT);
        let before = points.iter().rev().find(|point| (point.0 - last.0).hypot(point.1 - last.1) > 8.0);
        let Some(before) = before else { return };
        let angle = (last.1 - before.1).atan2(last.0 - before.0);
        for turn in [2.6, -2.6] {
            let end = (last.0 + 16.0 * (angle + turn).cos(), last.1 + 16.0 * (angle + turn).sin());
            self.line(*last, end, 4.0, ACCENT);
        }
    }

    /// Text across the upper or lower edge.
    fn bar(&mut self, words: &str, upper: bool) {
        let width = f64::from(self.width);
        let Some(line) = Line::new(words, BAR_LETTERS, width - 24.0) else { return };
        let height = line.height + 12.0;
        let top = if upper { 0.0 } else { f64::from(self.height) - height };
        let (paper, ink) = if upper { (NOTE, BLACK) } else { (PAPER, WHITE) };
        self.rectangle(Area { x: 0.0, y: top, width, height }, paper);
        line.draw(self, (12.0, top + 6.0), ink);
    }

    /// An outline with the element's name in the corner, inside if there is no room above.
    fn named_box(&mut self, area: Area, name: &str, colour: Colour) {
        self.outline(area, 2.0, colour);
        let Some(line) = Line::new(name, NAME_LETTERS, 200.0) else { return };
        let (width, height) = (line.width + 6.0, line.height + 2.0);
        let y = if area.y >= height { area.y - height } else { area.y.max(0.0) };
        let x = area.x.clamp(0.0, (f64::from(self.width) - width).max(0.0));
        self.rectangle(Area { x, y, width, height }, colour);
        line.draw(self, (x + 3.0, y + 1.0), WHITE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlays_change_the_pixels_where_they_are_and_never_fail() {
        let clean = Picture::filled(300, 200, [255; 4]);
        let element = |x, y| Overlay::Element {
            corner: Spot { x, y },
            width: 60.0,
            height: 20.0,
            name: "e12".into(),
            colour: 7,
        };
        let all = [
            Overlay::Click(Spot { x: 150.0, y: 100.0 }),
            Overlay::Click(Spot { x: -5.0, y: 1e9 }),
            Overlay::Drag(vec![Spot { x: 10.0, y: 10.0 }, Spot { x: 200.0, y: 150.0 }]),
            Overlay::Drag(Vec::new()),
            Overlay::Label("Clicked button \"Save\"".into()),
            Overlay::Annotation("note".into()),
            element(20.0, 30.0),
            element(-20.0, -30.0),
            element(290.0, 190.0),
        ];
        let mut drawn = clean.clone();
        all.iter().for_each(|overlay| drawn.draw(overlay, 1.0, None));
        let centre = (100 * 300 + 150) * 4;
        assert_eq!(&drawn.rgba[centre..centre + 3], &ACCENT[..3]);
        assert_eq!(drawn.rgba.len(), clean.rgba.len());
        let mut one = clean.clone();
        one.draw(&Overlay::Label("Clicked".into()), 1.0, None);
        assert_eq!(one.rgba[..300 * 150 * 4], clean.rgba[..300 * 150 * 4], "a label is in the lower edge");
        assert_ne!(one, clean);
    }
}
