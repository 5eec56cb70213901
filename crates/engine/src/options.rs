use std::time::Duration;

/// The options of a session.
#[derive(Debug, Clone)]
pub struct Options {
    /// Time limit for an element to become ready.
    pub action_timeout: Duration,
    /// Time limit of a navigation.
    pub navigation_timeout: Duration,
    /// How long to watch for the first effect of an action.
    pub settle: Duration,
    /// How long an action waits for requests and navigations it caused.
    pub settle_timeout: Duration,
    /// Default time limit of a wait.
    pub wait_timeout: Duration,
    /// The most characters of a snapshot.
    pub snapshot_limit: usize,
    /// What the reply to an action shows of the page.
    pub action_snapshot: ActionSnapshot,
    /// A context unused for this long is closed.
    pub session_timeout: Duration,
    /// Complete downloads wait until it is decided whether to keep them, at most this long.
    pub hold_downloads: Option<Duration>,
    /// The largest download that is kept, in bytes: a page must not fill the disk.
    pub max_download: u64,
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
            hold_downloads: None,
            max_download: 1 << 30,
        }
    }
}

/// What the reply to an action shows of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionSnapshot {
    /// A diff, truncated.
    Diff,
    /// A snapshot within the limit.
    Full,
    /// Nothing.
    None,
}
