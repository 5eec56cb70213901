//! One client on standard input and output.

use rmcp::transport::stdio_pipes;
use tokio_util::sync::CancellationToken;

use crate::{ClientLog, Server, ndjson::serve_lines};

/// Serves one client on standard input and output, until it closes our input or `stop` is cancelled.
pub async fn serve_stdio(server: Server, log: ClientLog, stop: CancellationToken) {
    let (reader, writer) = stdio_pipes();
    serve_lines(server.with_log(log), reader, writer, stop).await;
}
