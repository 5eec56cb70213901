//! Elements that are hidden, not removed: panels of tabs, steps of wizards, closed calendars.

use std::collections::{HashMap, HashSet};

use cicerone_driver::FrameId;
use futures::future::join_all;
use serde_json::json;

use crate::{
    Deadline,
    injected::InjectedError,
    page::parts::Snapshots,
    snapshot::{Tree, tree::Key},
};

impl Snapshots<'_> {
    /// The elements of the client's last snapshot that are missing from this one and still in the document. Asks
    /// only if something new could be taken for them.
    pub(crate) async fn hidden_since(self, tree: &Tree, deadline: Deadline) -> HashSet<Key> {
        let missing = self.page.baseline().as_ref().map(|baseline| tree.missing_from(baseline));
        let mut by_frame: HashMap<FrameId, Vec<Key>> = HashMap::new();
        {
            let state = self.page.state();
            for key in missing.into_iter().flatten() {
                if let Some(frame) = state.frames.iter().find(|frame| frame.document == key.0) {
                    by_frame.entry(frame.id.clone()).or_default().push(key);
                }
            }
        }
        let pending = by_frame.into_iter().map(|(frame, keys)| async move {
            let nums: Vec<u32> = keys.iter().map(|(_, num)| *num).collect();
            match self
                .page
                .injected()
                .ask::<HashSet<u32>>(&frame, "connected", &json!({ "nums": nums }), deadline)
                .await
            {
                Ok(connected) => keys.into_iter().filter(|(_, num)| connected.contains(num)).collect(),
                Err(InjectedError::Gone) => Vec::new(),
                // Not known: a ref that stays is safer than one that moves to another element.
                Err(_) => keys,
            }
        });
        join_all(pending).await.into_iter().flatten().collect()
    }
}
