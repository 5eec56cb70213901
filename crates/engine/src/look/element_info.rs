//! Reads properties of elements without waiting: how many match, and the requested properties of the first
//! ones.

use cicerone_driver::Point;
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Deadline, Element, ElementError, Error, Result, Target,
    injected::{ElementSummary, InjectedError, Refusal},
    locate::{DocumentInFrame, FRAME_TIMEOUT, nth_of},
    page::parts::Inspector,
    query::Query,
    ready::Area,
};

/// A property to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Property {
    /// Whether it is visible.
    Visible,
    /// Whether it is enabled.
    Enabled,
    /// Whether it is editable.
    Editable,
    /// Whether it is checked.
    Checked,
    /// Its value; masked if it is a secret.
    Value,
    Text,
    /// Its bounds in the page's viewport.
    #[serde(rename = "box")]
    Bounds,
    /// Its tag name.
    Tag,
    /// All its attributes.
    Attributes,
    /// One attribute.
    Attribute(String),
}

/// The result of reading elements.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementList {
    /// Matches in the whole page.
    pub count: usize,
    /// The first matches.
    pub elements: Vec<ElementInfo>,
    /// Frames that did not answer; they may have more matches.
    pub silent: usize,
}

impl ElementList {
    /// The first match.
    pub fn first(&self) -> Option<&ElementInfo> {
        self.elements.first()
    }
}

/// An element with the requested properties.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementInfo {
    /// The element; without an accessible name, named by its text.
    pub element: Element,
    /// Whether it has no accessible name.
    pub unnamed: bool,
    /// Whether it is visible.
    pub visible: Option<bool>,
    /// Whether it is enabled.
    pub enabled: Option<bool>,
    /// Whether it is editable.
    pub editable: Option<bool>,
    /// Whether it is checked; `None` if it is not checkable.
    pub checked: Option<Checked>,
    /// Its value; `None` if it has none.
    pub value: Option<String>,
    pub text: Option<String>,
    /// Its bounds in the page's viewport.
    pub bounds: Option<Bounds>,
    /// Its tag name.
    pub tag: Option<String>,
    /// The requested attributes that exist.
    pub attributes: Vec<(String, String)>,
}

impl ElementInfo {
    /// Its accessible name, or an empty string.
    pub fn accessible_name(&self) -> &str {
        if self.unnamed { "" } else { &self.element.name }
    }

    /// A requested attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A checked state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// Checked.
    Yes,
    /// Not checked.
    No,
    /// Indeterminate.
    Mixed,
}

/// A rectangle in the page's viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// A frame's reply.
#[derive(Deserialize)]
struct ElementInfoReply {
    count: usize,
    elements: Vec<ElementFields>,
}

#[derive(Deserialize)]
struct ElementFields {
    #[serde(flatten)]
    summary: ElementSummary,
    #[serde(default)]
    unnamed: bool,
    #[serde(default)]
    healed: bool,
    visible: Option<bool>,
    enabled: Option<bool>,
    editable: Option<bool>,
    checked: Option<serde_json::Value>,
    value: Option<String>,
    text: Option<String>,
    #[serde(rename = "box")]
    area: Option<Area>,
    tag: Option<String>,
    #[serde(default)]
    attributes: Vec<(String, String)>,
}

