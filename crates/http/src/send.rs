//! One request, one response, one connection.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Method, Uri,
    client::conn::http1,
    header::{self, HeaderMap, HeaderName, HeaderValue},
};
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use tokio_util::task::AbortOnDropHandle;
use url::Url;

use crate::{
    HttpError, Request, Response, Way, body, connection::connect, error::broken,
    message::is_connection_header,
};

/// Maximum number of response headers.
const MOST_HEADERS: usize = 512;

/// Sends a request and reads at most this many bytes of the response. `timeout` limits connecting; for a deadline of
/// the whole request, drop the future.
pub async fn send(
    request: &Request,
    way: &Way,
    timeout: Duration,
    most: usize,
) -> Result<Response, HttpError> {
    // Invalid requests fail before connecting.
    let outgoing = outgoing(request, way)?;
    let stream = connect(&request.url, way, timeout).await?;
    let (mut sender, connection) = http1::Builder::new()
        .max_headers(MOST_HEADERS)
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .title_case_headers(true)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| broken(&error))?;
    let _driver = AbortOnDropHandle::new(tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended early");
        }
    }));
    let response = sender.send_request(outgoing).await.map_err(|error| broken(&error))?;
    let (head, incoming) = response.into_parts();
    let read = body::read(incoming, &head.headers, most).await?;
    Ok(Response {
        status: head.status.as_u16(),
        reason: reason(&head),
        headers: head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect(),
        body: read.bytes,
        complete: read.complete,
        total: read.total,
    })
}

/// The server's reason phrase, or the standard one.
fn reason(head: &hyper::http::response::Parts) -> String {
    let own = head.extensions.get::<hyper::ext::ReasonPhrase>();
    let own = own.map(|own| String::from_utf8_lossy(own.as_bytes()).into_owned());
    own.unwrap_or_else(|| head.status.canonical_reason().unwrap_or_default().to_owned())
}

/// Header values are bytes; invalid UTF-8 is read as Latin-1, as in browsers.
fn text(value: &HeaderValue) -> String {
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => text.to_owned(),
        Err(_) => value.as_bytes().iter().map(|byte| char::from(*byte)).collect(),
    }
}

fn outgoing(request: &Request, way: &Way) -> Result<hyper::Request<Full<Bytes>>, HttpError> {
    let bad_url = || HttpError::Url(request.url.to_string());
    let url = without_credentials(&request.url).ok_or_else(bad_url)?;
    let plain = url.scheme() == "http";
    let uri: Uri = match way {
        // A proxy gets the absolute URL.
        Way::Through(_) if plain => url.as_str().parse().map_err(|_| bad_url())?,
        _ => url[url::Position::BeforePath..url::Position::AfterQuery].parse().map_err(|_| bad_url())?,
    };
    let method = Method::from_bytes(request.method.as_bytes())
        .map_err(|_| HttpError::Method(request.method.clone()))?;
    let mut headers = headers(request, &url)?;
    if let (Way::Through(proxy), true) = (way, plain) {
        headers.insert(header::PROXY_AUTHORIZATION, value("proxy-authorization", &proxy.authorization())?);
    }
    let body = Full::new(request.body.clone().unwrap_or_default());
    let mut outgoing = hyper::Request::new(body);
    *outgoing.method_mut() = method;
    *outgoing.uri_mut() = uri;
    *outgoing.headers_mut() = headers;
    Ok(outgoing)
}

fn headers(request: &Request, url: &Url) -> Result<HeaderMap, HttpError> {
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut headers = HeaderMap::new();
    headers.insert(header::HOST, value("host", host)?);
    if let Some(authorization) = credentials(&request.url) {
        headers.insert(header::AUTHORIZATION, value("authorization", &authorization)?);
    }
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    let mut own = HeaderMap::new();
    for (name, given) in request.headers.iter().filter(|(name, _)| !is_connection_header(name)) {
        let bad = |_| HttpError::Header(name.clone());
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(bad)?;
        own.append(key, value(name, given)?);
    }
    // The caller's headers override ours.
    for name in own.keys() {
        headers.remove(name);
    }
    headers.extend(own);
    // Methods that usually have a body announce an empty one.
    if request.body.is_none() && matches!(request.method.as_str(), "POST" | "PUT" | "PATCH") {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Ok(headers)
}

fn value(name: &str, value: &str) -> Result<HeaderValue, HttpError> {
    HeaderValue::from_bytes(value.as_bytes()).map_err(|_| HttpError::Header(name.to_owned()))
}

/// Credentials in a URL become an `Authorization` header.
fn credentials(url: &Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut pair = percent_decode_str(url.username()).collect::<Vec<u8>>();
    pair.push(b':');
    pair.extend(percent_decode_str(url.password().unwrap_or_default()));
    Some(format!("Basic {}", STANDARD.encode(pair)))
}

fn without_credentials(url: &Url) -> Option<Url> {
    let mut url = url.clone();
    url.set_fragment(None);
    (url.set_username("").is_ok() && url.set_password(None).is_ok()).then_some(url)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn request(url: &str, headers: &[(&str, &str)]) -> Request {
        Request {
            method: "POST".into(),
            url: Url::parse(url).unwrap(),
            headers: headers.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            body: None,
        }
    }

    #[test]
    fn headers_are_ours_unless_they_are_given() {
        let sent = outgoing(
            &request("http://me:p%40ss@h.test:81/a?b#c", &[("Accept-Encoding", "br")]),
            &Way::Direct(Arc::default()),
        );
        let sent = sent.unwrap();
        assert_eq!(sent.uri(), "/a?b");
        let of = |name: &str| sent.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(of("host").as_deref(), Some("h.test:81"));
        assert_eq!(of("authorization").as_deref(), Some("Basic bWU6cEBzcw=="));
        assert_eq!(of("accept-encoding").as_deref(), Some("br"));
        assert_eq!(of("content-length").as_deref(), Some("0"));
        for (name, value) in [("a b", "c"), ("a", "b\0")] {
            let refused =
                outgoing(&request("http://h.test/", &[(name, value)]), &Way::Direct(Arc::default()));
            assert!(matches!(refused, Err(HttpError::Header(_))), "{name}: {value:?}");
        }
    }
}
