//! <https://chromedevtools.github.io/devtools-protocol/tot/DOM/> and `DOMDebugger`.

use std::path::PathBuf;

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::{commands, runtime::RemoteObject};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolveNode<'a> {
    pub(crate) backend_node_id: i64,
    pub(crate) execution_context_id: i64,
    pub(crate) object_group: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct Resolved {
    pub(crate) object: RemoteObject,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DescribeNode<'a> {
    pub(crate) object_id: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct Described {
    pub(crate) node: Node,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Node {
    pub(crate) backend_node_id: i64,
    #[serde(default)]
    pub(crate) shadow_roots: Vec<Node>,
    pub(crate) shadow_root_type: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetFrameOwner<'a> {
    pub(crate) frame_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameOwner {
    pub(crate) backend_node_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetFileInputFiles<'a> {
    pub(crate) files: &'a [PathBuf],
    pub(crate) backend_node_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetEventListeners<'a> {
    pub(crate) object_id: &'a str,
    pub(crate) depth: i32,
    pub(crate) pierce: bool,
}

#[derive(Deserialize)]
pub(crate) struct EventListeners {
    pub(crate) listeners: Vec<EventListener>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventListener {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) backend_node_id: Option<i64>,
}

commands! {
    ResolveNode<'_> => "DOM.resolveNode", Resolved;
    DescribeNode<'_> => "DOM.describeNode", Described;
    GetFrameOwner<'_> => "DOM.getFrameOwner", FrameOwner;
    SetFileInputFiles<'_> => "DOM.setFileInputFiles", Empty;
    GetEventListeners<'_> => "DOMDebugger.getEventListeners", EventListeners;
}
