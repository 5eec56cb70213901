//! Taking a picture of the page.

use std::path::{Path, PathBuf};

use cicerone_engine::{Encoding, Inline, Keep, Marked, Picture, ScreenshotOptions, ShotOf, Size, Target};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Cap, Capability, Effect, Face, Image, ImageResponses, Output,
    argument::{Argument, choices},
    bad_arguments::both,
    dialect::{BROWSER, COMPANION, LAUNCH, companion::TAB},
    ending::check_ending,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct TakeScreenshot {
    element: Option<Target>,
    full_page: bool,
    encoding: Encoding,
    /// The file that is asked for.
    name: Option<PathBuf>,
    /// Whether refs are drawn onto it.
    annotate: bool,
    delivery: ImageDelivery,
}

/// Where a picture goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImageDelivery {
    /// Always into a file; what the reply has of it is for the client's options to say.
    Filed,
    /// Into the reply, and into a file where one is named.
    Shown,
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

impl TakeScreenshot {
    fn new(delivery: ImageDelivery) -> Self {
        Self {
            element: None,
            full_page: false,
            encoding: Encoding::Png,
            name: None,
            annotate: false,
            delivery,
        }
    }
}

impl Capability for TakeScreenshot {
    type On = OnPage;
    type Output = Taken;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<Taken, Failure> {
        let responses = match self.delivery {
            ImageDelivery::Filed => on.call.settings.image_responses,
            ImageDelivery::Shown => ImageResponses::Inline,
        };
        let (of, what) = match (self.element, self.full_page) {
            (Some(element), _) => (ShotOf::Element(element), "the element"),
            (None, true) => (ShotOf::FullPage, "the full page"),
            (None, false) => (ShotOf::Viewport, "the viewport"),
        };
        let (keep, inline) = match (self.delivery, responses) {
            (ImageDelivery::Shown, _) => (self.name.map(Keep::Named), Inline::Whole),
            (ImageDelivery::Filed, ImageResponses::Inline) => (Some(named(self.name)), Inline::Small),
            (ImageDelivery::Filed, _) => (Some(named(self.name)), Inline::Nothing),
        };
        let wanted = ScreenshotOptions {
            of,
            encoding: self.encoding,
            keep,
            inline,
            annotate: self.annotate,
            ..ScreenshotOptions::default()
        };
        Ok(Taken { picture: on.page.rendering().screenshot(&wanted).await?, what, responses })
    }
}

fn named(name: Option<PathBuf>) -> Keep {
    name.map_or(Keep::Timed, Keep::Named)
}

/// The elements whose refs are on a picture, one a line.
pub(super) fn listed(marks: &[Marked], sign: &str) -> String {
    let line = |mark: &Marked| format!("\n{sign}{} {}", mark.reference, mark.kind);
    marks.iter().map(line).collect()
}

/// What is said of a picture that no browser renders in the size that was asked for.
pub(super) fn scaled_down(picture: &Picture) -> String {
    picture.scaled_from.map(|size| format!(", scaled down from {}", sized(size))).unwrap_or_default()
}

fn sized(size: Size) -> String {
    format!("{}x{}", size.width, size.height)
}

impl Taken {
    fn sentence(&self) -> String {
        format!("{}{}", self.described(), listed(&self.picture.marks, ""))
    }

    fn described(&self) -> String {
        let what = match &self.picture.element {
            Some(element) => element.to_string(),
            None => self.what.to_owned(),
        };
        let size = format!("{}{}", sized(self.picture.size), scaled_down(&self.picture));
        let path = self.picture.path.as_deref().unwrap_or(Path::new("")).display();
        match self.responses {
            ImageResponses::Omit => format!("Screenshot of {what} taken"),
            ImageResponses::File => format!("Screenshot of {what}, {size}: {path}"),
            ImageResponses::Inline => {
                let shown = self.picture.inline.as_ref().map(|inline| inline.size);
                let scaled = shown
                    .filter(|shown| *shown != self.picture.size)
                    .map(|shown| format!(" (shown here at {})", sized(shown)))
                    .unwrap_or_default();
                format!("Screenshot of {what}, {size}{scaled}: {path}")
            }
        }
    }

