//! The action for a request.

use std::sync::atomic::Ordering;

use cicerone_driver::{Action, FulfilledResponse, InterceptedRequest, RequestChanges};
use url::Url;

use super::{MockBody, MockResponse, RouteHandler, TabRoute};

/// The newest matching route decides; without one the request continues.
pub(super) fn action(routes: &[TabRoute], request: &InterceptedRequest) -> Action {
    let Some(route) = routes.iter().rev().find(|route| route.pattern.matches(&request.url)) else {
        return Action::Continue(RequestChanges::default());
    };
    if let Some(requested) = preflight(request) {
        return answer_preflight(&route.handler, request, requested);
    }
    route.matched.fetch_add(1, Ordering::Relaxed);
    match &route.handler {
        RouteHandler::Abort => Action::Abort,
        RouteHandler::Continue(changes) => Action::Continue(changes.clone()),
        RouteHandler::Fulfill(response) => Action::Fulfill(fulfill(response, request)),
    }
}

/// The method of a CORS preflight. Pages cannot set that header themselves.
fn preflight(request: &InterceptedRequest) -> Option<&str> {
    (request.method == "OPTIONS").then(|| request.header("access-control-request-method")).flatten()
}

/// If the server does not get the request, it does not get the preflight either.
fn answer_preflight(handler: &RouteHandler, request: &InterceptedRequest, method: &str) -> Action {
    let not_sent = match handler {
        RouteHandler::Abort => return Action::Abort,
        RouteHandler::Fulfill(_) => true,
        RouteHandler::Continue(changes) => changes.url.is_some(),
    };
    if !not_sent {
        return Action::Continue(RequestChanges::default());
    }
    let mut headers = vec![("access-control-allow-methods".to_owned(), method.to_owned())];
    if let Some(requested) = request.header("access-control-request-headers") {
        headers.push(("access-control-allow-headers".to_owned(), requested.to_owned()));
    }
    allow_origin(&mut headers, request.header("origin"), Some(&request.url));
    Action::Fulfill(FulfilledResponse { status: 204, headers, body: Vec::new() })
}

fn fulfill(response: &MockResponse, request: &InterceptedRequest) -> FulfilledResponse {
    let mut headers = response.headers.clone();
    let has = |headers: &[(String, String)], name: &str| {
        headers.iter().any(|(own_origin, _)| own_origin.eq_ignore_ascii_case(name))
    };
    let body = match &response.body {
        MockBody::Empty => Vec::new(),
        MockBody::Text(text) => text.clone().into_bytes(),
        MockBody::Json(value) => value.to_string().into_bytes(),
    };
    if !has(&headers, "content-type")
        && let Some(kind) = content_type(&response.body, &request.url)
    {
        headers.push(("content-type".to_owned(), kind.to_owned()));
    }
    allow_origin(&mut headers, request.header("origin"), Some(&request.url));
    FulfilledResponse { status: response.status, headers, body }
}

/// Adds CORS headers for another origin, unless the response has them.
pub(super) fn allow_origin(headers: &mut Vec<(String, String)>, origin: Option<&str>, url: Option<&str>) {
    let Some(origin) = origin else { return };
    let own_origin = url.and_then(|url| Url::parse(url).ok()).map(|url| url.origin().ascii_serialization());
    let has_header = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("access-control-allow-origin"));
    if has_header || own_origin.as_deref() == Some(origin) {
        return;
    }
    for (name, value) in [
        ("access-control-allow-origin", origin),
        ("access-control-allow-credentials", "true"),
        ("vary", "origin"),
    ] {
        headers.push((name.to_owned(), value.to_owned()));
    }
}

/// Media types of files that browsers reject otherwise.
const TYPES: &[(&str, &str)] = &[
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("html", "text/html; charset=utf-8"),
];

