//! A picture of the page in the size and format that were asked for.

use std::path::{Path, PathBuf};

use cicerone_engine::{Clip, Encoding, Inline, Keep, Origin, Picture, ScreenshotOptions, ShotOf, Target};
use serde_json::{Map, Value};

use super::take_screenshot::{listed, scaled_down};
use crate::{
    BadArguments, Cap, Capability, Effect, Face, Image, Output,
    argument::{Argument, choices, object},
    dialect::{AGENT, agent::named},
    ending::check_ending,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

#[derive(Default)]
pub(super) struct Screenshot {
    element: Option<Target>,
    full_page: bool,
    clip: Option<Region>,
    format: Format,
    quality: Option<u8>,
    scale: Option<f64>,
    omit_background: bool,
    annotate: bool,
    save_path: Option<PathBuf>,
}

/// How it is encoded.
#[derive(Default, Clone, Copy)]
struct Format(Encoding);

choices! {
    Format {
        "png" => Format(Encoding::Png),
        "jpeg" => Format(Encoding::Jpeg),
        "webp" => Format(Encoding::WebP),
    } | {
        "jpg" => Format(Encoding::Jpeg),
    }
}

impl Format {
    /// The file name endings that go with it.
    fn endings(self) -> &'static [&'static str] {
        match self.0 {
            Encoding::Png => &["png"],
            Encoding::Jpeg => &["jpeg", "jpg"],
            Encoding::WebP => &["webp"],
        }
    }
}

/// A part of the viewport, or of the whole page.
#[derive(Default, Clone, Copy)]
struct Region {
    x: Option<f64>,
    y: Option<f64>,
    width: Option<f64>,
    height: Option<f64>,
}

object! {
    Region {
        "x" => x: f64,
        "y" => y: f64,
        "width" => width: f64,
        "height" => height: f64,
    }
}

/// Of 100.
struct Quality(u8);

impl Argument for Quality {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let quality = u32::parse(value).ok().and_then(|quality| u8::try_from(quality).ok());
        quality
            .filter(|quality| *quality <= 100)
            .map(Self)
            .ok_or_else(|| "a whole number from 0 to 100".into())
    }
}

/// How much larger than CSS pixels.
struct Scale(f64);

impl Argument for Scale {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let scale = f64::parse(value).ok().filter(|scale| (0.05..=4.0).contains(scale));
        scale.map(Self).ok_or_else(|| "a number from 0.05 to 4".into())
    }
}

/// The longest side of a clip that is drawn in one piece.
const LONGEST_CLIP: f64 = 16_000.0;

impl Screenshot {
    fn clip(&self) -> Result<Option<Clip>, BadArguments> {
        let Some(region) = self.clip else { return Ok(None) };
        let origin = if self.full_page { Origin::Document } else { Origin::Viewport };
        match region {
            Region { x: Some(x), y: Some(y), width: Some(width), height: Some(height) }
                if [width, height].iter().all(|side| (1.0..=LONGEST_CLIP).contains(side)) =>
            {
                Ok(Some(Clip { origin, x, y, width, height }))
            }
            _ => Err(BadArguments::Wrong {
                name: "clip",
                expected: "an object with x, y, width and height, the last two from 1 to 16000".into(),
            }),
        }
    }

    fn check(&self) -> Result<(), BadArguments> {
        let clip = self.clip()?;
        if self.element.is_some() && (self.full_page || clip.is_some()) {
            return Err(BadArguments::Together("selector cannot be combined with full_page or clip"));
        }
        match self.format.0 {
            _ if self.annotate && self.full_page => {
                return Err(BadArguments::Together("annotate cannot be combined with full_page"));
            }
            Encoding::WebP if self.annotate => {
                return Err(BadArguments::Together("Invalid argument annotate: it needs format png or jpeg"));
            }
            Encoding::Png if self.quality.is_some() => {
                return Err(BadArguments::Together("Invalid argument quality: it needs format jpeg or webp"));
            }
            Encoding::Jpeg | Encoding::WebP if self.omit_background => {
                return Err(BadArguments::Together("Invalid argument omit_background: it needs format png"));
            }
            _ => {}
        }
        check_ending("save_path", self.save_path.as_deref(), self.format.endings())
    }
}

