//! Examining elements: how many there are, and what is asked for of the first of them. Nothing is waited for.

use cicerone_driver::Point;
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Deadline, Element, Error, Page, Result, Target,
    agent::{Failure, Refusal, Sketch},
    places::{FRAME_PATIENCE, Place, nth_of},
    query::Query,
    ready::Area,
};

/// Something that can be asked for of an element.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Facet {
    /// Whether it can be seen.
    Visible,
    /// Whether it is not disabled.
    Enabled,
    /// Whether it can be typed into.
    Editable,
    /// Whether it is checked.
    Checked,
    /// What it holds; masked where it is a secret.
    Value,
    /// What it says.
    Text,
    /// Where it is, in the page's viewport.
    #[serde(rename = "box")]
    Bounds,
    /// Its tag.
    Tag,
    /// All its attributes.
    Attributes,
    /// One attribute.
    Attribute(String),
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Examined {
    /// How many elements match, in the whole page.
    pub count: usize,
    /// The first of them.
    pub elements: Vec<Examination>,
    /// How many frames did not answer, and may have more.
    pub silent: usize,
}

impl Examined {
    /// The first match.
    pub fn first(&self) -> Option<&Examination> {
        self.elements.first()
    }
}

/// One element, with what was asked for of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Examination {
    /// The element; where it has no accessible name, named by what it says.
    pub element: Element,
    /// Whether it has no accessible name.
    pub unnamed: bool,
    /// Whether its ref followed it to where it was rendered anew.
    pub healed: bool,
    /// Whether it can be seen.
    pub visible: Option<bool>,
    /// Whether it is not disabled.
    pub enabled: Option<bool>,
    /// Whether it can be typed into.
    pub editable: Option<bool>,
    /// Whether it is checked; nothing for what cannot be.
    pub checked: Option<Checked>,
    /// What it holds; nothing for what holds no value.
    pub value: Option<String>,
    /// What it says.
    pub text: Option<String>,
    /// Where it is, in the page's viewport.
    pub bounds: Option<Bounds>,
    /// Its tag.
    pub tag: Option<String>,
    /// Its attributes that were asked for and are there.
    pub attributes: Vec<(String, String)>,
}

impl Examination {
    /// Its accessible name; empty where it has none, whatever it says.
    pub fn accessible_name(&self) -> &str {
        if self.unnamed { "" } else { &self.element.name }
    }

    /// An attribute that was asked for.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Whether something is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// Some of what it stands for is.
    Mixed,
}

/// A box in the page's viewport, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "they are called what they are")]
pub struct Bounds {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// What one frame answers.
#[derive(Deserialize)]
struct Answer {
    count: usize,
    elements: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    #[serde(flatten)]
    sketch: Sketch,
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

impl Page {
    /// How many elements a target means, and what is wanted of the first. None is an answer, not an error.
    pub async fn examine(&self, target: &Target, wanted: &[Facet]) -> Result<Examined> {
        self.examine_all(target, wanted, 1).await
    }

    /// The same, for so many of them.
    pub async fn examine_all(&self, target: &Target, wanted: &[Facet], most: usize) -> Result<Examined> {
        let deadline = Deadline::after(self.action_timeout());
        match target {
            Target::Ref(name) => {
                let (place, local) = self.follow(*name)?;
                let args = json!({ "target": { "ref": local }, "want": wanted });
                match self.ask(&place.frame, "examine", &args, deadline).await {
                    Ok(answer) => self.examined(vec![(place, answer)], most, 0, deadline).await,
                    Err(failure) => Err(self.refused(target, &place, failure)),
                }
            }
            // In one frame the agent chooses by itself.
            Target::Query(query) => match query.last_choice().filter(|_| self.places().len() > 1) {
                None => {
                    let (answers, silent) =
                        self.examine_frames(target, query, wanted, most, deadline).await?;
                    self.examined(answers, most, silent, deadline).await
                }
                Some((all, nth)) => self.examine_one(target, &all, nth, wanted, deadline).await,
            },
        }
    }

