use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use thiserror::Error;
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{Notify, Semaphore},
    task::{JoinHandle, JoinSet},
    time::timeout,
};

use crate::{
    Incident, Route, Scheme, Trouble, connection,
    dial::{Dialer, tls},
    secret::Secret,
    thread,
    trouble::{Troubles, is_crowded},
};

/// Listen backlog.
const BACKLOG: u32 = 1024;

/// When file descriptors run out, the maximum wait before accepting again if no connection of ours ends: other parts of
/// the process may have freed some.
const SCARCE: Duration = Duration::from_millis(100);

/// Maximum connections of all relays together.
static ROOM: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(thread::room())));

/// A loopback proxy for one browser context. Dropping it closes the listener and all its connections.
pub struct Relay {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

/// State shared by the connections of one relay.
pub(crate) struct Shared {
    pub(crate) route: Route,
    pub(crate) dialer: Dialer,
    pub(crate) secret: Secret,
    pub(crate) troubles: Troubles,
}

/// Why a relay could not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The relay thread could not be started.
    #[error("the relay's thread could not be started: {0}")]
    Thread(#[source] io::Error),
    /// No port to listen on.
    #[error("the relay cannot listen on 127.0.0.1: {0}")]
    Port(#[source] io::Error),
    /// The system provides no random numbers.
    #[error("no random numbers for the relay's secret: {0}")]
    Secret(#[source] getrandom::Error),
    /// An additional certificate is invalid.
    #[error("invalid certificate for the proxy: {0}")]
    Authority(#[source] rustls::Error),
}

impl Relay {
    /// Listens on a free port of `127.0.0.1`. The work runs on one thread that all relays share.
    pub fn start(route: Route) -> Result<Self, StartError> {
        let runtime = thread::runtime().map_err(StartError::Thread)?;
        let secret = Secret::draw().map_err(StartError::Secret)?;
        let inside_tls = route.upstream.as_ref().is_some_and(|upstream| upstream.scheme() == Scheme::Https);
        let tls = match inside_tls {
            true => Some(tls::connector(&route.authorities).map_err(StartError::Authority)?),
            false => None,
        };
        let _inside = runtime.enter();
        let listener = listen().map_err(StartError::Port)?;
        let address = listener.local_addr().map_err(StartError::Port)?;
        let dialer = Dialer {
            timeout: route.timeout,
            tls,
            policy: Arc::clone(&route.policy),
            resolver: Arc::clone(&route.resolver),
            trusts_upstream: route.trusts_upstream,
        };
        let shared = Arc::new(Shared { route, dialer, secret, troubles: Troubles::default() });
        let listening = runtime.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, listening })
    }

    /// The address for the browser.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The required user name.
    pub fn user(&self) -> &str {
        &self.shared.secret.user
    }

    /// The required password.
    pub fn password(&self) -> &str {
        &self.shared.secret.password
    }

    /// How requests are forwarded.
    pub fn route(&self) -> &Route {
        &self.shared.route
    }

    /// Recent failures, oldest first.
    pub fn troubles(&self) -> Vec<Incident> {
        self.shared.troubles.all()
    }

    /// The latest failure for this host since then.
    pub fn trouble_for(&self, host: &str, since: Instant) -> Option<Trouble> {
        self.shared.troubles.latest(host, since)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        // The task owns the listener and all its connections.
        self.listening.abort();
    }
}

fn listen() -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
    socket.listen(BACKLOG)
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut visits = JoinSet::new();
    loop {
        tokio::select! {
            arrival = arrive(&listener) => {
                let Some(stream) = arrival else { continue };
                // Further connections wait in the backlog.
                let Ok(place) = Arc::clone(&ROOM).acquire_owned().await else { return };
                let shared = Arc::clone(&shared);
                visits.spawn(async move {
                    connection::receive(stream, shared).await;
                    drop(place);
                    LEFT.notify_waiters();
                });
            }
            Some(_) = visits.join_next() => {}
        }
    }
}

/// Signals the end of a connection of any relay.
static LEFT: Notify = Notify::const_new();

/// Accepts the next connection; `None` if the system has no resources for it.
async fn arrive(listener: &TcpListener) -> Option<TcpStream> {
    let left = LEFT.notified();
    match listener.accept().await {
        Ok((stream, _)) => Some(stream),
        Err(error) => {
            tracing::warn!(%error, "a connection was not accepted");
            if is_crowded(&error) {
                // An immediate retry would fail again. It does not matter which of the two ended the wait.
                let _ = timeout(SCARCE, left).await;
            }
            None
        }
    }
}
