//! Elements that scripts have made clickable.

use crate::{
    Driver, Trial,
    site::{Site, html},
};
use cicerone_driver::PageDriver;
use serde_json::Value;

/// How many elements of a snapshot have numbers.
async fn numbered(page: &dyn PageDriver) -> usize {
    let answer = page.call(&page.main_frame(), "snapshot", "{}").await.unwrap();
    let snapshot: Value = serde_json::from_str(&answer).unwrap();
    let nodes = snapshot["ok"]["nodes"].as_array().unwrap_or_else(|| panic!("{answer}"));
    nodes.iter().filter(|node| node[1] != 0).count()
}

pub async fn an_element_with_a_listener_has_a_number_once_it_is_reported(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|_| {
        html(
            "<link rel=icon href='data:,'><div id=one>One</div><div>Two</div>
            <script>document.getElementById('one').addEventListener('click', () => {})</script>",
        )
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(listeners) = page.listeners() else { return trial.browser.close().await };
    let before = numbered(&*page).await;
    listeners.report_listeners(&page.main_frame()).await.unwrap();
    assert_eq!(numbered(&*page).await, before + 1);
    trial.browser.close().await;
}
