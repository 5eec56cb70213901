//! Clients of a socket, which share one session.

use std::{sync::Arc, time::Duration};

use tokio::{net::UnixListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::{Server, ndjson::serve_lines};

/// Time limit for the first client: the process that started the server is about to connect.
const FIRST: Duration = Duration::from_secs(20);

/// Serves all clients until none was connected for a while, or `stop` is cancelled.
pub async fn serve_socket(listener: &UnixListener, server: Server, idle: Duration, stop: &CancellationToken) {
    let server = Arc::new(server);
    let mut clients = JoinSet::new();
    let mut timeout = idle.max(FIRST);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    timeout = idle;
                    let (reader, writer) = stream.into_split();
                    clients.spawn(serve_lines(Arc::clone(&server), reader, writer, stop.child_token()));
                }
                Err(error) => {
                    tracing::error!(%error, "no more clients are accepted");
                    break;
                }
            },
            // The idle time starts again when it disconnects.
            Some(_) = clients.join_next() => {}
            () = tokio::time::sleep(timeout), if clients.is_empty() => break,
            () = stop.cancelled() => break,
        }
    }
    // Pending calls are cancelled.
    stop.cancel();
    while clients.join_next().await.is_some() {}
}
