//! Requests: reported when they start, are answered and end; held ones are continued.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU16, Ordering},
    },
    time::Duration,
};

use cicerone_driver::{FrameId, Interceptor, PageEvent, Request, RequestEnd, RequestId, lock};
use cicerone_wire::Event;
use tokio::sync::OnceCell;

use crate::{
    browser::Shared,
    interception,
    navigate::NavigationKind,
    net_errors, network_capture, origin_page,
    page::FirefoxPage,
    protocol::network::{
        ContinueRequest, ContinueWithAuth, Credentials, RequestData, RequestEvent, ResponseData,
    },
};

/// The requests of a page.
#[derive(Default)]
pub(crate) struct Requests {
    /// Those in flight.
    pub(crate) under_way: Mutex<HashSet<RequestId>>,
    /// Ends that the page's script may not have seen yet, held back until it has.
    pub(crate) held_ends: Mutex<HashMap<RequestId, RequestEnd>>,
    /// The status of the last response to an internal page.
    pub(crate) status: AtomicU16,
    /// The failure of the last failed one.
    pub(crate) failure: Mutex<Option<String>>,
    pub(crate) interceptor: Mutex<Option<Interceptor>>,
    /// Blocks those of an internal page.
    pub(crate) closed_off: Mutex<Option<String>>,
    /// Collects bodies, while needed.
    pub(crate) collector: tokio::sync::Mutex<Option<String>>,
    /// Collects the bodies of requests that may be redirected, if supported.
    pub(crate) sent_collector: OnceCell<Option<String>>,
    /// Whether a capture runs.
    pub(crate) capturing: AtomicBool,
}

/// The lag between the browser's report of a request's end and the page's script seeing it, which nothing
/// reports. Ends are held back this long. Measured on two cores: 5 ms, with three busy browsers up to 34.
const LAG: Duration = Duration::from_millis(60);

pub(crate) fn observe(shared: &Shared, event: Event<'_>) -> Option<()> {
    let told: RequestEvent = event.parse()?;
    let page = told.context.as_deref().and_then(|context| shared.page_of(context));
    if event.method == "network.authRequired" {
        authenticate(shared, &told, page.as_deref());
        return Some(());
    }
    if told.is_blocked && event.method == "network.beforeRequestSent" {
        blocked(shared, page.as_ref(), &told);
    }
    let page = page?;
    if told.request.url.starts_with("data:") {
        return None;
    }
    network_capture::observe(&page, event, kind(&told));
    let id = RequestId::from(told.request.request.as_str());
    match event.method {
        "network.beforeRequestSent" => {
            let kind = kind(&told);
            lock(&page.requests.under_way).insert(id.clone());
            // It continues with credentials.
            lock(&page.requests.held_ends).remove(&id);
            page.tell(PageEvent::RequestBegan(Request {
                id,
                frame: told.context.as_deref().map(FrameId::from),
                navigation: told.navigation.is_some(),
                endless: Request::is_endless(kind),
                kind: kind.to_owned(),
                method: told.request.method,
                url: told.request.url,
            }));
        }
        "network.responseStarted" => {
            let ResponseData { status, status_text, mime_type, .. } = told.response?;
            page.requests.status.store(status, Ordering::Relaxed);
            page.tell(PageEvent::RequestAnswered { id, status, status_text, mime: mime_type, length: None });
        }
        "network.responseCompleted" => {
            // A redirected request keeps its id.
            let over = !redirects(&told.response?);
            over.then(|| page.request_ended(id, RequestEnd::Finished, told.navigation.is_some()))?;
        }
        "network.fetchError" => {
            let why = net_errors::chromium_name(&told.error_text.unwrap_or_default());
            *lock(&page.requests.failure) = Some(why.clone());
            // One that fails later has its document already.
            if let (Some(navigation), Some(context)) = (&told.navigation, &told.context)
                && page.context() == context
                && !shared.frames().has_shown(&FrameId::from(context.as_str()), navigation)
            {
                page.took(NavigationKind::Failed(why.clone()), navigation);
            }
            page.request_ended(id, RequestEnd::Failed(why), told.navigation.is_some());
        }
        _ => {}
    }
    Some(())
}

