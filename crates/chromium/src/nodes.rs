//! How nodes are named outside of the driver. The browser names them within their session; a handle says which.

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result};
use cicerone_wire::Session;

use crate::{
    agent::GROUP,
    page::{ChromiumPage, failed},
    protocol::{
        dom::{GetFrameOwner, ResolveNode},
        runtime::CallArgument,
    },
};

impl ChromiumPage {
    pub(crate) fn session_of(&self, node: &NodeHandle) -> Session {
        match node.as_str().split_once(' ') {
            Some((_, session)) => self.session.connection().session(session),
            None => self.session.clone(),
        }
    }

    /// The agent's number, in the parent frame, of the element that holds a frame.
    pub(crate) async fn owner_number(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        let place = self.agent_world(parent).await?;
        let (session, world) = &place;
        let owner = session.send(&GetFrameOwner { frame_id: frame.as_str() }).await.map_err(failed)?;
        let resolve = ResolveNode {
            backend_node_id: owner.backend_node_id,
            execution_context_id: world.id,
            object_group: GROUP,
        };
        let element =
            session.send(&resolve).await.map_err(failed)?.object.object_id.ok_or(DriverError::Gone)?;
        let arguments = [CallArgument::ObjectId(&element)];
        let answer =
            self.in_agent_world(&place, "function(e){return cicerone.number(e)}", &arguments, None).await?;
        answer
            .result
            .value
            .and_then(|number| number.as_u64())
            .and_then(|number| u32::try_from(number).ok())
            .ok_or(DriverError::Gone)
    }
}

pub(crate) fn node_handle(session: &Session, backend_node_id: i64) -> NodeHandle {
    NodeHandle::from(format!("{backend_node_id} {}", session.id().unwrap_or_default()).as_str())
}

pub(crate) fn backend_node(handle: &NodeHandle) -> Result<i64> {
    handle.as_str().split(' ').next().and_then(|id| id.parse().ok()).ok_or(DriverError::Gone)
}
