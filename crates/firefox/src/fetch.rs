//! Fetches. BiDi has no command for it, but a hidden document of the same origin can fetch, with the cookies
//! and proxy of its context.

use std::sync::Arc;

use async_trait::async_trait;
use cicerone_driver::{DriverError, Feature, Fetched, Fetching, Result, lock};
use cicerone_driver_kit::FetchResult;
use cicerone_wire::Session;
use serde_json::json;
use url::Url;

use crate::{
    contexts::FirefoxContext,
    origin_page::{self, OriginPage},
    page::FirefoxPage,
    protocol::network::RemoveIntercept,
};

/// Closes the page that fetched, also on cancellation.
struct Leave<'a> {
    root: &'a Session,
    page: Arc<FirefoxPage>,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        origin_page::close(self.root, self.page.context());
    }
}

#[async_trait]
impl Fetching for FirefoxPage {
    async fn fetch(&self, url: &str, most: usize) -> Result<Fetched> {
        let shared = self.shared.upgrade().ok_or(DriverError::Disconnected)?;
        let origin = Url::parse(url).map(|url| url.origin().ascii_serialization());
        let origin = origin.map_err(|_| DriverError::Unsupported(Feature::FetchInvalidUrl))?;
        let context = FirefoxContext { shared, root: self.root.clone(), id: self.user_context.clone() };
        let OriginPage { page, closed_off } = match context.open_origin_page(&origin).await {
            Ok(opened) => opened,
            Err(DriverError::Refused { message, .. }) => return Ok(Fetched::Failed(message)),
            Err(error) => return Err(error),
        };
        let leave = Leave { root: &self.root, page };
        leave.page.send(&RemoveIntercept { intercept: &closed_off }).await?;
        let got: FetchResult =
            leave.page.ask_injected("fetchUrl", &json!({ "url": url, "most": most })).await?;
        // The browser knows the reason; the page does not.
        got.into_fetched(|words| lock(&leave.page.requests.failure).take().unwrap_or(words))
    }
}
