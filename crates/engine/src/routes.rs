//! Routes: what becomes of the requests of a tab whose URLs fit a pattern. They belong to the tab: they hold in its frames
//! and workers, across navigations and when it is opened anew after a crash. A tab that a page opens begins with those of
//! its opener.

mod resolve;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use cicerone_driver::{FulfilledResponse, InterceptedRequest, Interceptor, RequestChanges};
use serde_json::Value;

use crate::{Error, Page, Pattern, Result, context::WeakContext};

/// A route's number: the first is 1, and none is given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RouteId(pub u32);

impl fmt::Display for RouteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "route_{}", self.0)
    }
}

/// What is done with the requests that a route matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteHandler {
    /// They fail.
    Abort,
    /// They are answered without their server.
    Fulfill(MockResponse),
    /// They are sent, with these changes.
    Continue(RequestChanges),
}

/// An answer that no server gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MockResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers that were given.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: MockBody,
}

/// The body of an answer that no server gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MockBody {
    /// None.
    #[default]
    Empty,
    /// This text.
    Text(String),
    /// This, as JSON.
    Json(Value),
}

/// A route of a tab.
#[derive(Debug, Clone)]
pub struct TabRoute {
    /// Its number.
    pub id: RouteId,
    /// Which URLs it matches.
    pub pattern: Pattern,
    /// What is done with their requests.
    pub handler: RouteHandler,
    matched: Arc<AtomicU64>,
}

impl TabRoute {
    /// How many requests it matched.
    pub fn matched(&self) -> u64 {
        self.matched.load(Ordering::Relaxed)
    }
}

/// The routes of a tab, the oldest first. They are replaced as a whole.
pub(crate) type RouteList = Arc<[TabRoute]>;

/// The routes that a tab has.
#[derive(Default)]
pub(crate) struct RouteTable {
    list: RouteList,
    /// Held while they are changed.
    changing: Arc<tokio::sync::Mutex<()>>,
}

impl Page {
    pub(crate) fn route_list(&self) -> RouteList {
        Arc::clone(&self.state().routes.list)
    }

    /// Has these routes from now on; those that it had.
    pub(crate) fn replace_routes(&self, routes: RouteList) -> RouteList {
        std::mem::replace(&mut self.state().routes.list, routes)
    }

    async fn changing_routes(&self) -> tokio::sync::OwnedMutexGuard<()> {
        let changing = Arc::clone(&self.state().routes.changing);
        changing.lock_owned().await
    }

    /// Its routes, in the order in which they are tried: the newest first.
    pub fn routes(&self) -> Vec<TabRoute> {
        self.route_list().iter().rev().cloned().collect()
    }

    /// Adds a route, which is tried before the others.
    pub async fn add_route(&self, pattern: Pattern, handler: RouteHandler) -> Result<TabRoute> {
        let id = self.context().ok_or(Error::TabClosed)?.session()?.next_route();
        let route = TabRoute { id, pattern, handler, matched: Arc::default() };
        let _changing = self.changing_routes().await;
        let routes = self.route_list().iter().cloned().chain([route.clone()]).collect();
        self.set_routes(routes).await?;
        Ok(route)
    }

    /// Removes a route.
    pub async fn remove_route(&self, id: &str) -> Result<TabRoute> {
        let _changing = self.changing_routes().await;
        let routes = self.route_list();
        let Some(gone) = routes.iter().find(|route| route.id.to_string() == id) else {
            let known = routes.iter().map(|route| route.id.to_string()).collect();
            return Err(Error::NoRoute { id: id.to_owned(), known });
        };
        self.set_routes(routes.iter().filter(|route| route.id != gone.id).cloned().collect()).await?;
        Ok(gone.clone())
    }

    /// Removes all routes; how many there were.
    pub async fn clear_routes(&self) -> Result<usize> {
        let _changing = self.changing_routes().await;
        let count = self.route_list().len();
        if count > 0 {
            self.set_routes(Arc::default()).await?;
        }
        Ok(count)
    }

    /// Takes over the routes of the tab that it is opened in place of.
    pub(crate) async fn restore_routes(&self, routes: RouteList) -> Result<()> {
        if routes.is_empty() { Ok(()) } else { self.set_routes(routes).await }
    }

    async fn set_routes(&self, routes: RouteList) -> Result<()> {
        let power = self.driver().interception().ok_or(Error::Unsupported("intercept requests"))?;
        let context = self.context().ok_or(Error::TabClosed)?.downgrade();
        let before = self.replace_routes(Arc::clone(&routes));
        let interceptor = (!routes.is_empty()).then(|| interceptor(routes, context));
        let set = self.promptly(power.intercept(interceptor)).await;
        if set.is_err() {
            self.replace_routes(before);
        }
        set
    }
}

/// What asks these routes about requests. They never change: others get an interceptor of their own.
fn interceptor(routes: RouteList, context: WeakContext) -> Interceptor {
    let changes_urls = |route: &TabRoute| {
        matches!(&route.handler, RouteHandler::Continue(RequestChanges { url: Some(_), .. }))
    };
    let asked = Arc::clone(&routes);
    Interceptor {
        urls: routes.iter().flat_map(|route| route.pattern.url_wildcards()).collect(),
        changes_urls: routes.iter().any(changes_urls),
        resolve: Arc::new(move |request| resolve::action(&asked, request)),
        fetch: Arc::new(move |request| {
            let context = context.clone();
            Box::pin(async move { fetch(&context, request).await })
        }),
    }
}

/// Sends a request for a page whose browser cannot send it there itself.
async fn fetch(context: &WeakContext, request: InterceptedRequest) -> Option<FulfilledResponse> {
    let context = context.upgrade()?;
    let url = request.url.clone();
    let origin = request.header("origin").map(str::to_owned);
    let sent = context.send_instead(request).await;
    let mut response = sent
        .inspect_err(|error| tracing::debug!(%error, url, "a request could not be sent elsewhere"))
        .ok()?;
    resolve::allow_origin(&mut response.headers, origin.as_deref(), None);
    Some(response)
}
