use std::time::Duration;

use cicerone_driver::{Button, Input, Point};
use serde_json::json;

use super::pointer_target::{PointerTarget, Spot};
use crate::{
    Acted, Deadline, Error, Result,
    injected::InjectedError,
    page::parts::Mouse,
    ready::{Located, Needs},
};

/// Time limit for a list to make room for what is dragged.
const MAKE_ROOM: Duration = Duration::from_millis(500);

#[derive(Debug, Clone)]
pub struct Drag {
    /// The start.
    pub from: PointerTarget,
    /// The end.
    pub to: PointerTarget,
    /// Intermediate pointer positions; sortable lists react to each.
    pub steps: u32,
}

impl Drag {
    /// A drag with 10 steps.
    pub fn between(from: impl Into<PointerTarget>, to: impl Into<PointerTarget>) -> Self {
        Self { from: from.into(), to: to.into(), steps: 10 }
    }
}

/// The result of a drag.
#[derive(Debug, Clone)]
pub struct Dragged {
    /// The dragged element, or the start point.
    pub from: Spot,
    /// The drop target.
    pub to: Spot,
}

impl Mouse<'_> {
    /// Drags with the left button pressed.
    pub async fn drag(self, drag: &Drag) -> Result<Acted<Dragged>> {
        let mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        // Report a missing drop target before touching the page.
        self.page.geometry().resolve_pointer(&drag.to, Needs::SEE, deadline).await?;
        // Native drag and drop works only in the foreground tab.
        self.page.injected().within(deadline, self.page.driver().activate()).await?;
        let (from, start, pressed) = match &drag.from {
            PointerTarget::Element(target) => {
                let located = self.page.locator().ready(target, Needs::PRESS, deadline).await?;
                let located = self.pointer_arrives(located, target, Needs::PRESS, deadline).await?;
                (Spot::from(&located), located.point, Some(located))
            }
            PointerTarget::Point(point) => {
                let point = self.page.geometry().page_point(*point, deadline).await?;
                (Spot::Point(point), point, None)
            }
        };
        self.page
            .actions()
            .send(&[Input::Move(start), Input::Down(Button::Left, 1)], deadline.with_grace())
            .await?;
        let done = match self.press_lands(pressed.as_ref(), deadline).await {
            Ok(()) => self.drag_to(start, drag).await,
            Err(missed) => Err(missed),
        };
        if done.is_err() {
            // Never leave the button pressed.
            self.page.actions().send(&[Input::Up(Button::Left, 1)], deadline.with_grace()).await?;
            if let Some(pressed) = &pressed {
                // The guard hides from the page what follows a press that missed, up to here. The first error is reported.
                let _ = self.page.settling().after_frames(&pressed.frame, deadline.with_grace()).await;
            }
        }
        self.page.actions().finish_action(Dragged { from, to: done? }, mark).await
    }

    /// Fails if another element received the press.
    async fn press_lands(self, pressed: Option<&Located>, deadline: Deadline) -> Result<()> {
        let Some(pressed) = pressed else { return Ok(()) };
        let document = self.page.locator().numbers(&pressed.frame).1;
        let landed = self.page.settling().within_gesture(&pressed.frame, deadline.with_grace()).await?;
        if landed.is_none() {
            self.note_unverified();
        }
        match landed.and_then(|landed| self.page.locator().not_hit(pressed, landed)) {
            Some(missed) if self.page.locator().numbers(&pressed.frame).1 == document => Err(missed),
            _ => Ok(()),
        }
    }

    /// Moves from the pressed point to the end. The end is scrolled into view only now: it may be far away.
    async fn drag_to(self, start: Point, Drag { to, steps, .. }: &Drag) -> Result<Spot> {
        let timeout = Deadline::after(self.page.settings().action_timeout());
        if let PointerTarget::Element(_) = to {
            // The first move decides what is dragged, by the element under the pressed point: move before
            // scrolling.
            self.page
                .actions()
                .send(&[Input::Move(Point { x: start.x + 6.0, y: start.y + 6.0 })], timeout)
                .await?;
        }
        let (to, end) = self.page.geometry().resolve_pointer(to, Needs::POINT, timeout).await?;
        // One move per command: the first starts a native drag, which takes over the following ones.
        for step in 1..=*steps {
            let part = f64::from(step) / f64::from(*steps);
            let between = |from: f64, to: f64| from + (to - from) * part;
            let point = Point { x: between(start.x, end.x), y: between(start.y, end.y) };
            self.page.actions().send(&[Input::Move(point)], timeout).await?;
        }
        self.hold_over(end, timeout).await?;
        self.page.actions().send(&[Input::Move(end), Input::Up(Button::Left, 1)], timeout).await?;
        Ok(to)
    }

    /// Lists make room for what is dragged, in transitions, and ignore the pointer meanwhile: what is released at once
    /// lands elsewhere.
    async fn hold_over(self, end: Point, timeout: Deadline) -> Result<()> {
        let (frame, args) = (self.page.main_frame(), json!({ "timeout": MAKE_ROOM.as_millis() }));
        // The last step is at the end already; a second look after one more move, since some lists act on moves alone.
        for beside in [None, Some(Point { x: end.x + 1.0, y: end.y })] {
            if let Some(point) = beside {
                self.page.actions().send(&[Input::Move(point)], timeout).await?;
            }
            let resting =
                self.page.injected().ask::<serde_json::Value>(&frame, "rest", &args, timeout.with_grace());
            match resting.await {
                Ok(_)
                | Err(InjectedError::Gone | InjectedError::Failed(Error::DialogOpen(_) | Error::TabClosed)) =>
                    {}
                Err(failure) => return Err(failure.into_error()),
            }
        }
        Ok(())
    }
}
