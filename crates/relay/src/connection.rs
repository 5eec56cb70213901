//! One connection from the browser.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use hyper::{
    Method, Request,
    body::Incoming,
    server::conn::http1,
    service::service_fn,
    upgrade::{self, OnUpgrade},
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{io::copy_bidirectional_with_sizes, net::TcpStream};
use url::Host;

use crate::{
    Trouble,
    answer::{self, PROXY_AUTH_HOST, RelayResponse},
    destination::Destination,
    dial::Stream,
    forward::{Forwarder, Unanswered},
    relay::Shared,
    route::Decision,
};

/// Maximum size of a request head. Browsers stay far below; sites with many cookies reach 16 KiB.
const LONGEST_HEAD: usize = 256 << 10;

/// Maximum number of request headers.
const MOST_HEADERS: usize = 256;

/// Maximum idle time between requests, and maximum time for a request head.
const IDLE: Duration = Duration::from_secs(60);

/// Tunnel buffers: large for downloads, smaller for uploads.
const UP: usize = 16 << 10;
const DOWN: usize = 128 << 10;

struct Visit {
    shared: Arc<Shared>,
    forwarder: Forwarder,
    /// Set when a `CONNECT` was answered: the connection is then a tunnel.
    tunnel: Mutex<Option<(OnUpgrade, Box<dyn Stream>)>>,
}

/// Serves a connection until it ends.
pub(crate) async fn receive(stream: TcpStream, shared: Arc<Shared>) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "the browser's connection ended at once");
        return;
    }
    let visit =
        Arc::new(Visit { forwarder: Forwarder::new(Arc::clone(&shared)), shared, tunnel: Mutex::default() });
    let answering = Arc::clone(&visit);
    let service = service_fn(move |request| {
        let visit = Arc::clone(&answering);
        async move { visit.answer(request).await }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_header_size(LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .preserve_header_case(true)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "the browser's connection ended early");
    }
    let tunnel = visit.tunnel.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((browser, host)) = tunnel {
        join(browser, host).await;
    }
}

/// Copies bytes in both directions until both sides have ended. The end of one side is forwarded; the other may
/// continue.
async fn join(browser: OnUpgrade, mut host: Box<dyn Stream>) {
    let joined = match browser.await {
        Ok(browser) => copy_bidirectional_with_sizes(&mut TokioIo::new(browser), &mut host, UP, DOWN).await,
        Err(error) => {
            tracing::debug!(%error, "the browser left before its tunnel was open");
            return;
        }
    };
    if let Err(error) = joined {
        tracing::debug!(%error, "a tunnel was cut");
    }
}

impl Visit {
    /// An error closes the connection without a response, as the host did.
    async fn answer(&self, request: Request<Incoming>) -> Result<RelayResponse, Unanswered> {
        if !self.shared.secret.admits(request.headers()) {
            return Ok(answer::who_is_there());
        }
        let Some(destination) = Destination::of(&request) else {
            return Ok(answer::nonsense("This is a proxy: ask for http://host/ or CONNECT host:port."));
        };
        if matches!(&destination.host, Host::Domain(name) if name == PROXY_AUTH_HOST) {
            return Ok(answer::authenticated());
        }
        match request.method() == Method::CONNECT {
            true => Ok(self.tunnel(request, &destination).await),
            false => self.forwarder.forward(request, &destination).await,
        }
    }

    async fn tunnel(&self, request: Request<Incoming>, destination: &Destination) -> RelayResponse {
        let dialer = &self.shared.dialer;
        let dialed = match self.shared.route.decide(destination) {
            Ok(Decision::Direct) => dialer.direct(destination).await,
            Ok(Decision::Through(upstream)) => dialer.tunnel(upstream, destination).await,
            Err(refusal) => Err(Trouble::Refused(refusal)),
        };
        match dialed {
            Ok(host) => {
                let opened = (upgrade::on(request), host);
                *self.tunnel.lock().unwrap_or_else(PoisonError::into_inner) = Some(opened);
                answer::connected()
            }
            Err(trouble) => {
                let answer = answer::trouble(&trouble);
                self.shared.troubles.remember(destination, trouble);
                answer
            }
        }
    }
}
