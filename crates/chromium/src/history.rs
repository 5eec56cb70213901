//! Browsing history. Only the default context has one: the others are incognito.

use async_trait::async_trait;
use cicerone_driver::{History, HistorySearch, Result, Visited};

use crate::helper::Helper;

#[async_trait]
impl History for Helper {
    async fn search(&self, wanted: &HistorySearch) -> Result<Vec<Visited>> {
        self.call("visited", [wanted]).await
    }

    fn records_all_contexts(&self) -> bool {
        false
    }
}
