//! <https://chromedevtools.github.io/devtools-protocol/tot/Browser/>

use cicerone_wire::Nothing;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct GetVersion {}

#[derive(Deserialize)]
pub(crate) struct Version {
    pub(crate) product: String,
}

#[derive(Serialize)]
pub(crate) struct Close {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetDownloadBehavior<'a> {
    pub(crate) behavior: &'static str,
    pub(crate) download_path: &'a str,
    pub(crate) events_enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) browser_context_id: Option<&'a str>,
}

commands! {
    GetVersion => "Browser.getVersion", Version;
    Close => "Browser.close", Nothing;
    SetDownloadBehavior<'_> => "Browser.setDownloadBehavior", Nothing;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadWillBegin {
    pub(crate) frame_id: String,
    pub(crate) guid: String,
    pub(crate) suggested_filename: String,
}

#[derive(Deserialize)]
pub(crate) struct DownloadProgress {
    pub(crate) guid: String,
    pub(crate) state: String,
}
