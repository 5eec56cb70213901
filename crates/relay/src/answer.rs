use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::{
    Response, StatusCode,
    body::Incoming,
    header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, PROXY_AUTHENTICATE},
};

use crate::Trouble;

/// A page at this address is answered by the relay itself, with `204 No Content`, once the credentials are right.
///
/// A browser that is sent there stays where it was, and knows the credentials for all that follows in its context.
pub const PRIME_URL: &str = "http://prime.cicerone.invalid/";

/// The host of [`PRIME_URL`].
pub(crate) const PRIME_HOST: &str = "prime.cicerone.invalid";

/// What goes back to the browser: passed on, or ours.
pub(crate) type Answer = Response<Either<Incoming, Full<Bytes>>>;

/// Who is there? Nothing is said to those who have not said it.
pub(crate) fn who_is_there() -> Answer {
    let mut answer = text(StatusCode::PROXY_AUTHENTICATION_REQUIRED, "This proxy serves one browser only.");
    header(&mut answer, PROXY_AUTHENTICATE, "Basic realm=\"cicerone\"");
    answer
}

/// The browser knows the credentials now.
pub(crate) fn primed() -> Answer {
    empty(StatusCode::NO_CONTENT)
}

/// The tunnel is open; what follows is not HTTP any more.
pub(crate) fn connected() -> Answer {
    empty(StatusCode::OK)
}

/// No request that a proxy could carry. What may follow it on the connection is not to be trusted.
pub(crate) fn nonsense(why: &'static str) -> Answer {
    let mut answer = text(StatusCode::BAD_REQUEST, why);
    header(&mut answer, CONNECTION, "close");
    answer
}

/// It went wrong on the way.
pub(crate) fn trouble(trouble: &Trouble) -> Answer {
    text(trouble.status(), &format!("cicerone: {trouble}\n"))
}

fn empty(status: StatusCode) -> Answer {
    let mut answer = Response::new(Either::Right(Full::default()));
    *answer.status_mut() = status;
    answer
}

fn text(status: StatusCode, words: &str) -> Answer {
    let mut answer = Response::new(Either::Right(Full::new(Bytes::copy_from_slice(words.as_bytes()))));
    *answer.status_mut() = status;
    header(&mut answer, CONTENT_TYPE, "text/plain; charset=utf-8");
    header(&mut answer, CACHE_CONTROL, "no-store");
    answer
}

fn header(answer: &mut Answer, name: HeaderName, value: &'static str) {
    answer.headers_mut().insert(name, HeaderValue::from_static(value));
}
