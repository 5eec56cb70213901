use bytes::Bytes;
use http_body_util::Empty;
use hyper::{
    Method, Request, StatusCode, Uri,
    client::conn::http1,
    header::{HOST, HeaderValue, PROXY_AUTHORIZATION},
    upgrade,
};
use hyper_util::rt::TokioIo;
use tokio_util::task::AbortOnDropHandle;

use super::Stream;
use crate::{Trouble, Upstream, destination::Destination, secret::basic};

/// The `Proxy-Authorization` header for the proxy.
pub(crate) fn authorization(upstream: &Upstream) -> Option<HeaderValue> {
    let credentials = upstream.credentials()?;
    let value = format!("Basic {}", basic(&credentials.user, &credentials.password));
    let mut value = HeaderValue::from_maybe_shared(Bytes::from(value)).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Opens a tunnel through the proxy with `CONNECT`.
pub(super) async fn connect(
    stream: Box<dyn Stream>,
    upstream: &Upstream,
    destination: &Destination,
) -> Result<Box<dyn Stream>, Trouble> {
    let unintelligible = |error: hyper::Error| Trouble::ProxyUnintelligible {
        proxy: upstream.to_string(),
        reason: error.to_string(),
    };
    let refused = |reason: String| Trouble::ProxyRefused {
        proxy: upstream.to_string(),
        destination: destination.to_string(),
        reason,
    };
    let request = request(upstream, destination).map_err(|error| refused(error.to_string()))?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(unintelligible)?;
    // The connection must be driven until it becomes a tunnel; dropping this future ends it.
    let _driver = AbortOnDropHandle::new(tokio::spawn(connection.with_upgrades()));
    let response = sender.send_request(request).await.map_err(unintelligible)?;
    match response.status() {
        status if status.is_success() => {
            let tunnel = upgrade::on(response).await.map_err(unintelligible)?;
            Ok(Box::new(TokioIo::new(tunnel)))
        }
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => Err(credentials(upstream)),
        status => Err(refused(format!("it answers {status}"))),
    }
}

/// Interprets a 407 of the proxy.
pub(crate) fn credentials(upstream: &Upstream) -> Trouble {
    let proxy = upstream.to_string();
    match upstream.credentials() {
        Some(_) => Trouble::CredentialsRefused { proxy },
        None => Trouble::CredentialsMissing { proxy },
    }
}

fn request(
    upstream: &Upstream,
    destination: &Destination,
) -> Result<Request<Empty<Bytes>>, hyper::http::Error> {
    let place = destination.to_string();
    let mut request = Request::builder()
        .method(Method::CONNECT)
        .uri(Uri::builder().authority(place.as_str()).build()?)
        .header(HOST, place);
    if let Some(authorization) = authorization(upstream) {
        request = request.header(PROXY_AUTHORIZATION, authorization);
    }
    request.body(Empty::new())
}
