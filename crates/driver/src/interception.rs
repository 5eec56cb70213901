use std::{fmt, future::Future, pin::Pin, sync::Arc};

use async_trait::async_trait;

use crate::Result;

/// Decides about the requests of a page, its frames and its workers before they leave the browser. A popup starts with
/// its opener's interceptor.
#[async_trait]
pub trait Interception: Send + Sync {
    /// Replaces the interceptor; `None` removes it.
    async fn intercept(&self, interceptor: Option<Interceptor>) -> Result<()>;

    /// Whether requests for `file:` URLs can be intercepted.
    fn intercepts_files(&self) -> bool {
        false
    }
}

/// Decides about requests.
#[derive(Clone)]
pub struct Interceptor {
    /// URL patterns that cover every URL that the resolver may act on (and perhaps more). `*` matches any characters,
    /// or none. A driver pauses matching requests only.
    pub urls: Vec<String>,
    /// Whether the resolver may change a request's URL. The driver then needs the request's body.
    pub changes_urls: bool,
    /// Decides about one request. Called in the browser's order; must not block.
    pub resolve: Arc<dyn Fn(&InterceptedRequest) -> Action + Send + Sync>,
    /// Sends a request outside the page, with the cookies of its context. For engines that cannot change the URL of
    /// every request; the page gets the response as if it came from the requested URL.
    pub fetch: Arc<dyn Fn(InterceptedRequest) -> Responding + Send + Sync>,
}

/// A pending response; `None` if there is none.
pub type Responding = Pin<Box<dyn Future<Output = Option<FulfilledResponse>> + Send>>;

impl fmt::Debug for Interceptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interceptor({})", self.urls.join(" "))
    }
}

/// A paused request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterceptedRequest {
    /// The HTTP method.
    pub method: String,
    /// The target URL, without fragment.
    pub url: String,
    /// Its headers, as far as the browser has set them.
    pub headers: Vec<(String, String)>,
    /// Whether it is for the document of a page or frame.
    pub document: bool,
    /// Its body. Set only for [`Interceptor::fetch`].
    pub body: Option<Vec<u8>>,
}

impl InterceptedRequest {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The request with changes applied.
    #[must_use]
    pub fn changed(mut self, changes: &RequestChanges) -> Self {
        self.headers = changes.merged_headers(self.headers);
        if let Some(body) = &changes.body {
            self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-length"));
            self.body = Some(body.clone());
        }
        Self {
            method: changes.method.clone().unwrap_or(self.method),
            url: changes.url.clone().unwrap_or(self.url),
            ..self
        }
    }
}

/// What to do with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Fail it.
    Abort,
    /// Answer it with this response; nothing is sent.
    Fulfill(FulfilledResponse),
    /// Send it with these changes.
    Continue(RequestChanges),
}

/// A response made by the interceptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FulfilledResponse {
    /// The HTTP status.
    pub status: u16,
    /// All headers.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// Changes to a request before it is sent, invisible to the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestChanges {
    /// The new URL.
    pub url: Option<String>,
    /// The new HTTP method.
    pub method: Option<String>,
    /// Headers to add, replacing those with the same name.
    pub headers: Vec<(String, String)>,
    /// The new body.
    pub body: Option<Vec<u8>>,
}

impl RequestChanges {
    /// These headers with the changes applied.
    pub fn merged_headers(&self, headers: Vec<(String, String)>) -> Vec<(String, String)> {
        let replaced = |name: &str| self.headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        let kept = headers.into_iter().filter(|(name, _)| !replaced(name));
        kept.chain(self.headers.iter().cloned()).collect()
    }

    /// Whether the headers must be sent again. True also if only the body changes, since its length does.
    pub fn resends_headers(&self) -> bool {
        !self.headers.is_empty() || self.body.is_some()
    }
}
