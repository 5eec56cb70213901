//! Internal pages: an empty document of an origin, for data that only a document of it can reach.

use std::{sync::Arc, time::Duration};

use cicerone_driver::{DriverError, Feature, Navigation, Result, lock};
use cicerone_driver_kit::hand_over;
use cicerone_wire::Session;

use crate::{
    browser::Shared,
    contexts::FirefoxContext,
    page::{FirefoxPage, failed},
    protocol::{
        browsing_context::Close,
        network::{AddIntercept, BytesValue, FailRequest, Header, Intercept, ProvideResponse, RequestEvent},
    },
};

/// Only the browser takes part, so it is done soon or never.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A hidden page.
pub(crate) struct OriginPage {
    pub(crate) page: Arc<FirefoxPage>,
    /// Blocks its requests.
    pub(crate) closed_off: String,
}

impl Shared {
    /// From now on, every page is reported.
    pub(crate) fn put_nothing_aside(&self) {
        *lock(&self.aside) = None;
    }

    /// From now on, pages that no other page opened are put aside.
    pub(crate) fn put_aside(&self) {
        *lock(&self.aside) = Some(Vec::new());
    }

    /// Of the pages that were put aside this one is hidden; the others are as they would have been.
    pub(crate) fn claim(&self, root: &Session, context: Option<&str>) -> Option<Arc<FirefoxPage>> {
        let mut claimed = None;
        for info in lock(&self.aside).take().unwrap_or_default() {
            if Some(info.context.as_str()) == context {
                claimed = Some(self.hide(root, &info));
            } else {
                self.announce_tab(root, &info);
            }
        }
        claimed
    }
}

impl FirefoxContext {
    pub(crate) async fn open_origin_page(&self, origin: &str) -> Result<OriginPage> {
        if !origin.starts_with("http://") && !origin.starts_with("https://") {
            return Err(DriverError::Unsupported(Feature::NonHttpOrigins));
        }
        let context = Self { shared: Arc::clone(&self.shared), root: self.root.clone(), id: self.id.clone() };
        let url = format!("{origin}/");
        let root = self.root.clone();
        let visited = async move {
            let page = context.open_hidden().await?;
            let shown = tokio::time::timeout(TIMEOUT, show_empty_document(&page, &url)).await;
            match shown.unwrap_or(Err(DriverError::Gone)) {
                Ok(closed_off) => Ok(OriginPage { page, closed_off }),
                Err(error) => {
                    close(&context.root, page.context());
                    Err(error)
                }
            }
        };
        hand_over(visited, move |unwanted| close(&root, unwanted.page.context())).await
    }

    pub(crate) async fn open_hidden(&self) -> Result<Arc<FirefoxPage>> {
        let shared: &Shared = &self.shared;
        let _opening = shared.opening.lock().await;
        shared.put_aside();
        let context = self.window(true).await;
        let claimed = shared.claim(&self.root, context.as_deref().ok());
        context?;
        claimed.ok_or(DriverError::Closed)
    }
}

/// Blocks its requests.
async fn show_empty_document(page: &FirefoxPage, url: &str) -> Result<String> {
    let intercept = AddIntercept {
        phases: ["beforeRequestSent"],
        contexts: Some(vec![page.context()]),
        url_patterns: Vec::new(),
    };
    let Intercept { intercept } = page.root.send(&intercept).await.map_err(failed)?;
    *lock(&page.requests.closed_off) = Some(intercept.clone());
    match page.navigate(url).await? {
        Navigation::Failed(message) => {
            Err(DriverError::Refused { command: "browsingContext.navigate", message })
        }
        _ => page.arrived().await.map(|()| intercept),
    }
}

/// Handles a request of a hidden page.
pub(crate) fn blocked(root: &Session, told: &RequestEvent) {
    let request = told.request.request.as_str();
    if told.navigation.is_none() {
        return root.tell(&FailRequest { request });
    }
    let html = Header { name: "content-type".into(), value: BytesValue::text("text/html; charset=utf-8") };
    root.tell(&ProvideResponse {
        request,
        status_code: 200,
        reason_phrase: "OK",
        headers: vec![html],
        body: BytesValue::text(""),
    });
}

pub(crate) fn close(root: &Session, context: &str) {
    root.tell(&Close { context, prompt_unload: false });
}
