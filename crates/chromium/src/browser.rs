//! A running browser.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{Bookmarks, Browser, Context, History, Proxy, Result};
use cicerone_process::Process;
use cicerone_wire::Connection;
use tempfile::TempDir;

use crate::{contexts::ChromiumContext, helper::Helper, protocol::browser::Close};

/// Where a browser comes from, which decides how it is closed.
pub(crate) enum Origin {
    /// Launched here: it ends with us.
    Launched(Process),
    /// Started by somebody else: it keeps running.
    Attached {
        /// Its download directory, removed on drop.
        downloads: TempDir,
        /// Whether pages that were opened here stay open.
        keeps_pages: bool,
    },
}

pub(crate) struct ChromiumBrowser {
    /// The context of the session's first pages: the default one, or our own in an attached browser.
    pub(crate) first: Arc<ChromiumContext>,
    pub(crate) connection: Connection,
    pub(crate) origin: Origin,
    pub(crate) version: String,
    pub(crate) user_agent: String,
    pub(crate) remark: Option<String>,
    /// Not where the default context is not used, and not behind an extension.
    pub(crate) helper: Option<Helper>,
}

#[async_trait]
impl Browser for ChromiumBrowser {
    fn default_context(&self) -> Arc<dyn Context> {
        Arc::clone(&self.first) as Arc<dyn Context>
    }

    async fn new_context(&self, proxy: Option<&Proxy>) -> Result<Arc<dyn Context>> {
        Ok(self.first.create_beside(proxy).await?)
    }

    fn prewarm(&self) {
        self.first.fill_spare_context();
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn user_agent(&self) -> Option<String> {
        Some(self.user_agent.clone()).filter(|agent| !agent.is_empty())
    }

    fn remark(&self) -> Option<String> {
        self.remark.clone()
    }

    fn history(&self) -> Option<&dyn History> {
        self.helper.as_ref().map(|helper| helper as _)
    }

    fn bookmarks(&self) -> Option<&dyn Bookmarks> {
        self.helper.as_ref().map(|helper| helper as _)
    }

    async fn close(&self) {
        match &self.origin {
            Origin::Launched(process) => {
                // The answer may never come; only the process's exit counts.
                self.connection.root().tell(&Close {});
                process.end().await;
            }
            Origin::Attached { downloads, keeps_pages } => {
                if let Some(helper) = &self.helper {
                    helper.unload();
                }
                if !keeps_pages {
                    self.first.place.leave().await;
                }
                tracing::debug!(directory = %downloads.path().display(), "left the browser");
            }
        }
        self.connection.close();
    }
}
