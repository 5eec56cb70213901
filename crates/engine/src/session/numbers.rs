//! The numbers that a session gives out: each one once.

use std::sync::{
    Arc,
    atomic::{AtomicU32, AtomicU64, Ordering},
};

use crate::{RouteId, TabId, WindowId, refs::Refs, state_lock::StateLock};

/// Counters and refs of a session, or of all sessions that share contexts by name: a tab that two of them see has one number.
pub(super) struct Numbers {
    pub(super) refs: Arc<StateLock<Refs>>,
    tab: AtomicU32,
    window: AtomicU32,
    route: AtomicU32,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            refs: Arc::default(),
            tab: AtomicU32::new(1),
            // The first context's is 1.
            window: AtomicU32::new(2),
            route: AtomicU32::new(1),
        }
    }
}

impl Numbers {
    pub(super) fn next_tab(&self) -> TabId {
        TabId(self.tab.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn next_window(&self) -> WindowId {
        WindowId(self.window.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn next_route(&self) -> RouteId {
        RouteId(self.route.fetch_add(1, Ordering::Relaxed))
    }
}

/// A number for the log.
pub(super) fn next_session() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
