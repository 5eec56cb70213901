//! An empty document of an origin, for what only a document of it can reach.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use cicerone_driver::{DriverError, Feature, Result, Size};

use crate::{contexts::WebKitContext, page::WebKitPage, protocol::host::LoadHtml};

/// Nothing outside of the browser takes part in a visit, so it is there soon or never.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Nobody sees it.
const SIZE: Size = Size { width: 320, height: 240 };

const EMPTY_DOCUMENT: &str = "<!doctype html><html><head></head><body></body></html>";

impl WebKitContext {
    pub(crate) async fn origin_page(&self, origin: &str) -> Result<Arc<WebKitPage>> {
        if !origin.starts_with("http://") && !origin.starts_with("https://") {
            return Err(DriverError::Unsupported(Feature::NonHttpOrigins));
        }
        let page = self.open(SIZE, true).await?;
        let before = page.documents.load(Ordering::Relaxed);
        page.send(&LoadHtml { html: EMPTY_DOCUMENT, base: &format!("{origin}/") }).await?;
        let shown = page.lifecycle.until(|| (page.documents.load(Ordering::Relaxed) > before).then_some(()));
        tokio::time::timeout(TIMEOUT, shown).await.unwrap_or(Err(DriverError::Gone))?;
        Ok(page)
    }
}
