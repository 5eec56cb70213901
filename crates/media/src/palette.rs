//! The 255 colours of a GIF frame: colours of large areas exactly, the rest by a neural quantizer.

use std::collections::HashMap;

use color_quant::NeuQuant;

/// Number of exact colours, the most frequent first. Pages use few colours.
const EXACT: usize = 128;
/// All colours; one more index means transparent.
const COLOURS: usize = 255;
/// The index of unchanged pixels.
pub(crate) const UNCHANGED: u8 = 255;

/// Sampling interval of the quantizer, in pixels.
const SAMPLING: i32 = 20;

/// Five bits per channel.
const CELLS: usize = 1 << 15;

pub(crate) struct Palette {
    /// 256 RGB triples.
    pub(crate) colours: Vec<u8>,
    /// The index of each 15-bit colour, cached on first use.
    cells: Vec<Option<u8>>,
}

impl Palette {
    /// Computes a palette for these pixels.
    pub(crate) fn of(rgba: &[u8]) -> Self {
        let mut colours = frequent(rgba);
        if colours.len() >= EXACT * 3 {
            let learned = NeuQuant::new(SAMPLING, COLOURS - EXACT, rgba).color_map_rgb();
            colours.extend(learned.iter().take((COLOURS - EXACT) * 3));
        }
        colours.resize(256 * 3, 0);
        Self { colours, cells: vec![None; CELLS] }
    }

    /// The index of the nearest colour.
    pub(crate) fn index(&mut self, pixel: &[u8]) -> u8 {
        let cell =
            usize::from(pixel[0] >> 3) << 10 | usize::from(pixel[1] >> 3) << 5 | usize::from(pixel[2] >> 3);
        match self.cells[cell] {
            Some(index) => index,
            None => {
                let index = self.nearest(pixel);
                self.cells[cell] = Some(index);
                index
            }
        }
    }

    /// The mean error of a sample of these pixels in this palette.
    pub(crate) fn error(&mut self, rgba: &[u8]) -> u32 {
        let step = (rgba.len() / 4 / 4_096).max(1);
        let (mut sum, mut count) = (0, 0);
        for pixel in rgba.chunks_exact(4).step_by(step) {
            let index = usize::from(self.index(pixel));
            sum += distance(pixel, &self.colours[index * 3..index * 3 + 3]);
            count += 1;
        }
        sum / count.max(1)
    }

    fn nearest(&self, pixel: &[u8]) -> u8 {
        let colours = self.colours.chunks_exact(3).take(COLOURS);
        let nearest = colours.enumerate().min_by_key(|(_, colour)| distance(pixel, colour));
        nearest.and_then(|(index, _)| u8::try_from(index).ok()).unwrap_or_default()
    }
}

fn distance(one: &[u8], other: &[u8]) -> u32 {
    one.iter().zip(other).take(3).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
}

/// The colours of the cells with the most pixels, each as its first pixel has it.
fn frequent(rgba: &[u8]) -> Vec<u8> {
    let mut cells: HashMap<[u8; 3], (u32, [u8; 3])> = HashMap::new();
    for pixel in rgba.chunks_exact(4).step_by(3) {
        let colour = [pixel[0], pixel[1], pixel[2]];
        cells.entry(colour.map(|part| part >> 3)).or_insert((0, colour)).0 += 1;
    }
    let mut counted: Vec<_> = cells.into_values().collect();
    counted.sort_unstable_by_key(|(count, colour)| (std::cmp::Reverse(*count), *colour));
    counted.into_iter().take(EXACT).flat_map(|(_, colour)| colour).collect()
}
