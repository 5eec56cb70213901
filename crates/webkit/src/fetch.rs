//! Fetching outside the page: the inspector has no command for it, but a hidden document of the same origin may fetch, with
//! the cookies and the proxy of its context.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{DriverError, Feature, Fetched, Fetching, Result};
use cicerone_driver_kit::FetchResult;
use serde_json::json;
use tokio::sync::OnceCell;
use url::Url;

use crate::{
    contexts::WebKitContext,
    navigate::not_loaded,
    page::{WebKitPage, lock},
    protocol::host::Close,
};

/// Closes the page that fetched, also when nobody waits for it any more.
struct Leave(Arc<WebKitPage>);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.session.tell(&Close {});
    }
}

#[async_trait]
impl Fetching for WebKitPage {
    async fn fetch(&self, url: &str, most: usize) -> Result<Fetched> {
        let shared = self.shared.upgrade().ok_or(DriverError::Disconnected)?;
        let root = shared.connection.get().ok_or(DriverError::Disconnected)?.root();
        let origin = Url::parse(url).map(|url| url.origin().ascii_serialization());
        let origin = origin.map_err(|_| DriverError::Unsupported(Feature::FetchInvalidUrl))?;
        let context = WebKitContext {
            shared,
            root,
            name: self.context.to_string(),
            is_default: false,
            is_known: Arc::new(OnceCell::new_with(Some(()))),
        };
        let page = Leave(context.origin_page(&origin).await?);
        let got: FetchResult = page.0.ask_injected("fetchUrl", &json!({ "url": url, "most": most })).await?;
        got.into_fetched(|words| {
            // The inspector knows more of it than the page is told.
            let words = lock(&page.0.last_failure).take().unwrap_or(words);
            format!("{} ({words})", not_loaded(url))
        })
    }
}
