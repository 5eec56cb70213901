//! <https://chromedevtools.github.io/devtools-protocol/tot/Emulation/>

use cicerone_wire::Nothing;
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
}

commands! {
    SetFocusEmulationEnabled => "Emulation.setFocusEmulationEnabled", Nothing;
    SetDeviceMetricsOverride => "Emulation.setDeviceMetricsOverride", Nothing;
}
