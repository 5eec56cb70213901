//! The browser's history.

use cicerone_driver::{HistorySearch, Visited};

use crate::{Error, Result, Session, Unsupported};

/// The result of a history search.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundVisits {
    /// Latest first.
    pub visits: Vec<Visited>,
    /// Whether the browser does not record visits in the active context.
    pub unrecorded_context: bool,
}

impl Session {
    /// Searches the history; `without_open` leaves out the URLs of open tabs.
    pub async fn search_history(&self, search: &HistorySearch, without_open: bool) -> Result<FoundVisits> {
        self.alive()?;
        let browser = self.browser().await?;
        let history = browser.history().ok_or(Error::Unsupported(Unsupported::History))?;
        let open = if without_open { self.open_urls() } else { Vec::new() };
        // Make up for those left out below.
        let more = u32::try_from(open.len()).unwrap_or(u32::MAX);
        let extended = HistorySearch { most: search.most.saturating_add(more), ..search.clone() };
        let found = self.asked(history.search(&extended)).await?;
        let visits = found.into_iter().filter(|visited| !open.contains(&visited.url));
        let visits = visits.take(search.most as usize).collect();
        let unrecorded_context = !history.records_all_contexts() && !self.context().is_default();
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