/// The media type of a body without a content-type header.
fn content_type(body: &MockBody, url: &str) -> Option<&'static str> {
    let text = match body {
        MockBody::Empty => return None,
        MockBody::Json(_) => return Some("application/json"),
        MockBody::Text(text) => text,
    };
    let url = Url::parse(url).ok();
    let name = url.as_ref().and_then(|url| url.path_segments()?.next_back());
    let extension = name.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
    let known =
        extension.and_then(|extension| TYPES.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)));
    match known {
        Some((_, kind)) => Some(kind),
        None if text.trim_start().starts_with('<') => Some("text/html; charset=utf-8"),
        None => Some("text/plain; charset=utf-8"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::{Pattern, RouteId};

    fn route(id: u32, pattern: &str, handler: RouteHandler) -> TabRoute {
        let pattern = Pattern::for_urls(pattern).unwrap();
        TabRoute { id: RouteId(id), pattern, handler, matched: Arc::default() }
    }

    fn json_response() -> RouteHandler {
        let body = MockBody::Json(json!({ "a": 1 }));
        RouteHandler::Fulfill(MockResponse { status: 201, headers: Vec::new(), body })
    }

    fn request(method: &str, url: &str, headers: &[(&str, &str)]) -> InterceptedRequest {
        let headers = headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        InterceptedRequest { method: method.into(), url: url.into(), headers, document: false, body: None }
    }

    fn header<'a>(response: &'a FulfilledResponse, name: &str) -> Option<&'a str> {
        response.headers.iter().find(|(own_origin, _)| own_origin == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn the_newest_route_that_matches_decides() {
        let routes = [route(1, "**/api/**", RouteHandler::Abort), route(2, "**/api/user", json_response())];
        let of = |url: &str| action(&routes, &request("GET", url, &[]));
        assert_eq!(of("http://h/api/other"), Action::Abort);
        assert_eq!(of("http://h/else"), Action::Continue(RequestChanges::default()));
        let Action::Fulfill(response) = of("http://h/api/user") else { panic!("not fulfilled") };
        assert_eq!((response.status, response.body.as_slice()), (201, br#"{"a":1}"#.as_slice()));
        assert_eq!(response.headers, [("content-type".to_owned(), "application/json".to_owned())]);
        assert_eq!((routes[0].matched(), routes[1].matched()), (1, 1));
    }

    #[test]
    fn other_origins_may_read_what_no_server_answered() {
        let routes = [route(1, "**/api", json_response())];
        let requested =
            |origin: &str| action(&routes, &request("GET", "http://h/api", &[("Origin", origin)]));
        let Action::Fulfill(response) = requested("http://other") else { panic!("not fulfilled") };
        assert_eq!(header(&response, "access-control-allow-origin"), Some("http://other"));
        let Action::Fulfill(response) = requested("http://h") else { panic!("not fulfilled") };
        assert_eq!(header(&response, "access-control-allow-origin"), None);

        let headers = [
            ("origin", "http://other"),
            ("access-control-request-method", "PUT"),
            ("access-control-request-headers", "x-a"),
        ];
        let Action::Fulfill(response) = action(&routes, &request("OPTIONS", "http://h/api", &headers)) else {
            panic!("not fulfilled")
        };
        assert_eq!(response.status, 204);
        assert_eq!(header(&response, "access-control-allow-methods"), Some("PUT"));
        assert_eq!(header(&response, "access-control-allow-headers"), Some("x-a"));
        assert_eq!(routes[0].matched(), 1 + 1);
    }

    #[test]
    fn bodies_have_a_type() {
        let kind = |body: &str, url: &str| content_type(&MockBody::Text(body.into()), url);
        assert_eq!(kind("<p>", "http://h/"), Some("text/html; charset=utf-8"));
        assert_eq!(kind("a", "http://h/a.JS?b.css"), Some("text/javascript; charset=utf-8"));
        assert_eq!(kind("a", "http://h.js"), Some("text/plain; charset=utf-8"));
        assert_eq!(content_type(&MockBody::Empty, "http://h/a.js"), None);
    }
}
