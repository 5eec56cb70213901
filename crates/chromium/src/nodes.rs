//! Node handles: the browser's node ids are valid in one session, which the handle names.

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result};
use cicerone_wire::Session;
use futures::future::join_all;

use crate::{
    frames::World,
    injected::GROUP,
    object_group::ObjectGroup,
    page::{ChromiumPage, failed},
    protocol::{
        dom::{GetFrameOwner, ResolveNode},
        runtime::CallArgument,
    },
};

impl ChromiumPage {
    pub(crate) fn session_of(&self, node: &NodeHandle) -> Session {
        match node.scope() {
            "" => self.session.clone(),
            session => self.session.connection().session(session),
        }
    }

    /// The injected script's number, in the parent frame, of a frame's owner element.
    pub(crate) async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        let place = self.injected_world(parent).await?;
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
        let answer = self
            .in_injected_world(&place, "function(e){return cicerone.number(e)}", &arguments, None)
            .await?;
        answer
            .result
            .value
            .and_then(|number| number.as_u64())
            .and_then(|number| u32::try_from(number).ok())
            .ok_or(DriverError::Gone)
    }

    /// Passes nodes to a function in the injected script's world. Nodes that are gone or belong to other
    /// documents are left out.
    pub(crate) async fn hand_over(
        &self,
        place: &(Session, World),
        group: &ObjectGroup,
        nodes: &[i64],
        function: &str,
    ) -> Result<()> {
        let (session, world) = place;
        for chunk in nodes.chunks(500) {
            let resolving = chunk.iter().map(|&backend_node_id| {
                let execution_context_id = world.id;
                session.send(&ResolveNode {
                    backend_node_id,
                    execution_context_id,
                    object_group: &group.name,
                })
            });
            let objects: Vec<String> = join_all(resolving)
                .await
                .into_iter()
                .flatten()
                .filter_map(|resolved| resolved.object.object_id)
                .collect();
            let arguments: Vec<_> = objects.iter().map(|id| CallArgument::ObjectId(id)).collect();
            if !arguments.is_empty() {
                self.in_injected_world(place, function, &arguments, None).await?;
            }
        }
        Ok(())
    }
}

pub(crate) fn node_handle(session: &Session, backend_node_id: i64) -> NodeHandle {
    NodeHandle::new(session.id().unwrap_or_default(), &backend_node_id.to_string())
}

pub(crate) fn backend_node(handle: &NodeHandle) -> Result<i64> {
    handle.node().parse().map_err(|_| DriverError::Gone)
}
