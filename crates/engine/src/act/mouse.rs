//! The mouse by coordinates, for those who look at pictures.

use cicerone_driver::{Button, Input, Point};

use crate::{Acted, Deadline, Error, Page, Result};

/// Pages that follow the pointer look at every point on the way.
const STEPS: u32 = 10;

impl Page {
    /// Clicks at a point of the viewport.
    pub async fn click_at(&self, point: Point, button: Button, count: u32) -> Result<Acted<Point>> {
        self.inside(point)?;
        let mut steps = vec![Input::Move(point)];
        for nth in 1..=count {
            steps.extend([Input::Down(button, nth), Input::Up(button, nth)]);
        }
        self.by_hand(steps, point).await
    }

    /// Moves the pointer to a point of the viewport.
    pub async fn point_at(&self, point: Point) -> Result<Acted<Point>> {
        self.inside(point)?;
        self.by_hand(vec![Input::Move(point)], point).await
    }

    /// Drags from one point of the viewport to another.
    pub async fn drag_between(&self, from: Point, to: Point) -> Result<Acted<(Point, Point)>> {
        self.inside(from)?;
        self.inside(to)?;
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        // Native drags go by what is in front.
        self.within(deadline, self.driver().activate()).await?;
        self.send(&[Input::Move(from), Input::Down(Button::Left, 1)], deadline).await?;
        // One step at a time: a native drag begins with the first, and takes the ones after it.
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let between = |from: f64, to: f64| from + (to - from) * part;
            let point = Point { x: between(from.x, to.x), y: between(from.y, to.y) };
            self.send(&[Input::Move(point)], deadline.with_grace()).await?;
        }
        self.send(&[Input::Up(Button::Left, 1)], deadline.with_grace()).await?;
        self.told((from, to), mark).await
    }

    async fn by_hand(&self, steps: Vec<Input>, point: Point) -> Result<Acted<Point>> {
        let mark = self.before_acting().await?;
        self.send(&steps, Deadline::after(self.action_timeout())).await?;
        self.told(point, mark).await
    }

    /// Nothing happens outside of the viewport, so nothing may be said to have happened there.
    fn inside(&self, point: Point) -> Result<()> {
        let viewport = self.state().viewport;
        let within = |at: f64, size: u32| at >= 0.0 && at < f64::from(size);
        if within(point.x, viewport.width) && within(point.y, viewport.height) {
            Ok(())
        } else {
            Err(Error::OffViewport { point, viewport })
        }
    }
}
