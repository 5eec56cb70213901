//! A picture for vision models, with a listing of what it shows.

use cicerone_engine::{Inlined, Outline, ShotOf, Snapshot, Target};
use serde_json::{Map, Value};

use super::snapshot::listed;
use crate::{
    BadArguments, Capability, Effect, Face, Image, Output,
    dialect::{VISION, vision::SESSION},
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct VisionScreenshot {
    element: Option<Target>,
    full_page: bool,
    listing: bool,
}

/// The picture, and the listing where it is wanted.
pub(super) struct Seen {
    picture: Inlined,
    snapshot: Option<Snapshot>,
}

impl Capability for VisionScreenshot {
    type On = OnPage;
    type Output = Seen;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<Seen, Failure> {
        let of = match (&self.element, self.full_page) {
            (Some(element), _) => ShotOf::Element(element.clone()),
            (None, true) => ShotOf::FullPage,
            (None, false) => ShotOf::Viewport,
        };
        let (picture, _) =
            on.page.rendering().vision_image(&of, on.call.settings.max_image_dimension).await?;
        let snapshot = match self.listing {
            true => {
                let within = self.element;
                let outline = Outline { listing: true, compact: true, within, ..Outline::default() };
                Some(on.page.snapshots().outline(&outline).await?)
            }
            false => None,
        };
        Ok(Seen { picture, snapshot })
    }
}

impl Output for Seen {
    fn facts(&self) -> Map<String, Value> {
        facts! { "width" => self.picture.size.width, "height" => self.picture.size.height }
    }

    fn schema() -> Map<String, Value> {
        facts! { "width" => of("integer"), "height" => of("integer") }
    }
}

pub(super) fn faces() -> [Face<VisionScreenshot>; 1] {
    [VISION
        .tool("browser.screenshot", "Capture screenshot optimized for vision models")
        .takes((), |()| VisionScreenshot { element: None, full_page: false, listing: true })
        .example(r#"{"fullPage": false}"#)
        .opt("selector", "CSS selector for specific element", |shot, element| shot.element = Some(element))
        .opt("fullPage", "Capture full page vs viewport", |shot, full| shot.full_page = full)
        .default(false)
        .opt("includeAccessibilityTree", "Include accessibility tree as text", |shot, listing| {
            shot.listing = listing;
        })
        .default(true)
        .in_context("sessionId", SESSION)
        .validate(|shot| match shot {
            VisionScreenshot { element: Some(_), full_page: true, .. } => {
                Err(BadArguments::Together("fullPage cannot be combined with selector"))
            }
            _ => Ok(()),
        })
        .says(|out| match &out.snapshot {
            Some(snapshot) => listed(snapshot),
            None => format!("Screenshot captured ({}x{})", out.picture.size.width, out.picture.size.height),
        })
        .shows(|out| vec![Image { bytes: out.picture.bytes.clone(), mime: out.picture.encoding.mime() }])]
}
