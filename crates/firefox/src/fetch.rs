//! Fetching beside the page: BiDi has no command for it, but a document of the same origin may fetch, with the cookies
//! and the proxy of its context. It is one that nobody sees.

use std::sync::Arc;

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{DriverError, Fetched, Fetching, Result};
use cicerone_wire::Session;
use serde::Deserialize;
use serde_json::json;
use url::Url;

use crate::{
    contexts::FirefoxContext,
    page::{FirefoxPage, lock},
    protocol::network::RemoveIntercept,
    visit::{self, Visit},
};

/// What the agent says of what it fetched.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Got {
    Content { mime: Option<String>, data: String },
    Status(u16),
    TooLarge,
    Failed(String),
}

/// Closes the page that fetched, also when nobody waits for it any more.
struct Leave<'a> {
    root: &'a Session,
    page: Arc<FirefoxPage>,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        visit::close(self.root, self.page.context());
    }
}

#[async_trait]
impl Fetching for FirefoxPage {
    async fn fetch(&self, url: &str, most: usize) -> Result<Fetched> {
        let shared = self.shared.upgrade().ok_or(DriverError::Disconnected)?;
        let origin = Url::parse(url).map(|url| url.origin().ascii_serialization());
        let origin = origin.map_err(|_| DriverError::Unsupported("fetch what is no URL"))?;
        let context = FirefoxContext { shared, root: self.root.clone(), id: self.user_context.clone() };
        let Visit { page, closed_off } = match context.visit_origin(&origin).await {
            Ok(visit) => visit,
            Err(DriverError::Refused { message, .. }) => return Ok(Fetched::Failed(message)),
            Err(error) => return Err(error),
        };
        let leave = Leave { root: &self.root, page };
        leave.page.send(&RemoveIntercept { intercept: &closed_off }).await?;
        let got = leave.page.ask_agent("load", &json!({ "url": url, "most": most })).await?;
        Ok(match got {
            Got::Content { mime, data } => {
                let bytes = STANDARD.decode(data).map_err(|_| DriverError::Refused {
                    command: "the page agent's function",
                    message: "what was fetched is not base64".into(),
                })?;
                Fetched::Content { mime, bytes }
            }
            Got::Status(status) => Fetched::Status(status),
            Got::TooLarge => Fetched::TooLarge,
            // The browser knows more of it than it tells the page.
            Got::Failed(words) => Fetched::Failed(lock(&leave.page.failure).take().unwrap_or(words)),
        })
    }
}
