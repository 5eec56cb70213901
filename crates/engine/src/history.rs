//! What was visited in the browser.

use cicerone_driver::{HistorySearch, Visited};

use crate::{Error, Result, Session};

/// What was found in the history.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundVisits {
    /// The latest first.
    pub visits: Vec<Visited>,
    /// Whether the browser records nothing of what is visited in the active context.
    pub unrecorded_context: bool,
}

impl Session {
    /// What was visited; without what is open in a tab now, where that is not wanted.
    pub async fn search_history(&self, wanted: &HistorySearch, without_open: bool) -> Result<FoundVisits> {
        self.alive()?;
        let browser = self.browser().await?;
        let history = browser.history().ok_or(Error::Unsupported("read its history"))?;
        let open = if without_open { self.open_urls() } else { Vec::new() };
        // What is left out later must not count.
        let more = u32::try_from(open.len()).unwrap_or(u32::MAX);
        let search = HistorySearch { most: wanted.most.saturating_add(more), ..wanted.clone() };
        let found = self.asked(history.search(&search)).await?;
        let visits = found.into_iter().filter(|visited| !open.contains(&visited.url));
        let visits = visits.take(wanted.most as usize).collect();
        let unrecorded_context = !history.records_all_contexts() && !self.context().is_first();
        Ok(FoundVisits { visits, unrecorded_context })
    }

    /// The URLs of all tabs, each once.
    fn open_urls(&self) -> Vec<String> {
        let mut urls: Vec<String> =
            self.all_contexts().iter().flat_map(|context| context.pages()).map(|page| page.url()).collect();
        urls.sort();
        urls.dedup();
        urls
    }
}
