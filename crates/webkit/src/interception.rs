//! Deciding about requests. Those whose URL may matter wait until it is known what becomes of them: what the interceptor says,
//! and what the network is made out to be ([`network`](crate::network)).
//!
//! The inspector does not intercept where a request is redirected to; the host asks about that by an event of its own.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{
    Action, FulfilledResponse, InterceptedRequest, Interception, Interceptor, RequestChanges, Result,
};
use cicerone_wire::WireError;

use crate::{
    network::Conditions,
    page::{WebKitPage, lock},
    protocol::{
        host::{ContinueRedirect, InterceptRedirects, RedirectIntercepted},
        network::{
            AddInterception, InterceptContinue, InterceptRequestWithError, InterceptRequestWithResponse,
            InterceptWithRequest, RemoveInterception, RequestIntercepted, ResponseIntercepted,
            SetInterceptionEnabled,
        },
    },
};

/// When requests wait: before they are sent, or before their response is seen.
const REQUEST: &str = "request";
const RESPONSE: &str = "response";

/// What decides about the requests of a page.
#[derive(Clone, Default)]
pub(crate) struct Filter {
    pub(crate) interceptor: Option<Interceptor>,
    pub(crate) conditions: Conditions,
}

/// A stage, and a regular expression for URLs.
type Pattern = (&'static str, String);

impl Filter {
    fn patterns(&self) -> BTreeSet<Pattern> {
        let urls = self.interceptor.iter().flat_map(|interceptor| &interceptor.urls);
        let mut patterns: BTreeSet<Pattern> = urls.map(|url| (REQUEST, pattern(url))).collect();
        if self.conditions.delays_or_fails_requests() {
            patterns.insert((REQUEST, pattern("*")));
        }
        if self.conditions.delays_responses() {
            patterns.insert((RESPONSE, pattern("*")));
        }
        patterns
    }
}

/// Changes what decides about the requests of a page.
pub(crate) async fn change(page: &WebKitPage, change: impl FnOnce(&mut Filter)) -> Result<()> {
    page.lifecycle.alive()?;
    let (answers, asked) = {
        // Commands are sent under the lock: the last filter is also the last that the browser hears of.
        let mut current = lock(&page.filter);
        let before = current.patterns();
        change(&mut current);
        let after = current.patterns();
        let (was_on, is_on) = (!before.is_empty(), !after.is_empty());
        // The browser refuses a pattern that it has, and keeps patterns while it is off.
        let removed = before
            .difference(&after)
            .map(|(stage, url)| page.session.send(&RemoveInterception { url, stage, is_regex: true }));
        let switched =
            (was_on != is_on).then(|| page.session.send(&SetInterceptionEnabled { enabled: is_on }));
        let added = after
            .difference(&before)
            .map(|(stage, url)| page.session.send(&AddInterception { url, stage, is_regex: true }));
        let answers: Vec<_> = removed.chain(switched).chain(added).collect();
        let redirects = (was_on != is_on).then(|| page.session.send(&InterceptRedirects { enabled: is_on }));
        (answers, redirects)
    };
    for answer in answers.into_iter().chain(asked) {
        answer.await.map_err(|error| page.failed(error))?;
    }
    Ok(())
}

/// Has an inspector that forgot everything intercept again.
pub(crate) async fn begin_again(page: &WebKitPage) -> Result<()> {
    let answers: Vec<_> = {
        let patterns = lock(&page.filter).patterns();
        let enabled =
            (!patterns.is_empty()).then(|| page.session.send(&SetInterceptionEnabled { enabled: true }));
        let added = patterns
            .iter()
            .map(|(stage, url)| page.session.send(&AddInterception { url, stage, is_regex: true }));
        enabled.into_iter().chain(added).collect()
    };
    for answer in answers {
        match answer.await {
            // It was given this meanwhile, by [`change`].
            Err(WireError::Refused { .. }) => {}
            other => other.map(drop).map_err(|error| page.failed(error))?,
        }
    }
    Ok(())
}

/// A pattern of ours as a regular expression.
fn pattern(url: &str) -> String {
    let mut regex = String::from("^");
    for character in url.chars() {
        match character {
            '*' => regex.push_str(".*"),
            letter if letter.is_ascii_alphanumeric() || "/:_-%&=,~@!".contains(letter) => regex.push(letter),
            other => {
                regex.push('\\');
                regex.push(other);
            }
        }
    }
    // What is after the fragment sign is never a part of ours.
    regex + "(#.*)?$"
}

#[async_trait]
impl Interception for WebKitPage {
    async fn intercept(&self, interceptor: Option<Interceptor>) -> Result<()> {
        change(self, |filter| filter.interceptor = interceptor).await
    }
}

fn without_fragment(url: &str) -> String {
    url.split('#').next().unwrap_or_default().to_owned()
}

/// A request waits.
pub(crate) fn intercepted(
    page: &Arc<WebKitPage>,
    RequestIntercepted { request_id, request }: RequestIntercepted,
) {
    let Filter { interceptor, conditions } = lock(&page.filter).clone();
    if conditions.offline {
        return abort(page, &request_id);
    }
    let body = request.body();
    let uploaded = body.as_ref().map_or(0, Vec::len);
    let mut request = InterceptedRequest {
        method: request.method,
        url: without_fragment(&request.url),
        headers: request.headers.into_iter().collect(),
        document: false,
        body: None,
    };
    let decision = interceptor.map(|interceptor| ((interceptor.resolve)(&request), interceptor));
    let page = Arc::clone(page);
    let act = async move {
        match decision {
            None => go_on(&page, &request_id, request, &RequestChanges::default()),
            Some((Action::Abort, _)) => abort(&page, &request_id),
            Some((Action::Fulfill(response), _)) => fulfill(&page, &request_id, &response),
            // A page would see the new URL of what WebKit itself sends elsewhere.
            Some((Action::Continue(changes), interceptor)) if changes.url.is_some() => {
                request.body = body;
                match (interceptor.fetch)(request.changed(&changes)).await {
                    Some(response) => fulfill(&page, &request_id, &response),
                    None => abort(&page, &request_id),
                }
            }
            Some((Action::Continue(changes), _)) => go_on(&page, &request_id, request, &changes),
        }
    };
    match conditions.delay_of_request(uploaded) {
        None => drop(tokio::spawn(act)),
        Some(until) => {
            tokio::spawn(async move {
                tokio::time::sleep_until(until).await;
                act.await;
            });
        }
    }
}

/// A response waits.
pub(crate) fn response_intercepted(
    page: &Arc<WebKitPage>,
    ResponseIntercepted { request_id, response }: ResponseIntercepted,
) {
    let length = response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|(_, length)| length.trim().parse().ok()).unwrap_or(0);
    let until = lock(&page.filter).conditions.delay_of_response(length);
    let page = Arc::clone(page);
    tokio::spawn(async move {
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
        page.session.tell(&InterceptContinue { request_id: &request_id, stage: RESPONSE });
    });
}

