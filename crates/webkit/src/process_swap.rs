//! A document that WebKit shows in another process than the one before, as it does for `Cross-Origin-Opener-Policy`. The
//! inspector of that process knows nothing of what this one was told, and has not reported the document.

use std::{pin::pin, sync::atomic::Ordering, time::Duration};

use cicerone_driver::{DriverError, PageDriver, Result};

use crate::{
    events, interception,
    page::{WebKitPage, lock},
    protocol::{
        console, network,
        page::{Enable, EnableInspector, GetResourceTree},
        runtime,
    },
};

/// How long it may take until the new process is set up, if no dialog of its first scripts is open. Longer than a call that
/// waits for it: a page that hangs is interrupted or ended before.
const SET_UP: Duration = Duration::from_secs(120);

impl WebKitPage {
    /// Has the new process report what happens, and hold to what was set.
    pub(crate) async fn begin_in_new_process(&self) {
        let begun = async {
            self.session.tell(&EnableInspector {});
            self.session.tell(&Enable {});
            let tree = self.send(&GetResourceTree {}).await?.frame_tree;
            *lock(&self.main) = Some(tree.frame.id.clone());
            self.shows(&tree.frame);
            self.learn(&tree, None);
            self.session.tell(&network::Enable {});
            self.session.tell(&console::Enable {});
            self.send(&runtime::Enable {}).await?;
            self.set_again().await?;
            self.report_stage().await
        };
        let mut begun = pin!(begun);
        loop {
            match tokio::time::timeout(SET_UP, begun.as_mut()).await {
                Ok(Ok(())) => break,
                Ok(Err(error)) => {
                    tracing::debug!(page = %self.id, %error, "a page was gone before it was set up in its new process");
                    break;
                }
                // Its scripts go on when somebody answers.
                Err(_) if self.dialog_open.load(Ordering::Relaxed) => {}
                Err(_) => {
                    tracing::warn!(page = %self.id, "a page was not set up in its new process: it did not answer");
                    break;
                }
            }
        }
    }

    async fn set_again(&self) -> Result<()> {
        self.unless_refused(interception::begin_again(self).await)?;
        lock(&self.sent_headers).clear();
        self.unless_refused(self.send_headers().await)?;
        self.unless_refused(self.begin_offline().await)?;
        let emulated = lock(&self.emulated).clone();
        self.unless_refused(emulated.apply_to(self).await)
    }

    /// What the new process refuses keeps nothing else from it.
    fn unless_refused(&self, set: Result<()>) -> Result<()> {
        match set {
            Err(error @ DriverError::Refused { .. }) => {
                tracing::warn!(page = %self.id, %error, "a page lost a setting in its new process");
                Ok(())
            }
            other => other,
        }
    }

    /// What was loaded before anything was reported.
    async fn report_stage(&self) -> Result<()> {
        let main = self.main_frame();
        let state =
            self.in_injected_world(&main, "function(){return document.readyState}", &[], true).await?;
        match state.result.value.as_ref().and_then(|state| state.as_str()) {
            Some("complete") => events::complete(self, &main),
            Some("interactive") => events::parsed(self, &main),
            _ => {}
        }
        Ok(())
    }
}