    /// `Screenshot captured (1280x720)`, with the words of the dialect, and the file where there is one.
    fn captured(&self, words: &str) -> String {
        let saved = match &self.picture.path {
            Some(path) => format!(" and saved to {}", path.display()),
            None => String::new(),
        };
        format!("{words} ({}){saved}", sized(self.picture.size))
    }

    fn images(&self) -> Vec<Image> {
        let inline = self.picture.inline.iter();
        inline.map(|inline| Image { bytes: inline.bytes.clone(), mime: inline.encoding.mime() }).collect()
    }
}

impl Output for Taken {
    fn facts(&self) -> Map<String, Value> {
        let size = self.picture.size;
        let mut facts = facts! { "width" => size.width, "height" => size.height };
        if let (Some(path), true) = (&self.picture.path, self.responses != ImageResponses::Omit) {
            facts.insert("path".into(), path.display().to_string().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "width" => of("integer"), "height" => of("integer"), "path" => of("string") }
    }
}

fn one_of_both(shot: &TakeScreenshot) -> Result<(), BadArguments> {
    match (&shot.element, shot.full_page) {
        (Some(_), true) => Err(BadArguments::Together("fullPage cannot be combined with an element")),
        (None, true) if shot.annotate => {
            Err(BadArguments::Together("annotate cannot be combined with fullPage"))
        }
        _ => Ok(()),
    }
}

/// The same, and the file must be called as pictures of its type are.
fn well_named(shot: &TakeScreenshot, argument: &'static str) -> Result<(), BadArguments> {
    let endings: &[&str] = match shot.encoding {
        Encoding::Png => &["png"],
        Encoding::Jpeg => &["jpg", "jpeg"],
        Encoding::WebP => &["webp"],
    };
    both(one_of_both(shot), check_ending(argument, shot.name.as_deref(), endings)).map(|_| ())
}

pub(super) fn faces() -> [Face<TakeScreenshot>; 3] {
    [
        BROWSER
            .tool("browser_take_screenshot", "Take a picture of the viewport, an element or the full page")
            .takes((), |()| TakeScreenshot::new(ImageDelivery::Filed))
            .example(r#"{"fullPage": true, "filename": "page.png"}"#)
            .opt("ref", "Only this element", |shot, element| shot.element = Some(element))
            .described("element")
            .alias("target", "ref")
            .opt("fullPage", "", |shot, full| shot.full_page = full)
            .opt("type", "", |shot, encoding| shot.encoding = encoding)
            .opt("filename", "", |shot, name| shot.name = Some(name))
            .opt("annotate", "Draw refs onto elements", |shot, annotate| shot.annotate = annotate)
            .needs_for_argument(Cap::Annotate)
            .validate(|shot| well_named(shot, "filename"))
            .says(Taken::sentence)
            .shows(Taken::images),
        LAUNCH
            .tool("browser_screenshot", "Take a screenshot of the page or of an element")
            .takes((), |()| TakeScreenshot::new(ImageDelivery::Shown))
            .example(r#"{"fullPage": true}"#)
            .opt("selector", "Optional: selector for element to screenshot", |shot, element| {
                shot.element = Some(element);
            })
            .opt("fullPage", "Capture full scrollable page", |shot, full| shot.full_page = full)
            .default(false)
            .opt("path", "Optional: file path to save screenshot", |shot, path: PathBuf| {
                // As people write paths: a bare name is in the working directory.
                shot.name = Some(Path::new(".").join(path));
            })
            .validate(|shot| well_named(shot, "path"))
            .error_context("taking screenshot")
            .says_of("selector", |_, out| out.captured("Screenshot captured"))
            .shows(Taken::images),
        COMPANION
            .tool("browser_screenshot", "Take a screenshot of the current page")
            .takes((), |()| TakeScreenshot::new(ImageDelivery::Shown))
            .example(r#"{"element": "Main content area", "ref": "main#content"}"#)
            .on_tab("tabId", TAB)
            .opt("fullPage", "Whether to capture the full page", |shot, full| shot.full_page = full)
            .default(false)
            .described_as("element", "Human-readable element description (optional)")
            .opt("ref", "Element reference to screenshot (optional)", |shot, element| {
                shot.element = Some(element);
            })
            .validate(one_of_both)
            .says_of("ref", |_, out| out.captured("Screenshot captured successfully"))
            .shows(Taken::images),
    ]
}
