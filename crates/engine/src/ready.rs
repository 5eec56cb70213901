//! Finding the element that a target means, and waiting until it can be used.

use std::fmt;

use cicerone_driver::{FrameId, Point};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Deadline, Error, Page, Ref, Result, Target,
    agent::{CoverSketch, Failure, Refusal, Sketch},
    error::{Cover, Obstacle},
    places::Place,
    refs::Document,
    snapshot::quoted,
};

/// An element as it is told to a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its ref.
    pub reference: Ref,
}

impl Element {
    /// `button "Save"`, without the ref.
    pub fn kind(&self) -> String {
        let role = match &*self.role {
            "" => "element",
            // An element without a role of its own, as snapshots have it.
            "none" | "presentation" => "generic",
            role => role,
        };
        if self.name.is_empty() { role.to_owned() } else { format!("{role} {}", quoted(&self.name, 80)) }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.kind(), self.reference)
    }
}

/// An element that was found, and where.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) element: Element,
    pub(crate) frame: FrameId,
    pub(crate) number: u32,
    /// Whether the ref followed a replaced element.
    pub(crate) healed: bool,
    /// Where to point at it, in the page's viewport.
    pub(crate) point: Point,
    /// Its box in its frame's viewport.
    pub(crate) area: Area,
    /// From its frame's viewport to the page's.
    pub(crate) offset: (f64, f64),
    /// Whether typing into it is to bring something about beside it.
    pub(crate) promises: bool,
}

/// A box.
#[derive(Debug, Clone, Copy, Deserialize, Default)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// What must hold before an element is used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs(&'static [&'static str], Option<&'static str>);

impl Needs {
    /// It gets clicked; a click that lands elsewhere is stopped.
    pub(crate) const CLICK: Self = Self(&["attached", "visible", "stable", "enabled", "hit"], Some("click"));
    /// The pointer goes over it.
    pub(crate) const POINT: Self = Self(&["attached", "visible", "stable", "hit"], None);
    /// It gets typed into.
    pub(crate) const EDIT: Self = Self(&["attached", "visible", "enabled", "editable"], None);
    /// An option of it gets chosen.
    pub(crate) const CHOOSE: Self = Self(&["attached", "visible", "enabled"], None);
    /// It is done something to by itself.
    pub(crate) const ENABLED: Self = Self(&["attached", "enabled"], None);
    /// It is looked at.
    pub(crate) const SEE: Self = Self(&["attached", "visible"], None);
    /// It is there.
    pub(crate) const EXIST: Self = Self(&["attached"], None);
}

#[derive(Deserialize)]
struct Ready {
    #[serde(flatten)]
    sketch: Sketch,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    #[serde(default, rename = "box")]
    area: Area,
    #[serde(default)]
    healed: bool,
    #[serde(default)]
    promises: bool,
}

#[derive(Serialize)]
struct Through {
    num: u32,
    x: f64,
    y: f64,
    /// Whether the point counts although it is covered or out of view.
    anywhere: bool,
}