    /// The nth of all that match, through all frames.
    async fn examine_one(
        &self,
        target: &Target,
        all: &Query,
        nth: i32,
        wanted: &[Facet],
        deadline: Deadline,
    ) -> Result<Examined> {
        let (mut answers, silent) = self.examine_frames(target, all, &[], 0, deadline).await?;
        let counts: Vec<usize> = answers.iter().map(|(_, answer)| answer.count).collect();
        let Some((at, local)) = nth_of(&counts, nth) else {
            return Ok(Examined { count: 0, elements: Vec::new(), silent });
        };
        let (place, _) = answers.swap_remove(at);
        let args = json!({ "target": all.clone().nth(local), "want": wanted });
        match self.ask(&place.frame, "examine", &args, deadline).await {
            Ok(answer) => self.examined(vec![(place, answer)], 1, silent, deadline).await,
            Err(failure) => Err(self.refused(target, &place, failure)),
        }
    }

    /// What every frame answers, and how many do not.
    async fn examine_frames(
        &self,
        target: &Target,
        query: &Query,
        wanted: &[Facet],
        most: usize,
        deadline: Deadline,
    ) -> Result<(Vec<(Place, Answer)>, usize)> {
        let args = json!({ "target": query, "want": wanted, "most": most });
        loop {
            let main = self.main_frame();
            let places = self.places();
            if places.is_empty() {
                // A frame that was asked for and is not there.
                self.chosen_frame()?;
            }
            let asking = places.iter().map(|place| {
                let patience = if place.frame == main { deadline } else { deadline.or_after(FRAME_PATIENCE) };
                self.ask::<Answer>(&place.frame, "examine", &args, patience)
            });
            let replies = join_all(asking).await;
            let (mut answers, mut silent, mut moved) = (Vec::new(), 0, places.is_empty());
            for (place, reply) in places.into_iter().zip(replies) {
                match reply {
                    Ok(answer) => answers.push((place, answer)),
                    Err(failure @ Failure::Refused(Refusal::Invalid { .. })) => {
                        return Err(self.refused(target, &place, failure));
                    }
                    // A frame that went has no elements; the page itself has another document by now.
                    Err(Failure::Gone) => moved |= place.frame == main,
                    Err(failure) if place.frame == main => return Err(failure.into_error()),
                    Err(_) => silent += 1,
                }
            }
            match moved {
                false => return Ok((answers, silent)),
                true if deadline.passed() => return Err(Failure::Gone.into_error()),
                true => {}
            }
        }
    }

    async fn examined(
        &self,
        answers: Vec<(Place, Answer)>,
        most: usize,
        silent: usize,
        deadline: Deadline,
    ) -> Result<Examined> {
        let count = answers.iter().map(|(_, answer)| answer.count).sum();
        let mut elements = Vec::new();
        for (place, answer) in answers {
            let left = most.saturating_sub(elements.len());
            for found in answer.elements.into_iter().take(left) {
                elements.push(self.examination(&place, found, deadline).await?);
            }
        }
        Ok(Examined { count, elements, silent })
    }

    async fn examination(&self, place: &Place, found: Found, deadline: Deadline) -> Result<Examination> {
        let bounds = match found.area {
            Some(area) => Some(self.bounds(place, &found.sketch, area, deadline).await?),
            None => None,
        };
        Ok(Examination {
            element: self.element(place.number, place.document, found.sketch),
            unnamed: found.unnamed,
            healed: found.healed,
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

    /// From a frame's own coordinates to the page's: two corners, for frames may be scaled.
    async fn bounds(&self, place: &Place, sketch: &Sketch, area: Area, deadline: Deadline) -> Result<Bounds> {
        let corner = async |x: f64, y: f64| {
            let mut located = self.located(place, sketch.clone(), Point { x, y }, area, false);
            match self.to_page(&mut located, false, deadline).await? {
                true => Ok(located.point),
                false => Err(Error::Stale { reference: located.element.reference, replaced: true }),
            }
        };
        let near = corner(area.x, area.y).await?;
        let far = corner(area.x + area.width, area.y + area.height).await?;
        Ok(Bounds { x: near.x, y: near.y, width: far.x - near.x, height: far.y - near.y })
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
