//! An empty document of an origin, for data that only a document of it can reach.

use std::sync::Arc;

use cicerone_driver::{DriverError, Feature, Navigation, PageDriver, Result};
use cicerone_wire::Session;

use crate::{
    contexts::ChromiumContext,
    internal_page::{self, Purpose},
    page::ChromiumPage,
    protocol::{
        fetch::{self, FailRequest, FulfillRequest, Header, RequestPaused},
        network::SetBypassServiceWorker,
    },
};

const EMPTY_DOCUMENT: &[Header<'_>] = &[Header { name: "content-type", value: "text/html; charset=utf-8" }];

impl ChromiumContext {
    pub(crate) async fn open_origin_page(&self, origin: &str) -> Result<Arc<dyn PageDriver>> {
        if !origin.starts_with("http://") && !origin.starts_with("https://") {
            return Err(DriverError::Unsupported(Feature::NonHttpOrigins));
        }
        if !self.place.shared.powers.hidden_pages {
            return Err(DriverError::Unsupported(Feature::HiddenPages));
        }
        let url = format!("{origin}/");
        let shared = Arc::clone(&self.place.shared);
        let goes = |page: Arc<ChromiumPage>| async move {
            shared.set_up(&page.session);
            show_empty_document(&page, &url).await
        };
        let page = internal_page::run(&self.place, Purpose::OriginPage, goes).await?;
        Ok(page)
    }
}

async fn show_empty_document(page: &ChromiumPage, url: &str) -> Result<()> {
    // A service worker of the origin would get the request first, and could use the network.
    page.session.tell(&SetBypassServiceWorker { bypass: true });
    page.session.tell(&fetch::Enable::default());
    match page.navigate(url).await? {
        Navigation::Document(document) => page.completed(&document).await,
        Navigation::Failed(message) => Err(DriverError::Refused { command: "Page.navigate", message }),
        _ => Err(DriverError::Gone),
    }
}

/// Answers a request here, so that nothing reaches the network.
pub(crate) fn paused(session: &Session, RequestPaused { request_id, resource_type, .. }: &RequestPaused) {
    if resource_type == "Document" {
        session.tell(&FulfillRequest {
            request_id,
            response_code: 200,
            response_headers: EMPTY_DOCUMENT,
            body: None,
        });
    } else {
        session.tell(&FailRequest { request_id, error_reason: "Aborted" });
    }
}