/// A picture, and what it is of.
pub(super) struct Taken {
    picture: Picture,
    format: Format,
    what: &'static str,
}

impl Capability for Screenshot {
    type On = OnPage;
    type Output = Taken;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<Taken, Failure> {
        let (shot_of, what) = match (self.clip()?, self.element) {
            (Some(clip), _) => (ShotOf::Clip(clip), "the clip"),
            (None, Some(element)) => (ShotOf::Element(element), "the element"),
            (None, None) if self.full_page => (ShotOf::FullPage, "the full page"),
            (None, None) => (ShotOf::Viewport, "the viewport"),
        };
        let wanted = ScreenshotOptions {
            of: shot_of,
            encoding: self.format.0,
            quality: self.quality,
            scale: self.scale.unwrap_or(1.0),
            omit_background: self.omit_background,
            annotate: self.annotate,
            inline: if self.save_path.is_some() { Inline::Nothing } else { Inline::Exact },
            // As people write paths: a bare name is in the working directory.
            keep: self.save_path.map(|path| Keep::Named(Path::new(".").join(path))),
        };
        Ok(Taken { picture: on.page.rendering().screenshot(&wanted).await?, format: self.format, what })
    }
}

impl Taken {
    fn sentence(&self) -> String {
        let size = self.picture.size;
        let what = self.picture.element.as_ref().map_or_else(|| self.what.to_owned(), named);
        let saved = self.picture.path.as_ref().map(|path| format!(", saved to {}", path.display()));
        let marks = listed(&self.picture.marks, "@");
        let scaled = scaled_down(&self.picture);
        format!(
            "Screenshot of {what}, {}x{}{scaled}{}{marks}",
            size.width,
            size.height,
            saved.unwrap_or_default()
        )
    }

    fn images(&self) -> Vec<Image> {
        let inline = self.picture.inline.iter();
        inline.map(|inline| Image { bytes: inline.bytes.clone(), mime: inline.encoding.mime() }).collect()
    }
}

impl Output for Taken {
    fn facts(&self) -> Map<String, Value> {
        let size = self.picture.size;
        let mut facts = facts! {
            "width" => size.width, "height" => size.height, "format" => self.format.endings()[0],
        };
        if let Some(path) = &self.picture.path {
            facts.insert("path".into(), path.display().to_string().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "width" => of("integer"), "height" => of("integer"), "format" => of("string"), "path" => of("string"),
        }
    }
}

pub(super) fn faces() -> [Face<Screenshot>; 1] {
    [AGENT
        .tool("screenshot", "Picture of the viewport, an element or the full page")
        .takes((), |()| Screenshot::default())
        .example(r#"{"full_page": true, "save_path": "page.png"}"#)
        .opt("selector", "", |shot, element| shot.element = Some(element))
        .opt("full_page", "", |shot, full| shot.full_page = full)
        .default(false)
        .opt("format", "", |shot, format| shot.format = format)
        .default("png")
        .opt("quality", "", |shot, Quality(quality)| shot.quality = Some(quality))
        .opt("omit_background", "", |shot, omit| shot.omit_background = omit)
        .default(false)
        .opt("clip", "", |shot, clip| shot.clip = Some(clip))
        .opt("scale", "", |shot, Scale(scale)| shot.scale = Some(scale))
        .default(1)
        .opt("save_path", "Else in the reply", |shot, path| shot.save_path = Some(path))
        .opt("annotate", "Draw refs", |shot, annotate| shot.annotate = annotate)
        .needs_for_argument(Cap::Annotate)
        .on_tab("tabId", "")
        .validate(Screenshot::check)
        .says(Taken::sentence)
        .shows(Taken::images)]
}
