//! <https://chromedevtools.github.io/devtools-protocol/tot/Browser/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct GetVersion {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Version {
    pub(crate) product: String,
    #[serde(default)]
    pub(crate) user_agent: String,
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

#[derive(Serialize)]
pub(crate) struct CancelDownload<'a> {
    pub(crate) guid: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetPermission<'a> {
    pub(crate) permission: PermissionDescriptor,
    pub(crate) setting: &'static str,
    pub(crate) origin: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) browser_context_id: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PermissionDescriptor {
    pub(crate) name: &'static str,
    /// For `push` only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) user_visible_only: bool,
}

commands! {
    SetPermission<'_> => "Browser.setPermission", Empty;
    GetVersion => "Browser.getVersion", Version;
    Close => "Browser.close", Empty;
    CancelDownload<'_> => "Browser.cancelDownload", Empty;
    SetDownloadBehavior<'_> => "Browser.setDownloadBehavior", Empty;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadWillBegin {
    pub(crate) frame_id: String,
    pub(crate) guid: String,
    pub(crate) suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadProgress {
    pub(crate) guid: String,
    pub(crate) state: String,
    pub(crate) received_bytes: f64,
    /// 0 if unknown.
    #[serde(default)]
    pub(crate) total_bytes: f64,
    /// Where it is when it is complete.
    pub(crate) file_path: Option<String>,
}
