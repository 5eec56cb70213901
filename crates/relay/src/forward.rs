//! Plain HTTP requests, one after the other on one browser connection.

use std::{pin::pin, sync::Arc};

use http_body_util::Either;
use hyper::{
    Request, Response, StatusCode, Uri, Version,
    body::Incoming,
    client::conn::http1::{self, SendRequest},
    header::{HOST, HeaderValue, PROXY_AUTHORIZATION},
    http::uri::{PathAndQuery, Scheme as UriScheme},
};
use hyper_util::rt::TokioIo;
use thiserror::Error;
use tokio::{sync::Mutex, time::timeout};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    Scheme, Trouble, Upstream,
    answer::{self, RelayResponse},
    destination::Destination,
    dial::{Stream, authorization, credentials},
    headers::end_to_end,
    relay::Shared,
    route::Decision,
};

/// Maximum number of response headers.
const MOST_HEADERS: usize = 512;

/// The connection ended without a response. The browser's connection ends the same way: it retries or shows the error,
/// as it would without us.
#[derive(Debug, Error)]
#[error("the host closed the connection without a response")]
pub(crate) struct Unanswered(#[source] hyper::Error);

/// Forwards the requests of one browser connection over one connection, kept while its target stays the same.
///
/// It is not shared with other browser connections: some sites identify visitors by connection.
pub(crate) struct Forwarder {
    shared: Arc<Shared>,
    kept: Mutex<Option<Kept>>,
}

struct Kept {
    leads_to: ConnectionTarget,
    /// Whether it has carried a request.
    used: bool,
    sender: SendRequest<Incoming>,
    _driver: AbortOnDropHandle<()>,
}

/// The target of a connection: one host, or a proxy that takes requests for any host.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ConnectionTarget {
    Host(Destination),
    Proxy,
}

impl Kept {
    /// Starts HTTP on a new connection, as tolerant to hosts as browsers are.
    async fn begin(stream: Box<dyn Stream>, leads_to: ConnectionTarget) -> hyper::Result<Self> {
        let (sender, connection) = http1::Builder::new()
            .preserve_header_case(true)
            .max_headers(MOST_HEADERS)
            .allow_obsolete_multiline_headers_in_responses(true)
            .allow_spaces_after_header_name_in_responses(true)
            .ignore_invalid_headers_in_responses(true)
            .handshake(TokioIo::new(stream))
            .await?;
        let driver = tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
        Ok(Self { leads_to, used: false, sender, _driver: AbortOnDropHandle::new(driver) })
    }
}

