//! What the pointer did on a page, for overlays on a recording.

use std::time::{Duration, Instant};

use cicerone_driver::{Input, Point};
use cicerone_media::{Overlay, Spot};

use super::Overlays;

/// How long a gesture is shown in a recording of a fixed rate.
const SHOWN: Duration = Duration::from_millis(700);

/// How many gestures are kept.
const KEPT: usize = 32;

/// How far the pointer moves at least for a press to be a drag.
const DRAG: f64 = 8.0;

/// What the pointer did.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    pointer: Option<Point>,
    /// Where it was since a button was pressed.
    pressed: Option<Vec<Point>>,
    gestures: Vec<(Instant, Vec<Point>)>,
}

impl Trail {
    /// Follows input that was sent.
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
                        let most = self.gestures.len().saturating_sub(KEPT);
                        self.gestures.drain(..most);
                    }
                }
                _ => {}
            }
        }
    }

    /// What was done since it was asked for last.
    pub(crate) fn take(&mut self, wanted: Overlays) -> Vec<Overlay> {
        std::mem::take(&mut self.gestures).iter().filter_map(|(_, path)| shape(path, wanted)).collect()
    }

    /// What was done a moment ago.
    pub(crate) fn recent(&mut self, wanted: Overlays) -> Vec<Overlay> {
        self.gestures.retain(|(at, _)| at.elapsed() < SHOWN);
        let held = self.pressed.iter().filter_map(|path| shape(path, wanted));
        self.gestures.iter().filter_map(|(_, path)| shape(path, wanted)).chain(held).collect()
    }
}

fn shape(path: &[Point], wanted: Overlays) -> Option<Overlay> {
    let (first, last) = (path.first()?, path.last()?);
    let spot = |point: &Point| Spot { x: point.x, y: point.y };
    let dragged = path.iter().any(|point| (point.x - first.x).hypot(point.y - first.y) > DRAG);
    match dragged {
        true => wanted.drag_paths.then(|| Overlay::Drag(path.iter().map(spot).collect())),
        false => wanted.click_indicators.then(|| Overlay::Click(spot(last))),
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
