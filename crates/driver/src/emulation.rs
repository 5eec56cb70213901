use std::{num::NonZeroU64, time::Duration};

use async_trait::async_trait;

use crate::{Result, Size};

/// Overrides what a page observes of its environment; `None` removes an override. Overrides apply to the page, its
/// frames and, where the engine allows, its workers, including ones created later. A popup starts with its opener's
/// overrides and is independent from then on. Invalid values (an unknown language or time zone) are refused and leave
/// the previous override in place.
#[async_trait]
pub trait Emulation: Send + Sync {
    /// The position that the Geolocation API reports. Access is a separate permission.
    async fn geolocation(&self, place: Option<&Coordinates>) -> Result<()>;
    /// The language as a BCP 47 tag (`de-CH`): in scripts, number and date formats, and `Accept-Language`.
    async fn locale(&self, tag: Option<&str>) -> Result<()>;
    /// The time zone as an IANA name (`Asia/Tokyo`).
    async fn time_zone(&self, name: Option<&str>) -> Result<()>;
    /// The user agent, in scripts and request headers.
    async fn user_agent(&self, agent: Option<&UserAgent>) -> Result<()>;
    /// Whether the network is down.
    async fn offline(&self, is: bool) -> Result<()>;
    /// The viewport and device. Screenshots grow with the scale factor.
    async fn device_metrics(&self, metrics: &DeviceMetrics) -> Result<()>;
    /// CSS media type and features. Each call replaces all of them.
    async fn media(&self, media: &Media) -> Result<()>;
    /// Network throttling. Independent of `offline`.
    async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()>;
    /// CPU slowdown factor; 1 means no slowdown.
    async fn cpu_throttle(&self, factor: f64) -> Result<()>;
}

/// The emulated device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceMetrics {
    /// The viewport, in CSS pixels.
    pub size: Size,
    /// Device pixels per CSS pixel; `None` for the browser's own.
    pub scale_factor: Option<f64>,
    /// Phone or tablet: `<meta name=viewport>` applies, and the screen has the size of the viewport.
    pub mobile: bool,
    /// Whether there is a touch screen.
    pub touch: bool,
    /// Screen orientation; `None` for the browser's own.
    pub orientation: Option<Orientation>,
}

impl DeviceMetrics {
    /// A viewport of this size, everything else unchanged.
    pub fn of(size: Size) -> Self {
        Self { size, scale_factor: None, mobile: false, touch: false, orientation: None }
    }

    /// The same device with another viewport size.
    pub fn resized(self, size: Size) -> Self {
        Self { size, ..self }
    }
}

/// A screen orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// Height above width.
    Portrait,
    /// Width above height.
    Landscape,
}

/// The identity that a browser reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAgent {
    /// `navigator.userAgent` and the `User-Agent` header.
    pub text: String,
    /// `navigator.platform`, if known.
    pub platform: Option<String>,
    /// `navigator.userAgentData` and the `Sec-CH-UA` headers, for engines that have them.
    pub hints: Option<ClientHints>,
}

/// User agent client hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientHints {
    /// Major version of the engine.
    pub version: String,
    /// Operating system: `Android`, `Windows`.
    pub platform: String,
    /// Version of the operating system.
    pub platform_version: String,
    /// Device model.
    pub model: String,
    /// Phone or tablet.
    pub mobile: bool,
}

/// A geographic position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinates {
    /// From -90 to 90.
    pub latitude: f64,
    /// From -180 to 180.
    pub longitude: f64,
    /// Accuracy radius in metres.
    pub accuracy: f64,
}

/// Overridden CSS media type and features; `None` means no override.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Media {
    /// The media type.
    pub medium: Option<Medium>,
    /// `prefers-color-scheme`. CSS has no value for "no preference": use `Light`.
    pub color_scheme: Option<ColorScheme>,
    /// `prefers-reduced-motion`.
    pub reduced_motion: Option<bool>,
    /// `forced-colors`.
    pub forced_colors: Option<bool>,
}

/// A CSS media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// `screen`.
    Screen,
    /// `print`.
    Print,
}

impl Medium {
    /// Its name in CSS.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Screen => "screen",
            Self::Print => "print",
        }
    }
}

/// A value of `prefers-color-scheme`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorScheme {
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

impl ColorScheme {
    /// Its name in CSS.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Network conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Throttle {
    /// Added to the time of each response.
    pub latency: Duration,
    /// Download limit in bytes per second, over all requests together; `None` for no limit.
    pub download: Option<NonZeroU64>,
    /// Upload limit in bytes per second.
    pub upload: Option<NonZeroU64>,
}
