//! What only the browser knows, told to the agent: which elements have pointer listeners, and closed shadow
//! roots. Both are kept by the agent, so each node is told of once.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
};

use cicerone_driver::{FrameId, Result};
use cicerone_wire::Session;
use futures::future::join_all;

use crate::{
    frames::World,
    page::{ChromiumPage, failed},
    protocol::{
        dom::{DescribeNode, GetEventListeners, ResolveNode},
        runtime::{CallArgument, Evaluate, GetProperties, ReleaseObjectGroup},
    },
};

/// Listeners that make an element something to click.
const POINTER: [&str; 9] = [
    "click",
    "dblclick",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "contextmenu",
    "auxclick",
];

/// An element with so many listeners is where a framework hears of everything, and no place to click.
const FRAMEWORK: usize = 40;

/// Listeners to what is typed into a field.
const TYPING: [&str; 5] = ["input", "beforeinput", "keydown", "keypress", "keyup"];

/// How many new nodes one look tells of; the rest is told by the next.
const AT_ONCE: usize = 5_000;

impl ChromiumPage {
    pub(crate) async fn tell_listeners(&self, frame: &FrameId) -> Result<()> {
        let place = self.agent_world(frame).await?;
        let session = &place.0;
        // Asked through the page's own world: with a document of another world the browser crashes a little later
        // (Chromium 156). `document` is one of the few names that a page cannot give to something else.
        let (_, page_world) = self.main_world(frame).await?;
        let group = Group::new(session);
        let document = Evaluate {
            expression: "document",
            unique_context_id: &page_world.unique_id,
            object_group: Some(&group.name),
            ..Evaluate::default()
        };
        let Some(document) = session.send(&document).await.map_err(failed)?.result.object_id else {
            return Ok(());
        };
        // With `pierce` for the shadow roots below.
        let ask = GetEventListeners { object_id: &document, depth: -1, pierce: true };
        let listeners = session.send(&ask).await.map_err(failed)?.listeners;
        let mut counts: HashMap<i64, usize> = HashMap::new();
        for node in listeners.iter().filter_map(|listener| listener.backend_node_id) {
            *counts.entry(node).or_default() += 1;
        }
        let nodes = |kinds: &[&str]| {
            let mut nodes: Vec<i64> = listeners
                .iter()
                .filter(|listener| kinds.contains(&listener.kind.as_str()))
                .filter_map(|listener| listener.backend_node_id)
                .filter(|node| counts[node] < FRAMEWORK)
                .collect();
            nodes.sort_unstable();
            nodes.dedup();
            nodes
        };
        let (mut fresh, mut typed_into) = (nodes(&POINTER), nodes(&TYPING));
        self.with_frames(|frames| {
            match frames.get_mut(frame).map(|there| &mut there.known_typing_listeners) {
                Some(known) => typed_into.retain(|node| known.insert(*node)),
                None => typed_into.clear(),
            }
        });
        self.hand_over(&place, &group, &typed_into, "function(...e){cicerone.listens(...e)}").await?;
        self.with_frames(|frames| {
            let known = frames.get_mut(frame).map(|there| &mut there.known_listeners);
            match known {
                Some(known) => fresh.retain(|node| !known.contains(node)),
                None => fresh.clear(),
            }
            fresh.truncate(AT_ONCE);
            if let Some(known) = frames.get_mut(frame).map(|there| &mut there.known_listeners) {
                known.extend(&fresh);
            }
        });
        self.hand_over(&place, &group, &fresh, "function(...e){cicerone.mark(...e)}").await
    }

    pub(crate) async fn tell_closed_roots(&self, frame: &FrameId) -> Result<usize> {
        let place = self.agent_world(frame).await?;
        let (session, _) = &place;
        let group = Group::new(session);
        let ask = "function(){return cicerone.candidates()}";
        let suspects = self.in_agent_world(&place, ask, &[], Some(&group.name)).await?;
        let Some(list) = suspects.result.object_id else { return Ok(0) };
        let elements: Vec<String> = session
            .send(&GetProperties { object_id: &list, own_properties: true })
            .await
            .map_err(failed)?
            .result
            .into_iter()
            .filter_map(|property| property.value?.object_id)
            .collect();
        let asked = elements.iter().map(|object_id| session.send(&DescribeNode { object_id }));
        let closed: Vec<i64> = join_all(asked)
            .await
            .into_iter()
            // An element that went meanwhile has no root to tell of.
            .flatten()
            .flat_map(|described| described.node.shadow_roots)
            .filter(|root| root.shadow_root_type.as_deref() == Some("closed"))
            .map(|root| root.backend_node_id)
            .collect();
        self.hand_over(&place, &group, &closed, "function(...r){cicerone.adopt(...r)}").await?;
        Ok(closed.len())
    }

    /// Gives nodes to a function in the agent's world. Nodes of other documents, or gone, are left out.
    async fn hand_over(
        &self,
        place: &(Session, World),
        group: &Group,
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
                self.in_agent_world(place, function, &arguments, None).await?;
            }
        }
        Ok(())
    }
}

/// Objects that one look needs. They are let go of at its end, and no others: looks at other frames run beside it.
pub(crate) struct Group {
    pub(crate) name: String,
    session: Session,
}

impl Group {
    pub(crate) fn new(session: &Session) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("cicerone-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        Self { name, session: session.clone() }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.session.tell(&ReleaseObjectGroup { object_group: &self.name });
    }
}
