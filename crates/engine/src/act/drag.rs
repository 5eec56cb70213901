use cicerone_driver::{Button, Input, Point};

use crate::{
    Acted, Deadline, Element, Page, Result, Target,
    ready::{Located, Needs},
};

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
        let deadline = Deadline::after(self.action_timeout());
        // An end that is not there is told before anything is touched.
        self.ready(to, Needs::SEE, deadline).await?;
        let start = self.ready(from, Needs::POINT, deadline).await?;
        // Native drags go by what is in front.
        self.within(deadline, self.driver().activate()).await?;
        self.send(&[Input::Move(start.point), Input::Down(Button::Left, 1)], deadline.with_grace()).await?;
        let done = self.carry(&start, to).await;
        if done.is_err() {
            // A button must not stay pressed.
            self.send(&[Input::Up(Button::Left, 1)], deadline.with_grace()).await?;
        }
        self.told(Dragged { from: start.element, to: done? }, mark).await
    }

    /// From where the button is pressed to the end, which is brought into view only now: it may be far away.
    async fn carry(&self, start: &Located, to: &Target) -> Result<Element> {
        let patience = Deadline::after(self.action_timeout());
        // What is dragged is decided at the first move, by what is at the pressed point then: before any scrolling.
        let Point { x, y } = start.point;
        self.send(&[Input::Move(Point { x: x + 6.0, y: y + 6.0 })], patience).await?;
        let end = self.ready(to, Needs::POINT, patience).await?;
        let target = end.point;
        // One step at a time: a native drag begins with the first, and takes the ones after it.
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let between = |from: f64, to: f64| from + (to - from) * part;
            let point = Point { x: between(start.point.x, target.x), y: between(start.point.y, target.y) };
            self.send(&[Input::Move(point)], patience).await?;
        }
        self.send(&[Input::Move(target), Input::Up(Button::Left, 1)], patience).await?;
        Ok(end.element)
    }
}
