//! `Page.json`, and the domain of the inspector itself.

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

/// `Inspector.enable`
#[derive(Serialize)]
pub(crate) struct EnableInspector {}

#[derive(Serialize)]
pub(crate) struct Enable {}

#[derive(Serialize)]
pub(crate) struct GetResourceTree {}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceTree {
    pub(crate) frame_tree: FrameTree,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameTree {
    pub(crate) frame: Frame,
    #[serde(default)]
    pub(crate) child_frames: Vec<FrameTree>,
}

#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) loader_id: String,
    pub(crate) url: String,
}

/// What scripts and requests say the browser is; the browser's own words without.
#[derive(Serialize)]
pub(crate) struct OverrideUserAgent<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct OverrideUserPreference<'a> {
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct SetEmulatedMedia<'a> {
    pub(crate) media: &'a str,
}

/// What every document begins with, in the page's own world; nothing without.
#[derive(Serialize)]
pub(crate) struct SetBootstrapScript<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct SetScreenSizeOverride {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) height: Option<u32>,
}

commands! {
    EnableInspector => "Inspector.enable", Empty;
    Enable => "Page.enable", Empty;
    GetResourceTree => "Page.getResourceTree", ResourceTree;
    OverrideUserAgent<'_> => "Page.overrideUserAgent", Empty;
    OverrideUserPreference<'_> => "Page.overrideUserPreference", Empty;
    SetEmulatedMedia<'_> => "Page.setEmulatedMedia", Empty;
    SetBootstrapScript<'_> => "Page.setBootstrapScript", Empty;
    SetScreenSizeOverride => "Page.setScreenSizeOverride", Empty;
}

/// `Page.frameNavigated`
#[derive(Deserialize)]
pub(crate) struct FrameNavigated {
    pub(crate) frame: Frame,
}

/// Events that are about a frame.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfFrame {
    pub(crate) frame_id: String,
}
