use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Reads the browsing history.
#[async_trait]
pub trait History: Send + Sync {
    /// Finds visited pages, latest visit first.
    async fn search(&self, wanted: &HistorySearch) -> Result<Vec<Visited>>;
    /// Whether visits in contexts other than the default one are recorded too.
    fn records_all_contexts(&self) -> bool;
}

/// Filters for a history search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistorySearch {
    /// Words that must all occur in the URL or the title; empty matches everything.
    pub text: String,
    /// Not before this time, in seconds since the Unix epoch.
    pub from: Option<f64>,
    /// Not after this time.
    pub to: Option<f64>,
    /// Maximum number of results.
    pub most: u32,
}

/// A visited page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Visited {
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
    /// Time of the last visit, in seconds since the Unix epoch.
    pub last: f64,
    /// Number of visits.
    pub visits: u32,
}
