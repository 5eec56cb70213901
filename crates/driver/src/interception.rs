use std::{fmt, future::Future, pin::Pin, sync::Arc};

use async_trait::async_trait;

use crate::Result;

/// The power to decide what happens to the requests of a page before they leave the browser: those of its frames and
/// workers too. A page that it opens begins with the same interceptor.
#[async_trait]
pub trait Interception: Send + Sync {
    /// Asks this interceptor from now on, in place of the one before; without one, requests go their own way again.
    async fn intercept(&self, interceptor: Option<Interceptor>) -> Result<()>;
}

/// Decides about requests.
#[derive(Clone)]
pub struct Interceptor {
    /// Which URLs the resolver may want to see: all of these, and perhaps others. `*` stands for any characters, and for
    /// none. A driver uses them so that all other requests are not held up.
    pub urls: Vec<String>,
    /// Whether the resolver may change the URL of a request: what it sends must be at hand then.
    pub changes_urls: bool,
    /// Decides about one request. It is called in the browser's order and must not block.
    pub resolve: Arc<dyn Fn(&InterceptedRequest) -> Action + Send + Sync>,
    /// Sends a request beside the page, with the cookies of its context. For browsers that cannot change the URL of every
    /// request; the page then gets the response as if it had come from the URL that it asked for.
    pub fetch: Arc<dyn Fn(InterceptedRequest) -> Responding + Send + Sync>,
}

/// A response that is waited for; nothing where there is none.
pub type Responding = Pin<Box<dyn Future<Output = Option<FulfilledResponse>> + Send>>;

impl fmt::Debug for Interceptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interceptor({})", self.urls.join(" "))
    }
}

/// A request that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterceptedRequest {
    /// The HTTP method.
    pub method: String,
    /// Where to; never with a fragment.
    pub url: String,
    /// Its headers, as far as the browser has decided on them.
    pub headers: Vec<(String, String)>,
    /// What it sends. Only set for [`Interceptor::fetch`].
    pub body: Option<Vec<u8>>,
}

impl InterceptedRequest {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The same request with some things changed.
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

/// What is done with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// It fails, and reaches nobody.
    Abort,
    /// It is answered with this, and reaches nobody.
    Fulfill(FulfilledResponse),
    /// It is sent, with these changes.
    Continue(RequestChanges),
}

/// A response that no server gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FulfilledResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers, all of them.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// What is different about a request when it is sent; the page does not notice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestChanges {
    /// Where it goes instead.
    pub url: Option<String>,
    /// Another HTTP method.
    pub method: Option<String>,
    /// Headers in place of its own with the same names, beside the others.
    pub headers: Vec<(String, String)>,
    /// What it sends instead.
    pub body: Option<Vec<u8>>,
}

impl RequestChanges {
    /// These headers with those that are changed.
    pub fn merged_headers(&self, headers: Vec<(String, String)>) -> Vec<(String, String)> {
        let replaced = |name: &str| self.headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        let kept = headers.into_iter().filter(|(name, _)| !replaced(name));
        kept.chain(self.headers.iter().cloned()).collect()
    }

    /// Whether the headers must be sent anew: also where only the body changes, as its length does.
    pub fn resends_headers(&self) -> bool {
        !self.headers.is_empty() || self.body.is_some()
    }
}
