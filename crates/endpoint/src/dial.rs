//! Dialling a WebSocket, inside TLS where its URL says so.

use std::{io, sync::Arc, time::Duration};

use cicerone_driver::LaunchError;
use cicerone_relay::tls_connector;
use cicerone_wire::{
    Transport,
    transport::{HandshakeError, websocket_over, websocket_over_tcp},
};
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use url::Url;

use crate::Endpoint;

/// How long a connection may take until the WebSocket is open.
const CONNECT: Duration = Duration::from_secs(10);

/// Opens the WebSocket at this URL of an endpoint.
pub(crate) async fn dial(endpoint: &Endpoint, url: &Url) -> Result<Transport, LaunchError> {
    // Credentials go nowhere but to the host that they were given for.
    let headers = if url.host() == endpoint.url().host() { endpoint.headers() } else { Vec::new() };
    let opened = tokio::time::timeout(CONNECT, open(url, &headers)).await;
    match opened {
        Ok(Ok(transport)) => Ok(transport),
        Ok(Err(HandshakeError::Status(status @ (401 | 403)))) => {
            Err(LaunchError::Unauthorized { endpoint: endpoint.name(), status })
        }
        Ok(Err(HandshakeError::Status(status))) => {
            Err(LaunchError::NoBrowser { endpoint: endpoint.name(), status: Some(status) })
        }
        Ok(Err(HandshakeError::Io(source))) => Err(unreachable(endpoint, source)),
        Ok(Err(error)) => Err(unreachable(endpoint, Arc::new(io::Error::other(error)))),
        Err(_) => Err(LaunchError::Silent { endpoint: endpoint.name(), timeout: CONNECT }),
    }
}

fn unreachable(endpoint: &Endpoint, source: Arc<io::Error>) -> LaunchError {
    match source.kind() {
        // Somebody took the connection, and speaks something else.
        io::ErrorKind::Other | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            tracing::debug!(%source, "the WebSocket was not opened");
            LaunchError::NoBrowser { endpoint: endpoint.name(), status: None }
        }
        _ => LaunchError::Unreachable { endpoint: endpoint.name(), source },
    }
}

async fn open(url: &Url, headers: &[(&'static str, String)]) -> Result<Transport, HandshakeError> {
    let failed = |error: io::Error| HandshakeError::Io(Arc::new(error));
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let port = url.port_or_known_default().unwrap_or(80);
    let stream = TcpStream::connect((host, port)).await.map_err(failed)?;
    if url.scheme() != "wss" {
        return websocket_over_tcp(stream, url.as_str(), headers).await;
    }
    stream.set_nodelay(true).map_err(failed)?;
    let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(io::Error::other(error)))?;
    let tls = tls_connector(&[]).map_err(|error| failed(io::Error::other(error)))?;
    let refused = |error| match is_of_certificate(&error) {
        true => failed(io::Error::new(io::ErrorKind::NotConnected, error)),
        false => failed(error),
    };
    let stream = tls.connect(name, stream).await.map_err(refused)?;
    websocket_over(stream, url.as_str(), headers).await
}

/// An untrusted certificate does not mean another protocol.
fn is_of_certificate(error: &io::Error) -> bool {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    matches!(cause, Some(rustls::Error::InvalidCertificate(_)))
}
