//! The history of the browser.

use crate::{
    Driver, Trial,
    site::{Site, html},
};
use cicerone_driver::{HistorySearch, Visited};

fn search(text: &str) -> HistorySearch {
    HistorySearch { text: text.into(), from: None, to: None, most: 10 }
}

pub async fn visited_pages_are_found_in_the_history(driver: &Driver) {
    let trial = Trial::with_all_powers(driver).await;
    let site = Site::serve(|head| {
        html(&format!("<link rel=icon href='data:,'><title>Title of {}</title>", head.target))
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/first")).await;
    trial.go(&*page, &site.url("/second")).await;
    let Some(history) = trial.browser.history() else { return trial.browser.close().await };
    // The browser writes visits and titles down a moment after they happen.
    let found = tokio::time::timeout(crate::TIMEOUT, async {
        loop {
            let found = history.search(&search("title of")).await.unwrap();
            if found.len() == 2 {
                return found;
            }
        }
    });
    let found: Vec<Visited> = found.await.unwrap();
    assert_eq!((found[0].url.as_str(), found[0].visits), (site.url("/second").as_str(), 1), "{found:?}");
    assert_eq!(found[1].title, "Title of /first");
    assert!(history.search(&search("never visited")).await.unwrap().is_empty());
    let later = HistorySearch { from: Some(found[0].last + 1_000.0), ..search("") };
    assert!(history.search(&later).await.unwrap().is_empty());
    trial.browser.close().await;
}