impl Forwarder {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, kept: Mutex::default() }
    }

    /// The host's response, or our own about the failure.
    pub(crate) async fn forward(
        &self,
        request: Request<Incoming>,
        destination: &Destination,
    ) -> Result<RelayResponse, Unanswered> {
        let decision = match self.shared.route.decide(destination) {
            Ok(decision) => decision,
            Err(refusal) => return Ok(self.answer_trouble(destination, Trouble::Refused(refusal))),
        };
        let proxy = match &decision {
            Decision::Through(upstream) if upstream.scheme() != Scheme::Socks5 => Some(*upstream),
            _ => None,
        };
        let Some(request) = rewritten(request, destination, proxy) else {
            return Ok(answer::nonsense("The address cannot be passed on."));
        };
        let answered = match self.connection(&decision, destination, proxy).await {
            Ok(mut kept) => {
                let answered = self.exchange(&mut kept, request, destination, proxy).await?;
                kept.used = true;
                *self.kept.lock().await = Some(kept);
                answered
            }
            Err(trouble) => Err(trouble),
        };
        Ok(answered.unwrap_or_else(|trouble| self.answer_trouble(destination, trouble)))
    }

    fn answer_trouble(&self, destination: &Destination, trouble: Trouble) -> RelayResponse {
        let answer = answer::trouble(&trouble);
        self.shared.troubles.remember(destination, trouble);
        answer
    }

    /// The kept connection if it is open and has the right target; else a new one.
    async fn connection(
        &self,
        decision: &Decision<'_>,
        destination: &Destination,
        proxy: Option<&Upstream>,
    ) -> Result<Kept, Trouble> {
        let leads_to = match proxy {
            Some(_) => ConnectionTarget::Proxy,
            None => ConnectionTarget::Host(destination.clone()),
        };
        if let Some(mut kept) = self.kept.lock().await.take()
            && kept.leads_to == leads_to
            && kept.sender.ready().await.is_ok()
        {
            return Ok(kept);
        }
        let dialer = &self.shared.dialer;
        let stream = match (decision, proxy) {
            (Decision::Direct, _) => dialer.direct(destination).await?,
            (Decision::Through(upstream), None) => dialer.tunnel(upstream, destination).await?,
            (Decision::Through(upstream), Some(_)) => dialer.to_proxy(upstream).await?,
        };
        Kept::begin(stream, leads_to).await.map_err(|error| cut(destination, proxy, &error))
    }

    /// Sends the request and waits for the response head. A host may take any time, but a silent proxy is recorded as a
    /// failure.
    async fn exchange(
        &self,
        kept: &mut Kept,
        request: Request<Incoming>,
        destination: &Destination,
        proxy: Option<&Upstream>,
    ) -> Result<Result<RelayResponse, Trouble>, Unanswered> {
        let used = kept.used;
        let mut sending = pin!(kept.sender.send_request(request));
        let limit = self.shared.dialer.timeout;
        let response = match (timeout(limit, &mut sending).await, proxy) {
            (Ok(response), _) => response,
            (Err(_), None) => sending.await,
            (Err(_), Some(upstream)) => {
                let silent = Trouble::ProxySilent { proxy: upstream.to_string(), waited: limit };
                self.shared.troubles.remember(destination, silent);
                sending.await
            }
        };
        let response = response.map_err(|error| {
            // A reused connection may close at any time; the browser then retries. Not a failure yet.
            if !used {
                self.shared.troubles.remember(destination, cut(destination, proxy, &error));
            }
            Unanswered(error)
        })?;
        Ok(match (response.status(), proxy) {
            (StatusCode::PROXY_AUTHENTICATION_REQUIRED, Some(upstream)) => Err(credentials(upstream)),
            (StatusCode::PROXY_AUTHENTICATION_REQUIRED, None) => {
                Err(Trouble::HostAsksAsProxy { destination: destination.to_string() })
            }
            _ => Ok(passed_back(response)),
        })
    }
}

fn cut(destination: &Destination, proxy: Option<&Upstream>, error: &hyper::Error) -> Trouble {
    let via = proxy.map_or_else(|| destination.to_string(), Upstream::to_string);
    Trouble::Cut { via, reason: error.to_string() }
}

/// The request for the next hop: with an absolute URL for a proxy, else with the path only.
fn rewritten(
    request: Request<Incoming>,
    destination: &Destination,
    proxy: Option<&Upstream>,
) -> Option<Request<Incoming>> {
    let (mut parts, body) = request.into_parts();
    let authority = match destination.port {
        80 => destination.host_text(),
        _ => destination.to_string(),
    };
    let path = parts.uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
    let uri = Uri::builder().path_and_query(path);
    let uri = match proxy {
        Some(_) => uri.scheme(UriScheme::HTTP).authority(authority.as_str()).build(),
        None => uri.build(),
    };
    parts.uri = uri.ok()?;
    parts.version = Version::HTTP_11;
    parts.headers = end_to_end(parts.headers);
    // The request target decides. A different Host header is not forwarded.
    parts.headers.insert(HOST, HeaderValue::from_str(&authority).ok()?);
    if let Some(authorization) = proxy.and_then(authorization) {
        parts.headers.insert(PROXY_AUTHORIZATION, authorization);
    }
    Some(Request::from_parts(parts, body))
}

fn passed_back(response: Response<Incoming>) -> RelayResponse {
    let (mut parts, body) = response.into_parts();
    parts.headers = end_to_end(parts.headers);
    // The browser's connection is HTTP/1.1 even if the host is older.
    parts.version = Version::HTTP_11;
    Response::from_parts(parts, Either::Left(body))
}
