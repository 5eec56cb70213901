//! The answer of `tools/list`, without a server.

use cicerone_tools::Toolbox;
use serde_json::Value;

use crate::server::tool;

/// The tools of a toolbox, as the protocol lists them.
pub fn listed(toolbox: &Toolbox) -> Result<Vec<Value>, serde_json::Error> {
    toolbox.list().iter().map(|listing| serde_json::to_value(tool(listing))).collect()
}
