//! A document that WebKit shows in another process than the one before, as it does for `Cross-Origin-Opener-Policy`. The
//! inspector of that process knows nothing of what this one was told, and has not reported the document.

use cicerone_driver::{PageDriver, Result};

use crate::{
    events, interception,
    page::{WebKitPage, lock},
    protocol::{
        console, network,
        page::{Enable, EnableInspector, GetResourceTree},
        runtime,
    },
};

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
        if let Err(error) = begun.await {
            tracing::debug!(page = %self.id, %error, "a page was gone before it was set up in its new process");
        }
    }

    async fn set_again(&self) -> Result<()> {
        interception::begin_again(self).await?;
        lock(&self.sent_headers).clear();
        self.send_headers().await?;
        self.begin_offline().await?;
        let emulated = lock(&self.emulated).clone();
        emulated.apply_to(self).await
    }

    /// What was loaded before anything was reported.
    async fn report_stage(&self) -> Result<()> {
        let main = self.main_frame();
        let state =
            self.in_injected_world(&main, "function(){return document.readyState}", &[], true).await?;
        if state.result.value.as_ref().and_then(|state| state.as_str()) == Some("complete") {
            events::complete(self, &main);
        }
        Ok(())
    }
}
