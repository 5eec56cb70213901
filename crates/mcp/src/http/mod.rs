//! Many clients over streamable HTTP, in one process.
//!
//! A [`router`] checks each request, the cheapest check first: [`guard`] its names, [`token`] its owner,
//! [`body`] its size, [`message`] its form. Then the SDK gets it with its [`client`], one of all [`clients`].
//! [`sessions`] implements the SDK's session store, [`replay`] keeps recent events. [`connection`] accepts
//! connections.

mod answer;
mod body;
mod client;
mod clients;
mod connection;
mod guard;
mod message;
mod replay;
mod router;
mod sessions;
mod token;

use std::{sync::Arc, time::Duration};

use rmcp::ServerHandler;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

pub use self::{
    clients::ClientFactory,
    token::{BadToken, SHORTEST_TOKEN, Tokens},
};
use self::{clients::Clients, guard::Guard, router::Router};

/// Time limit for running calls when the server stops.
const GRACE: Duration = Duration::from_secs(2);

/// Time limit for connections after that.
const CLOSING: Duration = Duration::from_millis(500);

/// Options of the server.
pub struct HttpOptions {
    /// The accepted tokens.
    pub tokens: Tokens,
    /// Its host names, beside its address.
    pub names: Vec<String>,
    /// Maximum number of sessions.
    pub max_sessions: usize,
    /// How long an idle session is kept.
    pub session_timeout: Duration,
}

/// Serves clients until `stop` is cancelled; then running calls may end, and new ones are refused.
pub async fn serve_http<H: ServerHandler>(
    listener: TcpListener,
    factory: ClientFactory<H>,
    options: HttpOptions,
    stop: CancellationToken,
) -> std::io::Result<()> {
    let clients = Arc::new(Clients::new(factory, options.max_sessions, options.session_timeout));
    let guard = Guard::new(listener.local_addr()?, options.names);
    let router = Arc::new(Router::new(Arc::clone(&clients), guard, options.tokens));
    let end = CancellationToken::new();
    let mut connections = JoinSet::new();
    connection::accept(&listener, &router, &mut connections, &stop, &end).await;

    router.refuse_calls();
    let draining = CancellationToken::new();
    // New requests get an answer, not silence.
    tokio::select! {
        () = connection::accept(&listener, &router, &mut connections, &draining, &end) => {}
        ended = tokio::time::timeout(GRACE, clients.calls_ended()) => {
            if ended.is_err() {
                tracing::warn!("calls that took longer than {GRACE:?} are cancelled");
            }
        }
    }
    drop(listener);
    end.cancel();
    router.end_streams();
    clients.close_all().await;
    let closed = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(CLOSING, closed).await.is_err() {
        tracing::debug!("connections that do not end are dropped");
    }
    Ok(())
}