/// A request is redirected, and waits. WebKit can only stop it then, or give it other headers or another URL. What an
/// interceptor would answer, or send by another method or with another body, fails.
pub(crate) fn redirect_intercepted(
    page: &WebKitPage,
    RedirectIntercepted { number, method, url }: RedirectIntercepted,
) {
    let Filter { interceptor, conditions } = lock(&page.filter).clone();
    let request = InterceptedRequest {
        method,
        url: without_fragment(&url),
        headers: Vec::new(),
        document: false,
        body: None,
    };
    let action = match interceptor {
        _ if conditions.offline => Action::Abort,
        Some(interceptor) => (interceptor.resolve)(&request),
        None => Action::Continue(RequestChanges::default()),
    };
    let (stop, changes) = match action {
        Action::Continue(changes) if changes.method.is_none() && changes.body.is_none() => (false, changes),
        Action::Continue(_) | Action::Abort | Action::Fulfill(_) => (true, RequestChanges::default()),
    };
    page.session.tell(&ContinueRedirect {
        number,
        stop,
        url: changes.url.as_deref(),
        headers: &changes.headers,
    });
}

fn abort(page: &WebKitPage, request_id: &str) {
    page.session.tell(&InterceptRequestWithError { request_id, error_type: "AccessControl" });
}

