//! Stepping in between a page and the network. The browser's patterns have no wildcards; so while there are rules all
//! requests of the page wait, and those that meet none are let go on.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{Action, Interception, Result, Rule};

use crate::{
    page::{FirefoxPage, lock},
    protocol::network::{
        AddIntercept, BytesValue, ContinueRequest, FailRequest, Header, ProvideResponse, RemoveIntercept,
        RequestData,
    },
};

#[async_trait]
impl Interception for FirefoxPage {
    async fn follow(&self, rules: &[Rule]) -> Result<()> {
        let mut intercept = self.intercept.lock().await;
        *lock(&self.rules) = rules.to_vec();
        match (rules, intercept.as_deref()) {
            ([], Some(set)) => {
                self.send(&RemoveIntercept { intercept: set }).await?;
                *intercept = None;
            }
            ([_, ..], None) => {
                let contexts = Some([self.context()]);
                let command = AddIntercept { phases: ["beforeRequestSent"], contexts };
                *intercept = Some(self.send(&command).await?.intercept);
            }
            _ => self.alive()?,
        }
        Ok(())
    }
}

/// A request of a page of a person's waits.
pub(crate) fn blocked(page: &FirefoxPage, told: &RequestData) {
    let request = told.request.as_str();
    let rules = lock(&page.rules);
    match rules.iter().find(|rule| rule.url.matches(&told.url)).map(|rule| &rule.action) {
        None => page.root.tell(&ContinueRequest { request, headers: None }),
        Some(Action::Block) => page.root.tell(&FailRequest { request }),
        Some(Action::Answer { status, headers, body }) => page.root.tell(&ProvideResponse {
            request,
            status_code: *status,
            reason_phrase: "",
            headers: all(headers),
            body: BytesValue::base64(STANDARD.encode(body)),
        }),
        Some(Action::Headers(headers)) => {
            let replaced =
                |own: &&Header| headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(&own.name));
            let mut sent: Vec<Header> = told.headers.iter().filter(|own| !replaced(own)).cloned().collect();
            sent.extend(all(headers));
            page.root.tell(&ContinueRequest { request, headers: Some(sent) });
        }
    }
}

fn all(headers: &[(String, String)]) -> Vec<Header> {
    let header =
        |(name, value): &(String, String)| Header { name: name.clone(), value: BytesValue::text(value) };
    headers.iter().map(header).collect()
}
