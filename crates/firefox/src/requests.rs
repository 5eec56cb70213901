//! Requests: told as they go out, are answered and end; those that wait for us are let go on.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use cicerone_driver::{FrameId, PageEvent, Request, RequestEnd, RequestId};
use cicerone_wire::Event;

use crate::{
    browser::Shared,
    events::parse,
    interception,
    navigate::Detour,
    network_capture,
    page::{FirefoxPage, lock},
    protocol::network::{
        ContinueRequest, ContinueWithAuth, Credentials, RequestData, RequestEvent, ResponseData,
    },
    visit, words,
};

/// Requests of these kinds stay open or matter to nobody; settling does not wait for them.
const ENDLESS: [&str; 5] = ["eventsource", "websocket", "ping", "media", "prefetch"];

/// How long it may take from when the browser tells that a request ended until the page has heard of it, which nothing
/// tells. Measured on two cores: 5 ms, with three browsers at work up to 34.
const LAG: Duration = Duration::from_millis(60);

pub(crate) fn observe(shared: &Shared, event: Event<'_>) -> Option<()> {
    let told: RequestEvent = parse(event)?;
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
            lock(&page.under_way).insert(id.clone());
            page.tell(PageEvent::RequestBegan(Request {
                id,
                frame: told.context.as_deref().map(FrameId::from),
                navigation: told.navigation.is_some(),
                endless: ENDLESS.contains(&kind),
                kind: kind.to_owned(),
                method: told.request.method,
                url: told.request.url,
            }));
        }
        "network.responseStarted" => {
            let ResponseData { status, status_text, mime_type, .. } = told.response?;
            page.status.store(status, Ordering::Relaxed);
            page.tell(PageEvent::RequestAnswered { id, status, status_text, mime: mime_type });
        }
        "network.responseCompleted" => {
            // A redirected request goes on under the same name.
            let over = !redirects(&told.response?);
            over.then(|| page.request_ended(id, RequestEnd::Finished, told.navigation.is_some()))?;
        }
        "network.fetchError" => {
            let why = words::told(&told.error_text.unwrap_or_default());
            *lock(&page.failure) = Some(why.clone());
            // One that breaks off later has its document already.
            if let (Some(navigation), Some(context)) = (&told.navigation, &told.context)
                && page.context() == context
                && !shared.places().has_shown(&FrameId::from(context.as_str()), navigation)
            {
                page.took(Detour::Failed(why.clone()), navigation);
            }
            page.request_ended(id, RequestEnd::Failed(why), told.navigation.is_some());
        }
        _ => {}
    }
    Some(())
}

/// A request waits for us: because it may be one that a page's interceptor decides about, or because it is of a page of our
/// own that nothing is to leave.
fn blocked(shared: &Shared, page: Option<&Arc<FirefoxPage>>, told: &RequestEvent) {
    match page {
        Some(page) if page.is_told() => interception::blocked(page, told),
        Some(page) if lock(&page.closed_off).as_ref().is_some_and(|off| told.intercepts.contains(off)) => {
            visit::blocked(&page.root, told);
        }
        // Others wait only because requests are held by their URLs, whoever makes them.
        _ => {
            if let Some(connection) = shared.connection.get() {
                connection.root().tell(&ContinueRequest::unchanged(&told.request.request));
            }
        }
    }
}

impl FirefoxPage {
    fn request_ended(self: &Arc<Self>, id: RequestId, end: RequestEnd, for_document: bool) {
        lock(&self.under_way).remove(&id);
        // A document is told by itself when it is there.
        self.tell(PageEvent::RequestEnded { id: id.clone(), end, heard: for_document });
        if for_document {
            return;
        }
        lock(&self.unheard).insert(id.clone());
        let page = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(LAG).await;
            if lock(&page.unheard).remove(&id) {
                page.tell(PageEvent::RequestHeard(id));
            }
        });
    }

    /// It has heard of all requests that have ended.
    pub(crate) fn heard_of_ends(&self) {
        let heard = std::mem::take(&mut *lock(&self.unheard));
        heard.into_iter().for_each(|id| self.tell(PageEvent::RequestHeard(id)));
    }

    /// What came of the requests that were under way was told to nobody; they are not waited for.
    pub(crate) fn forget_requests(&self) {
        let forgotten = std::mem::take(&mut *lock(&self.under_way));
        for id in forgotten {
            self.tell(PageEvent::RequestEnded { id, end: RequestEnd::Finished, heard: true });
        }
    }
}

fn redirects(response: &ResponseData) -> bool {
    [301, 302, 303, 307, 308].contains(&response.status)
        && response.headers.iter().any(|header| header.name.eq_ignore_ascii_case("location"))
}

/// What a request is for, in the words that the other engines have for it.
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
        // What Firefox has no names for: these three.
        ("", "") if told.request.has("sec-websocket-key", None) => "websocket",
        ("", "") if told.request.has("accept", Some("text/event-stream")) => "eventsource",
        ("", "") => "ping",
        _ => "other",
    }
}

/// Somebody asks for credentials. Only our proxy gets them, from the page that makes us known to it and only once: asked
/// again, it did not take them. Everybody else is left to the person.
fn authenticate(shared: &Shared, told: &RequestEvent, page: Option<&FirefoxPage>) {
    let Some(connection) = shared.connection.get().filter(|_| told.is_blocked) else { return };
    let proxy = page.and_then(|page| lock(&page.errand).take());
    let credentials = proxy.as_ref().map(|proxy| Credentials {
        kind: "password",
        username: &proxy.user,
        password: &proxy.password,
    });
    let action = if credentials.is_some() { "provideCredentials" } else { "cancel" };
    connection.root().tell(&ContinueWithAuth { request: &told.request.request, action, credentials });
}
