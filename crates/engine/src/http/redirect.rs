//! Redirects, followed as browsers do.

use cicerone_http::{HttpError, Request, Response};
use url::Url;

use super::{is_web, request_failed};
use crate::Result;

/// The redirected request; `None` if the response is not a redirect.
pub(super) fn next(request: &Request, response: &Response) -> Result<Option<Request>> {
    let Some(location) = response.header("location").filter(|_| is_redirect(response.status)) else {
        return Ok(None);
    };
    let bad = || request_failed(&request.method, &request.url, HttpError::Url(location.to_owned()));
    let mut url = request.url.join(location).map_err(|_| bad())?;
    if !is_web(&url) {
        return Err(bad());
    }
    if url.fragment().is_none() {
        url.set_fragment(request.url.fragment());
    }
    let mut next = Request { url, ..request.clone() };
    if drops_body(&request.method, response.status) {
        next.method = if request.method == "HEAD" { "HEAD".into() } else { "GET".into() };
        next.body = None;
        next.headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
    }
    if !same_origin(&request.url, &next.url) {
        // Never send one host's credentials to another.
        let secret = ["authorization", "cookie", "host"];
        next.headers.retain(|(name, _)| !secret.iter().any(|secret| name.eq_ignore_ascii_case(secret)));
    }
    Ok(Some(next))
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

fn drops_body(method: &str, status: u16) -> bool {
    match status {
        301 | 302 => method == "POST",
        303 => method != "HEAD",
        _ => false,
    }
}

fn same_origin(one: &Url, other: &Url) -> bool {
    one.origin() == other.origin()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(method: &str, status: u16, location: &str) -> Option<Request> {
        let headers = [("Authorization", "a"), ("Content-Type", "b"), ("X", "c")];
        let request = Request {
            method: method.into(),
            url: Url::parse("http://h.test/a/b#c").unwrap(),
            headers: headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            body: Some("body".into()),
        };
        let response = Response {
            status,
            reason: String::new(),
            headers: vec![("location".into(), location.into())],
            body: Vec::new(),
            complete: true,
            total: None,
        };
        next(&request, &response).unwrap()
    }

    #[test]
    fn redirects_are_followed_as_browsers_do() {
        let see_other = after("PUT", 303, "../x").unwrap();
        assert_eq!((see_other.method.as_str(), see_other.url.as_str()), ("GET", "http://h.test/x#c"));
        assert!(
            see_other.body.is_none() && !see_other.headers.iter().any(|(name, _)| name == "Content-Type")
        );
        assert_eq!(after("POST", 302, "/x").unwrap().method, "GET");
        assert_eq!(after("PUT", 302, "/x").unwrap().method, "PUT");
        let kept = after("POST", 307, "http://other.test/#d").unwrap();
        assert_eq!((kept.method.as_str(), kept.url.as_str()), ("POST", "http://other.test/#d"));
        assert_eq!(kept.headers.len(), 2, "{:?}", kept.headers);
        assert!(kept.body.is_some());
        assert!(after("GET", 200, "/x").is_none());
        assert!(after("GET", 304, "/x").is_none());
    }
}
