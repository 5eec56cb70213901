//! Scrolling of the page, of elements, and into view.

use serde::{Deserialize, Serialize};

use crate::{
    Acted, Deadline, Element, Point, Result, Target,
    injected::{ElementSummary, InjectedError},
    page::parts::Mouse,
    ready::{Located, Needs},
};

#[derive(Debug, Clone)]
pub struct Scroll {
    /// The element to scroll, or to scroll into view; by default the page.
    pub on: Option<Target>,
    /// How far, or where to.
    pub course: Course,
    /// Animate the scroll.
    pub smooth: bool,
}

/// How far, or where to.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Course {
    /// By a distance to the right and down.
    By(Point),
    /// To a position.
    To {
        /// From the left; `None` keeps it.
        #[serde(skip_serializing_if = "Option::is_none")]
        x: Option<f64>,
        /// From the top; `None` keeps it.
        #[serde(skip_serializing_if = "Option::is_none")]
        y: Option<f64>,
    },
    /// Until the element is at this place of the viewport.
    Block(Block),
}

/// As in `Element.scrollIntoView({ block })`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    Start,
    #[default]
    Center,
    End,
    Nearest,
}

/// The result of a scroll.
#[derive(Debug, Clone)]
pub struct Scrolled {
    /// The element that was scrolled or scrolled into view; `None` for the page.
    pub element: Option<Element>,
    /// The scroll position of the scroller; of the page after scrolling into view.
    pub position: Point,
    /// Whether the position changed.
    pub moved: bool,
    /// After scrolling into view: whether the element is visible.
    pub visible: Option<bool>,
}

#[derive(Serialize)]
struct ScrollArgs<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    num: Option<u32>,
    #[serde(flatten)]
    course: &'a Course,
    smooth: bool,
    timeout: u64,
}

#[derive(Deserialize)]
struct ScrollResult {
    #[serde(flatten)]
    position: Point,
    moved: bool,
    visible: Option<bool>,
    instead: Option<ElementSummary>,
}

impl Mouse<'_> {
    /// Scrolls and returns the final position.
    pub async fn scroll(self, scroll: &Scroll) -> Result<Acted<Scrolled>> {
        let mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let located = match &scroll.on {
            Some(target) => Some(self.page.locator().ready(target, Needs::SEE, deadline).await?),
            None => None,
        };
        let frame = match &located {
            Some(located) => located.frame.clone(),
            None => self.page.locator().chosen_frame()?,
        };
        let timeout = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX);
        let num = located.as_ref().map(|located| located.number);
        let args = ScrollArgs { num, course: &scroll.course, smooth: scroll.smooth, timeout };
        let answer = self.page.injected().ask(&frame, "scrollBy", &args, deadline.with_grace()).await;
        let result: ScrollResult = answer.map_err(|failure| self.not_scrolled(located.as_ref(), failure))?;
        let ScrollResult { position, moved, visible, instead } = result;
        let (number, document) = self.page.locator().numbers(&frame);
        let instead = instead.map(|summary| self.page.locator().element(number, document, summary));
        let element = located.map(|located| located.element).or(instead);
        self.page.actions().finish_action(Scrolled { element, position, moved, visible }, mark).await
    }

    fn not_scrolled(self, located: Option<&Located>, failure: InjectedError) -> crate::Error {
        match located {
            Some(located) => self.page.locator().refused_by(located, failure),
            None => failure.into_error(),
        }
    }
}
