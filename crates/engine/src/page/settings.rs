//! What this call's options say, with the server's options as defaults.

use std::time::Duration;

use super::parts::Settings;
use crate::{ActionSnapshot, snapshot::Notation};

impl Settings<'_> {
    pub(crate) fn notation(self) -> Notation {
        self.page.call.notation
    }

    pub(crate) fn shows(self) -> ActionSnapshot {
        self.page.call.shows.unwrap_or(self.page.options().action_snapshot)
    }

    /// How long an action waits until its element can be used.
    pub(crate) fn action_timeout(self) -> Duration {
        self.page.call.timeout.unwrap_or(self.page.options().action_timeout)
    }

    /// How long a navigation may take.
    pub(crate) fn navigation_timeout(self) -> Duration {
        self.page.call.timeout.unwrap_or(self.page.options().navigation_timeout)
    }

    /// How long a wait for something on the page lasts.
    pub(crate) fn wait_timeout(self) -> Duration {
        self.page.call.timeout.unwrap_or(self.page.options().wait_timeout)
    }

    /// How long its user is ready to wait, where they say so.
    pub(crate) fn timeout(self) -> Option<Duration> {
        self.page.call.timeout
    }

    /// The number of the only frame that matters, where there is one.
    pub(crate) fn only_frame(self) -> Option<u32> {
        self.page.call.frame
    }
}
