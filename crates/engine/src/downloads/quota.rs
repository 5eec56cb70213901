//! How many downloads are kept, and what they take up.

use std::path::PathBuf;

use super::DownloadFailure;

/// Downloads kept between two actions: a page can start any number.
const MOST_UNASKED: usize = 100;

/// What all downloads of a session may take up at a time, in largest downloads.
const LARGEST_PER_SESSION: u64 = 4;

/// What the downloads of a session take up.
#[derive(Debug, Default)]
pub(crate) struct DownloadQuota {
    /// The saved files with their sizes. Some may have been deleted or moved meanwhile.
    saved: Vec<(PathBuf, u64)>,
    since_action: usize,
}

impl DownloadQuota {
    /// Takes in a download of this size, unless it is too much.
    pub(super) fn admit(&mut self, bytes: u64, largest: u64) -> Result<(), DownloadFailure> {
        if bytes > largest {
            return Err(DownloadFailure::TooLarge { bytes, limit: largest });
        }
        if self.since_action >= MOST_UNASKED {
            return Err(DownloadFailure::TooMany { limit: MOST_UNASKED });
        }
        let limit = largest.saturating_mul(LARGEST_PER_SESSION);
        if self.total().saturating_add(bytes) > limit {
            self.saved.retain(|(path, _)| path.exists());
        }
        if self.total().saturating_add(bytes) > limit {
            return Err(DownloadFailure::QuotaExceeded { limit });
        }
        self.since_action += 1;
        Ok(())
    }

    /// One that was admitted has this file.
    pub(super) fn keep(&mut self, path: PathBuf, bytes: u64) {
        self.saved.push((path, bytes));
    }

    pub(super) fn action_begins(&mut self) {
        self.since_action = 0;
    }

    fn total(&self) -> u64 {
        self.saved.iter().map(|(_, bytes)| bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_a_hundred_downloads_between_two_actions() {
        let mut quota = DownloadQuota::default();
        for _ in 0..2 {
            for _ in 0..MOST_UNASKED {
                assert_eq!(quota.admit(1, 1_000), Ok(()));
            }
            assert_eq!(quota.admit(1, 1_000), Err(DownloadFailure::TooMany { limit: MOST_UNASKED }));
            quota.action_begins();
        }
    }
}
