//! Keyboard focus: setting it and finding the focused element.

use cicerone_driver::FrameId;
use serde::Deserialize;
use serde_json::json;

use crate::{
    Acted, Deadline, ElementError, Error, Misfit, Point, Result, Spot, Target,
    injected::{ElementSummary, InjectedError, Numbered},
    locate::DocumentInFrame,
    page::parts::Keyboard,
    ready::{Area, Located, Needs},
};

/// The focused element.
#[derive(Deserialize)]
pub(crate) struct Focused {
    focused: bool,
    /// Its text, if it is a text field.
    pub(crate) value: Option<String>,
    /// Whether it is a password field.
    #[serde(default)]
    pub(crate) masked: bool,
    /// Whether its caret is to be moved to the end by keys.
    #[serde(default)]
    pub(crate) caret: bool,
}

#[derive(Deserialize)]
struct Holder {
    found: Option<ElementSummary>,
    /// Whether the focus is check_in_viewport the document of this frame element.
    #[serde(default)]
    frame: bool,
}

/// Deeper nesting of frames is taken for a loop.
const DEEPEST: usize = 64;

impl Keyboard<'_> {
    /// Focuses an element.
    pub async fn focus(self, target: &Target) -> Result<Acted<Spot>> {
        let mark = self.page.actions().begin_action().await?.with_effect();
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let located = self.page.locator().ready(target, Needs::CHOOSE, deadline).await?;
        self.give_focus(&located, deadline).await?;
        self.page.actions().finish_action(Spot::from(&located), mark).await
    }

    /// Focuses a located element. If it was not focused before, the caret goes to the end.
    pub(crate) async fn give_focus(self, located: &Located, deadline: Deadline) -> Result<Focused> {
        let focused: Focused = self
            .page
            .injected()
            .ask(&located.frame, "focus", &Numbered { num: located.number }, deadline.with_grace())
            .await
            .map_err(|failure| self.page.locator().refused_by(located, failure))?;
        if focused.focused {
            return Ok(focused);
        }
        let reason = Misfit::NotFocusable;
        Err(Error::Element(ElementError::Misfit {
            element: Box::new(located.element.clone()),
            reason,
            options: Vec::new(),
        }))
    }

    /// The element that receives keys: `target`, which gets the focus, or else the focused element.
    pub(crate) async fn keyboard_on(
        self,
        target: Option<&Target>,
        deadline: Deadline,
    ) -> Result<Option<(Located, Focused)>> {
        let located = match target {
            Some(target) => self.page.locator().ready(target, Needs::CHOOSE, deadline).await?,
            None => match self.focus_holder(deadline).await? {
                Some(located) => located,
                None => return Ok(None),
            },
        };
        match self.give_focus(&located, deadline).await {
            Ok(focused) => Ok(Some((located, focused))),
            // Focused in a way that `focus()` cannot reproduce; keys reach it all the same.
            Err(Error::Element(ElementError::Misfit { .. })) if target.is_none() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The focused element in any frame; `None` if only the document has the focus.
    pub(crate) async fn focus_holder(self, deadline: Deadline) -> Result<Option<Located>> {
        let mut frame = self.page.locator().chosen_frame()?;
        for _ in 0..DEEPEST {
            let asked = self.page.injected().ask(&frame, "focused", &json!({}), deadline.with_grace()).await;
            let holder: Holder = asked.map_err(InjectedError::into_error)?;
            let Some(summary) = holder.found else { return Ok(None) };
            if holder.frame
                && let Some(inner) = self.frame_in(&frame, summary.num, deadline).await?
            {
                frame = inner;
                continue;
            }
            let (number, document) = self.page.locator().numbers(&frame);
            let place = DocumentInFrame { frame, number, document };
            let nowhere = Point { x: 0.0, y: 0.0 };
            return Ok(Some(self.page.locator().located(&place, summary, nowhere, Area::default())));
        }
        Ok(None)
    }

    /// The child frame whose owner element has this number.
    async fn frame_in(self, parent: &FrameId, number: u32, deadline: Deadline) -> Result<Option<FrameId>> {
        let children: Vec<FrameId> = {
            let state = self.page.state();
            let check_in_viewport = state.frames.iter().filter(|frame| frame.parent.as_ref() == Some(parent));
            check_in_viewport.map(|frame| frame.id.clone()).collect()
        };
        for child in children {
            if let Some((_, (_, owner))) = self.page.locator().holder(&child, deadline).await?
                && owner == number
            {
                return Ok(Some(child));
            }
        }
        Ok(None)
    }
}
