use std::time::Duration;

/// What a session was told about how to behave.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long an action waits until its element can be used.
    pub action_timeout: Duration,
    /// How long a navigation may take.
    pub navigation_timeout: Duration,
    /// How long an action that has shown no effect is watched.
    pub settle: Duration,
    /// How long an action waits for what it caused.
    pub settle_timeout: Duration,
    /// How long a wait for something on the page lasts.
    pub wait_timeout: Duration,
    /// How many characters a snapshot may have.
    pub snapshot_limit: usize,
    /// What an action's reply shows of the page.
    pub action_snapshot: ActionSnapshot,
    /// How long a context may be unused before it is closed.
    pub session_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            action_timeout: Duration::from_secs(5),
            navigation_timeout: Duration::from_secs(30),
            settle: Duration::from_millis(500),
            settle_timeout: Duration::from_secs(10),
            wait_timeout: Duration::from_secs(30),
            snapshot_limit: 50_000,
            action_snapshot: ActionSnapshot::Diff,
            session_timeout: Duration::from_secs(30 * 60),
        }
    }
}

/// What an action's reply shows of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionSnapshot {
    /// What changed, bounded.
    Diff,
    /// All of it, within the snapshot limit.
    Full,
    /// Nothing.
    None,
}
