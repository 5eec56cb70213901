//! How nodes are named outside of the driver. The browser names them within their session; a handle says which.

use cicerone_driver::{DriverError, NodeHandle, Result};
use cicerone_wire::Session;

use crate::page::ChromiumPage;

impl ChromiumPage {
    pub(crate) fn session_of(&self, node: &NodeHandle) -> Session {
        match node.as_str().split_once(' ') {
            Some((_, session)) => self.session.connection().session(session),
            None => self.session.clone(),
        }
    }
}

pub(crate) fn node_handle(session: &Session, backend_node_id: i64) -> NodeHandle {
    NodeHandle::from(format!("{backend_node_id} {}", session.id().unwrap_or_default()).as_str())
}

pub(crate) fn backend_node(handle: &NodeHandle) -> Result<i64> {
    handle.as_str().split(' ').next().and_then(|id| id.parse().ok()).ok_or(DriverError::Gone)
}