impl Inspector<'_> {
    /// Reads properties of the first match. No match is a result, not an error.
    pub async fn element_info(self, target: &Target, properties: &[Property]) -> Result<ElementList> {
        self.element_infos(target, properties, 1).await
    }

    /// Reads properties of the first `most` matches.
    pub async fn element_infos(
        self,
        target: &Target,
        properties: &[Property],
        most: usize,
    ) -> Result<ElementList> {
        let deadline = Deadline::after(self.page.settings().action_timeout());
        match target {
            Target::Ref(name) => {
                let (place, local) = self.page.locator().follow(*name)?;
                let args = json!({ "target": { "ref": local }, "want": properties });
                match self
                    .page
                    .injected()
                    .ask::<ElementInfoReply>(&place.frame, "elementInfo", &args, deadline)
                    .await
                {
                    Ok(answer) => {
                        let healed = answer.elements.iter().any(|found| found.healed);
                        self.page.locator().note_followed(target, healed);
                        self.listed(vec![(place, answer)], most, 0, deadline).await
                    }
                    Err(failure) => Err(self.page.locator().refused(target, &place, failure)),
                }
            }
            // With a single frame, the injected script applies `nth` itself.
            Target::Query(query) => {
                match query.last_choice().filter(|_| self.page.locator().documents().len() > 1) {
                    None => {
                        let (answers, silent) =
                            self.ask_frames(target, query, properties, most, deadline).await?;
                        self.listed(answers, most, silent, deadline).await
                    }
                    Some((all, nth)) => self.nth_info(target, &all, nth, properties, deadline).await,
                }
            }
        }
    }

    /// Reads the nth match over all frames.
    async fn nth_info(
        self,
        target: &Target,
        all: &Query,
        nth: i32,
        properties: &[Property],
        deadline: Deadline,
    ) -> Result<ElementList> {
        let (mut answers, silent) = self.ask_frames(target, all, &[], 0, deadline).await?;
        let counts: Vec<usize> = answers.iter().map(|(_, answer)| answer.count).collect();
        let Some((at, local)) = nth_of(&counts, nth) else {
            return Ok(ElementList { count: 0, elements: Vec::new(), silent });
        };
        let (place, _) = answers.swap_remove(at);
        let args = json!({ "target": all.clone().nth(local), "want": properties });
        match self.page.injected().ask(&place.frame, "elementInfo", &args, deadline).await {
            Ok(answer) => self.listed(vec![(place, answer)], 1, silent, deadline).await,
            Err(failure) => Err(self.page.locator().refused(target, &place, failure)),
        }
    }

    /// The replies of all frames, and how many did not answer.
    async fn ask_frames(
        self,
        target: &Target,
        query: &Query,
        properties: &[Property],
        most: usize,
        deadline: Deadline,
    ) -> Result<(Vec<(DocumentInFrame, ElementInfoReply)>, usize)> {
        let args = json!({ "target": query, "want": properties, "most": most });
        loop {
            let main = self.page.main_frame();
            let documents = self.page.locator().documents();
            if documents.is_empty() {
                // The selected frame no longer exists.
                self.page.locator().chosen_frame()?;
            }
            let pending = documents.iter().map(|place| {
                let timeout = if place.frame == main { deadline } else { deadline.or_after(FRAME_TIMEOUT) };
                self.page.injected().ask::<ElementInfoReply>(&place.frame, "elementInfo", &args, timeout)
            });
            let replies = join_all(pending).await;
            let (mut answers, mut silent, mut navigated) = (Vec::new(), 0, documents.is_empty());
            for (place, reply) in documents.into_iter().zip(replies) {
                match reply {
                    Ok(answer) => answers.push((place, answer)),
                    Err(failure @ InjectedError::Refused(Refusal::Invalid { .. })) => {
                        return Err(self.page.locator().refused(target, &place, failure));
                    }
                    // A removed frame has no elements; a main frame that was replaced must be asked again.
                    Err(InjectedError::Gone) => navigated |= place.frame == main,
                    Err(failure) if place.frame == main => return Err(failure.into_error()),
                    Err(_) => silent += 1,
                }
            }
            match navigated {
                false => return Ok((answers, silent)),
                true if deadline.passed() => return Err(InjectedError::Gone.into_error()),
                true => {}
            }
        }
    }

    async fn listed(
        self,
        answers: Vec<(DocumentInFrame, ElementInfoReply)>,
        most: usize,
        silent: usize,
        deadline: Deadline,
    ) -> Result<ElementList> {
        let count = answers.iter().map(|(_, answer)| answer.count).sum();
        let mut elements = Vec::new();
        for (place, answer) in answers {
            let left = most.saturating_sub(elements.len());
            for found in answer.elements.into_iter().take(left) {
                elements.push(self.info(&place, found, deadline).await?);
            }
        }
        Ok(ElementList { count, elements, silent })
    }

    async fn info(
        self,
        place: &DocumentInFrame,
        found: ElementFields,
        deadline: Deadline,
    ) -> Result<ElementInfo> {
        let bounds = match found.area {
            Some(area) => Some(self.bounds(place, &found.summary, area, deadline).await?),
            None => None,
        };
        Ok(ElementInfo {
            element: self.page.locator().element(place.number, place.document, found.summary),
            unnamed: found.unnamed,
            visible: found.visible,
            enabled: found.enabled,
            editable: found.editable,
            checked: found.checked.and_then(checked),
            value: found.value,
            text: found.text,
            bounds,
            tag: found.tag,
            attributes: found.attributes,
        })
    }

    /// Converts frame coordinates to page coordinates, by two corners, because frames may be scaled.
    async fn bounds(
        self,
        place: &DocumentInFrame,
        summary: &ElementSummary,
        area: Area,
        deadline: Deadline,
    ) -> Result<Bounds> {
        let corner = async |x: f64, y: f64| {
            let mut located = self.page.locator().located(place, summary.clone(), Point { x, y }, area);
            match self.page.geometry().to_page(&mut located, false, deadline).await? {
                true => Ok(located.point),
                false => Err(Error::Element(ElementError::Stale {
                    reference: located.element.reference,
                    replaced: true,
                })),
            }
        };
        let top_left = corner(area.x, area.y).await?;
        let bottom_right = corner(area.x + area.width, area.y + area.height).await?;
        Ok(Bounds {
            x: top_left.x,
            y: top_left.y,
            width: bottom_right.x - top_left.x,
            height: bottom_right.y - top_left.y,
        })
    }
}

fn checked(state: serde_json::Value) -> Option<Checked> {
    match state {
        serde_json::Value::Bool(true) => Some(Checked::Yes),
        serde_json::Value::Bool(false) => Some(Checked::No),
        serde_json::Value::String(_) => Some(Checked::Mixed),
        _ => None,
    }
}
