//! Pointer gestures on a page, for overlays.

use std::time::{Duration, Instant};

use cicerone_driver::{Input, Point};
use cicerone_media::{Overlay, Spot};

use super::Overlays;

/// Display time of a gesture at a fixed rate.
const DISPLAY_TIME: Duration = Duration::from_millis(700);

/// The most gestures kept.
const MAX_GESTURES: usize = 32;

/// The least movement, in CSS pixels, that makes a press a drag.
const MIN_DRAG: f64 = 8.0;

/// The pointer's gestures.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    pointer: Option<Point>,
    /// The path since a button was pressed.
    pressed: Option<Vec<Point>>,
    gestures: Vec<(Instant, Vec<Point>)>,
}

impl Trail {
    /// Follows sent input.
    pub(crate) fn follow(&mut self, steps: &[Input]) {
        for step in steps {
            match step {
                Input::Move(point) => {
                    self.pointer = Some(*point);
                    self.pressed.iter_mut().for_each(|path| path.push(*point));
                }
                Input::Down(..) => self.pressed = self.pointer.map(|point| vec![point]),
                Input::Up(..) => {
                    if let Some(path) = self.pressed.take() {
                        self.gestures.push((Instant::now(), path));
                        let most = self.gestures.len().saturating_sub(MAX_GESTURES);
                        self.gestures.drain(..most);
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes the gestures since the last call.
    pub(crate) fn take(&mut self, overlays: Overlays) -> Vec<Overlay> {
        std::mem::take(&mut self.gestures).iter().filter_map(|(_, path)| shape(path, overlays)).collect()
    }

    /// Recent gestures, and the current one.
    pub(crate) fn recent(&mut self, overlays: Overlays) -> Vec<Overlay> {
        self.gestures.retain(|(at, _)| at.elapsed() < DISPLAY_TIME);
        let current = self.pressed.iter().filter_map(|path| shape(path, overlays));
        self.gestures.iter().filter_map(|(_, path)| shape(path, overlays)).chain(current).collect()
    }
}

fn shape(path: &[Point], overlays: Overlays) -> Option<Overlay> {
    let (first, last) = (path.first()?, path.last()?);
    let spot = |point: &Point| Spot { x: point.x, y: point.y };
    let dragged = path.iter().any(|point| (point.x - first.x).hypot(point.y - first.y) > MIN_DRAG);
    match dragged {
        true => overlays.drag_paths.then(|| Overlay::Drag(path.iter().map(spot).collect())),
        false => overlays.click_indicators.then(|| Overlay::Click(spot(last))),
    }
}

#[cfg(test)]
mod tests {
    use cicerone_driver::Button;

    use super::*;

    #[test]
    fn presses_are_clicks_and_paths_are_drags() {
        let point = |x, y| Point { x, y };
        let press = [Input::Down(Button::Left, 1), Input::Up(Button::Left, 1)];
        let mut trail = Trail::default();
        trail.follow(&press);
        assert!(trail.take(Overlays::default()).is_empty(), "nobody knows where the pointer was");
        trail.follow(&[Input::Move(point(5.0, 6.0))]);
        trail.follow(&press);
        assert_eq!(trail.recent(Overlays::default()), [Overlay::Click(Spot { x: 5.0, y: 6.0 })]);
        assert_eq!(trail.take(Overlays::default()), [Overlay::Click(Spot { x: 5.0, y: 6.0 })]);
        let drag = [press[0].clone(), Input::Move(point(50.0, 60.0)), press[1].clone()];
        trail.follow(&drag);
        assert!(matches!(&trail.recent(Overlays::default())[..], [Overlay::Drag(path)] if path.len() == 2));
        let without = Overlays { drag_paths: false, ..Overlays::default() };
        assert!(trail.take(without).is_empty());
    }
}
