//! Performance traces.

use crate::{Driver, Trial, site::Site, value};

pub async fn a_trace_is_compressed_and_bounded(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let Some(tracing) = page.tracing() else { return trial.browser.close().await };
    for (most, is_kept) in [(100, false), (100_000_000, true)] {
        tracing.start().await.unwrap();
        value(&*page, "fetch('/data').then(() => 1)").await;
        let trace = tracing.stop(most).await.unwrap();
        assert_eq!(trace.is_some(), is_kept);
        assert!(trace.is_none_or(|trace| trace.starts_with(b"\x1f\x8b")));
    }
    trial.browser.close().await;
}
