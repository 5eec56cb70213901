use async_trait::async_trait;

use crate::Result;

/// The power to read what was visited.
#[async_trait]
pub trait History: Send + Sync {
    /// What was visited, the latest first.
    async fn search(&self, wanted: &HistorySearch) -> Result<Vec<Visited>>;
    /// Whether visits in contexts beside the default one are recorded, too.
    fn records_all_contexts(&self) -> bool;
}

/// Which visits are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct HistorySearch {
    /// Words that are all in the URL or the title; none for everything.
    pub text: String,
    /// Not before this, in seconds since 1970.
    pub from: Option<f64>,
    /// Not after this.
    pub to: Option<f64>,
    /// How many at most.
    pub most: u32,
}

/// A place that was visited.
#[derive(Debug, Clone, PartialEq)]
pub struct Visited {
    /// Where it is.
    pub url: String,
    /// The title that it had; empty for none.
    pub title: String,
    /// When it was visited last, in seconds since 1970.
    pub last: f64,
    /// How often it was.
    pub visits: u32,
}