impl Page {
    /// The element that a target means, once all that is needed holds.
    pub(crate) async fn ready(&self, target: &Target, needs: Needs, deadline: Deadline) -> Result<Located> {
        let mut scrolled = false;
        loop {
            let (place, query) = self.place(target, deadline).await?;
            let mut args = json!({
                "target": query,
                "needs": needs.0,
                "timeout": u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX),
            });
            if let Some(arm) = needs.1 {
                args["arm"] = arm.into();
            }
            let answer: std::result::Result<Ready, Failure> =
                self.ask(&place.frame, "ready", &args, deadline.with_grace()).await;
            let ready = match answer {
                Ok(ready) => ready,
                // The document was replaced while it was waited for; a ref says so by itself.
                Err(Failure::Gone) if !deadline.passed() => continue,
                Err(failure) => return Err(self.refused(target, &place, failure)),
            };
            let point = Point { x: ready.x, y: ready.y };
            let hit = needs.0.contains(&"hit");
            let mut located = self.located(&place, ready.sketch, point, ready.area, ready.healed);
            if let Target::Ref(name) = target {
                located.healed |= self.refs().take_followed(*name);
            }
            located.promises = ready.promises;
            match self.to_page(&mut located, hit, deadline).await {
                Ok(true) => return Ok(located),
                Ok(false) if deadline.passed() => {
                    return Err(Error::Driver(cicerone_driver::DriverError::Gone));
                }
                Ok(false) => {}
                // Its frame is out of view: scrolling the element itself moves the frames around it too.
                Err(Error::NotReady { obstacle: Obstacle::Outside, .. }) if !scrolled => {
                    scrolled = true;
                    self.bring_into_view(&located, deadline).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(crate) fn located(
        &self,
        place: &Place,
        sketch: Sketch,
        point: Point,
        area: Area,
        healed: bool,
    ) -> Located {
        Located {
            number: sketch.num,
            element: self.element(place.number, place.document, sketch),
            frame: place.frame.clone(),
            healed,
            point,
            area,
            offset: (0.0, 0.0),
            promises: false,
        }
    }

    pub(crate) fn element(&self, frame: u32, document: Document, sketch: Sketch) -> Element {
        let reference = self.refs().give(self.id(), frame, document, sketch.num);
        Element { role: sketch.role, name: sketch.name, reference }
    }

    fn cover(&self, frame: u32, document: Document, by: CoverSketch) -> Box<Cover> {
        let has = by.has.into_iter().map(|sketch| self.element(frame, document, sketch)).collect();
        Box::new(Cover { element: self.element(frame, document, by.element), has })
    }

    /// Carries the point out through the frames around it; false when a frame went away meanwhile.
    pub(crate) async fn to_page(&self, located: &mut Located, hit: bool, deadline: Deadline) -> Result<bool> {
        let start = located.point;
        let mut frame = located.frame.clone();
        while let Some((parent, owner)) = self.holder(&frame, deadline).await? {
            let Point { x, y } = located.point;
            let args = Through { num: owner.1, x, y, anywhere: !hit };
            let answer = self.ask(&parent, "through", &args, deadline.with_grace()).await;
            match answer {
                Ok(point) => located.point = point,
                Err(Failure::Gone) => return Ok(false),
                Err(Failure::Refused(Refusal::Timeout(stuck))) => {
                    let (number, document) = self.numbers(&parent);
                    let by = stuck.by.map(|by| self.cover(number, document, by));
                    let obstacle = obstacle(&stuck.reason, by);
                    return Err(Error::NotReady { element: Box::new(located.element.clone()), obstacle });
                }
                Err(failure) => return Err(failure.into_error()),
            }
            frame = parent;
        }
        located.offset = (located.point.x - start.x, located.point.y - start.y);
        Ok(true)
    }

    /// The element that holds a frame, in its parent; nothing for the main frame.
    pub(crate) async fn holder(
        &self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Option<(FrameId, (Document, u32))>> {
        let (parent, document, known) = {
            let state = self.state();
            let Some(child) = state.frame(frame) else { return Ok(None) };
            let Some(parent) = child.parent.clone() else { return Ok(None) };
            let Some(holder) = state.frame(&parent) else { return Ok(None) };
            (parent, holder.document, child.owner.filter(|owner| owner.0 == holder.document))
        };
        if let Some(owner) = known {
            return Ok(Some((parent, owner)));
        }
        let number = self.within(deadline, self.driver().owner(frame, &parent)).await?;
        self.state().remember_owner(frame, (document, number));
        Ok(Some((parent, (document, number))))
    }

    pub(crate) fn numbers(&self, frame: &FrameId) -> (u32, Document) {
        let state = self.state();
        state.frame(frame).map_or((0, Document(0)), |frame| (frame.number, frame.document))
    }

    /// The agent's refusal, in words for a client.
    pub(crate) fn refused(&self, target: &Target, place: &Place, failure: Failure) -> Error {
        let element = |sketch: Sketch| self.element(place.number, place.document, sketch);
        match failure {
            Failure::Failed(error) => error,
            Failure::Gone => match target {
                Target::Ref(name) => Error::Stale { reference: *name, replaced: true },
                Target::Query(_) => Error::NoMatch { target: target.clone() },
            },
            Failure::Refused(refusal) => match refusal {
                Refusal::Unknown | Refusal::Stale => match target {
                    Target::Ref(name) => Error::Stale { reference: *name, replaced: false },
                    Target::Query(_) => Error::NoMatch { target: target.clone() },
                },
                Refusal::None => Error::NoMatch { target: target.clone() },
                Refusal::Many { count, matches } => Error::Ambiguous {
                    target: target.clone(),
                    count,
                    matches: matches.into_iter().map(element).collect(),
                },
                Refusal::Invalid { message } => Error::BadTarget { target: target.clone(), reason: message },
                Refusal::Timeout(stuck) => match stuck.element {
                    None => Error::NoMatch { target: target.clone() },
                    Some(sketch) => Error::NotReady {
                        obstacle: obstacle(
                            &stuck.reason,
                            stuck.by.map(|by| self.cover(place.number, place.document, by)),
                        ),
                        element: Box::new(element(sketch)),
                    },
                },
                other => Failure::Refused(other).into_error(),
            },
        }
    }

    /// The agent's refusal of something that was asked of an element that is there.
    pub(crate) fn refused_by(&self, located: &Located, failure: Failure) -> Error {
        match failure {
            Failure::Refused(Refusal::Misfit { message, options }) => {
                Error::Misfit { element: Box::new(located.element.clone()), reason: message, options }
            }
            Failure::Refused(Refusal::Stale | Refusal::Unknown) | Failure::Gone => {
                Error::Stale { reference: located.element.reference, replaced: false }
            }
            other => other.into_error(),
        }
    }

    /// What a click hit instead, in words for a client.
    pub(crate) fn hit_instead(&self, located: &Located, by: Option<Sketch>) -> Error {
        let (number, document) = self.numbers(&located.frame);
        Error::Missed {
            element: Box::new(located.element.clone()),
            by: by.map(|by| Box::new(self.element(number, document, by))),
        }
    }
}

fn obstacle(reason: &str, by: Option<Box<Cover>>) -> Obstacle {
    match reason {
        "moving" => Obstacle::Moving,
        "disabled" => Obstacle::Disabled,
        "readonly" => Obstacle::ReadOnly,
        "covered" => Obstacle::Covered(by),
        "through" => Obstacle::LetsPointerThrough(by),
        "outside" => Obstacle::Outside,
        _ => Obstacle::Hidden,
    }
}
