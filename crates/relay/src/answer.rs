use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::{
    Response, StatusCode,
    body::Incoming,
    header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, PROXY_AUTHENTICATE},
};

use crate::Trouble;

/// The relay itself answers this URL with `204 No Content`, once the credentials are right.
///
/// A browser that requests it does not navigate, and knows the credentials for all later requests of its context.
pub const PROXY_AUTH_URL: &str = "http://proxy-auth.cicerone.invalid/";

/// The host of [`PROXY_AUTH_URL`].
pub(crate) const PROXY_AUTH_HOST: &str = "proxy-auth.cicerone.invalid";

/// The response to the browser: forwarded, or our own.
pub(crate) type RelayResponse = Response<Either<Incoming, Full<Bytes>>>;

/// Requests authentication. Unauthenticated clients get no other information.
pub(crate) fn who_is_there() -> RelayResponse {
    let mut answer = text(StatusCode::PROXY_AUTHENTICATION_REQUIRED, "This proxy serves one browser only.");
    header(&mut answer, PROXY_AUTHENTICATE, "Basic realm=\"cicerone\"");
    answer
}

/// The browser now knows the credentials.
pub(crate) fn authenticated() -> RelayResponse {
    empty(StatusCode::NO_CONTENT)
}

/// The tunnel is open; what follows is not HTTP.
pub(crate) fn connected() -> RelayResponse {
    empty(StatusCode::OK)
}

/// Not a proxy request. The rest of the connection cannot be trusted.
pub(crate) fn nonsense(why: &'static str) -> RelayResponse {
    let mut answer = text(StatusCode::BAD_REQUEST, why);
    header(&mut answer, CONNECTION, "close");
    answer
}

/// Forwarding failed.
pub(crate) fn trouble(trouble: &Trouble) -> RelayResponse {
    text(trouble.status(), &format!("cicerone: {trouble}\n"))
}

fn empty(status: StatusCode) -> RelayResponse {
    let mut answer = Response::new(Either::Right(Full::default()));
    *answer.status_mut() = status;
    answer
}

fn text(status: StatusCode, words: &str) -> RelayResponse {
    let mut answer = Response::new(Either::Right(Full::new(Bytes::copy_from_slice(words.as_bytes()))));
    *answer.status_mut() = status;
    header(&mut answer, CONTENT_TYPE, "text/plain; charset=utf-8");
    header(&mut answer, CACHE_CONTROL, "no-store");
    answer
}

fn header(answer: &mut RelayResponse, name: HeaderName, value: &'static str) {
    answer.headers_mut().insert(name, HeaderValue::from_static(value));
}
