use std::{num::NonZeroU64, time::Duration};

use async_trait::async_trait;

use crate::{Result, Size};

/// Overrides what a page observes of its environment; `None` removes an override. All of it holds in the page, its frames
/// and (as far as an engine has a way there) its workers, in those that come later too. Pages that it opens begin with the
/// same; from then on each has its own. What is no such thing (a language, a time zone) is refused, and what was set before
/// stays.
#[async_trait]
pub trait Emulation: Send + Sync {
    /// Where the device is. Whether the page may know it is a permission.
    async fn geolocation(&self, place: Option<&Coordinates>) -> Result<()>;
    /// The person's language, as a tag (`de-CH`): in scripts, in their formats, and in what is sent with requests.
    async fn locale(&self, tag: Option<&str>) -> Result<()>;
    /// The time zone, by its name (`Asia/Tokyo`).
    async fn time_zone(&self, name: Option<&str>) -> Result<()>;
    /// What the browser says that it is, in scripts and with requests.
    async fn user_agent(&self, agent: Option<&UserAgent>) -> Result<()>;
    /// Whether there is no network.
    async fn offline(&self, is: bool) -> Result<()>;
    /// The viewport and the device that it is on. Pictures of the page grow with its scale factor.
    async fn device_metrics(&self, metrics: &DeviceMetrics) -> Result<()>;
    /// What style sheets are told of the medium and of the person. All of it is set at once.
    async fn media(&self, media: &Media) -> Result<()>;
    /// How slow the network is, where there is one: whether there is none is not touched by it.
    async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()>;
    /// How many times slower the processor is; 1 is as fast as it is.
    async fn cpu_throttle(&self, factor: f64) -> Result<()>;
}

/// The device that a page is shown on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceMetrics {
    /// The viewport, in CSS pixels.
    pub size: Size,
    /// How many pixels of the device a CSS pixel is wide; nothing for what the browser has.
    pub scale_factor: Option<f64>,
    /// Whether it is a phone or a tablet: `<meta name=viewport>` counts, and the screen is as large as the viewport.
    pub mobile: bool,
    /// Whether it has a touch screen.
    pub touch: bool,
    /// How it is held; nothing for what the browser has.
    pub orientation: Option<Orientation>,
}

impl DeviceMetrics {
    /// A viewport of this size, and everything else as the browser has it.
    pub fn of(size: Size) -> Self {
        Self { size, scale_factor: None, mobile: false, touch: false, orientation: None }
    }

    /// The same device with a viewport of another size.
    pub fn resized(self, size: Size) -> Self {
        Self { size, ..self }
    }
}

/// How a device is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// Upright.
    Portrait,
    /// On its side.
    Landscape,
}

/// What a browser says that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAgent {
    /// `navigator.userAgent` and the header.
    pub text: String,
    /// `navigator.platform`, where it is known.
    pub platform: Option<String>,
    /// What `navigator.userAgentData` and the `Sec-CH-UA` headers say, for a browser that has them.
    pub hints: Option<ClientHints>,
}

/// User agent client hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientHints {
    /// The major version of the engine.
    pub version: String,
    /// The system: `Android`, `Windows`.
    pub platform: String,
    /// Its version.
    pub platform_version: String,
    /// The model of a phone or tablet.
    pub model: String,
    /// Whether it is one.
    pub mobile: bool,
}

/// A place on Earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinates {
    /// From -90 to 90.
    pub latitude: f64,
    /// From -180 to 180.
    pub longitude: f64,
    /// How far off that may be, in metres.
    pub accuracy: f64,
}

/// What style sheets are told; nothing is the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Media {
    /// What the page is shown on.
    pub medium: Option<Medium>,
    /// Which colours the person likes. There is no such thing as having no preference: that is a light one.
    pub color_scheme: Option<ColorScheme>,
    /// Whether the person wants less to move.
    pub reduced_motion: Option<bool>,
    /// Whether the colours are those of the person, not of the page.
    pub forced_colors: Option<bool>,
}

/// What a page is shown on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// A screen.
    Screen,
    /// Paper.
    Print,
}

impl Medium {
    /// Its name in style sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Print => "print",
        }
    }
}

/// Which colours a person likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorScheme {
    /// Dark ones on light.
    Light,
    /// Light ones on dark.
    Dark,
}

impl ColorScheme {
    /// Its name in style sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// A slow network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Throttle {
    /// How much later the answer to each request comes.
    pub latency: Duration,
    /// How many bytes a second come, of all requests together; nothing for as many as there are.
    pub download: Option<NonZeroU64>,
    /// How many bytes a second go.
    pub upload: Option<NonZeroU64>,
}
