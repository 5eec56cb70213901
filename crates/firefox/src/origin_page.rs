//! Pages that nobody sees: an empty document of an origin, for what only a document of it can reach.

use std::{sync::Arc, time::Duration};

use cicerone_driver::{DriverError, Navigation, PageDriver, Result};
use cicerone_wire::Session;
use tokio::sync::oneshot;

use crate::{
    browser::Shared,
    contexts::FirefoxContext,
    page::{FirefoxPage, failed, lock},
    protocol::{
        browsing_context::Close,
        network::{AddIntercept, BytesValue, FailRequest, Header, Intercept, ProvideResponse, RequestEvent},
    },
};

/// Nothing outside of the browser takes part in a visit, so it is there soon or never.
const PATIENCE: Duration = Duration::from_secs(10);

/// A page that nobody sees.
pub(crate) struct Visit {
    pub(crate) page: Arc<FirefoxPage>,
    /// What keeps its requests in the browser.
    pub(crate) closed_off: String,
}

impl FirefoxContext {
    pub(crate) async fn visit_origin(&self, origin: &str) -> Result<Visit> {
        if !origin.starts_with("http://") && !origin.starts_with("https://") {
            return Err(DriverError::Unsupported("visit an origin that is not of the web"));
        }
        let (hand_over, visited) = oneshot::channel();
        let context = Self { shared: Arc::clone(&self.shared), root: self.root.clone(), id: self.id.clone() };
        let url = format!("{origin}/");
        // On its own, so that a caller that gives up leaves no page behind that nobody knows of.
        tokio::spawn(async move {
            let done = match context.open_hidden().await {
                Err(error) => Err(error),
                Ok(page) => {
                    let shown = tokio::time::timeout(PATIENCE, show_empty_document(&page, &url)).await;
                    match shown.unwrap_or(Err(DriverError::Gone)) {
                        Ok(closed_off) => Ok(Visit { page, closed_off }),
                        Err(error) => {
                            close(&context.root, page.context());
                            Err(error)
                        }
                    }
                }
            };
            if let Err(Ok(unwanted)) = hand_over.send(done) {
                close(&context.root, unwanted.page.context());
            }
        });
        visited.await.unwrap_or(Err(DriverError::Disconnected))
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

/// What keeps its requests in the browser.
async fn show_empty_document(page: &FirefoxPage, url: &str) -> Result<String> {
    let intercept = AddIntercept {
        phases: ["beforeRequestSent"],
        contexts: Some([page.context()]),
        url_patterns: Vec::new(),
    };
    let Intercept { intercept } = page.root.send(&intercept).await.map_err(failed)?;
    *lock(&page.closed_off) = Some(intercept.clone());
    match page.navigate(url).await? {
        Navigation::Failed(message) => {
            Err(DriverError::Refused { command: "browsingContext.navigate", message })
        }
        _ => page.arrived().await.map(|()| intercept),
    }
}

/// A request of a page that nobody sees wants to leave.
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
