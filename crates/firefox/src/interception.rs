//! Request interception. Requests whose URL may match are held until the interceptor decides.
//!
//! They are held for every page: a popup makes its first request before anything can be set up for it. BiDi
//! patterns have no wildcards, so more requests are held than match; the others continue at once.

use std::sync::Arc;

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{
    Action, DriverError, FulfilledResponse, InterceptedRequest, Interception, Interceptor, RequestChanges,
    Result, lock,
};
use url::Url;

use crate::{
    browser::Shared,
    page::{FirefoxPage, failed},
    protocol::network::{
        AddIntercept, BytesValue, ContinueRequest, FailRequest, Header, ProvideResponse, RemoveIntercept,
        RequestEvent, UrlPattern,
    },
};

#[async_trait]
impl Interception for FirefoxPage {
    async fn intercept(&self, interceptor: Option<Interceptor>) -> Result<()> {
        self.lifecycle.alive()?;
        let shared = self.shared.upgrade().ok_or(DriverError::Disconnected)?;
        if interceptor.as_ref().is_some_and(|interceptor| interceptor.changes_urls) {
            self.keep_sent_bodies().await?;
        }
        *lock(&self.requests.interceptor) = interceptor;
        shared.hold_requests().await
    }
}

impl Shared {
    /// Holds what the interceptors of all pages may match, and nothing else.
    pub(crate) async fn hold_requests(&self) -> Result<()> {
        let root = self.connection.get().ok_or(DriverError::Disconnected)?.root();
        let mut intercept = self.intercept.lock().await;
        let before = intercept.clone();
        let urls: Vec<String> = self.intercepted_urls();
        if !urls.is_empty() {
            let phases = ["beforeRequestSent"];
            // In a browser that we did not start, only our own requests are paused.
            let pages = self.attached.as_ref().map(|_| self.intercepted_pages());
            let contexts = pages.as_ref().map(|pages| pages.iter().map(|page| page.context()).collect());
            let command = AddIntercept { phases, contexts, url_patterns: url_patterns(&urls) };
            *intercept = Some(root.send(&command).await.map_err(failed)?.intercept);
        }
        if let Some(before) = &before {
            root.send(&RemoveIntercept { intercept: before }).await.map_err(failed)?;
            if urls.is_empty() {
                *intercept = None;
            }
        }
        Ok(())
    }

    /// The same, as soon as may be.
    pub(crate) fn hold_requests_later(&self) {
        let Some(shared) = self.me.upgrade() else { return };
        tokio::spawn(async move {
            if let Err(error) = shared.hold_requests().await {
                tracing::debug!(%error, "other requests are held than should be");
            }
        });
    }

    fn intercepted_pages(&self) -> Vec<Arc<FirefoxPage>> {
        let mut pages = self.frames().reported_pages();
        pages.retain(|page| lock(&page.requests.interceptor).is_some());
        pages
    }

    fn intercepted_urls(&self) -> Vec<String> {
        let urls = |page: &Arc<FirefoxPage>| {
            lock(&page.requests.interceptor)
                .as_ref()
                .map(|interceptor| interceptor.urls.clone())
                .unwrap_or_default()
        };
        self.frames().reported_pages().iter().flat_map(urls).collect()
    }
}

/// BiDi patterns for all of these; none, which holds all requests, if one cannot be expressed.
fn url_patterns(urls: &[String]) -> Vec<UrlPattern> {
    urls.iter().map(|url| url_pattern(url)).collect::<Option<_>>().unwrap_or_default()
}

/// The fixed part of a URL pattern before the first wildcard: an origin, and a path if it has no wildcard.
fn url_pattern(url: &str) -> Option<UrlPattern> {
    let (fixed, rest) = url.split_once('*').map_or((url, None), |(fixed, rest)| (fixed, Some(rest)));
    // Without a slash after it, the host may continue.
    fixed.split_once("://").filter(|(_, after)| rest.is_none() || after.contains('/'))?;
    let parsed = Url::parse(fixed).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(UrlPattern {
        kind: "pattern",
        protocol: parsed.scheme().to_owned(),
        hostname: parsed.host_str()?.to_owned(),
        port: parsed.port().map(|port| port.to_string()),
        pathname: rest.is_none().then(|| parsed.path().to_owned()),
    })
}

