//! A restart with access to the browser's own process, with the same profile.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use cicerone_driver::{KeptProfile, Launch, Restart, lock};
use cicerone_process::Profile;

use crate::browser::{FirefoxBrowser, Origin};

#[async_trait]
impl Restart for FirefoxBrowser {
    async fn close_and_keep(&self) -> Option<KeptProfile> {
        let Origin::Launched { process, marionette, .. } = &self.origin else { return None };
        // It writes what it has not written yet when it is asked to quit.
        if let Err(error) = marionette.lock().await.quit().await {
            tracing::debug!(%error, "the browser could not be asked to end");
        }
        let profile = process.end_and_keep().await?;
        self.connection.close();
        Some(KeptProfile(Arc::new(Slot::new(Some(profile)))))
    }
}

/// Where the profile is until somebody takes it.
type Slot = Mutex<Option<Profile>>;

/// The profile of the browser that is replaced; only once.
pub(crate) fn take_profile(wanted: &Launch) -> Option<Profile> {
    lock(slot(wanted)?).take()
}

/// The start failed: the profile of a browser that was replaced is there for the next start, any other is deleted.
pub(crate) fn put_back(wanted: &Launch, profile: Profile) {
    if let Some(slot) = slot(wanted) {
        *lock(slot) = Some(profile);
    }
}

fn slot(wanted: &Launch) -> Option<&Slot> {
    wanted.profile.as_ref()?.0.downcast_ref()
}
