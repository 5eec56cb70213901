//! Setting the viewport and the device that it is on.

use cicerone_engine::{Acted, DeviceMetrics, Emulated, Orientation, Size};
use serde_json::{Map, Value};

use crate::{
    Argument, BadArguments, Capability, Effect, Face, Output,
    argument::Side,
    dialect::AGENT,
    face::must,
    output::{facts, number, of},
    reply::Failure,
    scope::OnPage,
};

/// How many pixels of a device are drawn at most.
const MOST_PIXELS: f64 = 100e6;

/// How many pixels of the device a CSS pixel is wide.
pub(super) struct ScaleFactor(pub(super) f64);

impl Argument for ScaleFactor {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let factor = f64::parse(value).ok().filter(|factor| (0.1..=10.0).contains(factor));
        factor.map(Self).ok_or_else(|| "a number from 0.1 to 10".into())
    }
}

/// A viewport with the device around it, in the words of arguments.
pub(super) struct Screen {
    pub(super) size: Option<Size>,
    pub(super) scale_factor: f64,
    pub(super) is_mobile: bool,
    pub(super) has_touch: bool,
    pub(super) is_landscape: bool,
}

impl Screen {
    pub(super) fn of(size: Option<Size>) -> Self {
        Self { size, scale_factor: 1.0, is_mobile: false, has_touch: false, is_landscape: false }
    }

    /// More than a browser can draw is refused.
    pub(super) fn check(&self) -> Result<(), BadArguments> {
        let pixels = self.size.map_or(0.0, |size| {
            f64::from(size.width) * f64::from(size.height) * self.scale_factor * self.scale_factor
        });
        if pixels > MOST_PIXELS {
            return Err(BadArguments::Together(
                "Invalid arguments: width x height x device_scale_factor² must be at most 100 million pixels",
            ));
        }
        Ok(())
    }

    /// The same, with the current size as default.
    pub(super) fn metrics(&self, size: Size) -> DeviceMetrics {
        let orientation = match (self.is_mobile, self.is_landscape) {
            (_, true) => Some(Orientation::Landscape),
            (true, false) => Some(Orientation::Portrait),
            (false, false) => None,
        };
        DeviceMetrics {
            size: self.size.unwrap_or(size),
            scale_factor: Some(self.scale_factor),
            mobile: self.is_mobile,
            touch: self.has_touch,
            orientation,
        }
    }
}

/// What is set, and what the page sees of it.
pub(super) struct Shown(pub(super) Emulated);

impl Shown {
    fn metrics(&self) -> DeviceMetrics {
        let Emulated { state, environment } = &self.0;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "sizes of viewports are small and positive, and casts saturate"
        )]
        let size = Size { width: environment.width as u32, height: environment.height as u32 };
        state.metrics.unwrap_or(DeviceMetrics::of(size))
    }

    /// In words: `390x844 at 3x, mobile, touch, portrait-primary`.
    pub(super) fn words(&self) -> String {
        let (metrics, environment) = (self.metrics(), &self.0.environment);
        let mut words =
            format!("{}x{} at {}x", metrics.size.width, metrics.size.height, environment.scale_factor);
        for word in [("mobile", metrics.mobile), ("touch", environment.touch_points > 0)] {
            if word.1 {
                words.push_str(", ");
                words.push_str(word.0);
            }
        }
        if let Some(orientation) = &environment.orientation {
            words.push_str(", ");
            words.push_str(orientation);
        }
        words
    }

    /// What a client may wonder about: a page that is not made for phones is laid out wider.
    pub(super) fn remark(&self) -> Option<String> {
        let (metrics, environment) = (self.metrics(), &self.0.environment);
        let wider = metrics.mobile && environment.width > f64::from(metrics.size.width);
        wider.then(|| {
            format!("the page has no viewport meta tag for it and is laid out {} wide", environment.width)
        })
    }
}

impl Output for Shown {
    fn facts(&self) -> Map<String, Value> {
        let (metrics, environment) = (self.metrics(), &self.0.environment);
        let mut facts = facts! {
            "width" => metrics.size.width, "height" => metrics.size.height,
            "device_scale_factor" => number(environment.scale_factor), "is_mobile" => metrics.mobile,
            "has_touch" => environment.touch_points > 0, "is_landscape" => environment.is_landscape(),
            "inner_width" => number(environment.width), "inner_height" => number(environment.height),
        };
        if let Some(orientation) = &environment.orientation {
            facts.extend(facts! { "orientation" => orientation.clone() });
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "width" => of("number"), "height" => of("number"), "device_scale_factor" => of("number"),
            "is_mobile" => of("boolean"), "has_touch" => of("boolean"), "is_landscape" => of("boolean"),
            "inner_width" => of("number"), "inner_height" => of("number"), "orientation" => of("string"),
        }
    }
}

pub(super) struct Viewport(Screen);

impl Capability for Viewport {
    type On = OnPage;
    type Output = Acted<Shown>;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnPage) -> Result<Acted<Shown>, Failure> {
        let change = |state: &mut cicerone_engine::EmulationState| {
            state.metrics = self.0.size.map(|size| self.0.metrics(size));
        };
        Ok(on.page.emulator().emulate(change).await?.map(Shown))
    }
}

fn words(out: &Acted<Shown>) -> String {
    let remark = out.done.remark().map(|remark| format!("; {remark}")).unwrap_or_default();
    format!("The viewport is {}{remark}", out.done.words())
}

pub(super) fn faces() -> [Face<Viewport>; 1] {
    [AGENT
        .tool("viewport", "Set the viewport")
        .takes((must("width", ""), must("height", "")), |(Side(width), Side(height))| {
            Viewport(Screen::of(Some(Size { width, height })))
        })
        .example(r#"{"width": 390, "height": 844, "device_scale_factor": 3, "is_mobile": true, "has_touch": true}"#)
        .opt("device_scale_factor", "", |viewport, ScaleFactor(factor)| viewport.0.scale_factor = factor)
        .default(1)
        .opt("is_mobile", "", |viewport, is| viewport.0.is_mobile = is)
        .default(false)
        .opt("has_touch", "", |viewport, has| viewport.0.has_touch = has)
        .default(false)
        .opt("is_landscape", "", |viewport, is| viewport.0.is_landscape = is)
        .default(false)
        .on_tab("tabId", "")
        .validate(|viewport| viewport.0.check())
        .says(words)]
}
