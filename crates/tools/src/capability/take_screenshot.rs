//! Taking a picture of the page.

use std::path::PathBuf;

use cicerone_engine::{Encoding, Picture, ShotOf, Target, Wanted};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Image, ImageResponses, Output,
    argument::{Argument, choices},
    dialect::BROWSER,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

#[derive(Default)]
pub(super) struct TakeScreenshot {
    element: Option<Target>,
    full_page: bool,
    encoding: Encoding,
    name: Option<PathBuf>,
}

/// A picture, and what is to be said of it.
pub(super) struct Taken {
    picture: Picture,
    what: &'static str,
    responses: ImageResponses,
}

choices! {
    Encoding {
        "png" => Encoding::Png,
        "jpeg" => Encoding::Jpeg,
    } | {
        "jpg" => Encoding::Jpeg,
    }
}

impl Capability for TakeScreenshot {
    type On = OnPage;
    type Output = Taken;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<Taken, Failure> {
        let responses = on.call.settings.image_responses;
        let (of, what) = match (self.element, self.full_page) {
            (Some(element), _) => (ShotOf::Element(element), "the element"),
            (None, true) => (ShotOf::FullPage, "the full page"),
            (None, false) => (ShotOf::Viewport, "the viewport"),
        };
        let inline = responses == ImageResponses::Inline;
        let wanted = Wanted { of, encoding: self.encoding, name: self.name, inline };
        Ok(Taken { picture: on.page.screenshot(&wanted).await?, what, responses })
    }
}

impl Taken {
    fn told(&self) -> String {
        let what = match &self.picture.element {
            Some(element) => element.to_string(),
            None => self.what.to_owned(),
        };
        let size = self.picture.size;
        let size = format!("{}x{}", size.width, size.height);
        match self.responses {
            ImageResponses::Omit => format!("Screenshot of {what} taken"),
            ImageResponses::File => format!("Screenshot of {what}, {size}: {}", self.picture.path.display()),
            ImageResponses::Inline => {
                let shown = self.picture.inline.as_ref().map(|(_, shown)| *shown);
                let scaled = shown
                    .filter(|shown| *shown != self.picture.size)
                    .map(|shown| format!(" (shown here at {}x{})", shown.width, shown.height))
                    .unwrap_or_default();
                format!("Screenshot of {what}, {size}{scaled}: {}", self.picture.path.display())
            }
        }
    }

    fn images(&self) -> Vec<Image> {
        let image = |(bytes, _): &(Vec<u8>, _)| Image { bytes: bytes.clone(), mime: "image/jpeg" };
        self.picture.inline.iter().map(image).collect()
    }
}

impl Output for Taken {
    fn facts(&self) -> Map<String, Value> {
        let size = self.picture.size;
        let mut facts = facts! { "width" => size.width, "height" => size.height };
        if self.responses != ImageResponses::Omit {
            facts.insert("path".into(), self.picture.path.display().to_string().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "width" => of("integer"), "height" => of("integer"), "path" => of("string") }
    }
}

pub(super) fn faces() -> [Face<TakeScreenshot>; 1] {
    [BROWSER
        .tool("browser_take_screenshot", "Take a picture of the viewport, an element or the full page")
        .takes((), |()| TakeScreenshot::default())
        .opt("ref", "Only this element", |shot, element| shot.element = Some(element))
        .described("element")
        .opt("fullPage", "", |shot, full| shot.full_page = full)
        .opt("type", "", |shot, encoding| shot.encoding = encoding)
        .opt("filename", "", |shot, name| shot.name = Some(name))
        .provided(|shot| match (&shot.element, shot.full_page) {
            (Some(_), true) => Err(BadArguments::Together("fullPage cannot be combined with ref")),
            _ => Ok(()),
        })
        .says(Taken::told)
        .shows(Taken::images)]
}
