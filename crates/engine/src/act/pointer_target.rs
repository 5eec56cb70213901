use std::fmt;

use cicerone_driver::Point;

use crate::{
    Deadline, Element, Error, PictureError, Result, Target,
    injected::ElementSummary,
    locate::DocumentInFrame,
    page::parts::Geometry,
    ready::{Area, Located, Needs},
};

/// Where the pointer goes.
#[derive(Debug, Clone)]
pub enum PointerTarget {
    Element(Target),
    /// A point of the viewport, or of the selected frame.
    Point(Point),
}

impl From<Target> for PointerTarget {
    fn from(target: Target) -> Self {
        Self::Element(target)
    }
}

/// Where the pointer went.
#[derive(Debug, Clone)]
pub enum Spot {
    Element(Element),
    /// A point of the page's viewport.
    Point(Point),
}

impl Spot {
    /// The element, if the target was one.
    pub fn element(&self) -> Option<&Element> {
        match self {
            Self::Element(element) => Some(element),
            Self::Point(_) => None,
        }
    }
}

impl From<&Located> for Spot {
    fn from(located: &Located) -> Self {
        Self::Element(located.element.clone())
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(element) => element.fmt(f),
            Self::Point(Point { x, y }) => write!(f, "{x},{y}"),
        }
    }
}

impl Geometry<'_> {
    /// Resolves a target to its point; waits until an element meets `needs`.
    pub(crate) async fn resolve_pointer(
        self,
        aim: &PointerTarget,
        needs: Needs,
        deadline: Deadline,
    ) -> Result<(Spot, Point)> {
        match aim {
            PointerTarget::Element(target) => {
                let located = self.page.locator().ready(target, needs, deadline).await?;
                Ok((Spot::from(&located), located.point))
            }
            PointerTarget::Point(point) => {
                let point = self.page_point(*point, deadline).await?;
                Ok((Spot::Point(point), point))
            }
        }
    }

    /// Converts a point of the selected frame to the page's viewport.
    pub(crate) async fn page_point(self, point: Point, deadline: Deadline) -> Result<Point> {
        let frame = self.page.locator().chosen_frame()?;
        let mut at = point;
        if frame != self.page.main_frame() {
            let (number, document) = self.page.locator().numbers(&frame);
            // Only the frame's offset is needed; the element is a placeholder.
            let summary = ElementSummary { num: 0, role: String::new(), name: String::new() };
            let place = DocumentInFrame { frame, number, document };
            let mut located = self.page.locator().located(&place, summary, point, Area::default());
            if !self.to_page(&mut located, false, deadline).await? {
                return Err(Error::Driver(cicerone_driver::DriverError::Gone));
            }
            at = located.point;
        }
        self.check_in_viewport(at)?;
        Ok(at)
    }

    /// Browsers drop input outside the viewport silently: report it as an error.
    pub(crate) fn check_in_viewport(self, point: Point) -> Result<()> {
        let viewport = self.page.state().viewport;
        let within = |at: f64, size: u32| at >= 0.0 && at < f64::from(size);
        if within(point.x, viewport.width) && within(point.y, viewport.height) {
            Ok(())
        } else {
            Err(Error::Picture(PictureError::OffViewport { point, viewport }))
        }
    }
}
