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
    Incident, Route, Scheme, Trouble,
    dial::{Dialer, tls},
    secret::Secret,
    thread,
    trouble::{Troubles, is_crowded},
    visit,
};

/// How many connections may wait to be accepted.
const BACKLOG: u32 = 1024;

/// When files are scarce, the longest that a new connection waits if none of ours ends: others in the process may have given some back.
const SCARCE: Duration = Duration::from_millis(100);

/// How many connections all relays together hold at most.
static ROOM: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(thread::room())));

/// A proxy on loopback for one browser context. When it is dropped it stops listening, and its connections are cut.
pub struct Relay {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

/// What the connections of one relay have in common.
pub(crate) struct Shared {
    pub(crate) route: Route,
    pub(crate) dialer: Dialer,
    pub(crate) secret: Secret,
    pub(crate) troubles: Troubles,
}

/// Why a relay could not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The thread of the relays could not be started.
    #[error("the relay's thread could not be started: {0}")]
    Thread(#[source] io::Error),
    /// There is no port to listen on.
    #[error("the relay found no port of 127.0.0.1 to listen on: {0}")]
    Port(#[source] io::Error),
    /// The system gives no random numbers.
    #[error("the relay got no random numbers for its secret: {0}")]
    Secret(#[source] getrandom::Error),
    /// A certificate that was given to trust is none.
    #[error("a certificate for the proxy cannot be used: {0}")]
    Authority(#[source] rustls::Error),
}

impl Relay {
    /// Listens on a free port of `127.0.0.1`. The work is done on a thread of its own, which all relays share.
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
            patience: route.patience,
            tls,
            policy: Arc::clone(&route.policy),
            resolver: Arc::clone(&route.resolver),
            trusts_upstream: route.trusts_upstream,
        };
        let shared = Arc::new(Shared { route, dialer, secret, troubles: Troubles::default() });
        let listening = runtime.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, listening })
    }

    /// Where the browser finds it.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The user name that the browser must give.
    pub fn user(&self) -> &str {
        &self.shared.secret.user
    }

    /// The password that the browser must give.
    pub fn password(&self) -> &str {
        &self.shared.secret.password
    }

    /// How it carries what it is asked for.
    pub fn route(&self) -> &Route {
        &self.shared.route
    }

    /// What went wrong lately, the oldest first.
    pub fn troubles(&self) -> Vec<Incident> {
        self.shared.troubles.all()
    }

    /// The last thing that went wrong on the way to this host since then.
    pub fn trouble_for(&self, host: &str, since: Instant) -> Option<Trouble> {
        self.shared.troubles.latest(host, since)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        // The task owns the listener and all of its connections.
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
                // Until there is a place, those who come next wait outside.
                let Ok(place) = Arc::clone(&ROOM).acquire_owned().await else { return };
                let shared = Arc::clone(&shared);
                visits.spawn(async move {
                    visit::receive(stream, shared).await;
                    drop(place);
                    LEFT.notify_waiters();
                });
            }
            Some(_) = visits.join_next() => {}
        }
    }
}

/// A connection of any relay has ended.
static LEFT: Notify = Notify::const_new();

/// The next connection, unless the system has none to give.
async fn arrive(listener: &TcpListener) -> Option<TcpStream> {
    let left = LEFT.notified();
    match listener.accept().await {
        Ok((stream, _)) => Some(stream),
        Err(error) => {
            tracing::warn!(%error, "a connection was not accepted");
            if is_crowded(&error) {
                // Trying again at once would fail again at once. It matters not which of the two ended the wait.
                let _ = timeout(SCARCE, left).await;
            }
            None
        }
    }
}
