//! Remote objects that are released together.

use std::sync::atomic::{AtomicU64, Ordering};

use cicerone_wire::Session;

use crate::protocol::runtime::ReleaseObjectGroup;

/// The objects of one snapshot, released at its end. Snapshots of other frames, which run concurrently, keep
/// theirs.
pub(crate) struct ObjectGroup {
    pub(crate) name: String,
    session: Session,
}

impl ObjectGroup {
    pub(crate) fn new(session: &Session) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("cicerone-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        Self { name, session: session.clone() }
    }
}

impl Drop for ObjectGroup {
    fn drop(&mut self) {
        self.session.tell(&ReleaseObjectGroup { object_group: &self.name });
    }
}
