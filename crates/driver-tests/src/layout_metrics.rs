//! Sizes that the browser knows.

use crate::{
    Driver, Trial,
    site::{Site, html},
};

pub async fn the_size_of_a_document_counts_what_is_out_of_view(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|_| {
        html(
            "<!doctype html><link rel=icon href='data:,'><body style='margin: 0'><div style='width: 1500px; height: 2500px'>",
        )
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(metrics) = page.layout_metrics() else { return trial.browser.close().await };
    let size = metrics.content_size().await.unwrap();
    assert_eq!((size.width, size.height), (1500, 2500));
    trial.browser.close().await;
}
