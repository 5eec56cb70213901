//! Elements that are hidden, not removed: panels of tabs, steps of wizards, closed calendars.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use cicerone_driver::FrameId;
use futures::future::join_all;
use serde_json::json;

use crate::{
    Deadline,
    injected::InjectedError,
    page::parts::Snapshots,
    snapshot::{Tree, tree::Key},
};

/// Time limit for a frame that was just read.
const TIMEOUT: Duration = Duration::from_secs(1);

/// After which a busy page has its scripts interrupted; longer than the limit above.
const SLOW_PAGE: Duration = Duration::from_secs(10);

impl Snapshots<'_> {
    /// The elements of the client's last snapshot that are missing from this one and still in the document. Asks
    /// only if something new could be taken for them.
    pub(crate) async fn hidden_since(self, tree: &Tree) -> HashSet<Key> {
        let (timeout, deadline) = (Deadline::after(TIMEOUT), Deadline::after(SLOW_PAGE));
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
            let args = json!({ "nums": nums });
            let asked = self.page.injected().ask::<HashSet<u32>>(&frame, "connected", &args, deadline);
            // Do not interrupt a busy page for this.
            match timeout.bound(asked).await {
                Some(Ok(connected)) => keys.into_iter().filter(|(_, num)| connected.contains(num)).collect(),
                Some(Err(InjectedError::Gone)) => Vec::new(),
                // Not known: a ref that stays is safer than one that moves to another element.
                Some(Err(_)) | None => keys,
            }
        });
        join_all(pending).await.into_iter().flatten().collect()
    }
}
