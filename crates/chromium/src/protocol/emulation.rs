//! <https://chromedevtools.github.io/devtools-protocol/tot/Emulation/>

use cicerone_wire::Empty;
use serde::Serialize;

use super::commands;

#[derive(Serialize)]
pub(crate) struct SetFocusEmulationEnabled {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetDeviceMetricsOverride {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) device_scale_factor: f64,
    pub(crate) mobile: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) screen_width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) screen_height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) screen_orientation: Option<ScreenOrientation>,
}

#[derive(Serialize)]
pub(crate) struct ScreenOrientation {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) angle: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetTouchEmulationEnabled {
    pub(crate) enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_touch_points: Option<u32>,
}

/// A rate of 1 removes the override.
#[derive(Serialize)]
pub(crate) struct SetCpuThrottlingRate {
    pub(crate) rate: f64,
}

/// Without a color it removes the override.
#[derive(Serialize)]
pub(crate) struct SetDefaultBackgroundColorOverride {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) color: Option<Rgba>,
}

#[derive(Serialize)]
pub(crate) struct Rgba {
    pub(crate) r: u8,
    pub(crate) g: u8,
    pub(crate) b: u8,
    /// From 0 to 1.
    pub(crate) a: u8,
}

/// All at once: omitted features are not emulated.
#[derive(Serialize)]
pub(crate) struct SetEmulatedMedia {
    /// An empty one removes the override.
    pub(crate) media: &'static str,
    pub(crate) features: Vec<MediaFeature>,
}

#[derive(Serialize)]
pub(crate) struct MediaFeature {
    pub(crate) name: &'static str,
    pub(crate) value: &'static str,
}

/// Without values it removes the override.
#[derive(Serialize)]
pub(crate) struct SetGeolocationOverride {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) latitude: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) longitude: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accuracy: Option<f64>,
}

/// An empty one removes the override.
#[derive(Serialize)]
pub(crate) struct SetLocaleOverride<'a> {
    pub(crate) locale: &'a str,
}

/// An empty one removes the override.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetTimezoneOverride<'a> {
    pub(crate) timezone_id: &'a str,
}

/// An empty user agent removes the override.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetUserAgentOverride<'a> {
    pub(crate) user_agent: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accept_language: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) platform: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_agent_metadata: Option<UserAgentMetadata<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserAgentMetadata<'a> {
    pub(crate) brands: Vec<Brand>,
    pub(crate) full_version_list: Vec<Brand>,
    pub(crate) platform: &'a str,
    pub(crate) platform_version: &'a str,
    pub(crate) architecture: &'static str,
    pub(crate) model: &'a str,
    pub(crate) mobile: bool,
}

#[derive(Serialize)]
pub(crate) struct Brand {
    pub(crate) brand: &'static str,
    pub(crate) version: String,
}

commands! {
    SetDefaultBackgroundColorOverride => "Emulation.setDefaultBackgroundColorOverride", Empty;
    SetEmulatedMedia => "Emulation.setEmulatedMedia", Empty;
    SetGeolocationOverride => "Emulation.setGeolocationOverride", Empty;
    SetLocaleOverride<'_> => "Emulation.setLocaleOverride", Empty;
    SetTimezoneOverride<'_> => "Emulation.setTimezoneOverride", Empty;
    SetUserAgentOverride<'_> => "Emulation.setUserAgentOverride", Empty;
    SetTouchEmulationEnabled => "Emulation.setTouchEmulationEnabled", Empty;
    SetCpuThrottlingRate => "Emulation.setCPUThrottlingRate", Empty;
    SetFocusEmulationEnabled => "Emulation.setFocusEmulationEnabled", Empty;
    SetDeviceMetricsOverride => "Emulation.setDeviceMetricsOverride", Empty;
}
