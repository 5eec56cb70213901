//! Closed shadow roots, which only the inspector can see, given to the injected script.

use std::collections::HashMap;

use async_trait::async_trait;
use cicerone_driver::{ClosedShadowRoots, FrameId, Result};
use futures::future::join_all;

use crate::{
    frames::WorldKind,
    page::{WebKitPage, lock},
    protocol::{
        dom::{GetDocument, Node, RequestNode, SetInspectedNode},
        runtime::{Evaluate, GetProperties, ReleaseObject},
    },
};

/// The inspector's numbers of closed shadow roots, by their hosts.
#[derive(Default)]
pub(crate) struct ClosedRoots {
    by_host: HashMap<i64, i64>,
}

impl ClosedRoots {
    /// Nodes were reported.
    pub(crate) fn add(&mut self, nodes: &[Node]) {
        for node in nodes {
            for root in &node.shadow_roots {
                if root.shadow_root_type.as_deref() == Some("closed") {
                    self.by_host.insert(node.node_id, root.node_id);
                }
            }
            self.add(&node.children);
            self.add(&node.shadow_roots);
            if let Some(document) = &node.content_document {
                self.add(std::slice::from_ref(document));
            }
        }
    }
}

impl WebKitPage {
    /// Numbers nodes anew. The caller holds `numbering`, since all earlier numbers are void.
    pub(crate) async fn number_nodes(&self) -> Result<()> {
        let asked = {
            // What was reported before counts no more; what is reported from now on does.
            *lock(&self.closed_roots) = ClosedRoots::default();
            self.session.send(&GetDocument {})
        };
        let document = asked.await.map_err(|error| self.failed(error))?;
        lock(&self.closed_roots).add(&[document.root]);
        Ok(())
    }
}

#[async_trait]
impl ClosedShadowRoots for WebKitPage {
    async fn report_closed_shadow_roots(&self, frame: &FrameId) -> Result<usize> {
        let world = self.world(frame, WorldKind::Injected).await?;
        let candidates = "function(){const found=cicerone.candidates();return found.length?found:null}";
        let list = self.in_injected_world(frame, candidates, &[], false).await?;
        let Some(list) = list.result.object_id.filter(|_| !list.was_thrown) else { return Ok(0) };
        let listed = self.send(&GetProperties { object_id: &list, own_properties: true }).await?;
        let hosts: Vec<String> =
            listed.properties.into_iter().filter_map(|property| property.value?.object_id).collect();
        let _numbering = self.numbering.lock().await;
        self.number_nodes().await?;
        // The way to a node is reported before its number.
        let asked = hosts.iter().map(|object_id| self.session.send(&RequestNode { object_id }));
        let numbers = join_all(asked).await;
        // An element that went meanwhile has no number.
        let roots: Vec<i64> = {
            let known = lock(&self.closed_roots);
            let numbered = numbers.into_iter().flatten().map(|numbered| numbered.node_id);
            numbered.filter_map(|node| known.by_host.get(&node).copied()).collect()
        };
        for node_id in &roots {
            self.session.tell(&SetInspectedNode { node_id: *node_id });
            let adopt = Evaluate {
                expression: "cicerone.adopt($0)",
                context_id: world.id,
                return_by_value: true,
                include_command_line_api: true,
                do_not_pause_on_exceptions_and_mute_console: true,
                ..Evaluate::default()
            };
            let adopted = self.while_there(frame, world.id, self.session.send(&adopt)).await?;
            adopted.map_err(|error| self.failed(error))?;
        }
        for object_id in hosts.iter().chain([&list]) {
            self.session.tell(&ReleaseObject { object_id });
        }
        Ok(roots.len())
    }
}