/// Handles a held request: one that a page's interceptor may match, or one of an internal page, which must
/// not leave.
fn blocked(shared: &Shared, page: Option<&Arc<FirefoxPage>>, told: &RequestEvent) {
    match page {
        Some(page) if page.is_reported() => interception::blocked(page, told),
        Some(page)
            if lock(&page.requests.closed_off).as_ref().is_some_and(|off| told.intercepts.contains(off)) =>
        {
            origin_page::blocked(&page.root, told);
        }
        // Others are held only because requests are held by URL, whichever page makes them.
        _ => {
            if let Some(connection) = shared.connection.get() {
                connection.root().tell(&ContinueRequest::unchanged(&told.request.request));
            }
        }
    }
}

impl FirefoxPage {
    fn request_ended(self: &Arc<Self>, id: RequestId, end: RequestEnd, for_document: bool) {
        lock(&self.requests.under_way).remove(&id);
        // Documents are reported by their own event.
        if for_document {
            self.tell(PageEvent::RequestEnded { id, end });
            return;
        }
        lock(&self.requests.held_ends).insert(id.clone(), end);
        let page = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(LAG).await;
            let held = lock(&page.requests.held_ends).remove(&id);
            if let Some(end) = held {
                page.tell(PageEvent::RequestEnded { id, end });
            }
        });
    }

    /// The page's script has seen all ended requests.
    pub(crate) fn release_held_ends(&self) {
        let held = std::mem::take(&mut *lock(&self.requests.held_ends));
        held.into_iter().for_each(|(id, end)| self.tell(PageEvent::RequestEnded { id, end }));
    }

    /// The results of requests in flight were lost: they count as finished.
    pub(crate) fn forget_requests(&self) {
        self.release_held_ends();
        let forgotten = std::mem::take(&mut *lock(&self.requests.under_way));
        for id in forgotten {
            self.tell(PageEvent::RequestEnded { id, end: RequestEnd::Finished });
        }
    }
}

fn redirects(response: &ResponseData) -> bool {
    [301, 302, 303, 307, 308].contains(&response.status)
        && response.headers.iter().any(|header| header.name.eq_ignore_ascii_case("location"))
}

/// A request's resource type, in the same words as the other engines.
fn kind(told: &RequestEvent) -> &'static str {
    if told.navigation.is_some() {
        return "document";
    }
    let RequestData { destination, initiator_type, .. } = &told.request;
    match (destination.as_deref().unwrap_or_default(), initiator_type.as_deref().unwrap_or_default()) {
        ("document" | "iframe" | "frame" | "embed" | "object", _) => "document",
        ("script" | "worker" | "sharedworker" | "serviceworker", _) => "script",
        ("style", _) => "stylesheet",
        ("image", _) => "image",
        ("font", _) => "font",
        ("audio" | "video", _) => "media",
        ("track", _) => "texttrack",
        ("manifest", _) => "manifest",
        (_, "xmlhttprequest") => "xhr",
        (_, "fetch") => "fetch",
        // Firefox has no names for these three.
        ("", "") if told.request.has("sec-websocket-key", None) => "websocket",
        ("", "") if told.request.has("accept", Some("text/event-stream")) => "eventsource",
        ("", "") => "ping",
        _ => "other",
    }
}

/// Handles a challenge. Only our proxy gets credentials, from the page that authenticates and only once: a
/// second challenge means that they are wrong. Others are left to the person.
fn authenticate(shared: &Shared, told: &RequestEvent, page: Option<&FirefoxPage>) {
    let Some(connection) = shared.connection.get().filter(|_| told.is_blocked) else { return };
    let proxy = page.and_then(|page| lock(&page.proxy_auth).take());
    let credentials = proxy.as_ref().map(|proxy| Credentials {
        kind: "password",
        username: &proxy.user,
        password: &proxy.password,
    });
    let action = if credentials.is_some() { "provideCredentials" } else { "cancel" };
    connection.root().tell(&ContinueWithAuth { request: &told.request.request, action, credentials });
}
