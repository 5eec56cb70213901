//! Pages that nobody sees: an empty document of an origin, for what only a document of it can reach.
//!
//! The target is a hidden one: it has no tab, takes no front and never asks to be drawn. The browser announces
//! it as it does every target, before it answers the command that made it, but as one of no known kind; so it is
//! put aside, and becomes a page when the answer names it. Nobody else ever hears of it.

use std::{sync::Arc, time::Duration};

use cicerone_driver::{DriverError, Navigation, PageDriver, PageId, Result};
use cicerone_wire::Session;
use tokio::sync::oneshot;

use crate::{
    browser::Shared,
    contexts::ChromiumContext,
    page::{Audience, ChromiumPage, failed},
    protocol::{
        fetch::{self, FailRequest, FulfillRequest, Header, RequestPaused},
        network::SetBypassServiceWorker,
        target::{CloseTarget, CreateTarget},
    },
};

/// Nothing outside of the browser takes part in a visit, so it is there soon or never.
const PATIENCE: Duration = Duration::from_secs(10);

const EMPTY_DOCUMENT: &[Header] = &[Header { name: "content-type", value: "text/html; charset=utf-8" }];

impl ChromiumContext {
    pub(crate) async fn visit_origin(&self, origin: &str) -> Result<Arc<dyn PageDriver>> {
        if !origin.starts_with("http://") && !origin.starts_with("https://") {
            return Err(DriverError::Unsupported("visit an origin that is not of the web"));
        }
        let (hand_over, visited) = oneshot::channel();
        let (shared, root) = (Arc::clone(&self.shared), self.root.clone());
        let (context, url) = (self.name().map(str::to_owned), format!("{origin}/"));
        // On its own, so that a caller that gives up leaves no page behind that nobody knows of.
        tokio::spawn(async move {
            let done = match open_hidden(&shared, &root, context.as_deref()).await {
                Err(error) => Err(error),
                Ok(page) => {
                    let shown = tokio::time::timeout(PATIENCE, show_empty_document(&page, &url)).await;
                    match shown.unwrap_or(Err(DriverError::Gone)) {
                        Ok(()) => Ok(page),
                        Err(error) => {
                            close(&root, page.id.as_str());
                            Err(error)
                        }
                    }
                }
            };
            if let Err(Ok(unwanted)) = hand_over.send(done) {
                close(&root, unwanted.id.as_str());
            }
        });
        let page = visited.await.unwrap_or(Err(DriverError::Disconnected))?;
        Ok(page)
    }
}

async fn open_hidden(shared: &Shared, root: &Session, context: Option<&str>) -> Result<Arc<ChromiumPage>> {
    let command = CreateTarget { url: "about:blank", browser_context_id: context, hidden: true };
    let id = root.send(&command).await.map_err(failed)?.target_id;
    let Some(session) = shared.unclaimed(&id) else {
        // A version that knows of no hidden targets made a tab.
        close(root, &id);
        return Err(DriverError::Unsupported("open hidden pages"));
    };
    let page = ChromiumPage::new(PageId::from(id.as_str()), session, root.clone(), Audience::Nobody);
    Ok(shared.received(page))
}

async fn show_empty_document(page: &ChromiumPage, url: &str) -> Result<()> {
    // A service worker of the origin would be asked first, and could ask the network.
    page.session.tell(&SetBypassServiceWorker { bypass: true });
    page.session.tell(&fetch::Enable {});
    match page.navigate(url).await? {
        Navigation::Failed(message) => Err(DriverError::Refused { command: "Page.navigate", message }),
        _ => page.arrived().await,
    }
}

/// A request of a page that nobody sees wants to leave.
pub(crate) fn paused(session: &Session, RequestPaused { request_id, resource_type }: &RequestPaused) {
    if resource_type == "Document" {
        session.tell(&FulfillRequest { request_id, response_code: 200, response_headers: EMPTY_DOCUMENT });
    } else {
        session.tell(&FailRequest { request_id, error_reason: "Aborted" });
    }
}

fn close(root: &Session, target_id: &str) {
    root.tell(&CloseTarget { target_id });
}
