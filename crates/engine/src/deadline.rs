use std::{future::Future, time::Duration};

use tokio::time::Instant;

/// When a wait ends, at the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    pub fn after(patience: Duration) -> Self {
        Self(Instant::now() + patience)
    }

    /// So long after a moment.
    pub(crate) fn since(moment: std::time::Instant, patience: Duration) -> Self {
        Self(Instant::from_std(moment) + patience)
    }

    /// So much later than this.
    pub(crate) fn extended_by(self, more: Duration) -> Self {
        Self(self.0 + more)
    }

    /// What is left.
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub fn passed(self) -> bool {
        self.left().is_zero()
    }

    /// The earlier of the two.
    pub fn or_after(self, patience: Duration) -> Self {
        self.min(Self::after(patience))
    }

    /// A little later than this: for an answer that the page itself gives at the deadline.
    pub fn with_grace(self) -> Self {
        Self(self.0 + Duration::from_millis(1500))
    }

    /// What comes, or nothing when it comes too late.
    pub async fn bound<T>(self, work: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout_at(self.0, work).await.ok()
    }
}
