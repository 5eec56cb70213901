//! Routes: what to do with a tab's requests whose URLs match a pattern. They apply to its frames and workers,
//! survive navigations and a crash, and are inherited by popups.

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

use crate::{Error, Pattern, Result, Unsupported, context::WeakContext, page::parts::Routing};

/// A route's number, from 1 and never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RouteId(pub u32);

impl fmt::Display for RouteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "route_{}", self.0)
    }
}

/// What to do with matching requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteHandler {
    /// Fail them.
    Abort,
    /// Answer them without the server.
    Fulfill(MockResponse),
    /// Send them with changes.
    Continue(RequestChanges),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MockResponse {
    /// The HTTP status.
    pub status: u16,
    /// The given headers.
    pub headers: Vec<(String, String)>,
    pub body: MockBody,
}

/// The body of a mock response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MockBody {
    /// None.
    #[default]
    Empty,
    Text(String),
    /// A JSON value.
    Json(Value),
}

/// A route of a tab.
#[derive(Debug, Clone)]
pub struct TabRoute {
    /// Its number.
    pub id: RouteId,
    /// The URLs it matches.
    pub pattern: Pattern,
    /// What to do with matching requests.
    pub handler: RouteHandler,
    matched: Arc<AtomicU64>,
}

impl TabRoute {
    /// How many requests it matched.
    pub fn matched(&self) -> u64 {
        self.matched.load(Ordering::Relaxed)
    }
}

/// The routes of a tab, oldest first; replaced as a whole.
pub(crate) type RouteList = Arc<[TabRoute]>;

/// The routes of a tab with their lock.
#[derive(Default)]
pub(crate) struct RouteTable {
    list: RouteList,
    /// Held while they change.
    changing: Arc<tokio::sync::Mutex<()>>,
}

impl Routing<'_> {
    pub(crate) fn route_list(self) -> RouteList {
        Arc::clone(&self.page.state().routes.list)
    }

    /// Replaces the routes; returns the previous ones.
    pub(crate) fn replace_routes(self, routes: RouteList) -> RouteList {
        std::mem::replace(&mut self.page.state().routes.list, routes)
    }

    async fn changing_routes(self) -> tokio::sync::OwnedMutexGuard<()> {
        let changing = Arc::clone(&self.page.state().routes.changing);
        changing.lock_owned().await
    }

    /// Its routes in the order of matching: newest first.
    pub fn routes(self) -> Vec<TabRoute> {
        self.route_list().iter().rev().cloned().collect()
    }

    /// Adds a route, which takes precedence over the others.
    pub async fn add_route(self, pattern: Pattern, handler: RouteHandler) -> Result<TabRoute> {
        let id = self.page.context().ok_or(Error::TabClosed)?.session()?.next_route();
        let route = TabRoute { id, pattern, handler, matched: Arc::default() };
        let _changing = self.changing_routes().await;
        let routes = self.route_list().iter().cloned().chain([route.clone()]).collect();
        self.set_routes(routes).await?;
        Ok(route)
    }

    pub async fn remove_route(self, id: &str) -> Result<TabRoute> {
        let _changing = self.changing_routes().await;
        let routes = self.route_list();
        let Some(removed) = routes.iter().find(|route| route.id.to_string() == id) else {
            let known = routes.iter().map(|route| route.id.to_string()).collect();
            return Err(Error::NoRoute { id: id.to_owned(), known });
        };
        self.set_routes(routes.iter().filter(|route| route.id != removed.id).cloned().collect()).await?;
        Ok(removed.clone())
    }

    /// Removes all routes; returns how many.
    pub async fn clear_routes(self) -> Result<usize> {
        let _changing = self.changing_routes().await;
        let count = self.route_list().len();
        if count > 0 {
            self.set_routes(Arc::default()).await?;
        }
        Ok(count)
    }

    /// Takes over the routes of the tab it replaces.
    pub(crate) async fn restore_routes(self, routes: RouteList) -> Result<()> {
        if routes.is_empty() { Ok(()) } else { self.set_routes(routes).await }
    }

    async fn set_routes(self, routes: RouteList) -> Result<()> {
        let power = self.page.driver().interception().ok_or(Error::Unsupported(Unsupported::Interception))?;
        let context = self.page.context().ok_or(Error::TabClosed)?.downgrade();
        let before = self.replace_routes(Arc::clone(&routes));
        let interceptor = (!routes.is_empty()).then(|| interceptor(routes, context));
        let set = self.page.injected().with_action_timeout(power.intercept(interceptor)).await;
        if set.is_err() {
            self.replace_routes(before);
        }
        set
    }
}

/// The interceptor for these routes. They are immutable: changed routes get a new interceptor.
fn interceptor(routes: RouteList, context: WeakContext) -> Interceptor {
    let changes_urls = |route: &TabRoute| {
        matches!(&route.handler, RouteHandler::Continue(RequestChanges { url: Some(_), .. }))
    };
    let route_list = Arc::clone(&routes);
    Interceptor {
        urls: routes.iter().flat_map(|route| route.pattern.url_wildcards()).collect(),
        changes_urls: routes.iter().any(changes_urls),
        resolve: Arc::new(move |request| resolve::action(&route_list, request)),
        fetch: Arc::new(move |request| {
            let context = context.clone();
            Box::pin(async move { fetch(&context, request).await })
        }),
    }
}

/// Sends a request that the browser cannot redirect itself.
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
