//! Reports elements with listeners to the injected script, each node once.

use std::collections::HashMap;

use async_trait::async_trait;
use cicerone_driver::{FrameId, Listeners, Result};

use crate::{
    object_group::ObjectGroup,
    page::{ChromiumPage, failed},
    protocol::{dom::GetEventListeners, runtime::Evaluate},
};

/// Listeners that make an element clickable.
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

/// An element with this many listeners is a framework's root, not something to click.
const FRAMEWORK: usize = 40;

/// Input listeners of fields.
const TYPING: [&str; 5] = ["input", "beforeinput", "keydown", "keypress", "keyup"];

/// How many new nodes one snapshot reports; the next one reports the rest.
const AT_ONCE: usize = 5_000;

#[async_trait]
impl Listeners for ChromiumPage {
    async fn report_listeners(&self, frame: &FrameId) -> Result<()> {
        let place = self.injected_world(frame).await?;
        let session = &place.0;
        // Through the main world: with a document of another world the browser crashes a little later
        // (Chromium 156). `document` is one of the few names that a page cannot redefine.
        let (_, page_world) = self.main_world(frame).await?;
        let group = ObjectGroup::new(session);
        let document = Evaluate {
            expression: "document",
            unique_context_id: &page_world.unique_id,
            object_group: Some(&group.name),
            ..Evaluate::default()
        };
        let Some(document) = session.send(&document).await.map_err(failed)?.result.object_id else {
            return Ok(());
        };
        // `pierce` is for the shadow roots below.
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
}