fn fulfill(page: &WebKitPage, request_id: &str, response: &FulfilledResponse) {
    let named = |wanted: &str| response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    let untyped = if response.body.trim_ascii_start().starts_with(b"<") { "text/html" } else { "text/plain" };
    let mime_type = named("content-type")
        .map_or(untyped, |(_, value)| value.split(';').next().unwrap_or_default().trim());
    let is_utf_8 = named("content-type").is_some_and(|(_, value)| {
        value.to_ascii_lowercase().replace(['"', ' '], "").contains("charset=utf-8")
    });
    let body = if is_utf_8 { marked(mime_type, &response.body) } else { response.body.clone() };
    page.session.tell(&InterceptRequestWithResponse {
        request_id,
        content: STANDARD.encode(body),
        base64_encoded: true,
        mime_type: mime_type.to_owned(),
        status: response.status,
        status_text: "",
        headers: joined(&response.headers),
    });
}

/// Headers as the inspector takes them, with one value for each name: several are one list, as HTTP has it. `Set-Cookie` is
/// no list, so of several only the last remains.
fn joined(headers: &[(String, String)]) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, (&str, String)> = BTreeMap::new();
    for (name, value) in headers {
        let key = name.to_ascii_lowercase();
        let is_list = key != "set-cookie";
        all.entry(key)
            .and_modify(|(_, known)| match is_list {
                true => *known = format!("{known}, {value}"),
                false => known.clone_from(value),
            })
            .or_insert_with(|| (name, value.clone()));
    }
    all.into_values().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Text as WebKit reads it. It drops the charset of a response that it is given, so documents, scripts and style sheets get
/// the mark that says UTF-8, which they never see.
fn marked(mime_type: &str, body: &[u8]) -> Vec<u8> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let is_read = ["text/html", "text/css", "text/javascript", "application/javascript", "text/plain"];
    if body.is_ascii() || body.starts_with(MARK) || !is_read.contains(&mime_type) {
        return body.to_vec();
    }
    [MARK, body].concat()
}

fn go_on(page: &WebKitPage, request_id: &str, request: InterceptedRequest, changes: &RequestChanges) {
    if *changes == RequestChanges::default() {
        return page.session.tell(&InterceptContinue { request_id, stage: REQUEST });
    }
    // The headers that are given are all that is sent.
    let headers: Option<BTreeMap<String, String>> =
        changes.resends_headers().then(|| joined(&request.changed(changes).headers));
    page.session.tell(&InterceptWithRequest {
        request_id,
        url: None,
        method: changes.method.as_deref(),
        headers,
        post_data: changes.body.as_ref().map(|body| STANDARD.encode(body)),
    });
}

#[cfg(test)]
mod tests {
    use super::{joined, pattern};

    #[test]
    fn patterns_are_taken_by_the_letter_but_for_their_stars() {
        assert_eq!(pattern("http://h.test/*?a"), r"^http://h\.test/.*\?a(#.*)?$");
    }

    #[test]
    fn headers_of_one_name_become_a_list_unless_they_set_cookies() {
        let headers = [("Vary", "a"), ("set-cookie", "a=1"), ("vary", "b"), ("Set-Cookie", "b=2")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let expected = [("Vary", "a, b"), ("set-cookie", "b=2")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(joined(&headers), expected.into());
    }
}