/// Handles a held request of a reported page.
pub(crate) fn blocked(page: &Arc<FirefoxPage>, told: &RequestEvent) {
    let id = told.request.request.as_str();
    let Some(interceptor) = lock(&page.requests.interceptor).clone() else {
        return page.root.tell(&ContinueRequest::unchanged(id));
    };
    let request = intercepted(told);
    match (interceptor.resolve)(&request) {
        Action::Abort => page.root.tell(&FailRequest { request: id }),
        Action::Fulfill(response) => fulfill(page, id, response),
        // Firefox changes the URL of navigations only, and aborts other requests.
        Action::Continue(changes) if changes.url.is_some() && told.navigation.is_none() => {
            let (page, id) = (Arc::clone(page), id.to_owned());
            tokio::spawn(async move { fetch_instead(&page, &id, request, &changes, &interceptor).await });
        }
        Action::Continue(changes) => go_on(page, id, request, &changes),
    }
}

fn intercepted(told: &RequestEvent) -> InterceptedRequest {
    let header = |header: &Header| (header.name.clone(), header.value.value.clone());
    InterceptedRequest {
        method: told.request.method.clone(),
        url: told.request.url.split('#').next().unwrap_or_default().to_owned(),
        headers: told.request.headers.iter().map(header).collect(),
        document: told.navigation.is_some(),
        body: None,
    }
}

fn fulfill(page: &FirefoxPage, request: &str, response: FulfilledResponse) {
    page.root.tell(&ProvideResponse {
        request,
        status_code: response.status,
        reason_phrase: "",
        headers: all(&response.headers),
        body: BytesValue::base64(STANDARD.encode(response.body)),
    });
}

fn go_on(page: &FirefoxPage, id: &str, request: InterceptedRequest, changes: &RequestChanges) {
    // The given headers replace all headers.
    let headers = changes.resends_headers().then(|| all(&request.changed(changes).headers));
    page.root.tell(&ContinueRequest {
        request: id,
        url: changes.url.as_deref(),
        method: changes.method.as_deref(),
        body: changes.body.as_ref().map(|body| BytesValue::base64(STANDARD.encode(body))),
        headers,
    });
}

/// Sends a request to its new URL outside the page; the page gets the response.
async fn fetch_instead(
    page: &FirefoxPage,
    id: &str,
    mut request: InterceptedRequest,
    changes: &RequestChanges,
    interceptor: &Interceptor,
) {
    let sends = request.header("content-length").is_some_and(|length| length != "0");
    if sends && changes.body.is_none() {
        match page.sent_body(id).await {
            Ok(Some(body)) => request.body = Some(body),
            // Without its body it would be a different request.
            Ok(None) => return page.root.tell(&FailRequest { request: id }),
            Err(error) => {
                tracing::debug!(%error, "what a request sends could not be read");
                return page.root.tell(&FailRequest { request: id });
            }
        }
    }
    match (interceptor.fetch)(request.changed(changes)).await {
        Some(response) => fulfill(page, id, response),
        None => page.root.tell(&FailRequest { request: id }),
    }
}

fn all(headers: &[(String, String)]) -> Vec<Header> {
    let header =
        |(name, value): &(String, String)| Header { name: name.clone(), value: BytesValue::text(value) };
    headers.iter().map(header).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_as_narrow_as_they_can_be() {
        let of = |url: &str| url_pattern(url).map(|it| (it.hostname, it.port, it.pathname));
        let host = |port: Option<&str>, path: Option<&str>| {
            Some(("h.test".to_owned(), port.map(str::to_owned), path.map(str::to_owned)))
        };
        assert_eq!(of("http://h.test:81/a?b"), host(Some("81"), Some("/a")));
        assert_eq!(of("http://h.test"), host(None, Some("/")));
        assert_eq!(of("http://h.test/*"), host(None, None));
        assert_eq!(of("http://h.test/a*"), host(None, None));
        for wide in ["*", "*/api/*", "http://h*", "http://h.test*", "http*://h.test/", "ws://h.test/"] {
            assert_eq!(of(wide), None, "{wide}");
        }
        assert_eq!(url_patterns(&["http://h.test/".into(), "*".into()]), []);
    }
}
