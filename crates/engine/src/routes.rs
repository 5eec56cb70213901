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

use cicerone_driver::{Action, FulfilledResponse, InterceptedRequest, Interceptor, RequestChanges};
use serde_json::Value;

use crate::{
    Error, Pattern, Result, Unsupported, context::WeakContext, local_files::local_path, page::parts::Routing,
};

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
    /// Whether the tab has shown local pages. Then its requests for files are checked, also after it went elsewhere: the
    /// history leads back.
    local: bool,
    /// Held while they change.
    changing: Arc<tokio::sync::Mutex<()>>,
}

impl Routing<'_> {
    pub(crate) fn route_list(self) -> RouteList {
        Arc::clone(&self.page.state().routes.list)
    }

    /// Has the routes of the tab that opened it, which the driver has applied.
    pub(crate) fn inherit(self, opener: Routing<'_>) {
        let (list, local) = (opener.route_list(), opener.is_local());
        let mut state = self.page.state();
        (state.routes.list, state.routes.local) = (list, local);
    }

    fn is_local(self) -> bool {
        self.page.state().routes.local
    }

    /// Refuses what a local page loads from outside of the allowed directories, where the browser lets us. Call it before it
    /// is opened.
    pub(crate) async fn check_local_files(self) -> Result<()> {
        let covered = self.page.driver().interception().is_some_and(|power| power.intercepts_files());
        if !covered || self.is_local() {
            return Ok(());
        }
        let _changing = self.changing_routes().await;
        self.apply(self.route_list(), true).await
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
    pub(crate) async fn restore(self, lost: Routing<'_>) -> Result<()> {
        let (routes, local) = (lost.route_list(), lost.is_local());
        if routes.is_empty() && !local { Ok(()) } else { self.apply(routes, local).await }
    }

    async fn set_routes(self, routes: RouteList) -> Result<()> {
        self.apply(routes, self.is_local()).await
    }

    async fn apply(self, routes: RouteList, local: bool) -> Result<()> {
        let power = self.page.driver().interception().ok_or(Error::Unsupported(Unsupported::Interception))?;
        let context = self.page.context().ok_or(Error::TabClosed)?.downgrade();
        let replace = |list: RouteList, local: bool| {
            let mut state = self.page.state();
            let table = &mut state.routes;
            (std::mem::replace(&mut table.list, list), std::mem::replace(&mut table.local, local))
        };
        let (list_before, local_before) = replace(Arc::clone(&routes), local);
        let interceptor = (local || !routes.is_empty()).then(|| interceptor(routes, local, context));
        let set = self.page.injected().with_action_timeout(power.intercept(interceptor)).await;
        if set.is_err() {
            replace(list_before, local_before);
        }
        set
    }
}

/// The interceptor for these routes, and for files. They are immutable: changed routes get a new interceptor.
fn interceptor(routes: RouteList, local: bool, context: WeakContext) -> Interceptor {
    let changes_urls = |route: &TabRoute| {
        matches!(&route.handler, RouteHandler::Continue(RequestChanges { url: Some(_), .. }))
    };
    let (route_list, files) = (Arc::clone(&routes), context.clone());
    let all_files = local.then(|| "file://*".to_owned());
    Interceptor {
        urls: routes.iter().flat_map(|route| route.pattern.url_wildcards()).chain(all_files).collect(),
        changes_urls: routes.iter().any(changes_urls),
        resolve: Arc::new(move |request| match local && !may_load(&files, request) {
            true => Action::Abort,
            false => resolve::action(&route_list, request),
        }),
        fetch: Arc::new(move |request| {
            let context = context.clone();
            Box::pin(async move { fetch(&context, request).await })
        }),
    }
}

/// Whether a page may load this, if it is a local file. Documents are not shown instead (`local_files.rs`).
fn may_load(context: &WeakContext, request: &InterceptedRequest) -> bool {
    let Some(path) = local_path(&request.url).filter(|_| !request.document) else { return true };
    let session = context.upgrade().and_then(|context| context.session().ok());
    session.is_some_and(|session| path.is_some_and(|path| session.files().to_read(&path).is_ok()))
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
