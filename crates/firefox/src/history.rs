//! Browsing history. All user contexts share one.

use async_trait::async_trait;
use cicerone_driver::{Feature, History, HistorySearch, Result, Visited};

use crate::browser::FirefoxBrowser;

#[async_trait]
impl History for FirefoxBrowser {
    async fn search(&self, wanted: &HistorySearch) -> Result<Vec<Visited>> {
        // For the browser, no limit is `None`.
        if wanted.most == 0 {
            return Ok(Vec::new());
        }
        self.system(Feature::History)?.call("visited", [wanted]).await
    }

    fn records_all_contexts(&self) -> bool {
        true
    }
}
