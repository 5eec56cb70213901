//! Clients that come and go on a socket, and share one session.

use std::{sync::Arc, time::Duration};

use tokio::{net::UnixListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::{Server, lines::serve_lines};

/// How long the first client may take: who started the server is on the way.
const FIRST: Duration = Duration::from_secs(20);

/// Serves everybody who connects, until nobody was there for a while or `stop` is cancelled.
pub async fn serve_socket(listener: &UnixListener, server: Server, idle: Duration, stop: &CancellationToken) {
    let server = Arc::new(server);
    let mut clients = JoinSet::new();
    let mut patience = idle.max(FIRST);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    patience = idle;
                    let (reader, writer) = stream.into_split();
                    clients.spawn(serve_lines(Arc::clone(&server), reader, writer, stop.child_token()));
                }
                Err(error) => {
                    tracing::error!(%error, "no more clients can be taken");
                    break;
                }
            },
            // Its end begins a new while.
            Some(_) = clients.join_next() => {}
            () = tokio::time::sleep(patience), if clients.is_empty() => break,
            () = stop.cancelled() => break,
        }
    }
    // What is being answered is told that it ends.
    stop.cancel();
    while clients.join_next().await.is_some() {}
}
