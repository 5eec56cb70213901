//! `DOM.json`

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::{commands, runtime::RemoteObject};

#[derive(Serialize)]
pub(crate) struct GetDocument {}

#[derive(Deserialize)]
pub(crate) struct Document {
    pub(crate) root: Node,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestNode<'a> {
    pub(crate) object_id: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestedNode {
    pub(crate) node_id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolveNode<'a> {
    pub(crate) node_id: i64,
    pub(crate) object_group: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct ResolvedNode {
    pub(crate) object: RemoteObject,
}

/// Makes a node `$0` of the command line API.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetInspectedNode {
    pub(crate) node_id: i64,
}

/// `DOM.setChildNodes`
#[derive(Deserialize)]
pub(crate) struct SetChildNodes {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Node {
    pub(crate) node_id: i64,
    #[serde(default)]
    pub(crate) children: Vec<Node>,
    #[serde(default)]
    pub(crate) shadow_roots: Vec<Node>,
    pub(crate) shadow_root_type: Option<String>,
    pub(crate) content_document: Option<Box<Node>>,
}

commands! {
    GetDocument => "DOM.getDocument", Document;
    RequestNode<'_> => "DOM.requestNode", RequestedNode;
    SetInspectedNode => "DOM.setInspectedNode", Empty;
    ResolveNode<'_> => "DOM.resolveNode", ResolvedNode;
}
