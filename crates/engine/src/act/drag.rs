use cicerone_driver::{Button, Input, Point};

use crate::{Acted, Deadline, Element, Page, Result, Target, ready::Needs};

/// A drag that was done.
#[derive(Debug, Clone)]
pub struct Dragged {
    /// What was dragged.
    pub from: Element,
    /// Where to.
    pub to: Element,
}

/// Lists that sort themselves look at every point on the way.
const STEPS: u32 = 10;

impl Page {
    /// Drags one element onto another.
    pub async fn drag(&self, from: &Target, to: &Target) -> Result<Acted<Dragged>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.options().action_timeout);
        // The end first: to bring the start into view is what counts, and may move the end.
        self.ready(to, Needs::SEE, deadline).await?;
        let start = self.ready(from, Needs::POINT, deadline).await?;
        let end = self.ready(to, Needs::SEE, deadline).await?;
        let (dx, dy) = end.offset;
        let target = Point {
            x: end.area.x + dx + end.area.width / 2.0,
            y: end.area.y + dy + end.area.height / 2.0,
        };
        let patience = Deadline::after(self.options().action_timeout);
        self.send(&[Input::Move(start.point), Input::Down(Button::Left, 1)], patience).await?;
        // One step at a time: a native drag begins with the first, and takes the ones after it.
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let between = |from: f64, to: f64| from + (to - from) * part;
            let point = Point { x: between(start.point.x, target.x), y: between(start.point.y, target.y) };
            self.send(&[Input::Move(point)], patience).await?;
        }
        self.send(&[Input::Move(target), Input::Up(Button::Left, 1)], patience).await?;
        self.told(Dragged { from: start.element, to: end.element }, mark).await
    }
}
