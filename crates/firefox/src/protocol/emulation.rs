//! <https://w3c.github.io/webdriver-bidi/#module-emulation>. `null` removes an override.

use cicerone_wire::Empty;
use serde::Serialize;

use super::commands;

#[derive(Serialize)]
pub(crate) struct SetGeolocationOverride<'a> {
    pub(crate) coordinates: Option<GeolocationCoordinates>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize)]
pub(crate) struct GeolocationCoordinates {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) accuracy: f64,
}

#[derive(Serialize)]
pub(crate) struct SetLocaleOverride<'a> {
    pub(crate) locale: Option<&'a str>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize)]
pub(crate) struct SetTimezoneOverride<'a> {
    pub(crate) timezone: Option<&'a str>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetUserAgentOverride<'a> {
    pub(crate) user_agent: Option<&'a str>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetNetworkConditions<'a> {
    pub(crate) network_conditions: Option<NetworkConditions>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum NetworkConditions {
    Offline,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetScreenOrientationOverride<'a> {
    pub(crate) screen_orientation: Option<ScreenOrientation>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize)]
pub(crate) struct ScreenOrientation {
    pub(crate) natural: &'static str,
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetScreenSettingsOverride<'a> {
    pub(crate) screen_area: Option<ScreenArea>,
    pub(crate) contexts: [&'a str; 1],
}

#[derive(Serialize)]
pub(crate) struct ScreenArea {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetTouchOverride<'a> {
    pub(crate) max_touch_points: Option<u32>,
    pub(crate) contexts: [&'a str; 1],
}

commands! {
    SetScreenOrientationOverride<'_> => "emulation.setScreenOrientationOverride", Empty;
    SetScreenSettingsOverride<'_> => "emulation.setScreenSettingsOverride", Empty;
    SetTouchOverride<'_> => "emulation.setTouchOverride", Empty;
    SetGeolocationOverride<'_> => "emulation.setGeolocationOverride", Empty;
    SetLocaleOverride<'_> => "emulation.setLocaleOverride", Empty;
    SetNetworkConditions<'_> => "emulation.setNetworkConditions", Empty;
    SetTimezoneOverride<'_> => "emulation.setTimezoneOverride", Empty;
    SetUserAgentOverride<'_> => "emulation.setUserAgentOverride", Empty;
}
