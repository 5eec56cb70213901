//! The focus: giving it to an element, and finding who has it.

use cicerone_driver::FrameId;
use serde::Deserialize;
use serde_json::json;

use crate::{
    Acted, Deadline, Error, Page, Point, Result, Spot, Target,
    agent::{Failure, Numbered, Sketch},
    places::Place,
    ready::{Area, Located, Needs},
};

/// What has the focus now.
#[derive(Deserialize)]
pub(crate) struct Focused {
    focused: bool,
    /// What it holds, where it takes text.
    pub(crate) value: Option<String>,
    /// Whether it is a field for secrets.
    #[serde(default)]
    pub(crate) masked: bool,
}

#[derive(Deserialize)]
struct Holder {
    found: Option<Sketch>,
    /// Whether the focus is in the document that it shows.
    #[serde(default)]
    frame: bool,
}

/// Frames are nested; whoever nests them deeper than this wants to lead us in circles.
const DEEPEST: usize = 64;

impl Page {
    /// Gives the focus to an element.
    pub async fn focus(&self, target: &Target) -> Result<Acted<Spot>> {
        let mark = self.before_acting().await?.with_effect();
        let deadline = Deadline::after(self.action_timeout());
        let located = self.ready(target, Needs::CHOOSE, deadline).await?;
        self.give_focus(&located, deadline).await?;
        self.told(Spot::from(&located), mark).await
    }

    /// Gives the focus to an element that was found; what did not have it has its caret at the end then.
    pub(crate) async fn give_focus(&self, located: &Located, deadline: Deadline) -> Result<Focused> {
        let focused: Focused = self
            .ask(&located.frame, "focus", &Numbered { num: located.number }, deadline.with_grace())
            .await
            .map_err(|failure| self.refused_by(located, failure))?;
        if focused.focused {
            return Ok(focused);
        }
        let reason = "it cannot have the focus".to_owned();
        Err(Error::Misfit { element: Box::new(located.element.clone()), reason, options: Vec::new() })
    }

    /// The element that keys go to: the one that is named, which gets the focus, or the one that has it.
    pub(crate) async fn keyboard_on(
        &self,
        target: Option<&Target>,
        deadline: Deadline,
    ) -> Result<Option<(Located, Focused)>> {
        let located = match target {
            Some(target) => self.ready(target, Needs::CHOOSE, deadline).await?,
            None => match self.focus_holder(deadline).await? {
                Some(located) => located,
                None => return Ok(None),
            },
        };
        match self.give_focus(&located, deadline).await {
            Ok(focused) => Ok(Some((located, focused))),
            // It has the focus in a way of its own; keys go there all the same.
            Err(Error::Misfit { .. }) if target.is_none() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The element that has the focus, in whatever frame; none where only the page has it.
    pub(crate) async fn focus_holder(&self, deadline: Deadline) -> Result<Option<Located>> {
        let mut frame = self.chosen_frame()?;
        for _ in 0..DEEPEST {
            let asked = self.ask(&frame, "focused", &json!({}), deadline.with_grace()).await;
            let holder: Holder = asked.map_err(Failure::into_error)?;
            let Some(sketch) = holder.found else { return Ok(None) };
            if holder.frame
                && let Some(inner) = self.frame_in(&frame, sketch.num, deadline).await?
            {
                frame = inner;
                continue;
            }
            let (number, document) = self.numbers(&frame);
            let place = Place { frame, number, document };
            let nowhere = Point { x: 0.0, y: 0.0 };
            return Ok(Some(self.located(&place, sketch, nowhere, Area::default(), false)));
        }
        Ok(None)
    }

    /// The frame that an element of another frame holds.
    async fn frame_in(&self, parent: &FrameId, number: u32, deadline: Deadline) -> Result<Option<FrameId>> {
        let children: Vec<FrameId> = {
            let state = self.state();
            let inside = state.frames.iter().filter(|frame| frame.parent.as_ref() == Some(parent));
            inside.map(|frame| frame.id.clone()).collect()
        };
        for child in children {
            if let Some((_, (_, owner))) = self.holder(&child, deadline).await?
                && owner == number
            {
                return Ok(Some(child));
            }
        }
        Ok(None)
    }
}
