//! <https://chromedevtools.github.io/devtools-protocol/tot/Target/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetAutoAttach {
    pub(crate) auto_attach: bool,
    pub(crate) wait_for_debugger_on_start: bool,
    pub(crate) flatten: bool,
}

/// Without a `browser_context_id` it is the default context.
#[derive(Serialize, Clone, Copy, Default)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateTarget<'a> {
    pub(crate) url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) browser_context_id: Option<&'a str>,
    /// Opens it in the background.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) background: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) new_window: bool,
    /// A hidden target without a tab.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hidden: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Created {
    pub(crate) target_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateBrowserContext<'a> {
    pub(crate) dispose_on_detach: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proxy_server: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proxy_bypass_list: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedBrowserContext {
    pub(crate) browser_context_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DisposeBrowserContext<'a> {
    pub(crate) browser_context_id: &'a str,
}

#[derive(Serialize)]
pub(crate) struct GetBrowserContexts {}

/// Versions before 145 or so do not name the default one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BrowserContexts {
    #[serde(default)]
    pub(crate) browser_context_ids: Vec<String>,
    pub(crate) default_browser_context_id: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetachFromTarget<'a> {
    pub(crate) session_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CloseTarget<'a> {
    pub(crate) target_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ActivateTarget<'a> {
    pub(crate) target_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetTargetInfo<'a> {
    pub(crate) target_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GotTargetInfo {
    pub(crate) target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetInfo {
    pub(crate) target_id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) title: String,
    #[serde(default)]
    pub(crate) url: String,
    pub(crate) opener_id: Option<String>,
    #[serde(default)]
    pub(crate) browser_context_id: String,
}

commands! {
    SetAutoAttach => "Target.setAutoAttach", Empty;
    CreateTarget<'_> => "Target.createTarget", Created;
    CreateBrowserContext<'_> => "Target.createBrowserContext", CreatedBrowserContext;
    DisposeBrowserContext<'_> => "Target.disposeBrowserContext", Empty;
    GetBrowserContexts => "Target.getBrowserContexts", BrowserContexts;
    DetachFromTarget<'_> => "Target.detachFromTarget", Empty;
    CloseTarget<'_> => "Target.closeTarget", Empty;
    ActivateTarget<'_> => "Target.activateTarget", Empty;
    GetTargetInfo<'_> => "Target.getTargetInfo", GotTargetInfo;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttachedToTarget {
    pub(crate) session_id: String,
    pub(crate) target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetachedFromTarget {
    pub(crate) session_id: String,
}
