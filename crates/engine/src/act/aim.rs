use std::fmt;

use cicerone_driver::Point;

use crate::{
    Deadline, Element, Error, Page, Result, Target,
    agent::Sketch,
    places::Place,
    ready::{Area, Located, Needs},
};

/// Where the pointer is to go.
#[derive(Debug, Clone)]
pub enum Aim {
    /// To an element.
    Element(Target),
    /// To a point of the viewport: the page's, or that of the only frame that matters.
    Point(Point),
}

impl From<Target> for Aim {
    fn from(target: Target) -> Self {
        Self::Element(target)
    }
}

/// Where the pointer went.
#[derive(Debug, Clone)]
pub enum Spot {
    /// To this element.
    Element {
        /// The element.
        element: Element,
        /// Whether its ref followed a replaced element.
        healed: bool,
    },
    /// To a point of the page's viewport.
    Point(Point),
}

impl Spot {
    /// The element that was aimed at.
    pub fn element(&self) -> Option<&Element> {
        match self {
            Self::Element { element, .. } => Some(element),
            Self::Point(_) => None,
        }
    }

    /// Whether its ref followed a replaced element.
    pub fn healed(&self) -> bool {
        matches!(self, Self::Element { healed: true, .. })
    }
}

impl From<&Located> for Spot {
    fn from(located: &Located) -> Self {
        Self::Element { element: located.element.clone(), healed: located.healed }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element { element, .. } => element.fmt(f),
            Self::Point(Point { x, y }) => write!(f, "{x},{y}"),
        }
    }
}

impl Page {
    /// Where an aim is, once what is needed of an element holds: what was aimed at, and the point.
    pub(crate) async fn aimed(&self, aim: &Aim, needs: Needs, deadline: Deadline) -> Result<(Spot, Point)> {
        match aim {
            Aim::Element(target) => {
                let located = self.ready(target, needs, deadline).await?;
                Ok((Spot::from(&located), located.point))
            }
            Aim::Point(point) => {
                let point = self.in_page(*point, deadline).await?;
                Ok((Spot::Point(point), point))
            }
        }
    }

    /// A point of the frame that matters, in the page's viewport.
    pub(crate) async fn in_page(&self, point: Point, deadline: Deadline) -> Result<Point> {
        let frame = self.chosen_frame()?;
        let mut at = point;
        if frame != self.main_frame() {
            let (number, document) = self.numbers(&frame);
            // Nothing but the way out of the frame is asked for; there is no element to speak of.
            let sketch = Sketch { num: 0, role: String::new(), name: String::new() };
            let place = Place { frame, number, document };
            let mut located = self.located(&place, sketch, point, Area::default(), false);
            if !self.to_page(&mut located, false, deadline).await? {
                return Err(Error::Driver(cicerone_driver::DriverError::Gone));
            }
            at = located.point;
        }
        self.inside(at)?;
        Ok(at)
    }

    /// Nothing happens outside of the viewport, so nothing may be said to have happened there.
    pub(crate) fn inside(&self, point: Point) -> Result<()> {
        let viewport = self.state().viewport;
        let within = |at: f64, size: u32| at >= 0.0 && at < f64::from(size);
        if within(point.x, viewport.width) && within(point.y, viewport.height) {
            Ok(())
        } else {
            Err(Error::OffViewport { point, viewport })
        }
    }
}
