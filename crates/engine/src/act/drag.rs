use cicerone_driver::{Button, Input, Point};

use super::aim::{Aim, Spot};
use crate::{Acted, Deadline, Page, Result, ready::Needs};

/// A drag.
#[derive(Debug, Clone)]
pub struct Drag {
    /// Where it begins.
    pub from: Aim,
    /// Where it ends.
    pub to: Aim,
    /// How many points are stopped at on the way; lists that sort themselves look at each.
    pub steps: u32,
}

impl Drag {
    /// A drag with the usual steps.
    pub fn between(from: impl Into<Aim>, to: impl Into<Aim>) -> Self {
        Self { from: from.into(), to: to.into(), steps: 10 }
    }
}

/// A drag that was done.
#[derive(Debug, Clone)]
pub struct Dragged {
    /// What was dragged, or from where.
    pub from: Spot,
    /// Where to.
    pub to: Spot,
}

impl Page {
    /// Drags from one place to another.
    pub async fn drag(&self, drag: &Drag) -> Result<Acted<Dragged>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        // An end that is not there is told before anything is touched.
        self.aimed(&drag.to, Needs::SEE, deadline).await?;
        let (from, start) = self.aimed(&drag.from, Needs::POINT, deadline).await?;
        // Native drags go by what is in front.
        self.within(deadline, self.driver().activate()).await?;
        self.send(&[Input::Move(start), Input::Down(Button::Left, 1)], deadline.with_grace()).await?;
        let done = self.carry(start, drag).await;
        if done.is_err() {
            // A button must not stay pressed.
            self.send(&[Input::Up(Button::Left, 1)], deadline.with_grace()).await?;
        }
        self.told(Dragged { from, to: done? }, mark).await
    }

    /// From where the button is pressed to the end, which is brought into view only now: it may be far away.
    async fn carry(&self, start: Point, Drag { to, steps, .. }: &Drag) -> Result<Spot> {
        let patience = Deadline::after(self.action_timeout());
        if let Aim::Element(_) = to {
            // What is dragged is decided at the first move, by what is at the pressed point then: before any
            // scrolling.
            self.send(&[Input::Move(Point { x: start.x + 6.0, y: start.y + 6.0 })], patience).await?;
        }
        let (to, end) = self.aimed(to, Needs::POINT, patience).await?;
        // One step at a time: a native drag begins with the first, and takes the ones after it.
        for step in 1..=*steps {
            let part = f64::from(step) / f64::from(*steps);
            let between = |from: f64, to: f64| from + (to - from) * part;
            let point = Point { x: between(start.x, end.x), y: between(start.y, end.y) };
            self.send(&[Input::Move(point)], patience).await?;
        }
        self.send(&[Input::Move(end), Input::Up(Button::Left, 1)], patience).await?;
        Ok(to)
    }
}
