//! <https://w3c.github.io/webdriver-bidi/#module-emulation>. Nothing (`null`) takes an override back.

use cicerone_wire::Nothing;
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
    SetScreenOrientationOverride<'_> => "emulation.setScreenOrientationOverride", Nothing;
    SetScreenSettingsOverride<'_> => "emulation.setScreenSettingsOverride", Nothing;
    SetTouchOverride<'_> => "emulation.setTouchOverride", Nothing;
    SetGeolocationOverride<'_> => "emulation.setGeolocationOverride", Nothing;
    SetLocaleOverride<'_> => "emulation.setLocaleOverride", Nothing;
    SetNetworkConditions<'_> => "emulation.setNetworkConditions", Nothing;
    SetTimezoneOverride<'_> => "emulation.setTimezoneOverride", Nothing;
    SetUserAgentOverride<'_> => "emulation.setUserAgentOverride", Nothing;
}
