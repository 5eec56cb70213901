//! A running browser.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{Bookmarks, Browser, Context, History, Proxy, Result};
use cicerone_process::Process;
use cicerone_wire::Connection;

use crate::{contexts::ChromiumContext, helper::Helper, protocol::browser::Close};

pub(crate) struct ChromiumBrowser {
    pub(crate) default: Arc<ChromiumContext>,
    pub(crate) connection: Connection,
    pub(crate) process: Process,
    pub(crate) version: String,
    pub(crate) user_agent: String,
    pub(crate) remark: Option<String>,
    pub(crate) helper: Helper,
}

#[async_trait]
impl Browser for ChromiumBrowser {
    fn default_context(&self) -> Arc<dyn Context> {
        Arc::clone(&self.default) as Arc<dyn Context>
    }

    async fn new_context(&self, proxy: Option<&Proxy>) -> Result<Arc<dyn Context>> {
        Ok(self.default.create_beside(proxy).await?)
    }

    fn make_ready(&self) {
        self.default.fill_store();
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
        Some(&self.helper)
    }

    fn bookmarks(&self) -> Option<&dyn Bookmarks> {
        Some(&self.helper)
    }

    async fn close(&self) {
        // The answer may never come: the process's end is what counts.
        self.connection.root().tell(&Close {});
        self.process.end().await;
        self.connection.close();
    }
}
