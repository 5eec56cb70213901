//! Locates the element of a target and waits until it is actionable.

use std::fmt;

use cicerone_driver::{DriverError, FrameId, Point};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Deadline, ElementError, Error, Misfit, NewsItem, Ref, Result, Target,
    act::click::Hit,
    error::{Cover, Obstacle},
    injected::{CoverSummary, ElementSummary, InjectedError, Refusal, TimeoutReason},
    locate::DocumentInFrame,
    news,
    page::parts::{Geometry, Locator},
    refs::Document,
    settle::AfterFrames,
    snapshot::quoted,
};

/// An element as shown to a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Its ARIA role.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    /// Its ref.
    pub reference: Ref,
}

impl Element {
    /// `button "Save"`, without the ref.
    pub fn kind(&self) -> String {
        let role = match &*self.role {
            "" => "element",
            // As in snapshots.
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

/// A located element.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) element: Element,
    pub(crate) frame: FrameId,
    pub(crate) number: u32,
    /// The point to click, in the page's viewport.
    pub(crate) point: Point,
    /// Its bounds in its frame's viewport.
    pub(crate) area: Area,
    /// From its frame's viewport to the page's.
    pub(crate) offset: (f64, f64),
    /// Whether typing into it usually changes something else (autocomplete).
    pub(crate) promises: bool,
}

/// A rectangle.
#[derive(Debug, Clone, Copy, Deserialize, Default)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The actionability checks of an action, and the event to intercept if it hits another element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs(&'static [&'static str], Option<&'static str>);

impl Needs {
    /// For a click.
    pub(crate) const CLICK: Self = Self(&["attached", "visible", "stable", "enabled", "hit"], Some("click"));
    /// For the press that begins a drag.
    pub(crate) const PRESS: Self = Self(&["attached", "visible", "stable", "hit"], Some("press"));
    /// For moving the pointer, to see whether its events arrive.
    pub(crate) const HOVER: Self = Self(&["attached", "visible", "stable", "hit"], Some("hover"));
    /// For moving the pointer.
    pub(crate) const POINT: Self = Self(&["attached", "visible", "stable", "hit"], None);
    /// For typing.
    pub(crate) const EDIT: Self = Self(&["attached", "visible", "enabled", "editable"], None);
    /// For selecting options and focusing.
    pub(crate) const CHOOSE: Self = Self(&["attached", "visible", "enabled"], None);
    /// For dispatching events.
    pub(crate) const ENABLED: Self = Self(&["attached", "enabled"], None);
    /// For scrolling and screenshots.
    pub(crate) const SEE: Self = Self(&["attached", "visible"], None);
    /// For everything else.
    pub(crate) const EXIST: Self = Self(&["attached"], None);
}

#[derive(Deserialize)]
struct Ready {
    #[serde(flatten)]
    summary: ElementSummary,
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
struct ThroughArgs {
    num: u32,
    x: f64,
    y: f64,
    /// Accept a point that is covered or out of view.
    anywhere: bool,
}

impl Locator<'_> {
    /// The element of a target, once its checks pass.
    pub(crate) async fn ready(self, target: &Target, needs: Needs, deadline: Deadline) -> Result<Located> {
        let mut scrolled = false;
        loop {
            let (place, query) = self.place(target, deadline).await?;
            // Also if it is not ready.
            self.note_followed(target, false);
            let mut args = json!({
                "target": query,
                "needs": needs.0,
                "timeout": u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX),
            });
            if let Some(arm) = needs.1 {
                args["arm"] = arm.into();
            }
            let answer: std::result::Result<Ready, InjectedError> =
                self.page.injected().ask(&place.frame, "ready", &args, deadline.with_grace()).await;
            let ready = match answer {
                Ok(ready) => ready,
                // The document was replaced; a ref reports that itself.
                Err(InjectedError::Gone) if !deadline.passed() => continue,
                Err(failure) => return Err(self.refused(target, &place, failure)),
            };
            let point = Point { x: ready.x, y: ready.y };
            let hit = needs.0.contains(&"hit");
            let mut located = self.located(&place, ready.summary, point, ready.area);
            self.note_followed(target, ready.healed);
            located.promises = ready.promises;
            match self.page.geometry().to_page(&mut located, hit, deadline).await {
                Ok(true) => {
                    self.page.state().acted_on = Some((place.document, located.number));
                    return Ok(located);
                }
                Ok(false) if deadline.passed() => {
                    return Err(Error::Driver(DriverError::Gone));
                }
                Ok(false) => {}
                // Its frame is out of view: scrolling the element scrolls the frames around it, too.
                Err(Error::Element(ElementError::NotReady { obstacle: Obstacle::Outside, .. }))
                    if !scrolled =>
                {
                    scrolled = true;
                    self.page.mouse().bring_into_view(&located, deadline).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The next reply tells that a ref moved to the element that replaced its own: in the page, or by an earlier diff.
    pub(crate) fn note_followed(self, target: &Target, healed: bool) {
        let Target::Ref(name) = target else { return };
        let followed = self.page.refs().take_followed(*name);
        if healed || followed {
            news::add(&mut self.page.state().news, NewsItem::RefFollowed(*name));
        }
    }

    pub(crate) fn located(
        self,
        place: &DocumentInFrame,
        summary: ElementSummary,
        point: Point,
        area: Area,
    ) -> Located {
        Located {
            number: summary.num,
            element: self.element(place.number, place.document, summary),
            frame: place.frame.clone(),
            point,
            area,
            offset: (0.0, 0.0),
            promises: false,
        }
    }

    pub(crate) fn element(self, frame: u32, document: Document, summary: ElementSummary) -> Element {
        let reference = self.page.refs().give(self.page.id(), frame, document, summary.num);
        Element { role: summary.role, name: summary.name, reference }
    }

    fn cover(self, frame: u32, document: Document, by: CoverSummary) -> Box<Cover> {
        let has = by.has.into_iter().map(|summary| self.element(frame, document, summary)).collect();
        Box::new(Cover { element: self.element(frame, document, by.element), has })
    }

    /// The owner element of a frame in its parent; `None` for the main frame.
    pub(crate) async fn holder(
        self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Option<(FrameId, (Document, u32))>> {
        let (parent, document, known) = {
            let state = self.page.state();
            let Some(child) = state.frame(frame) else { return Ok(None) };
            let Some(parent) = child.parent.clone() else { return Ok(None) };
            let Some(holder) = state.frame(&parent) else { return Ok(None) };
            (parent, holder.document, child.owner.filter(|owner| owner.0 == holder.document))
        };
        if let Some(owner) = known {
            return Ok(Some((parent, owner)));
        }
        let number = self.page.injected().within(deadline, self.page.driver().owner(frame, &parent)).await?;
        self.page.state().remember_owner(frame, (document, number));
        Ok(Some((parent, (document, number))))
    }

    pub(crate) fn numbers(self, frame: &FrameId) -> (u32, Document) {
        let state = self.page.state();
        state.frame(frame).map_or((0, Document(0)), |frame| (frame.number, frame.document))
    }

    /// The client's error for a refused target.
    pub(crate) fn refused(self, target: &Target, place: &DocumentInFrame, failure: InjectedError) -> Error {
        let element = |summary: ElementSummary| self.element(place.number, place.document, summary);
        match failure {
            InjectedError::Failed(error) => error,
            InjectedError::Gone => match target {
                Target::Ref(name) => Error::Element(ElementError::Stale { reference: *name, replaced: true }),
                Target::Query(_) => Error::Element(ElementError::NoMatch { target: target.clone() }),
            },
            InjectedError::Refused(refusal) => match refusal {
                Refusal::Unknown | Refusal::Stale => match target {
                    Target::Ref(name) => {
                        Error::Element(ElementError::Stale { reference: *name, replaced: false })
                    }
                    Target::Query(_) => Error::Element(ElementError::NoMatch { target: target.clone() }),
                },
                Refusal::None => Error::Element(ElementError::NoMatch { target: target.clone() }),
                Refusal::Many { count, matches } => Error::Element(ElementError::Ambiguous {
                    target: target.clone(),
                    count,
                    matches: matches.into_iter().map(element).collect(),
                }),
                Refusal::Invalid { message } => {
                    Error::Element(ElementError::BadTarget { target: target.clone(), reason: message })
                }
                Refusal::Timeout(not_ready) => match not_ready.element {
                    None => Error::Element(ElementError::NoMatch { target: target.clone() }),
                    Some(summary) => {
                        let by = not_ready.by.map(|by| self.cover(place.number, place.document, by));
                        not_ready_error(element(summary), not_ready.reason, by)
                    }
                },
                other => InjectedError::Refused(other).into_error(),
            },
        }
    }

    /// The client's error for a refused call on a located element.
    pub(crate) fn refused_by(self, located: &Located, failure: InjectedError) -> Error {
        match failure {
            InjectedError::Refused(Refusal::Misfit { message, options }) => {
                Error::Element(ElementError::Misfit {
                    element: Box::new(located.element.clone()),
                    reason: Misfit::InPage(message),
                    options,
                })
            }
            InjectedError::Refused(Refusal::Stale | Refusal::Unknown) | InjectedError::Gone => {
                Error::Element(ElementError::Stale { reference: located.element.reference, replaced: false })
            }
            other => other.into_error(),
        }
    }

    /// The error for a click or press that did not hit its element, if it did not.
    pub(crate) fn not_hit(self, located: &Located, landed: AfterFrames) -> Option<Error> {
        match landed.hit {
            Hit::Target => None,
            Hit::Missed => Some(self.hit_instead(located, landed.by)),
            Hit::None | Hit::Unarmed => {
                Some(Error::Element(ElementError::HitAnotherFrame(Box::new(located.element.clone()))))
            }
        }
    }

    /// The client's error for a click that hit another element.
    fn hit_instead(self, located: &Located, by: Option<ElementSummary>) -> Error {
        let (number, document) = self.numbers(&located.frame);
        Error::Element(ElementError::Missed {
            element: Box::new(located.element.clone()),
            by: by.map(|by| Box::new(self.element(number, document, by))),
        })
    }
}

impl Geometry<'_> {
    /// Converts the point to page coordinates through all parent frames; false if a frame was removed.
    pub(crate) async fn to_page(self, located: &mut Located, hit: bool, deadline: Deadline) -> Result<bool> {
        let start = located.point;
        let mut frame = located.frame.clone();
        while let Some((parent, owner)) = self.page.locator().holder(&frame, deadline).await? {
            let Point { x, y } = located.point;
            let args = ThroughArgs { num: owner.1, x, y, anywhere: !hit };
            let answer = self.page.injected().ask(&parent, "frameOffset", &args, deadline.with_grace()).await;
            match answer {
                Ok(point) => located.point = point,
                Err(InjectedError::Gone) => return Ok(false),
                Err(InjectedError::Refused(Refusal::Timeout(not_ready))) => {
                    let (number, document) = self.page.locator().numbers(&parent);
                    let by = not_ready.by.map(|by| self.page.locator().cover(number, document, by));
                    return Err(not_ready_error(located.element.clone(), not_ready.reason, by));
                }
                Err(failure) => return Err(failure.into_error()),
            }
            frame = parent;
        }
        located.offset = (located.point.x - start.x, located.point.y - start.y);
        Ok(true)
    }
}

fn not_ready_error(element: Element, reason: TimeoutReason, by: Option<Box<Cover>>) -> Error {
    match obstacle(reason, by) {
        Some(obstacle) => ElementError::NotReady { element: Box::new(element), obstacle }.into(),
        None => Error::Driver(DriverError::Refused {
            command: "the injected function",
            message: format!("timed out: {reason:?}"),
        }),
    }
}

/// What prevents an action; `None` if the script waited for something else.
fn obstacle(reason: TimeoutReason, by: Option<Box<Cover>>) -> Option<Obstacle> {
    Some(match reason {
        TimeoutReason::Hidden => Obstacle::Hidden,
        TimeoutReason::Moving => Obstacle::Moving,
        TimeoutReason::Disabled => Obstacle::Disabled,
        TimeoutReason::ReadOnly => Obstacle::ReadOnly,
        TimeoutReason::Covered => Obstacle::Covered(by),
        TimeoutReason::Through => Obstacle::LetsPointerThrough(by),
        TimeoutReason::Outside => Obstacle::Outside,
        TimeoutReason::Text | TimeoutReason::Element | TimeoutReason::Picked => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_reason_is_an_error_and_not_another_reason() {
        let known = r#"{"kind":"timeout","reason":"readonly","num":1}"#;
        let Ok(Refusal::Timeout(not_ready)) = serde_json::from_str(known) else { panic!("{known}") };
        assert_eq!(obstacle(not_ready.reason, None), Some(Obstacle::ReadOnly));
        for unknown in [r#"{"kind":"timeout","reason":"asleep","num":1}"#, r#"{"kind":"timeout","num":1}"#] {
            assert!(serde_json::from_str::<Refusal>(unknown).is_err(), "{unknown}");
        }
    }
}
