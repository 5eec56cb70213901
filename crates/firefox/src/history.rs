//! What was visited. All user contexts have one history.

use async_trait::async_trait;
use cicerone_driver::{History, HistorySearch, Result, Visited};
use serde::{Deserialize, Serialize};

use crate::browser::FirefoxBrowser;

#[derive(Serialize)]
struct Wanted<'a> {
    text: &'a str,
    from: Option<f64>,
    to: Option<f64>,
    most: u32,
}

#[derive(Deserialize)]
struct Found {
    url: String,
    title: String,
    last: f64,
    visits: u32,
}

#[async_trait]
impl History for FirefoxBrowser {
    async fn search(&self, wanted: &HistorySearch) -> Result<Vec<Visited>> {
        let HistorySearch { text, from, to, most } = wanted;
        // None at all is the browser's word for any number.
        if *most == 0 {
            return Ok(Vec::new());
        }
        let wanted = Wanted { text, from: *from, to: *to, most: *most };
        let found: Vec<Found> = self.system("read its history")?.call("visited", [wanted]).await?;
        let visited = |Found { url, title, last, visits }| Visited { url, title, last, visits };
        Ok(found.into_iter().map(visited).collect())
    }

    fn records_all_contexts(&self) -> bool {
        true
    }
}
