//! Scrolling as a person asks for it.

use serde::{Deserialize, Serialize};

use crate::{
    Acted, Deadline, Element, Page, Point, Result, Target,
    agent::{Failure, Sketch},
    ready::{Located, Needs},
};

/// What is scrolled, and how.
#[derive(Debug, Clone)]
pub struct Scroll {
    /// What scrolls, or what is to be seen; the page unless told.
    pub on: Option<Target>,
    /// Which way.
    pub course: Course,
    /// Gliding, not at once.
    pub smooth: bool,
}

/// Which way to scroll.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Course {
    /// So far, to the right and down.
    By(Point),
    /// To a position.
    To {
        /// From the left; as it is unless told.
        #[serde(skip_serializing_if = "Option::is_none")]
        x: Option<f64>,
        /// From the top; as it is unless told.
        #[serde(skip_serializing_if = "Option::is_none")]
        y: Option<f64>,
    },
    /// Until the element is here in the viewport.
    Block(Block),
}

/// Where in the viewport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are called what they are")]
pub enum Block {
    Start,
    #[default]
    Center,
    End,
    Nearest,
}

/// Where scrolling ended.
#[derive(Debug, Clone)]
pub struct Scrolled {
    /// What was scrolled, or is to be seen; nothing for the page.
    pub element: Option<Element>,
    /// Where what was scrolled is now; the page, for an element that is to be seen.
    pub position: Point,
    /// Whether anything moved.
    pub moved: bool,
    /// Whether the element is seen that is to be.
    pub visible: Option<bool>,
}

#[derive(Serialize)]
struct Travel<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    num: Option<u32>,
    #[serde(flatten)]
    course: &'a Course,
    smooth: bool,
    timeout: u64,
}

#[derive(Deserialize)]
struct Arrival {
    #[serde(flatten)]
    position: Point,
    moved: bool,
    visible: Option<bool>,
    instead: Option<Sketch>,
}

impl Page {
    /// Scrolls, and tells where that ended.
    pub async fn scroll(&self, scroll: &Scroll) -> Result<Acted<Scrolled>> {
        let mark = self.before_acting().await?.with_effect();
        let deadline = Deadline::after(self.action_timeout());
        let located = match &scroll.on {
            Some(target) => Some(self.ready(target, Needs::SEE, deadline).await?),
            None => None,
        };
        let frame = match &located {
            Some(located) => located.frame.clone(),
            None => self.chosen_frame()?,
        };
        let timeout = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX);
        let num = located.as_ref().map(|located| located.number);
        let args = Travel { num, course: &scroll.course, smooth: scroll.smooth, timeout };
        let answer = self.ask(&frame, "travel", &args, deadline.with_grace()).await;
        let arrival: Arrival = answer.map_err(|failure| self.not_scrolled(located.as_ref(), failure))?;
        let Arrival { position, moved, visible, instead } = arrival;
        let (number, document) = self.numbers(&frame);
        let instead = instead.map(|sketch| self.element(number, document, sketch));
        let element = located.map(|located| located.element).or(instead);
        self.told(Scrolled { element, position, moved, visible }, mark).await
    }

    fn not_scrolled(&self, located: Option<&Located>, failure: Failure) -> crate::Error {
        match located {
            Some(located) => self.refused_by(located, failure),
            None => failure.into_error(),
        }
    }
}
