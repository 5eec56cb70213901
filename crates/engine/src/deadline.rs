use std::{future::Future, time::Duration};

use tokio::time::Instant;

/// The latest end of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// This long from now.
    pub fn after(timeout: Duration) -> Self {
        Self(Instant::now() + timeout)
    }

    /// This long after a moment.
    pub(crate) fn since(moment: std::time::Instant, timeout: Duration) -> Self {
        Self(Instant::from_std(moment) + timeout)
    }

    pub(crate) fn extended_by(self, more: Duration) -> Self {
        Self(self.0 + more)
    }

    /// The time left.
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub fn passed(self) -> bool {
        self.left().is_zero()
    }

    /// The earlier of this and a timeout from now.
    pub fn or_after(self, timeout: Duration) -> Self {
        self.min(Self::after(timeout))
    }

    /// 1.5 s later, for replies that the page itself sends at the deadline.
    pub fn with_grace(self) -> Self {
        Self(self.0 + Duration::from_millis(1500))
    }

    /// The result, or `None` if it takes longer.
    pub async fn bound<T>(self, work: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout_at(self.0, work).await.ok()
    }
}
